// SPDX-License-Identifier: GPL-3.0-or-later
// The same noise and mask in two modes: for each mode the baseline's slice, its own, and what it changed. A click opens the difference.
#pragma once
#include "widgets/models/volume_pairs.h"
#include "widgets/pages/slice_picture.h"
#include "widgets/plots/painted_plot.h"
#include <QFrame>

class QComboBox;
class QLabel;

namespace voxlab {

// The pictures themselves: as many triples side by side as fit.
class TriptychView : public PaintedPlot {
  Q_OBJECT
public:
  struct Triple {
    VolumeTriple volumes;
    QString name;    // of the mode, as the user calls it
    QString problem; // why there are no pictures; empty when there are
    SliceDifference slices;
  };
  explicit TriptychView(QWidget* parent = nullptr);
  void setTriples(std::vector<Triple> triples, const QString& baseline);
  void setPlane(SlicePlane plane);
  const std::vector<Triple>& triples() const { return m_triples; }
  bool showsData() const override { return !m_triples.empty(); }
  void resetView() override {}
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override { return {600, heightForWidth(600)}; }
  QSize minimumSizeHint() const override { return {280, heightForWidth(std::max(280, width()))}; }

signals:
  void tripleClicked(int index);

protected:
  void paint(QPainter& painter, const QSize& size) override;
  QString tableText() const override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  int columnsIn(int width) const;
  int tripleHeight(int tripleWidth) const;
  QRect placeOf(int index, int width) const;
  int tripleAt(const QPoint& position) const; // -1: none
  void paintTriple(QPainter& painter, const Triple& triple, const QRect& area) const;

  std::vector<Triple> m_triples;
  QString m_baseline;
  SlicePlane m_plane = SlicePlane::Axial;
};

class CompareTriptych : public QFrame {
  Q_OBJECT
public:
  explicit CompareTriptych(QWidget* parent = nullptr);
  // Points as they are compared; names: what the user calls modes, by their points' names.
  void setPoints(const std::vector<VolumePoint>& points, const std::string& baselineMode, const QHash<QString, QString>& names);
  TriptychView* view() const { return m_view; }
  bool isLoading() const { return m_loading; }

signals:
  void differenceRequested(const QString& first, const QString& second);

private:
  void load();

  std::vector<VolumePoint> m_points;
  std::string m_baseline;
  QHash<QString, QString> m_names;
  QComboBox *m_sampling, *m_plane;
  QLabel* m_words;
  TriptychView* m_view;
  int m_generation = 0;
  bool m_loading = false;
};

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
// The network from the outside in: each module as wide as its GPU time, with the modules it is made of below it,
// and beside them what belongs to no module.
#pragma once
#include "core/analysis/module_tree.h"
#include "widgets/plots/painted_plot.h"
#include <memory>

namespace voxlab {

// "input_blocks.1.0" of the module that is called "0": a number says nothing without the word that it numbers.
QString meaningOf(const ModuleNode& node);

class IcicleView : public PaintedPlot {
  Q_OBJECT
public:
  explicit IcicleView(QWidget* parent = nullptr);
  void setTree(ModuleNode root, const QString& rootName);
  void setChosen(const QString& path); // all else stands back; empty: nothing does
  void setRestChosen();                // what belongs to no module; all else stands back
  void setPer(const QString& words);   // what the times are of, after "ms": " a step"
  bool showsData() const override { return m_root.total_ms > 0; }
  QSize sizeHint() const override { return {900, 180}; }
  QSize minimumSizeHint() const override { return {240, 110}; }
  const QRectF& restArea() const { return m_restPlace; } // where the last painting had what belongs to no module; empty: nowhere
  const QString& zoomedPath() const { return m_zoomed; }
  void zoomTo(const QString& path); // this module over the whole width; empty: everything

public slots:
  void resetView() override { zoomTo({}); }

signals:
  void moduleClicked(const QString& path); // empty: the whole
  void restClicked();                      // what belongs to no module

protected:
  void paint(QPainter& painter, const QSize& size) override;
  QString tableText() const override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  bool event(QEvent* event) override;

private:
  struct Place {
    QRectF area;
    const ModuleNode* node;
  };
  void paintNode(QPainter& painter, const ModuleNode& node, double left, double width, int row, const QSize& size, const ThemeColours& colours);
  void paintName(QPainter& painter, const ModuleNode& node, const QRectF& area, const QColor& ground) const;
  void paintRest(QPainter& painter, const ModuleNode& root, const QRectF& area, const QSize& size, const ThemeColours& colours);
  QSize pageSize() const override; // as high as the network is deep
  const ModuleNode* nodeAt(const QPointF& position) const;
  const ModuleNode* find(const ModuleNode& from, const std::string& path) const;
  bool isChosen(const ModuleNode& node) const; // it, or something around or within it

  ModuleNode m_root;
  QString m_rootName, m_zoomed, m_per;
  std::string m_chosen;
  bool m_isRestChosen = false, m_isRestHovered = false;
  std::vector<Place> m_places; // of the last painting
  QRectF m_restPlace;          // of what belongs to no module
  const ModuleNode* m_hovered = nullptr;
};

} // namespace voxlab

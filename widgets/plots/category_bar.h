// SPDX-License-Identifier: GPL-3.0-or-later
// Where the time of a step goes, as one bar with its legend: kernel categories, and idle time by its cause. Categories can be
// clicked; those that the legend has no room for stand behind its last word.
#pragma once
#include "core/analysis/breakdown.h"
#include "widgets/plots/painted_plot.h"
#include <set>
#include <vector>

namespace voxlab {

class CategoryBar : public PaintedPlot {
  Q_OBJECT
public:
  explicit CategoryBar(QWidget* parent = nullptr);
  void setParts(const StepBreakdown& parts); // a step
  void setPer(const QString& words) { m_per = words; } // what the times are of, after "ms": " a step"
  void setChosen(std::set<KernelCategory> categories); // the others stand back; empty: all
  bool showsData() const override { return m_total_ms > 0; }
  void resetView() override {}
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }
  std::size_t legendLeft() const { return m_left.size(); } // categories that the legend of the last painting had no room for

signals:
  void categoryClicked(voxlab::KernelCategory category, bool asWell); // as well: with Ctrl or Shift

protected:
  void paint(QPainter& painter, const QSize& size) override;
  QString tableText() const override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  bool event(QEvent* event) override;

private:
  struct Segment {
    QString name, title;
    KernelCategory category = KernelCategory::Unknown; // Unknown: idle
    double time_ms = 0;
  };
  struct Place { // where a segment can be clicked
    QRectF area;
    std::size_t segment;
  };
  QSize pageSize() const override; // with room for the whole legend
  static QString legendText(const Segment& segment);
  static QString moreText(std::size_t count);
  void showMore(const QPoint& position);
  int segmentAt(const QPointF& position) const; // -1: none
  QColor colourOf(const Segment& segment, const ThemeColours& colours) const;
  void paintBar(QPainter& painter, const QRectF& area, const ThemeColours& colours);
  void paintLegend(QPainter& painter, const QRectF& area, const ThemeColours& colours);

  std::vector<Segment> m_segments; // in the order of the categories, idle time last
  std::vector<Place> m_places;     // of the last painting
  std::vector<std::size_t> m_left; // without room in the legend
  QRectF m_morePlace;              // that says how many they are
  std::set<KernelCategory> m_chosen;
  double m_total_ms = 0;
  QString m_per;
  int m_hovered = -1;
};

} // namespace voxlab

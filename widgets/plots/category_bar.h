// SPDX-License-Identifier: GPL-3.0-or-later
// Where the time of a step goes, as one bar with its legend: kernel categories, and idle time by its cause. Categories can be
// clicked.
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
  void setChosen(std::set<KernelCategory> categories); // the others stand back; empty: all
  bool showsData() const override { return m_total_ms > 0; }
  void resetView() override {}
  QSize sizeHint() const override { return {600, 84}; }
  QSize minimumSizeHint() const override { return {200, 84}; }

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
  int segmentAt(const QPointF& position) const; // -1: none
  QColor colourOf(const Segment& segment, const ThemeColours& colours) const;
  void paintBar(QPainter& painter, const QRectF& area, const ThemeColours& colours);
  void paintLegend(QPainter& painter, const QRectF& area, const ThemeColours& colours);

  std::vector<Segment> m_segments; // in the order of the categories, idle time last
  std::vector<Place> m_places;     // of the last painting
  std::set<KernelCategory> m_chosen;
  double m_total_ms = 0;
  int m_hovered = -1;
};

} // namespace voxlab

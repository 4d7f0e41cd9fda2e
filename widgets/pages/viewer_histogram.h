// SPDX-License-Identifier: GPL-3.0-or-later
// A layer's histogram (square-root counts) with its display range: drag either edge, or the middle to move both.
#pragma once
#include "core/imaging/display_range.h"
#include "rendering/colour_maps.h"
#include <QWidget>

namespace voxlab {

class ViewerHistogram : public QWidget {
  Q_OBJECT
public:
  explicit ViewerHistogram(QWidget* parent = nullptr);
  void setSummary(const Histogram& summary);
  void setRange(DisplayRange range, ColourMap map);
  DisplayRange range() const { return m_range; }
  QSize sizeHint() const override { return {240, 84}; }
  double positionOf(double value) const; // pixels from the left

signals:
  void rangeEdited(voxlab::DisplayRange range);
  void autoRequested(); // double click

protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

private:
  enum class Grip { None, Low, High, Both };
  Grip gripAt(double x) const;
  double valueAt(double x) const;
  void edit(DisplayRange range);

  Histogram m_summary;
  DisplayRange m_range;
  ColourMap m_map = ColourMap::Grey;
  double m_first = 0, m_last = 1; // values at the left and right edge
  Grip m_grip = Grip::None;
  double m_grabbed = 0; // value under the press
  DisplayRange m_atPress;
};

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
// How often two measures of the same place have which values: a square of bins, brighter where more, empty where none.
#pragma once
#include "widgets/plots/plot_view.h"
#include <cstdint>
#include <vector>

class QCPColorMap;
class QCPItemStraightLine;

namespace voxlab {

class JointHistogramPlot : public PlotView {
  Q_OBJECT
public:
  struct Axis {
    QString name;
    double low = 0, high = 1; // the outer ends of its bins; the first and the last also hold what lies beyond
  };
  struct Data {
    Axis x, y;
    int bins = 0;                      // along each axis
    std::vector<std::uint32_t> counts; // bins² of them, x first
  };
  explicit JointHistogramPlot(QWidget* parent = nullptr);
  void setData(const Data& joint); // without counts: nothing to show
  QSize sizeHint() const override { return {280, 280}; }
  QSize minimumSizeHint() const override { return {200, 200}; }
  QString wordsAt(QPointF position) const; // of the canvas; empty beside the bins

protected:
  void applyColours(const ThemeColours& colours) override;
  void rescale() override;
  QString tableText() const override; // the bins that hold something, by their middles
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  double middleOf(const Axis& axis, int bin) const { return axis.low + (bin + 0.5) * (axis.high - axis.low) / m_data.bins; }

  Data m_data;
  QCPColorMap* m_map;
  QCPItemStraightLine* m_equal; // where both have the same value
};

} // namespace voxlab

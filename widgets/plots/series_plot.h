// SPDX-License-Identifier: GPL-3.0-or-later
// Lines over steps or seconds, with gaps where nothing is known. Draws as many points as there are pixels to show them.
#pragma once
#include "core/analysis/series.h"
#include "widgets/plots/plot_view.h"
#include <functional>
#include <vector>

class QCPGraph;
class QCPItemStraightLine;

namespace voxlab {

enum class XAxis { Steps, Seconds };
enum class LineWeight { Thin, Strong }; // raw measures behind, smoothed ones before

class SeriesPlot : public PlotView {
  Q_OBJECT
public:
  // All points between two x, thinned to at most maximumPoints; called when something has to be drawn.
  using Source = std::function<Series(double first, double last, std::size_t maximumPoints)>;

  explicit SeriesPlot(QWidget* parent = nullptr);

  // The name says what and, if it differs from the axis, its unit. `colour` is a name for namedColour(). Returns the line's number.
  int addLine(const QString& name, const QString& colour, LineWeight weight, Source source);
  void setLineVisible(int line, bool visible);
  void setYScale(AxisScale scale);
  void setXAxis(XAxis axis); // whole numbers, or times as h:mm:ss
  void setYStartsAtZero(bool startsAtZero);
  AxisScale yScale() const { return m_scale; }
  // Call when the sources have something new.
  void refresh();

protected:
  void applyColours(const ThemeColours& colours) override;
  void rescale() override;
  void viewChanged() override;
  QString tableText() const override;

private:
  struct Line {
    QString name, colour;
    LineWeight weight;
    Source source;
    QCPGraph* graph;
  };
  void fetch();
  void showValuesAt(const QPoint& position);
  void hideValues();
  QString valuesAt(double x) const;

  std::vector<Line> m_lines;
  QCPItemStraightLine* m_cursor = nullptr;
  AxisScale m_scale = AxisScale::Linear;
  bool m_startsAtZero = false;
};

} // namespace voxlab

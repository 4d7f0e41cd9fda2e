// SPDX-License-Identifier: GPL-3.0-or-later
// Parts that add up to a whole, over steps: the step time's split. Neighbouring steps are averaged into as many columns as
// can be told apart.
#pragma once
#include "core/analysis/series.h"
#include "widgets/plots/plot_view.h"
#include <vector>

class QCPBars;

namespace voxlab {

// Means of the known values in `columns` equal slices of [first, last]; NaN where a slice has none.
std::vector<double> columnMeans(const Series& series, double first, double last, int columns);

class StackedPlot : public PlotView {
  Q_OBJECT
public:
  struct Part {
    QString name;   // shown
    QString colour; // a name for namedColour()
    const Series* series = nullptr;
  };

  explicit StackedPlot(QWidget* parent = nullptr);
  // The series are read now and not kept. Parts without any known value are left out.
  void setParts(const std::vector<Part>& parts);
  void setLegendVisible(bool visible) { m_hasLegend = visible; } // for those who explain the colours themselves

protected:
  void applyColours(const ThemeColours& colours) override;
  void rescale() override;
  QString tableText() const override;

private:
  struct Layer {
    QString name, colour;
    std::vector<double> means;
    QCPBars* bars = nullptr;
  };
  void rebuild(std::vector<Layer> layers);

  std::vector<Layer> m_layers;
  std::vector<double> m_centres;
  double m_first = 0, m_width = 1;
  bool m_hasLegend = true;
};

} // namespace voxlab

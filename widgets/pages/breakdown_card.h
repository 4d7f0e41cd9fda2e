// SPDX-License-Identifier: GPL-3.0-or-later
// Where a step's time goes while a training runs: the categories of its light recordings, over steps.
#pragma once
#include "core/analysis/run_state.h"
#include "core/analysis/series.h"
#include "widgets/pages/plot_card.h"
#include <memory>
#include <vector>

class QLabel;

namespace voxlab {

class StackedPlot;

struct CategorySeries {
  std::string name; // as in exports: "convolution_forward", "idle_host"
  Series ms;        // a step, over steps; 0 where a recording does not name the category
};
// Of the light recordings of a run, in the order of the categories; idle times are the last. Empty: there are none.
std::vector<CategorySeries> categoriesOverTime(const RunState& state);

class BreakdownCard : public PlotCard {
  Q_OBJECT
public:
  explicit BreakdownCard(QWidget* parent = nullptr);
  void setRun(std::shared_ptr<const RunState> state);
  void refresh();
  static bool hasFigures(const RunState& state);

protected:
  void changeEvent(QEvent* event) override;

private:
  BreakdownCard(StackedPlot* plot, QLabel* legend, QWidget* parent);
  void showLegend();

  std::shared_ptr<const RunState> m_state;
  StackedPlot* m_plot;
  QLabel* m_legend;
  std::vector<std::pair<QString, QString>> m_parts; // shown: title and colour's name
  std::size_t m_shown = 0; // profiles of the state
};

} // namespace voxlab

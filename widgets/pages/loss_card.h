// SPDX-License-Identifier: GPL-3.0-or-later
// The loss over the steps, raw and smoothed, on a linear or logarithmic axis.
#pragma once
#include "core/analysis/run_state.h"
#include "widgets/models/live_series.h"
#include "widgets/pages/plot_card.h"
#include <memory>

class QSlider;
class QToolButton;

namespace voxlab {

class SeriesPlot;

class LossCard : public PlotCard {
  Q_OBJECT
public:
  explicit LossCard(QWidget* parent = nullptr);
  void setRun(std::shared_ptr<const RunState> state);
  void refresh();
  SeriesPlot* plot() const { return m_plot; }

private:
  LossCard(SeriesPlot* plot, QWidget* parent);
  void buildControls();
  void showFigure();
  bool isOwnSmoothing() const;
  const Series& smoothedLine() const;

  SeriesPlot* m_plot;
  std::shared_ptr<const RunState> m_state;
  LiveSeries m_smoothed;
  int m_rawLine = 0;
};

} // namespace voxlab

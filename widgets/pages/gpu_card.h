// SPDX-License-Identifier: GPL-3.0-or-later
// What the GPU says of itself (NVML): figures and the load over time. Unknown stays a dash.
#pragma once
#include "core/analysis/run_state.h"
#include <QFrame>
#include <QHash>
#include <memory>

class QGridLayout;
class QLabel;

namespace voxlab {

class SeriesPlot;

class GpuCard : public QFrame {
  Q_OBJECT
public:
  explicit GpuCard(QWidget* parent = nullptr);
  void setRun(std::shared_ptr<const RunState> state);
  void refresh();
  static bool hasFigures(const RunState& state);

private:
  void addFigure(QGridLayout* grid, int column, const char* key, const QString& title);
  void setFigure(const char* key, const QString& value);

  std::shared_ptr<const RunState> m_state;
  QHash<QByteArray, QLabel*> m_figures;
  QLabel* m_throttle;
  SeriesPlot* m_plot;
};

} // namespace voxlab

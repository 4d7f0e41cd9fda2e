// SPDX-License-Identifier: GPL-3.0-or-later
// Hardware counters in bars: how busy the units are, why warps wait, which instructions run. Of one kernel or of a selection.
#pragma once
#include "core/analysis/counters.h"
#include <QWidget>

class QLabel;

namespace voxlab {

class BarPlot;
class FactLine;

class CountersPanel : public QWidget {
  Q_OBJECT
public:
  explicit CountersPanel(QWidget* parent = nullptr);
  void setCounters(const CounterAggregate& counters, const QString& coverage = {}); // hides what was not collected; coverage: of what, in words

private:
  void showRates(const CounterAggregate& counters);
  void showStalls(const CounterAggregate& counters);
  void showInstructions(const CounterAggregate& counters);

  FactLine* m_summary;
  QLabel* m_coverage;
  QLabel *m_ratesTitle, *m_stallsTitle, *m_mixTitle;
  BarPlot *m_rates, *m_stalls, *m_mix;
};

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/counters_panel.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"
#include "widgets/pages/fact_line.h"
#include "widgets/pages/page_parts.h"
#include "widgets/plots/bar_plot.h"
#include <QVBoxLayout>

namespace voxlab {
namespace {
constexpr std::size_t kMostStalls = 8;
constexpr double kLeastStall = 0.01; // warps an issue


void fill(BarPlot* plot, QLabel* title, const QStringList& names, std::vector<BarPlot::Bar> bars, const QString& colour) {
  plot->setVisible(!names.isEmpty());
  title->setVisible(!names.isEmpty());
  if (names.isEmpty())
    return;
  plot->setBars(names, {{title->text(), colour, std::move(bars)}});
  plot->setFixedHeight(std::max(110, 46 + 21 * static_cast<int>(names.size())));
}

QStringList sumsOf(const CounterAggregate& counters) {
  QStringList sums;
  const auto add = [&](Counter counter, const QString& words, auto format) {
    if (const auto value = counters[counter])
      sums << words.arg(text(format(*value)));
  };
  const auto count = [](double value) { return trimmed(formatQuantity(value, "")); };
  // Cycles and instructions never stand without the time beside them.
  add(Counter::Duration, CountersPanel::tr("%1 of kernel time"), [](double value) { return formatQuantity(value, "s"); });
  add(Counter::SmCycles, CountersPanel::tr("%1 SM cycles"), count);
  add(Counter::Instructions, CountersPanel::tr("%1 instructions"), count);
  add(Counter::TensorInstructions, CountersPanel::tr("%1 tensor instructions"), count);
  add(Counter::Ipc, CountersPanel::tr("%1 instructions a cycle"), [](double value) { return formatSignificant(value); });
  add(Counter::DramRead, CountersPanel::tr("%1 read"), formatBytes);
  add(Counter::DramWritten, CountersPanel::tr("%1 written"), formatBytes);
  add(Counter::DramBandwidth, CountersPanel::tr("DRAM %1"), [](double value) { return formatQuantity(value, "B/s"); });
  return sums;
}
} // namespace

CountersPanel::CountersPanel(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(kSpaceSmall);
  m_summary = new FactLine(this);
  m_coverage = makeWrappedLabel({}, "caption", this);
  column->addWidget(m_summary);
  column->addWidget(m_coverage);
  const auto add = [&](QLabel*& title, BarPlot*& plot, const QString& heading, const QString& axis, const QString& name) {
    title = makeLabel(heading, "heading", this);
    title->setContentsMargins(0, kSpace, 0, 0);
    plot = new BarPlot(this);
    plot->setAxisTitles(axis, {});
    plot->setExportName(name);
    column->addWidget(title);
    column->addWidget(plot);
  };
  add(m_ratesTitle, m_rates, tr("How busy"), tr("of the peak, or of all accesses (%)"), QStringLiteral("utilisation"));
  add(m_stallsTitle, m_stalls, tr("Why warps wait"), tr("Warps stalled an issued instruction"), QStringLiteral("stalls"));
  add(m_mixTitle, m_mix, tr("Instruction mix"), tr("of the threads' instructions (%)"), QStringLiteral("instructions"));
  m_rates->setWhole(100);
  column->addStretch(1);
}

void CountersPanel::setCounters(const CounterAggregate& counters, const QString& coverage) {
  const QStringList sums = sumsOf(counters);
  m_summary->setFacts(sums);
  m_summary->setVisible(!sums.isEmpty());
  m_coverage->setVisible(!coverage.isEmpty());
  m_coverage->setText(coverage);
  showRates(counters);
  showStalls(counters);
  showInstructions(counters);
}

void CountersPanel::showRates(const CounterAggregate& counters) {
  QStringList names;
  std::vector<BarPlot::Bar> bars;
  for (const Counter counter : {Counter::SmThroughput, Counter::MemoryThroughput, Counter::DramThroughput, Counter::TensorPipe, Counter::FmaPipe, Counter::AluPipe, Counter::LsuPipe, Counter::IssueActive,
                                Counter::AchievedOccupancy, Counter::TheoreticalOccupancy, Counter::L1Hit, Counter::L2Hit}) {
    if (!counters[counter])
      continue;
    names << text(counterInfo(counter).title);
    bars.push_back({counters[counter], {}});
  }
  fill(m_rates, m_ratesTitle, names, std::move(bars), QStringLiteral("utilisation"));
}

void CountersPanel::showStalls(const CounterAggregate& counters) {
  QStringList names;
  std::vector<BarPlot::Bar> bars;
  for (const auto& stall : counters.stalls) {
    if (bars.size() == kMostStalls || stall.perIssue < kLeastStall)
      break;
    names << text(stall.title);
    bars.push_back({stall.perIssue, {}});
  }
  fill(m_stalls, m_stallsTitle, names, std::move(bars), QStringLiteral("power"));
}

void CountersPanel::showInstructions(const CounterAggregate& counters) {
  static constexpr Counter kMix[] = {Counter::InstructionsTensor,  Counter::InstructionsFp16,   Counter::InstructionsFp32,    Counter::InstructionsFp64,
                                     Counter::InstructionsInteger, Counter::InstructionsMemory, Counter::InstructionsControl, Counter::InstructionsConversion};
  double all = 0;
  for (const Counter counter : kMix)
    all += counters[counter].value_or(0);
  QStringList names;
  std::vector<BarPlot::Bar> bars;
  for (const Counter counter : kMix) {
    const auto value = counters[counter];
    if (!value || *value <= 0 || all <= 0)
      continue;
    names << text(counterInfo(counter).title);
    bars.push_back({100 * *value / all, {}});
  }
  fill(m_mix, m_mixTitle, names, std::move(bars), QStringLiteral("host"));
}

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare_counters.h"
#include "core/analysis/counters.h"
#include "core/analysis/device_peaks.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"
#include "widgets/models/comparison_arrangement.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/plot_card.h"
#include "widgets/plots/distinct_colours.h"
#include "widgets/plots/scatter_plot.h"
#include "widgets/plots/stacked_bar_plot.h"
#include "widgets/plots/theme_colours.h"
#include <QCheckBox>
#include <QEvent>
#include <algorithm>
#include <array>
#include <set>

namespace voxlab {
namespace {
constexpr std::size_t kMostStalls = 8;      // reasons by name; the rest is "other"
constexpr double kLeastShare = 0.005;       // of a step: operators below it would only stretch the axes
constexpr std::size_t kMostOperators = 40;  // of a mode
constexpr std::array kMix{Counter::InstructionsTensor,  Counter::InstructionsFp16,   Counter::InstructionsFp32,    Counter::InstructionsFp64,
                          Counter::InstructionsInteger, Counter::InstructionsMemory, Counter::InstructionsControl, Counter::InstructionsConversion};
} // namespace

CompareCounters::CompareCounters(const ComparisonModel* model, QWidget* parent)
    : CardGrid(900, parent), m_model(model), m_instructions(new StackedBarPlot), m_stalls(new StackedBarPlot), m_roofline(new ScatterPlot),
      m_instructionsWords(makeWrappedLabel({}, "help")), m_stallsWords(makeWrappedLabel({}, "help")), m_rooflineWords(makeWrappedLabel({}, "help")), m_shares(new QCheckBox(tr("100 %"))) {
  m_instructionsCard = new PlotCard(tr("Instruction mix"), withWordsBelow(m_instructions, m_instructionsWords));
  m_instructionsCard->addControl(m_shares);
  m_stallsCard = new PlotCard(tr("Why warps wait"), withWordsBelow(m_stalls, m_stallsWords));
  m_rooflineCard = new PlotCard(tr("Roofline of all modes"), withWordsBelow(m_roofline, m_rooflineWords));
  m_shares->setToolTip(tr("Every mode's instructions as shares of its own"));
  for (QLabel* words : {m_instructionsWords, m_stallsWords, m_rooflineWords})
    words->setTextFormat(Qt::RichText);
  for (StackedBarPlot* plot : {m_instructions, m_stalls}) {
    plot->setLegendVisible(false);
    plot->setEmptyText(tr("No mode has counters. A profile with hardware counters (profile.counters) records them."));
  }
  m_stalls->setAxisTitles(tr("Warps that wait, per issued instruction"), {});
  m_roofline->setScales(AxisScale::Logarithmic, AxisScale::Logarithmic);
  m_roofline->setAxisTitles(tr("Arithmetic intensity (FLOP/B)"), tr("Achieved (FLOP/s)"));
  m_roofline->setEmptyText(tr("No mode's profile has shapes of operators on a GPU whose ceilings are known."));
  m_instructions->setExportName(QStringLiteral("instruction_mix"));
  m_stalls->setExportName(QStringLiteral("stalls"));
  m_roofline->setExportName(QStringLiteral("roofline"));
  add(m_instructionsCard);
  add(m_stallsCard);
  add(m_rooflineCard, Span::All, 380);
  connect(m_shares, &QCheckBox::toggled, this, &CompareCounters::showInstructions);
}

void CompareCounters::changeEvent(QEvent* event) {
  CardGrid::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    refresh(); // legends have colours of their own
}

void CompareCounters::refresh() {
  showInstructions();
  showStalls();
  showRoofline();
}

QString CompareCounters::legendOf(const std::vector<std::pair<QString, QString>>& namesAndColours) const {
  QStringList legend;
  const ThemeKind kind = themeColours(palette()).kind;
  for (const auto& [name, colour] : namesAndColours)
    legend << QStringLiteral("<span style=\"color:%1\">■</span>&nbsp;%2").arg(namedColour(colour, kind).name(), QString(name).toHtmlEscaped().replace(QLatin1Char(' '), QStringLiteral("&nbsp;")));
  return legend.join(QStringLiteral(" &nbsp; "));
}

// Instructions say nothing of speed: the wall clock stands beside the name.
QString CompareCounters::nameWithTime(std::size_t side) const {
  const QString name = m_model->nameOf(static_cast<int>(side));
  for (const char* measure : {"duration_ms", "wall_ms"})
    if (const ComparedMeasure* time = m_model->comparison().runs[side].measure(measure); time && time->spread.count > 0)
      return QStringLiteral("%1 · %2").arg(name, measureText(time->spread.median, time->unit));
  return name;
}

void CompareCounters::showInstructions() {
  const RunComparison& comparison = m_model->comparison();
  QStringList names;
  std::vector<std::size_t> sides;
  bool partial = false;
  for (std::size_t n = 0; n < comparison.runs.size(); ++n)
    if (std::any_of(kMix.begin(), kMix.end(), [&](Counter counter) { return comparison.runs[n].measure(counterInfo(counter).name) != nullptr; })) {
      sides.push_back(n);
      names << nameWithTime(n);
      const ComparedMeasure* coverage = comparison.runs[n].measure("counter_coverage");
      partial |= coverage && coverage->spread.median < 0.9;
    }
  std::vector<StackedBarPlot::Part> parts;
  for (const Counter counter : kMix) {
    const CounterInfo& info = counterInfo(counter);
    StackedBarPlot::Part part{text(info.title).remove(QStringLiteral(" thread instructions")), text(info.name), {}};
    for (const std::size_t n : sides) {
      const ComparedMeasure* value = comparison.runs[n].measure(info.name);
      double all = 0;
      for (const Counter other : kMix)
        if (const ComparedMeasure* measure = comparison.runs[n].measure(counterInfo(other).name))
          all += measure->spread.median;
      part.values.push_back(value ? std::optional(m_shares->isChecked() ? 100 * value->spread.median / std::max(all, 1.0) : value->spread.median / 1e9) : std::nullopt);
    }
    if (std::any_of(part.values.begin(), part.values.end(), [](const auto& value) { return value.value_or(0) > 0; }))
      parts.push_back(std::move(part));
  }
  std::vector<std::pair<QString, QString>> legend;
  for (const auto& part : parts)
    legend.emplace_back(part.name, part.colour);
  m_instructionsWords->setText(legendOf(legend) + (partial ? QStringLiteral("<br>") + tr("Of those kernels only that have counters: the measure “Counters' share of kernel time” says how much that is.") : QString()));
  m_instructionsWords->setVisible(!parts.empty());
  m_instructions->setBars(names, std::move(parts));
  m_instructions->setAxisTitles(m_shares->isChecked() ? tr("Share of the instructions (%)") : tr("Thread instructions a step (10⁹)"), {});
  m_shares->setEnabled(!sides.empty());
}

void CompareCounters::showStalls() {
  const RunComparison& comparison = m_model->comparison();
  QStringList names;
  std::vector<std::size_t> sides;
  std::vector<ComparedStall> reasons; // summed over the modes
  for (std::size_t n = 0; n < comparison.runs.size(); ++n) {
    if (comparison.runs[n].stalls.empty())
      continue;
    sides.push_back(n);
    names << nameWithTime(n);
    for (const ComparedStall& stall : comparison.runs[n].stalls) {
      const auto it = std::find_if(reasons.begin(), reasons.end(), [&](const ComparedStall& r) { return r.name == stall.name; });
      if (it == reasons.end())
        reasons.push_back(stall);
      else
        it->perIssue += stall.perIssue;
    }
  }
  std::stable_sort(reasons.begin(), reasons.end(), [](const ComparedStall& a, const ComparedStall& b) { return a.perIssue > b.perIssue; });
  std::vector<StackedBarPlot::Part> parts;
  StackedBarPlot::Part rest{tr("Other reasons"), QStringLiteral("other"), std::vector<std::optional<double>>(sides.size(), 0.0)};
  for (std::size_t r = 0; r < reasons.size(); ++r) {
    StackedBarPlot::Part part{text(reasons[r].title), text(reasons[r].name), {}};
    for (std::size_t s = 0; s < sides.size(); ++s) {
      const auto& stalls = comparison.runs[sides[s]].stalls;
      const auto it = std::find_if(stalls.begin(), stalls.end(), [&](const ComparedStall& stall) { return stall.name == reasons[r].name; });
      const double value = it == stalls.end() ? 0 : it->perIssue;
      part.values.emplace_back(value);
      if (r >= kMostStalls)
        rest.values[s] = *rest.values[s] + value;
    }
    if (r < kMostStalls)
      parts.push_back(std::move(part));
  }
  if (reasons.size() > kMostStalls)
    parts.push_back(std::move(rest));
  std::vector<std::pair<QString, QString>> legend;
  for (const auto& part : parts)
    legend.emplace_back(part.name, part.colour);
  m_stallsWords->setText(legendOf(legend));
  m_stallsWords->setVisible(!parts.empty());
  m_stalls->setBars(names, std::move(parts));
}

void CompareCounters::showRoofline() {
  const RunComparison& comparison = m_model->comparison();
  std::vector<ScatterPlot::Point> points;
  std::vector<std::pair<QString, QString>> legend;
  std::set<std::string> devices;
  QStringList modes;
  for (const ComparedRun& run : comparison.runs)
    modes << (run.roofline.empty() ? QString() : text(run.mode));
  const QStringList colours = distinctColours(modes);
  for (std::size_t n = 0; n < comparison.runs.size(); ++n) {
    const ComparedRun& run = comparison.runs[n];
    std::size_t shown = 0;
    for (const RooflinePoint& operatorPoint : run.roofline) {
      if (operatorPoint.flops <= 0 || operatorPoint.time_ms < kLeastShare * run.wall_ms || shown >= kMostOperators)
        continue;
      ScatterPlot::Point point;
      point.x = operatorPoint.intensity();
      point.y = operatorPoint.flopsPerSecond();
      point.weight = operatorPoint.time_ms;
      point.colour = colours[static_cast<qsizetype>(n)];
      point.hint = tr("%1: %2\n%3\n%4 ms a step, %5, %6 % of what the device allows")
                       .arg(m_model->nameOf(static_cast<int>(n)), text(operatorPoint.title()), text(operatorPoint.shapes), text(formatSignificant(operatorPoint.time_ms)),
                            text(formatQuantity(operatorPoint.flopsPerSecond(), "FLOP/s")), text(formatSignificant(100 * operatorPoint.ofBound(), 2)));
      points.push_back(std::move(point));
      ++shown;
    }
    if (shown > 0) {
      legend.emplace_back(m_model->nameOf(static_cast<int>(n)), colours[static_cast<qsizetype>(n)]);
      devices.insert(run.device);
    }
  }
  std::vector<ScatterPlot::Line> lines;
  for (const std::string& device : devices) {
    const DevicePeaks* peaks = devicePeaks(device);
    for (const KernelArithmetic arithmetic : {KernelArithmetic::Bf16, KernelArithmetic::Tf32, KernelArithmetic::Fp32}) {
      const PeakFigure peak = peaks ? peaks->of(arithmetic) : PeakFigure();
      if (!peaks || peak.value <= 0 || peaks->bandwidth.value <= 0)
        continue;
      const QString name = arithmetic == KernelArithmetic::Bf16 ? tr("BF16, FP16") : text(arithmeticName(arithmetic));
      const double bandwidth = peaks->bandwidth.value;
      lines.push_back({devices.size() > 1 ? QStringLiteral("%1 %2").arg(text(device), name) : QStringLiteral("%1  %2").arg(name, text(formatQuantity(peak.value, "FLOP/s"))),
                       {{1e-4, bandwidth * 1e-4}, {peak.value / bandwidth, peak.value}, {1e7, peak.value}}, devices.size() > 1});
    }
  }
  const bool any = !points.empty();
  m_roofline->setPoints(std::move(points), std::move(lines));
  m_rooflineWords->setText(any ? legendOf(legend) + QStringLiteral("<br>") + tr("Each circle is an operator, or a part of its work, with its shapes, as large as its time; operators below half a percent of a step are left out.") : QString());
  m_rooflineWords->setVisible(any);
}

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
// What the views of the kernels page show of a selection.
#include "core/base/milliseconds.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"
#include "widgets/pages/fact_line.h"
#include "widgets/pages/kernel_details.h"
#include "widgets/pages/kernel_table_view.h"
#include "widgets/pages/kernels_page.h"
#include "widgets/pages/priority_list.h"
#include "widgets/plots/scatter_plot.h"
#include "widgets/plots/stacked_bar_plot.h"
#include "widgets/plots/timeline_view.h"
#include <QLabel>
#include <algorithm>

namespace voxlab {
namespace {
constexpr double kLeastPoint = 0.0005; // of the time: operators below it would only stretch the roofline's axes


bool marksSteps(const Trace& trace) { return trace.stepOrigin != StepOrigin::Whole; }
} // namespace

// An empty view says what this profile would need.
void KernelsPage::showEmptyTexts() {
  if (m_view->groups.empty() && !m_selection.isEmpty())
    m_priorities->setEmptyText(tr("Nothing matches what is selected."));
  else if (m_profile->isOfCounters)
    m_priorities->setEmptyText(tr("These counters hold no advice. Nsight Compute's details page (ncu --page details --csv) beside the raw one has its rules and what they promise."));
  else if (!m_profile->trace.hasGpu())
    m_priorities->setEmptyText(tr("What could be gained is estimated for GPUs; this profile is of the CPU."));
  else if (!m_profile->peaks())
    m_priorities->setEmptyText(tr("The ceilings of this GPU are not known, so nothing can be held against them. Counters of Nsight Compute bring advice of their own."));
  else
    m_priorities->setEmptyText(tr("Nothing here promises a speed-up. Estimates need the shapes of operators (record_shapes), or counters."));
}

// At most a step, or what lies across steps.
bool KernelsPage::isOfRange() const { return m_view->query.filter.time_ns && m_view->stepCount == 1; }

QString KernelsPage::per() const { return isOfRange() ? tr(" in the range") : marksSteps(m_profile->trace) ? tr(" a step") : QString(); }

void KernelsPage::showHeadline() {
  const bool isOfRange = this->isOfRange();
  m_tableModel->setPer(isOfRange ? KernelTableModel::Per::Range : marksSteps(m_profile->trace) ? KernelTableModel::Per::Step : KernelTableModel::Per::Recording);
  const Breakdown& all = m_profile->breakdown;
  const auto ms = [](double value) { return tr("%1 ms").arg(text(formatMilliseconds(value))); };
  const auto unprofiled_ms = m_profile->source.unprofiled_ms;
  QStringList words;
  if (m_selection.isEmpty()) {
    const bool onGpu = m_profile->trace.hasGpu();
    const QString what = onGpu ? tr("kernels") : tr("operators");
    words << (m_profile->isOfCounters ? tr("%1 of %2, counters alone") : marksSteps(m_profile->trace) ? tr("%1 of %2 a step") : tr("%1 of %2, no step marked")).arg(ms(all.mean.kernel_ms), what);
    if (!m_profile->isOfCounters && all.mean.wall_ms > 0)
      words << tr("%1 wall%2").arg(ms(all.mean.wall_ms), all.wall_ms.standardDeviation ? tr(" ± %1").arg(text(formatSignificant(*all.wall_ms.standardDeviation, 2))) : QString()) + (unprofiled_ms ? tr(" (%1 without the profiler)").arg(ms(*unprofiled_ms)) : QString())
            << (onGpu ? tr("GPU busy %1 %") : tr("in operators %1 %")).arg(text(formatSignificant(100 * all.mean.busy_ms / all.mean.wall_ms, 3)));
    words << (onGpu ? tr("%1 launches") : tr("%1 calls")).arg(text(formatCount(static_cast<std::int64_t>(all.mean.launches))));
  } else {
    words << (isOfRange ? tr("Selected: %1 in the range") : marksSteps(m_profile->trace) ? tr("Selected: %1 a step") : tr("Selected: %1")).arg(ms(m_view->selected_ms)) << (m_view->launches == 1 ? tr("%1 launch") : isOfRange ? tr("%1 launches") : tr("%1 launches in all")).arg(text(formatCount(static_cast<std::int64_t>(m_view->launches))));
  }
  if (m_view->stepCount > 1)
    words << tr("%1 steps").arg(text(formatCount(static_cast<std::int64_t>(m_view->stepCount))));
  if (const std::string device = m_profile->deviceName(); !device.empty())
    words << text(device);
  else if (!m_profile->trace.hasGpu())
    words << tr("no GPU: operators stand for kernels");
  m_headline->setFacts(words);
  QStringList notes;
  if (const std::string overlap = m_profile->isOfCounters ? std::string() : overlapWords(m_profile->trace, all.mean); !overlap.empty())
    notes << text(overlap);
  if (const std::string recording = recordingWords(all.mean, unprofiled_ms); !recording.empty())
    notes << text(recording);
  for (const auto& note : m_profile->trace.notes)
    notes << text(note);
  m_headline->setToolTip(notes.join(QLatin1Char('\n')));
}

void KernelsPage::showSteps() {
  constexpr std::size_t kMostBars = 40;
  const auto& steps = m_view->steps;
  m_stepsABar = static_cast<int>((steps.size() + kMostBars - 1) / kMostBars);
  m_stepsABar = std::max(m_stepsABar, 1);
  const auto stride = static_cast<std::size_t>(m_stepsABar);
  const std::size_t bars = (steps.size() + stride - 1) / stride;
  QStringList names;
  std::vector<StackedBarPlot::Part> parts;
  const auto add = [&](std::string_view name, std::string_view title, auto value) {
    StackedBarPlot::Part part{QString::fromUtf8(title.data()), QString::fromUtf8(name.data()), std::vector<std::optional<double>>(bars)};
    for (std::size_t i = 0; i < steps.size(); ++i)
      part.values[i / stride] = part.values[i / stride].value_or(0) + value(steps[i]) / static_cast<double>(std::min(stride, steps.size() - i / stride * stride));
    parts.push_back(std::move(part));
  };
  for (std::size_t bar = 0; bar < bars; ++bar)
    names << (stride == 1 ? tr("Step %1").arg(bar + 1) : tr("%1 – %2").arg(bar * stride + 1).arg(std::min(steps.size(), (bar + 1) * stride)));
  const auto& chosen = m_selection.filter().categories;
  for (std::size_t i = 1; i < static_cast<std::size_t>(KernelCategory::Count); ++i)
    if (const auto category = static_cast<KernelCategory>(i); chosen.empty() || chosen.contains(category))
      add(categoryName(category), categoryTitle(category), [i](const StepBreakdown& step) { return step.category_ms[i]; });
  for (std::size_t i = 0; chosen.empty() && i < static_cast<std::size_t>(IdleCause::Count); ++i)
    add(idleName(static_cast<IdleCause>(i)), idleTitle(static_cast<IdleCause>(i)), [i](const StepBreakdown& step) { return step.idle_ms[i]; });
  m_steps->setBars(names, std::move(parts));
}

void KernelsPage::showRoofline() {
  std::vector<ScatterPlot::Point> points;
  std::vector<ScatterPlot::Line> lines;
  m_roofOperators.clear();
  const DevicePeaks* peaks = m_profile->peaks();
  if (!peaks || !m_view->roofline) {
    m_roofline->setEmptyText(m_profile->trace.hasGpu() ? tr("The ceilings of this GPU are not known, so there is nothing to hold the operators against.") : tr("A roofline needs a profile of a GPU."));
    m_rooflineNote->clear();
    m_roofline->setPoints({});
    return;
  }
  m_roofline->setEmptyText(m_view->groups.empty() && !m_selection.isEmpty() ? tr("Nothing matches what is selected.") : tr("No operator here has a cost that is known. Record shapes (record_shapes) to see how far each is from the GPU's ceilings."));
  const double bandwidth = peaks->bandwidth.value;
  QStringList measured;
  for (const KernelArithmetic arithmetic : {KernelArithmetic::Bf16, KernelArithmetic::Tf32, KernelArithmetic::Fp32}) {
    const PeakFigure peak = peaks->of(arithmetic);
    if (peak.value <= 0)
      continue;
    const QString name = arithmetic == KernelArithmetic::Bf16 ? tr("BF16, FP16") : QString::fromUtf8(arithmeticName(arithmetic).data());
    if (peak.measured)
      measured << name;
    const double ridge = peak.value / bandwidth;
    lines.push_back({tr("%1  %2").arg(name, text(formatQuantity(peak.value, "FLOP/s"))), {{1e-4, bandwidth * 1e-4}, {ridge, peak.value}, {1e7, peak.value}}, false});
  }
  for (const RooflinePoint& point : m_view->roofline->points) {
    if (point.flops <= 0 || point.time_ms < kLeastPoint * m_view->roofline->total_ms)
      continue;
    ScatterPlot::Point shown;
    shown.x = point.intensity();
    shown.y = point.flopsPerSecond();
    shown.weight = point.time_ms;
    shown.colour = text(categoryName(point.category));
    shown.hint = tr("%1\n%2\n%3 ms%4 in %5 calls\n%6, %7 of what %8 allows").arg(text(point.title()), text(point.shapes), text(formatMilliseconds(point.time_ms)), per(), text(formatCount(static_cast<std::int64_t>(point.calls))),
                     text(formatQuantity(point.flopsPerSecond(), "FLOP/s")), text(formatSignificant(100 * point.ofBound(), 2)) + QStringLiteral(" %"), point.bound == RooflineBound::Compute ? tr("the arithmetic") : tr("the memory"));
    points.push_back(std::move(shown));
    m_roofOperators << text(point.operatorName);
  }
  m_roofline->setPoints(std::move(points), std::move(lines));
  if (peaks->bandwidth.measured)
    measured.prepend(tr("memory"));
  const auto unbroken = [](const std::string& quantity) { return text(quantity).replace(QLatin1Char(' '), QChar(QChar::Nbsp)).replace(QLatin1Char('/'), QStringLiteral("/\u2060")); };
  m_rooflineNote->setText(tr("%1 of %2 ms have a known cost. Memory: %3.%4")
                              .arg(text(formatMilliseconds(m_view->roofline->attributed_ms)), text(formatMilliseconds(m_view->roofline->total_ms)), unbroken(formatQuantity(bandwidth, "B/s")),
                                   measured.isEmpty() ? QString() : tr(" Measured: %1.").arg(measured.join(QStringLiteral(", ")))));
}

void KernelsPage::showDetails() {
  const QModelIndex index = m_table->currentIndex();
  const KernelRow* row = m_tableModel->rowOf(index);
  if (!row || !m_view) {
    m_details->clear();
    return;
  }
  const bool isGroup = m_tableModel->isGroup(index);
  m_details->setRow(*m_profile, *m_view, *row, isGroup ? KernelDetails::What::Group : KernelDetails::What::Kernel);
  m_timeline->setMarked(isGroup ? kNoIndex : row->example);
}

} // namespace voxlab

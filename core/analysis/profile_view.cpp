// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/profile_view.h"

namespace voxlab {
namespace {
bool isWhole(const EventFilter& filter) { // but for time and categories
  return filter.module.empty() && !filter.withoutModule && filter.operatorName.empty() && !filter.withoutOperator && filter.text.empty() && !filter.phase && !filter.step;
}

// Sums of the selection by step and category; streams that overlap count twice, as a part of the work has no time line of its own.
std::vector<StepBreakdown> sumsByStep(const Profile& profile, EventFilter filter) {
  filter.categories.clear();
  filter.time_ns.reset();
  std::vector<StepBreakdown> steps(profile.trace.steps.size());
  const EventMatcher matches(filter, profile.trace, profile.index);
  for (const auto& event : profile.trace.gpu) {
    if (event.step == kNoIndex || !matches(event))
      continue;
    StepBreakdown& step = steps[event.step];
    const double ms = static_cast<double>(event.duration_ns) / 1e6;
    step.category_ms[static_cast<std::size_t>(profile.index.of(event).category)] += ms;
    step.busy_ms += ms;
    step.wall_ms += ms;
  }
  return steps;
}

StepBreakdown sumsOf(const Profile& profile, EventFilter filter, double stepCount) {
  filter.categories.clear();
  StepBreakdown sums;
  const EventMatcher matches(filter, profile.trace, profile.index);
  for (const auto& event : profile.trace.gpu) {
    if (!matches(event))
      continue;
    const double ms = selectedMs(filter, event) / stepCount;
    sums.category_ms[static_cast<std::size_t>(profile.index.of(event).category)] += ms;
    sums.busy_ms += ms;
    sums.wall_ms += ms;
  }
  return sums;
}

StepBreakdown aStepOf(StepBreakdown sums, double stepCount) {
  for (double& ms : sums.category_ms)
    ms /= stepCount;
  for (double& ms : sums.idle_ms)
    ms /= stepCount;
  sums.busy_ms /= stepCount;
  sums.wall_ms /= stepCount;
  return sums;
}

std::unique_ptr<const EventTimeline> timelineOf(const Profile& profile, EventFilter filter) {
  filter.time_ns.reset();
  if (isWhole(filter) && filter.categories.empty())
    return nullptr;
  return std::make_unique<const EventTimeline>(profile.trace, profile.index, filter);
}

void addOccupancies(ProfileView& view, const NcuReport& counters) {
  std::vector<KernelRow*> rows;
  for (KernelGroup& group : view.groups) {
    if (view.query.grouping == KernelGrouping::Kernel || view.query.grouping == KernelGrouping::Launch)
      rows.push_back(&group.row);
    for (KernelRow& kernel : group.kernels)
      rows.push_back(&kernel);
  }
  addOccupancy(rows, counters);
}
} // namespace

std::shared_ptr<const ProfileView> viewOf(const Profile& profile, const ProfileQuery& query, std::stop_token stop) {
  const auto view = std::make_shared<ProfileView>();
  const EventFilter& filter = query.filter;
  const Trace& trace = profile.trace;
  view->query = query;
  view->isOfSteps = !profile.isOfCounters;
  view->stepCount = stepsIn(filter, trace);
  view->groups = kernelGroups(trace, profile.index, query.grouping, filter);
  if (profile.hasCounters())
    addOccupancies(*view, profile.counters);
  for (const auto& group : view->groups) {
    view->selected_ms += group.row.total_ms / view->stepCount;
    view->launches += group.row.calls;
  }
  if (stop.stop_requested())
    return nullptr;
  view->timeline = timelineOf(profile, filter);
  view->hasIdle = isWhole(filter) && !trace.steps.empty();
  view->parts = !view->hasIdle ? sumsOf(profile, filter, view->stepCount)
                : filter.time_ns ? aStepOf(breakDownRange(trace, profile.index, *filter.time_ns, profile.breakdown.device), view->stepCount)
                                 : profile.breakdown.mean;
  view->steps = isWhole(filter) ? profile.breakdown.steps : sumsByStep(profile, filter);
  if (stop.stop_requested())
    return nullptr;
  EventFilter anyModule = filter;
  anyModule.module.clear();
  anyModule.withoutModule = false;
  const bool byModule = namesModules(trace);
  if (!byModule) {
    anyModule.operatorName.clear();
    anyModule.withoutOperator = false;
    anyModule.phase.reset();
  }
  view->modules = byModule ? moduleTree(trace, profile.index, anyModule) : operatorTree(trace, profile.index, anyModule);
  if (stop.stop_requested())
    return nullptr;
  if (const DevicePeaks* peaks = profile.peaks())
    view->roofline = roofline(trace, profile.index, *peaks, filter);
  if (stop.stop_requested())
    return nullptr;
  if (profile.hasCounters())
    view->counters = aggregateCounters(profile.counters, trace, profile.index, filter);
  if (profile.isOfCounters)
    view->counters.coverage.reset(); // of a step that nobody recorded
  view->priorities = rankPriorities(trace, profile.index, profile.bounds ? &*profile.bounds : nullptr, profile.hasCounters() ? &profile.counters : nullptr, filter);
  if (gainful(view->priorities) == 0)
    view->withoutGain = withoutGainWords(trace.hasGpu() ? WorkPlace::Gpu : WorkPlace::Processor, profile.bounds.has_value(), profile.hasCounters() ? &profile.counters : nullptr);
  return stop.stop_requested() ? nullptr : view;
}

} // namespace voxlab

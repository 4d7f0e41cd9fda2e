// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/trace_steps.h"
#include "core/analysis/trace_attribution.h"
#include <algorithm>
#include <map>

namespace voxlab {
namespace {
struct HostSpan {
  std::string name;
  std::int64_t start_ns = 0, end_ns = 0;
};

// Ranges that mark steps by name and do not lie in another such range.
std::vector<HostSpan> markedSteps(const Trace& trace) {
  std::vector<HostSpan> spans;
  for (const auto& e : trace.host) {
    if ((e.kind != HostKind::Range && e.kind != HostKind::Python) || !marksStep(trace.name(e.name)))
      continue;
    bool nested = false;
    for (auto parent = e.parent; parent != kNoIndex && !nested; parent = trace.host[parent].parent)
      nested = marksStep(trace.name(trace.host[parent].name));
    if (!nested)
      spans.push_back({trace.name(e.name), e.start_ns, e.end_ns()});
  }
  return spans;
}

// The outermost range that repeats and covers the most time.
std::vector<HostSpan> repeatedRanges(const Trace& trace) {
  std::map<std::pair<std::uint16_t, NameId>, std::vector<HostSpan>> byName;
  for (const auto& e : trace.host)
    if (e.kind == HostKind::Range && e.parent == kNoIndex && phaseOfRange(trace.name(e.name)) == Phase::Unknown)
      byName[{e.thread, e.name}].push_back({trace.name(e.name), e.start_ns, e.end_ns()});
  std::vector<HostSpan> best;
  std::int64_t most = 0;
  for (auto& [key, spans] : byName) {
    std::int64_t covered = 0;
    for (const auto& span : spans)
      covered += span.end_ns - span.start_ns;
    if (spans.size() >= 2 && covered > most) {
      most = covered;
      best = std::move(spans);
    }
  }
  return best;
}

std::vector<HostSpan> graphLaunches(const Trace& trace) {
  std::vector<HostSpan> spans;
  for (const auto& e : trace.host)
    if (e.kind == HostKind::Runtime && trace.name(e.name).find("GraphLaunch") != std::string::npos)
      spans.push_back({"graph replay", e.start_ns, e.end_ns()});
  return spans.size() >= 2 ? spans : std::vector<HostSpan>();
}

// Each event belongs to the step in which the host caused it. What is caused between two ranges belongs to the first of them.
void assignBySpans(Trace& trace, std::vector<HostSpan> spans) {
  std::sort(spans.begin(), spans.end(), [](const HostSpan& a, const HostSpan& b) { return a.start_ns < b.start_ns; });
  for (const auto& span : spans)
    trace.steps.push_back({span.name, 0, 0, kNoIndex});
  for (auto& event : trace.gpu) {
    const std::int64_t caused_ns = event.launch == kNoIndex ? event.start_ns : trace.host[event.launch].start_ns;
    const auto after =
        std::upper_bound(spans.begin(), spans.end(), caused_ns, [](std::int64_t t, const HostSpan& s) { return t < s.start_ns; });
    if (after == spans.begin() || (after == spans.end() && event.launch != kNoIndex && caused_ns > spans.back().end_ns))
      continue;
    event.step = static_cast<std::uint32_t>(after - spans.begin() - 1);
  }
}

// Smallest period of the kernels' names, in kernels; 0 when there is none. One in fifty may differ: a step that also samples or
// logs.
std::size_t namePeriod(const std::vector<NameId>& names) {
  for (std::size_t period = 4; period * 2 <= names.size(); ++period) {
    const std::size_t compared = names.size() - period, tolerated = compared / 50;
    std::size_t different = 0;
    for (std::size_t i = 0; i < compared && different <= tolerated; ++i)
      different += names[i] != names[i + period];
    if (different <= tolerated)
      return period;
  }
  return 0;
}

bool assignByRepetition(Trace& trace) {
  constexpr std::size_t kMostCompared = 40000;
  std::vector<std::uint32_t> kernels;
  for (std::uint32_t i = 0; i < trace.gpu.size(); ++i)
    if (trace.gpu[i].kind == GpuKind::Kernel)
      kernels.push_back(i);
  std::vector<NameId> names;
  for (std::size_t i = 0; i < std::min(kernels.size(), kMostCompared); ++i)
    names.push_back(trace.gpu[kernels[i]].name);
  const std::size_t period = namePeriod(names);
  if (period == 0)
    return false;
  std::size_t seen = 0;
  for (auto& event : trace.gpu) {
    const std::size_t kernel = event.kind == GpuKind::Kernel ? seen++ : seen;
    event.step = static_cast<std::uint32_t>(std::min(kernel, kernels.size() - 1) / period);
  }
  const std::size_t count = (kernels.size() + period - 1) / period;
  if (kernels.size() % period != 0) { // the recording ended within a step
    for (auto& event : trace.gpu)
      if (event.step == count - 1)
        event.step = kNoIndex;
    trace.notes.push_back("The recording ends within a step; what belongs to it is left out of the figures per step.");
  }
  trace.steps.assign(kernels.size() / period, {"repetition", 0, 0, kNoIndex});
  return true;
}

// Steps run from their first GPU event to the next step's first. Steps in which the GPU did nothing are dropped.
void closeSteps(Trace& trace) {
  std::vector<std::int64_t> last(trace.steps.size(), 0);
  for (std::uint32_t i = 0; i < trace.gpu.size(); ++i) {
    if (trace.gpu[i].step == kNoIndex)
      continue;
    TraceStep& step = trace.steps[trace.gpu[i].step];
    if (step.firstEvent == kNoIndex) {
      step.firstEvent = i;
      step.start_ns = trace.gpu[i].start_ns;
    }
    last[trace.gpu[i].step] = std::max(last[trace.gpu[i].step], trace.gpu[i].end_ns());
  }
  std::vector<std::uint32_t> renumbered(trace.steps.size(), kNoIndex);
  std::vector<TraceStep> kept;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    if (trace.steps[i].firstEvent == kNoIndex)
      continue;
    trace.steps[i].end_ns = last[i];
    if (!kept.empty())
      kept.back().end_ns = std::max(kept.back().start_ns, trace.steps[i].start_ns);
    renumbered[i] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(trace.steps[i]);
  }
  for (auto& event : trace.gpu)
    if (event.step != kNoIndex)
      event.step = renumbered[event.step];
  if (kept.size() < trace.steps.size())
    trace.notes.push_back(std::to_string(trace.steps.size() - kept.size()) + " marked steps have no GPU work and were left out.");
  trace.steps = std::move(kept);
}
} // namespace

void findSteps(Trace& trace) {
  trace.steps.clear();
  trace.stepOrigin = StepOrigin::Unknown;
  if (trace.gpu.empty())
    return;
  constexpr std::pair<std::vector<HostSpan> (*)(const Trace&), StepOrigin> kWays[] = {{markedSteps, StepOrigin::Ranges}, {repeatedRanges, StepOrigin::Ranges}, {graphLaunches, StepOrigin::GraphLaunches}};
  for (const auto& [find, origin] : kWays) {
    if (auto spans = find(trace); !spans.empty()) {
      assignBySpans(trace, std::move(spans));
      closeSteps(trace);
      trace.stepOrigin = origin;
      if (!trace.steps.empty())
        return;
    }
  }
  trace.stepOrigin = StepOrigin::Repetition;
  if (!assignByRepetition(trace)) {
    trace.stepOrigin = StepOrigin::Whole;
    trace.steps.assign(1, {"everything", 0, 0, kNoIndex});
    for (auto& event : trace.gpu)
      event.step = 0;
    trace.notes.push_back("No step is marked and nothing repeats: the whole recording is taken as one step.");
  }
  closeSteps(trace);
}

} // namespace voxlab

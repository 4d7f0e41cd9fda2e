// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/breakdown.h"
#include "core/analysis/trace_attribution.h"
#include "core/base/milliseconds.h"
#include <algorithm>
#include <map>

namespace voxlab {
namespace {
struct Span {
  std::int64_t start_ns, end_ns;
};

std::int64_t overlap(Span a, Span b) {
  return std::max<std::int64_t>(0, std::min(a.end_ns, b.end_ns) - std::max(a.start_ns, b.start_ns));
}

// Sorted spans; those inside or touching another are merged.
class Spans {
public:
  void add(const HostEvent& e) { m_spans.push_back({e.start_ns, e.end_ns()}); }
  void finish() {
    std::sort(m_spans.begin(), m_spans.end(), [](Span a, Span b) { return a.start_ns < b.start_ns; });
    std::vector<Span> merged;
    for (const Span span : m_spans) {
      if (!merged.empty() && span.start_ns <= merged.back().end_ns)
        merged.back().end_ns = std::max(merged.back().end_ns, span.end_ns);
      else
        merged.push_back(span);
    }
    m_spans = std::move(merged);
  }
  std::int64_t covered(Span span) const {
    std::int64_t sum = 0;
    for (auto it = firstEndingAfter(span.start_ns); it != m_spans.end() && it->start_ns < span.end_ns; ++it)
      sum += overlap(*it, span);
    return sum;
  }
  bool touches(Span span) const {
    const auto it = firstEndingAfter(span.start_ns - 1);
    return it != m_spans.end() && it->start_ns <= span.end_ns;
  }

private:
  std::vector<Span>::const_iterator firstEndingAfter(std::int64_t time_ns) const {
    return std::upper_bound(m_spans.begin(), m_spans.end(), time_ns, [](std::int64_t t, Span s) { return t < s.end_ns; });
  }
  std::vector<Span> m_spans;
};

bool waitsForGpu(const std::string& call) {
  return call.find("Synchronize") != std::string::npos || call == "cudaMemcpy" || call == "cudaMemcpy2D" || call == "hipMemcpy";
}

class IdleJudge {
public:
  explicit IdleJudge(const Trace& trace) : m_trace(trace) {
    for (const auto& e : trace.host) {
      const std::string& name = trace.name(e.name);
      if (e.kind == HostKind::Runtime && waitsForGpu(name))
        m_sync.add(e);
      else if (e.kind == HostKind::Overhead)
        m_profiler.add(e);
      else if (e.kind == HostKind::Range && phaseOfRange(name) == Phase::Data)
        m_data.add(e);
    }
    m_sync.finish();
    m_profiler.finish();
    m_data.finish();
  }

  // Cuts the gap before an event into stretches with one cause each.
  void judge(Span gap, const GpuEvent& next, std::vector<IdleGap>& out) const {
    if (next.launch == kNoIndex)
      return add(out, gap.start_ns, gap.end_ns, IdleCause::Unknown);
    const HostEvent& launch = m_trace.host[next.launch];
    const std::int64_t launch_ns =
        launch.end_ns() <= gap.start_ns ? gap.start_ns : std::clamp(launch.start_ns, gap.start_ns, gap.end_ns);
    const Span before{gap.start_ns, launch_ns};
    std::int64_t reached = before.start_ns;
    for (const auto& [spans, cause] : {std::pair{&m_profiler, IdleCause::Profiler}, std::pair{&m_data, IdleCause::Data}}) {
      const std::int64_t part = std::min(spans->covered(before), before.end_ns - reached);
      add(out, reached, reached + part, cause);
      reached += part;
    }
    add(out, reached, before.end_ns, m_sync.touches(before) ? IdleCause::Sync : IdleCause::Host);
    add(out, launch_ns, gap.end_ns, IdleCause::Launch);
  }

private:
  static void add(std::vector<IdleGap>& out, std::int64_t start_ns, std::int64_t end_ns, IdleCause cause) {
    if (end_ns > start_ns)
      out.push_back({start_ns, end_ns, cause});
  }
  const Trace& m_trace;
  Spans m_sync, m_profiler, m_data;
};

std::int32_t deviceOf(const Trace& trace, const GpuEvent& event) {
  return trace.streams[event.stream].device;
}

// Adds the part of [start, end) that lies in each step to that step.
template <class Add> void clipToSteps(const std::vector<TraceStep>& steps, std::int64_t start_ns, std::int64_t end_ns, Add add) {
  auto it = std::upper_bound(steps.begin(), steps.end(), start_ns, [](std::int64_t t, const TraceStep& s) { return t < s.end_ns; });
  for (; it != steps.end() && it->start_ns < end_ns; ++it)
    add(static_cast<std::size_t>(it - steps.begin()),
        static_cast<double>(overlap({start_ns, end_ns}, {it->start_ns, it->end_ns})) / 1e6);
}

StepBreakdown meanOf(const std::vector<StepBreakdown>& steps) {
  StepBreakdown mean;
  const auto n = static_cast<double>(steps.size());
  double launches = 0;
  for (const auto& step : steps) {
    for (std::size_t i = 0; i < step.category_ms.size(); ++i)
      mean.category_ms[i] += step.category_ms[i] / n;
    for (std::size_t i = 0; i < step.idle_ms.size(); ++i)
      mean.idle_ms[i] += step.idle_ms[i] / n;
    mean.wall_ms += step.wall_ms / n;
    mean.busy_ms += step.busy_ms / n;
    mean.kernel_ms += step.kernel_ms / n;
    mean.copy_ms += step.copy_ms / n;
    launches += static_cast<double>(step.launches) / n;
  }
  mean.launches = static_cast<std::uint64_t>(launches + 0.5);
  return mean;
}
} // namespace

std::string_view idleName(IdleCause cause) {
  static constexpr std::string_view kNames[] = {"idle_unknown", "idle_launch", "idle_host",
                                                "idle_data",    "idle_sync",   "idle_profiler"};
  return kNames[static_cast<std::size_t>(cause)];
}

std::string_view idleTitle(IdleCause cause) {
  static constexpr std::string_view kTitles[] = {"Idle: unknown", "Idle: launch",          "Idle: host",
                                                 "Idle: data",    "Idle: synchronisation", "Idle: profiler"};
  return kTitles[static_cast<std::size_t>(cause)];
}

std::int32_t busiestDevice(const Trace& trace) {
  std::map<std::int32_t, std::int64_t> busy;
  for (const auto& event : trace.gpu)
    busy[deviceOf(trace, event)] += event.duration_ns;
  const auto it = std::max_element(busy.begin(), busy.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return it == busy.end() ? 0 : it->first;
}

DeviceTimeline deviceTimeline(const Trace& trace, std::int32_t device) {
  DeviceTimeline line;
  line.device = device;
  const IdleJudge judge(trace);
  std::optional<std::int64_t> reached;
  for (std::uint32_t i = 0; i < trace.gpu.size(); ++i) {
    const GpuEvent& event = trace.gpu[i];
    if (deviceOf(trace, event) != device)
      continue;
    if (reached && event.start_ns > *reached)
      judge.judge({*reached, event.start_ns}, event, line.idle);
    const std::int64_t start_ns = reached ? std::max(event.start_ns, *reached) : event.start_ns;
    if (event.end_ns() > start_ns)
      line.busy.push_back({start_ns, event.end_ns(), i});
    reached = std::max(reached.value_or(event.end_ns()), event.end_ns());
  }
  return line;
}

std::string recordingWords(const StepBreakdown& recorded, std::optional<double> unprofiled_ms) {
  constexpr double kAlike = 0.05;
  const double slowed_ms = recorded.wall_ms - unprofiled_ms.value_or(recorded.wall_ms);
  if (slowed_ms <= 0 || slowed_ms <= kAlike * unprofiled_ms.value_or(0))
    return {};
  const double idle_ms = recorded.idleTotal_ms(), ofRecording_ms = std::min(slowed_ms, idle_ms);
  return "Recording slowed the step from " + formatMilliseconds(*unprofiled_ms) + " to " + formatMilliseconds(recorded.wall_ms) + " ms: of the " + formatMilliseconds(idle_ms) +
         " ms idle, " + formatMilliseconds(ofRecording_ms) + " ms are the recording's; without it about " + formatMilliseconds(idle_ms - ofRecording_ms) + " ms are left.";
}

std::string overlapWords(const Trace& trace, const StepBreakdown& step) {
  constexpr double kAlike = 0.005; // streams that hand over to each other touch here and there
  double all_ms = 0;
  for (const auto& event : trace.gpu)
    all_ms += event.step == kNoIndex ? 0 : static_cast<double>(event.duration_ns) / 1e6 / static_cast<double>(trace.steps.size());
  if (all_ms <= (1 + kAlike) * step.busy_ms)
    return {};
  const bool onGpu = trace.hasGpu();
  return std::string(onGpu ? "Kernels and copies ran side by side, on several streams" : "Operators ran side by side, on several threads") + ": their times add up to " + formatMilliseconds(all_ms) +
         " ms a step, in which " + (onGpu ? "the GPU was" : "the processor was") + " busy for " + formatMilliseconds(step.busy_ms) + " ms. Shares of the step may so add up to more than 100 %.";
}

Breakdown breakDown(const Trace& trace, const KernelIndex& index, std::optional<std::int32_t> device) {
  Breakdown result;
  result.device = device.value_or(busiestDevice(trace));
  result.steps.resize(trace.steps.size());
  const DeviceTimeline line = deviceTimeline(trace, result.device);
  for (const auto& segment : line.busy) {
    const auto category = static_cast<std::size_t>(index.of(trace.gpu[segment.event]).category);
    clipToSteps(trace.steps, segment.start_ns, segment.end_ns, [&](std::size_t step, double ms) {
      result.steps[step].category_ms[category] += ms;
      result.steps[step].busy_ms += ms;
    });
  }
  for (const auto& gap : line.idle)
    clipToSteps(trace.steps, gap.start_ns, gap.end_ns,
                [&](std::size_t step, double ms) { result.steps[step].idle_ms[static_cast<std::size_t>(gap.cause)] += ms; });
  for (const auto& event : trace.gpu) {
    if (event.step == kNoIndex || deviceOf(trace, event) != result.device)
      continue;
    StepBreakdown& step = result.steps[event.step];
    const bool isCopy = event.kind == GpuKind::Copy || event.kind == GpuKind::Fill;
    (isCopy ? step.copy_ms : step.kernel_ms) += static_cast<double>(event.duration_ns) / 1e6;
    step.launches += !isCopy && !event.isLaterSlice;
  }
  std::vector<double> walls, kernels;
  for (std::size_t i = 0; i < result.steps.size(); ++i) {
    result.steps[i].wall_ms = static_cast<double>(trace.steps[i].duration_ns()) / 1e6;
    walls.push_back(result.steps[i].wall_ms);
    kernels.push_back(result.steps[i].kernel_ms);
  }
  result.wall_ms = spreadOf(walls);
  result.kernel_ms = spreadOf(kernels);
  if (!result.steps.empty())
    result.mean = meanOf(result.steps);
  return result;
}

StepBreakdown breakDownRange(const Trace& trace, const KernelIndex& index, std::pair<std::int64_t, std::int64_t> range_ns, std::int32_t device) {
  StepBreakdown sums;
  const Span range{range_ns.first, range_ns.second};
  const DeviceTimeline line = deviceTimeline(trace, device);
  for (const auto& segment : line.busy) {
    const double ms = static_cast<double>(overlap({segment.start_ns, segment.end_ns}, range)) / 1e6;
    sums.category_ms[static_cast<std::size_t>(index.of(trace.gpu[segment.event]).category)] += ms;
    sums.busy_ms += ms;
  }
  double idle_ms = 0;
  for (const auto& gap : line.idle) {
    const double ms = static_cast<double>(overlap({gap.start_ns, gap.end_ns}, range)) / 1e6;
    sums.idle_ms[static_cast<std::size_t>(gap.cause)] += ms;
    idle_ms += ms;
  }
  sums.wall_ms = sums.busy_ms + idle_ms;
  return sums;
}

} // namespace voxlab

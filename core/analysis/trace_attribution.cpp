// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/trace_attribution.h"
#include "core/analysis/list_inputs.h"
#include "core/analysis/trace_steps.h"
#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace voxlab {
namespace {
std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

constexpr std::string_view kBackwardOperator = "autograd::engine::evaluate_function";
constexpr std::string_view kListOperator = "aten::_foreach_";

void sortAndNest(Trace& trace) {
  std::stable_sort(trace.gpu.begin(), trace.gpu.end(),
                   [](const GpuEvent& a, const GpuEvent& b) { return a.start_ns < b.start_ns; });
  std::stable_sort(trace.host.begin(), trace.host.end(), [](const HostEvent& a, const HostEvent& b) {
    if (a.thread != b.thread)
      return a.thread < b.thread;
    return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.duration_ns > b.duration_ns;
  });
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < trace.host.size(); ++i) {
    HostEvent& e = trace.host[i];
    while (!open.empty() && (trace.host[open.back()].thread != e.thread || trace.host[open.back()].end_ns() < e.end_ns()))
      open.pop_back();
    e.parent = open.empty() ? kNoIndex : open.back();
    open.push_back(i);
  }
}

void correlate(Trace& trace) {
  std::unordered_map<std::uint64_t, std::uint32_t> calls;
  for (std::uint32_t i = 0; i < trace.host.size(); ++i)
    if (trace.host[i].kind == HostKind::Runtime && trace.host[i].correlation != 0)
      calls[trace.host[i].correlation] = i;
  for (auto& event : trace.gpu)
    if (const auto it = calls.find(event.correlation); event.correlation != 0 && it != calls.end())
      event.launch = it->second;
}

// First host event of the thread that starts at this time, or kNoIndex.
std::uint32_t hostAt(const Trace& trace, std::uint16_t thread, std::int64_t time_ns) {
  const auto it = std::lower_bound(
      trace.host.begin(), trace.host.end(), std::make_pair(thread, time_ns),
      [](const HostEvent& e, const auto& at) { return e.thread != at.first ? e.thread < at.first : e.start_ns < at.second; });
  if (it == trace.host.end() || it->thread != thread || it->start_ns != time_ns)
    return kNoIndex;
  return static_cast<std::uint32_t>(it - trace.host.begin());
}

void linkBackward(Trace& trace, const std::vector<TraceFlow>& flows) {
  std::unordered_map<std::string, std::uint32_t> starts;
  for (const auto& flow : flows)
    if (flow.isStart)
      starts[flow.id] = hostAt(trace, flow.thread, flow.time_ns);
  for (const auto& flow : flows) {
    const auto start = flow.isStart ? starts.end() : starts.find(flow.id);
    const auto end = start == starts.end() ? kNoIndex : hostAt(trace, flow.thread, flow.time_ns);
    if (end != kNoIndex && start->second != kNoIndex && start->second != end)
      trace.host[end].forward = start->second;
  }
  if (!flows.empty())
    return;
  // Files without arrows: the last forward operator that carries the backward operator's sequence number.
  std::unordered_map<std::int64_t, std::uint32_t> forward;
  const auto isBackward = [&](const HostEvent& e) {
    return trace.name(e.name).starts_with(kBackwardOperator) || trace.name(e.name).ends_with("Backward0");
  };
  for (std::uint32_t i = 0; i < trace.host.size(); ++i)
    if (trace.host[i].sequence >= 0 && !isBackward(trace.host[i]))
      forward[trace.host[i].sequence] = i;
  for (auto& e : trace.host)
    if (e.sequence >= 0 && isBackward(e))
      if (const auto it = forward.find(e.sequence); it != forward.end())
        e.forward = it->second;
}

// Answers for a host event what only its surroundings know. Remembers per event: kernels of one operator ask for the same.
class Surroundings {
public:
  explicit Surroundings(Trace& trace) : m_trace(trace), m_modules(trace.host.size(), kNoIndex) {
    for (const auto& e : trace.host)
      if (isRange(e) && phaseOfRange(trace.name(e.name)) != Phase::Unknown)
        m_phases.push_back({e.start_ns, e.end_ns(), phaseOfRange(trace.name(e.name))});
    std::sort(m_phases.begin(), m_phases.end(), [](const PhaseSpan& a, const PhaseSpan& b) { return a.start_ns < b.start_ns; });
  }

  std::uint32_t innermostOperator(std::uint32_t index) const {
    while (index != kNoIndex && m_trace.host[index].kind != HostKind::Operator)
      index = m_trace.host[index].parent;
    return index;
  }

  // Told by the nearest autograd node: one that computes a layer anew, to save memory, runs forward.
  bool isFusedGradient(std::uint32_t index) const {
    for (; index != kNoIndex; index = m_trace.host[index].parent)
      if (const std::string& name = m_trace.name(m_trace.host[index].name); name.starts_with(kBackwardOperator))
        return name.find("voxlab::fused::") != std::string::npos;
    return false;
  }

  Phase phase(std::uint32_t index) const {
    for (auto i = index; i != kNoIndex; i = m_trace.host[i].parent) {
      const HostEvent& e = m_trace.host[i];
      const std::string& name = m_trace.name(e.name);
      if (e.kind == HostKind::Operator && name.starts_with(kBackwardOperator))
        return Phase::Backward;
      if (isRange(e))
        if (const Phase found = phaseOfRange(name); found != Phase::Unknown)
          return found;
    }
    return phaseElsewhere(m_trace.host[index].start_ns);
  }

  // Dotted path of the module: ranges around the event that mark neither a step nor a phase, outermost first; of a backward
  // operator those around its forward operator.
  NameId module(std::uint32_t index, int hops = 0) {
    if (index == kNoIndex || hops > 4)
      return 0;
    if (m_modules[index] != kNoIndex)
      return m_modules[index];
    std::string path;
    std::uint32_t forward = kNoIndex;
    for (auto i = index; i != kNoIndex; i = m_trace.host[i].parent) {
      const HostEvent& e = m_trace.host[i];
      if (forward == kNoIndex)
        forward = e.forward;
      prepend(path, moduleName(e));
    }
    NameId id = m_trace.names.intern(path);
    if (path.empty() && forward != kNoIndex && forward != index)
      id = module(forward, hops + 1);
    return m_modules[index] = id;
  }

private:
  struct PhaseSpan {
    std::int64_t start_ns, end_ns;
    Phase phase;
  };
  static bool isRange(const HostEvent& e) { return e.kind == HostKind::Range; }

  std::string moduleName(const HostEvent& e) const {
    const std::string& name = m_trace.name(e.name);
    constexpr std::string_view kPython = "nn.Module: ";
    if (e.kind == HostKind::Python)
      return name.starts_with(kPython) ? name.substr(kPython.size()) : "";
    if (!isRange(e) || marksStep(name) || phaseOfRange(name) != Phase::Unknown)
      return "";
    return name;
  }

  // A range may carry the whole path ("input_blocks.3.0.in_layers.2") or its last part only ("conv1").
  static void prepend(std::string& path, const std::string& outer) {
    if (outer.empty() || path == outer || path.starts_with(outer + "."))
      return;
    path = path.empty() ? outer : outer + "." + path;
  }

  // Kernels of the backward pass are launched by autograd's thread, while the range that says so waits on the main thread.
  Phase phaseElsewhere(std::int64_t time_ns) const {
    auto it = std::upper_bound(m_phases.begin(), m_phases.end(), time_ns,
                               [](std::int64_t t, const PhaseSpan& s) { return t < s.start_ns; });
    for (int looked = 0; it != m_phases.begin() && looked < 8; ++looked) {
      --it;
      if (it->end_ns >= time_ns)
        return it->phase;
    }
    return Phase::Unknown;
  }

  Trace& m_trace;
  std::vector<NameId> m_modules;
  std::vector<PhaseSpan> m_phases;
};

// Without a GPU the operators are the work: each stretch of time in which one was the innermost of its thread. Operators on lists of
// tensors, an optimiser's, stand for what they call for each tensor, as their kernels do on a GPU.
void operatorsAsEvents(Trace& trace) {
  std::vector<std::uint32_t> open;
  std::vector<bool> isBegun(trace.host.size(), false);
  std::int64_t reached_ns = 0;
  const auto emit = [&](std::uint32_t index, std::int64_t until_ns) {
    if (until_ns <= reached_ns)
      return;
    GpuEvent event;
    event.kind = GpuKind::Operator;
    event.start_ns = reached_ns;
    event.duration_ns = until_ns - reached_ns;
    event.name = trace.host[index].name;
    event.launch = index;
    event.isLaterSlice = isBegun[index];
    isBegun[index] = true;
    event.stream = trace.host[index].thread;
    trace.gpu.push_back(event);
  };
  const auto close = [&](std::int64_t until_ns) {
    while (!open.empty() && trace.host[open.back()].end_ns() <= until_ns) {
      emit(open.back(), trace.host[open.back()].end_ns());
      reached_ns = std::max(reached_ns, trace.host[open.back()].end_ns());
      open.pop_back();
    }
    if (!open.empty())
      emit(open.back(), until_ns);
    reached_ns = until_ns;
  };
  for (std::uint32_t i = 0; i < trace.host.size(); ++i) {
    const HostEvent& e = trace.host[i];
    if (i > 0 && trace.host[i - 1].thread != e.thread) {
      close(std::numeric_limits<std::int64_t>::max());
      open.clear();
      reached_ns = 0;
    }
    if (e.kind != HostKind::Operator)
      continue;
    const bool isWithinList = !open.empty() && trace.host[open.back()].end_ns() > e.start_ns && trace.name(trace.host[open.back()].name).starts_with(kListOperator);
    if (isWithinList)
      continue;
    close(e.start_ns);
    open.push_back(i);
  }
  close(std::numeric_limits<std::int64_t>::max());
  std::stable_sort(trace.gpu.begin(), trace.gpu.end(),
                   [](const GpuEvent& a, const GpuEvent& b) { return a.start_ns < b.start_ns; });
  for (const auto& thread : trace.threads)
    trace.streams.push_back({-1, std::strtoll(thread.thread.c_str(), nullptr, 10)});
  if (!trace.gpu.empty())
    trace.notes.push_back("No GPU was recorded: the operators stand in for kernels, each with its own time.");
}
} // namespace

Phase phaseOfRange(std::string_view name) {
  const std::string text = lower(name);
  if (text == "forward" || text == "loss")
    return Phase::Forward;
  if (text == "backward")
    return Phase::Backward;
  if (text == "optimizer" || text == "optimiser" || text == "adam" || text == "ema" || text.starts_with("optimizer.step") ||
      text.starts_with("optimizer.zero_grad"))
    return Phase::Optimizer;
  if (text == "data" || text.find("dataloader") != std::string::npos)
    return Phase::Data;
  if (text == "sampling" || text == "sampler")
    return Phase::Sampling;
  return Phase::Unknown;
}

bool marksStep(std::string_view name) {
  const std::string text = lower(name);
  return text.starts_with("profilerstep#") || text == "step" || text == "iteration" ||
         (text.ends_with("_step") && !text.starts_with("optimizer"));
}

bool attributeTrace(Trace& trace, const std::vector<TraceFlow>& flows, std::stop_token cancel) {
  sortAndNest(trace);
  if (cancel.stop_requested())
    return false;
  correlate(trace);
  linkBackward(trace, flows);
  fillListInputs(trace);
  if (trace.gpu.empty())
    operatorsAsEvents(trace);
  if (cancel.stop_requested())
    return false;
  Surroundings surroundings(trace);
  for (auto& event : trace.gpu) {
    if (event.launch == kNoIndex)
      continue;
    event.op = surroundings.innermostOperator(event.launch);
    event.opName = event.op == kNoIndex ? 0 : trace.host[event.op].name;
    event.phase = surroundings.phase(event.launch);
    event.ofFusedGradient = surroundings.isFusedGradient(event.launch);
    event.module = surroundings.module(event.op == kNoIndex ? event.launch : event.op);
  }
  findSteps(trace);
  return !cancel.stop_requested();
}

} // namespace voxlab

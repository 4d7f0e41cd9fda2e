// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/roofline.h"
#include "core/analysis/operator_cost.h"
#include "core/base/text.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <unordered_map>

namespace voxlab {
namespace {
// LibTorch's kernels that only copy know the size of what they copy: "OpaqueType<2u>".
std::optional<double> copiedElementBytes(std::string_view kernel) {
  constexpr std::string_view kOpaque = "OpaqueType<";
  const auto at = kernel.find(kOpaque);
  if (at == std::string_view::npos)
    return std::nullopt;
  int bytes = 0;
  const char* begin = kernel.data() + at + kOpaque.size();
  return std::from_chars(begin, kernel.data() + kernel.size(), bytes).ec == std::errc() && bytes > 0 ? std::optional<double>(bytes) : std::nullopt;
}

// GPU time of a call, or of its part: within the time range, and from begin to end.
struct CallTime {
  double within_ms = 0, whole_ms = 0;
};

// What ran on the GPU for one part of an operator, within the time range.
struct Work {
  double time_ms = 0, selected_ms = 0;
  std::unordered_map<std::uint64_t, CallTime> cutCalls; // of a time range alone
  std::array<double, static_cast<std::size_t>(KernelCategory::Count)> byCategory_ms{};
  std::map<KernelArithmetic, double> byArithmetic_ms;

  void operator+=(const Work& other) {
    time_ms += other.time_ms;
    selected_ms += other.selected_ms;
    for (std::size_t i = 0; i < byCategory_ms.size(); ++i)
      byCategory_ms[i] += other.byCategory_ms[i];
    for (const auto& [arithmetic, ms] : other.byArithmetic_ms)
      byArithmetic_ms[arithmetic] += ms;
    for (const auto& [call, time] : other.cutCalls) {
      cutCalls[call].within_ms += time.within_ms;
      cutCalls[call].whole_ms += time.whole_ms;
    }
  }

  // How many calls' work it is.
  double callsWorth(std::size_t calls) const {
    if (cutCalls.empty())
      return static_cast<double>(calls);
    double worth = 0;
    for (const auto& [call, time] : cutCalls)
      worth += time.whole_ms > 0 ? time.within_ms / time.whole_ms : 1;
    return worth;
  }
};

struct Group {
  std::set<std::uint64_t> calls;
  std::optional<double> copiedElementBytes;
  std::map<WorkPart, Work> parts;
  Work conversions; // between layouts

  Work whole() const {
    if (parts.empty())
      return conversions;
    Work sum;
    for (const auto& [part, work] : parts)
      sum += work;
    return sum;
  }
  Work& workOf(const KernelInfo& info) { return info.category == KernelCategory::LayoutConversion ? conversions : parts[info.part]; }
  double selected_ms() const { return whole().selected_ms + (parts.empty() ? 0 : conversions.selected_ms); }
  bool isInParts(const OperatorCost& cost) const { // each done by kernels of its own
    return !cost.parts.empty() && std::all_of(cost.parts.begin(), cost.parts.end(), [this](const PartCost& p) { return parts.contains(p.part); });
  }
};

void setWork(RooflinePoint& point, const Work& work) {
  point.time_ms = work.time_ms;
  const auto category = std::max_element(work.byCategory_ms.begin(), work.byCategory_ms.end());
  point.category = static_cast<KernelCategory>(category - work.byCategory_ms.begin());
  double most = 0;
  point.arithmetic = KernelArithmetic::Unknown;
  for (const auto& [arithmetic, ms] : work.byArithmetic_ms)
    if (ms > most) {
      most = ms;
      point.arithmetic = arithmetic;
    }
}

using Groups = std::map<std::pair<NameId, NameId>, Group>; // operator, inputs

// Of the calls that reach into the time range, what lies outside it, too.
void addWholeTimes(Groups& groups, const Trace& trace, const KernelIndex& index, EventFilter filter) {
  filter.time_ns.reset();
  const EventMatcher matches(filter, trace, index);
  for (const auto& event : trace.gpu) {
    const auto call = operatorCallOf(event);
    if (event.step == kNoIndex || !call || copiesOverBus(trace, event) || !matches(event))
      continue;
    const auto group = groups.find({event.opName, operatorInputsOf(trace, event)});
    if (group != groups.end() && group->second.calls.contains(*call))
      group->second.workOf(index.of(event)).cutCalls[*call].whole_ms += static_cast<double>(event.duration_ns) / 1e6;
  }
}

Groups groupsOf(const Trace& trace, const KernelIndex& index, const EventFilter& filter, double& total_ms) {
  Groups groups;
  const double steps = stepsIn(filter, trace);
  EventFilter around = filter; // an operator's cost is that of all its kernels
  around.categories.clear();
  around.text.clear();
  const EventMatcher matches(filter, trace, index), matchesAround(around, trace, index);
  for (const auto& event : trace.gpu) {
    if (event.step == kNoIndex || !matchesAround(event))
      continue;
    const bool isSelected = matches(event);
    const double ms = selectedMs(filter, event) / steps;
    total_ms += isSelected ? ms : 0;
    const NameId inputs = operatorInputsOf(trace, event);
    const auto call = operatorCallOf(event);
    if (inputs == 0 || !call || copiesOverBus(trace, event))
      continue;
    Group& group = groups[{event.opName, inputs}];
    group.calls.insert(*call);
    if (group.calls.size() == 1 && !group.copiedElementBytes)
      group.copiedElementBytes = copiedElementBytes(trace.name(event.name));
    const KernelInfo& info = index.of(event);
    Work& work = group.workOf(info);
    work.time_ms += ms;
    if (filter.time_ns)
      work.cutCalls[*call].within_ms += ms * steps;
    work.selected_ms += isSelected ? ms : 0;
    work.byCategory_ms[static_cast<std::size_t>(info.category)] += ms;
    if (info.arithmetic != KernelArithmetic::Unknown)
      work.byArithmetic_ms[info.arithmetic] += ms;
  }
  if (filter.time_ns)
    addWholeTimes(groups, trace, index, around);
  return groups;
}

// An operator whose cost is known.
struct Costed {
  std::pair<NameId, NameId> key;     // operator, inputs
  std::vector<RooflinePoint> points; // those of its parts, or the whole: where most of their time is selected
  double selected_ms = 0;
};

std::vector<RooflinePoint> pointsOf(const OperatorCost& cost, const Group& group, double steps, const DevicePeaks& peaks) {
  std::vector<RooflinePoint> points;
  const auto add = [&](const Work& work, WorkPart part, double flops, double bytes) {
    if (2 * work.selected_ms <= work.time_ms)
      return;
    const double calls = work.callsWorth(group.calls.size()) / steps;
    RooflinePoint& point = points.emplace_back();
    point.part = part;
    point.flops = flops * calls;
    point.bytes = bytes * calls;
    setWork(point, work);
    setBound(point, peaks);
  };
  if (!group.isInParts(cost))
    add(group.whole(), WorkPart::Unknown, cost.flops, cost.bytes);
  else
    for (const PartCost& part : cost.parts)
      add(group.parts.at(part.part), part.part, part.flops, part.bytes);
  return points;
}

std::vector<Costed> costedOperators(const Groups& groups, const Trace& trace, double steps, const DevicePeaks& peaks) {
  std::vector<Costed> list;
  for (const auto& [key, group] : groups) {
    const auto cost = operatorCost(trace.name(key.first), operatorInputs(trace.name(key.second)), group.copiedElementBytes.value_or(4));
    if (!cost)
      continue;
    const double calls = static_cast<double>(group.calls.size()) / steps;
    Costed costed{key, pointsOf(*cost, group, steps, peaks), group.selected_ms()};
    for (RooflinePoint& point : costed.points) {
      point.operatorName = trace.name(key.first);
      point.shapes = rooflineShapes(trace.name(key.second));
      point.calls = static_cast<std::uint64_t>(calls + 0.5);
    }
    list.push_back(std::move(costed));
  }
  return list;
}

Roofline rooflineOf(const std::vector<Costed>& operators, double total_ms) {
  Roofline roof;
  roof.total_ms = total_ms;
  for (const auto& costed : operators) {
    roof.attributed_ms += costed.points.empty() ? 0 : costed.selected_ms;
    roof.points.insert(roof.points.end(), costed.points.begin(), costed.points.end());
  }
  std::stable_sort(roof.points.begin(), roof.points.end(), [](const RooflinePoint& a, const RooflinePoint& b) { return a.time_ms > b.time_ms; });
  return roof;
}
} // namespace

bool copiesOverBus(const Trace& trace, const GpuEvent& event) {
  const std::string& name = trace.name(event.name); // "Memcpy HtoD (Pageable -> Device)"
  return event.kind == GpuKind::Copy && (name.find("HtoD") != std::string::npos || name.find("DtoH") != std::string::npos);
}

void setBound(RooflinePoint& point, const DevicePeaks& peaks) {
  const double compute_ms = peaks.of(point.arithmetic).value > 0 ? point.flops / peaks.of(point.arithmetic).value * 1e3 : 0;
  const double memory_ms = point.bytes / peaks.bandwidth.value * 1e3;
  point.bound = compute_ms > memory_ms ? RooflineBound::Compute : RooflineBound::Memory;
  point.bound_ms = std::max(compute_ms, memory_ms);
}

std::string aboveCeilingWords(const RooflinePoint& point, const DevicePeaks& peaks) {
  if (point.ofBound() <= 1)
    return {};
  if (point.bound == RooflineBound::Memory)
    return " That is more than memory gives: part of it is served from caches.";
  const PeakFigure ceiling = peaks.of(point.arithmetic);
  if (!ceiling.measured)
    return " That is more than the vendor states: its FLOPs, which are estimated from shapes, are too many, or the clock is higher.";
  return " That is faster than the measured ceiling, a large matrix product; the vendor states " + formatQuantity(ceiling.vendor, "FLOP/s") + ".";
}

std::string rooflineShapes(std::string_view inputs) {
  std::string words;
  for (const auto& input : operatorInputs(inputs)) {
    for (const auto& tensor : input.tensors) {
      words += words.empty() ? "" : " · ";
      for (std::size_t i = 0; i < tensor.size(); ++i)
        words += (i ? "×" : "") + std::to_string(tensor[i]);
    }
  }
  return words;
}

std::string RooflinePoint::title() const {
  return part == WorkPart::Unknown ? operatorName : operatorName + ", " + std::string(partTitle(part));
}

Roofline roofline(const Trace& trace, const KernelIndex& index, const DevicePeaks& peaks, const EventFilter& filter) {
  double total_ms = 0;
  const Groups groups = groupsOf(trace, index, filter, total_ms);
  return rooflineOf(costedOperators(groups, trace, stepsIn(filter, trace), peaks), total_ms);
}

OperatorBounds::OperatorBounds(const Trace& trace, const KernelIndex& index, const DevicePeaks& peaks) : m_peaks(&peaks) {
  double total_ms = 0;
  const Groups groups = groupsOf(trace, index, {}, total_ms);
  const auto operators = costedOperators(groups, trace, stepsIn({}, trace), peaks);
  m_roofline = rooflineOf(operators, total_ms);
  for (const auto& costed : operators) {
    const auto [name, inputs] = costed.key;
    for (const auto& point : costed.points)
      m_points.emplace(std::tuple(name, inputs, point.part), point);
  }
}

const RooflinePoint* OperatorBounds::of(const Trace& trace, const GpuEvent& event, WorkPart part) const {
  if (copiesOverBus(trace, event))
    return nullptr;
  const NameId inputs = operatorInputsOf(trace, event);
  for (const WorkPart looked : {part, WorkPart::Unknown})
    if (const auto it = m_points.find({event.opName, inputs, looked}); it != m_points.end())
      return &it->second;
  return nullptr;
}

std::optional<double> boundTime_ms(const NetworkPlan& plan, StepKind step, const ModeSwitches& mode, const DevicePeaks& peaks) {
  const PeakFigure peak = is16Bit(mode.precision) ? peaks.half : mode.precision == Precision::Tf32 ? peaks.tf32 : peaks.fp32;
  if (peak.value <= 0)
    return std::nullopt;
  const double element_bytes = is16Bit(mode.precision) ? 2 : 4;
  double seconds = 0;
  for (const auto& layer : plan.layers) {
    // A step backward makes two products of a convolution and moves about as many tensors more; fused kernels hide nothing here.
    const bool train = step == StepKind::Train;
    double tensors = static_cast<double>(layer.inElements() + layer.outElements());
    if (layer.kind == PlanLayerKind::GroupNorm)
      tensors += static_cast<double>(layer.inElements());
    if (layer.kind == PlanLayerKind::Silu || layer.kind == PlanLayerKind::ResidualAdd || layer.kind == PlanLayerKind::Concatenate)
      tensors = 0; // belong into their neighbours
    const double compute_s = 2.0 * static_cast<double>(layer.macs) * (train ? 3 : 1) / peak.value;
    const double memory_s =
        (tensors + static_cast<double>(layer.parameters)) * element_bytes * (train ? 3 : 1) / peaks.bandwidth.value;
    seconds += std::max(compute_s, memory_s);
  }
  return seconds * 1e3;
}

} // namespace voxlab

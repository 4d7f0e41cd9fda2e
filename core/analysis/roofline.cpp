// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/roofline.h"
#include "core/analysis/operator_cost.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

namespace voxlab {
namespace {
struct Group {
  RooflinePoint point;
  std::set<std::uint64_t> calls;
  double selected_ms = 0;
  std::array<double, static_cast<std::size_t>(KernelCategory::Count)> byCategory_ms{};
  std::map<KernelArithmetic, double> byArithmetic_ms;
  std::optional<double> copiedElementBytes;
};

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
} // namespace

void setBound(RooflinePoint& point, const DevicePeaks& peaks) {
  const double compute_ms = peaks.of(point.arithmetic).value > 0 ? point.flops / peaks.of(point.arithmetic).value * 1e3 : 0;
  const double memory_ms = point.bytes / peaks.bandwidth.value * 1e3;
  point.bound = compute_ms > memory_ms ? RooflineBound::Compute : RooflineBound::Memory;
  point.bound_ms = std::max(compute_ms, memory_ms);
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

Roofline roofline(const Trace& trace, const KernelIndex& index, const DevicePeaks& peaks, const EventFilter& filter) {
  std::map<std::pair<NameId, NameId>, Group> groups; // operator, inputs
  Roofline result;
  const double steps = stepsIn(filter, trace);
  EventFilter around = filter; // an operator's cost is that of all its kernels
  around.categories.clear();
  around.text.clear();
  const EventMatcher matches(filter, trace, index), matchesAround(around, trace, index);
  for (const auto& event : trace.gpu) {
    if (event.step == kNoIndex || !matchesAround(event))
      continue;
    const bool isSelected = matches(event);
    const double ms = static_cast<double>(event.duration_ns) / 1e6 / steps;
    result.total_ms += isSelected ? ms : 0;
    const NameId inputs = operatorInputsOf(trace, event);
    const auto call = operatorCallOf(event);
    if (inputs == 0 || !call)
      continue;
    Group& group = groups[{event.opName, inputs}];
    const KernelInfo& info = index.of(event);
    group.calls.insert(*call);
    group.point.time_ms += ms;
    if (group.calls.size() == 1 && !group.copiedElementBytes)
      group.copiedElementBytes = copiedElementBytes(trace.name(event.name));
    group.selected_ms += isSelected ? ms : 0;
    group.byCategory_ms[static_cast<std::size_t>(info.category)] += ms;
    if (info.arithmetic != KernelArithmetic::Unknown)
      group.byArithmetic_ms[info.arithmetic] += ms;
  }
  for (auto& [key, group] : groups) {
    if (2 * group.selected_ms <= group.point.time_ms)
      continue;
    const auto inputs = operatorInputs(trace.name(key.second));
    const auto cost = operatorCost(trace.name(key.first), inputs, group.copiedElementBytes.value_or(4));
    if (!cost)
      continue;
    RooflinePoint& point = group.point;
    const double calls = static_cast<double>(group.calls.size()) / steps;
    point.operatorName = trace.name(key.first);
    point.shapes = rooflineShapes(trace.name(key.second));
    point.calls = static_cast<std::uint64_t>(calls + 0.5);
    point.flops = cost->flops * calls;
    point.bytes = cost->bytes * calls;
    const auto category = std::max_element(group.byCategory_ms.begin(), group.byCategory_ms.end());
    point.category = static_cast<KernelCategory>(category - group.byCategory_ms.begin());
    double most = 0;
    for (const auto& [arithmetic, ms] : group.byArithmetic_ms)
      if (ms > most) {
        most = ms;
        point.arithmetic = arithmetic;
      }
    setBound(point, peaks);
    result.attributed_ms += group.selected_ms;
    result.points.push_back(std::move(point));
  }
  std::sort(result.points.begin(), result.points.end(),
            [](const RooflinePoint& a, const RooflinePoint& b) { return a.time_ms > b.time_ms; });
  return result;
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

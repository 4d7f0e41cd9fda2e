// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/priority.h"
#include "core/analysis/roofline.h"
#include "core/base/text.h"
#include <algorithm>
#include <map>

namespace voxlab {
namespace {
constexpr double kWhole = 0.95; // of a kernel's time: a reason that holds for as much holds for it

// An item while launches are added. It has one reason in the end: that of most of its time, so that it says what the saving says.
struct Growing {
  struct Why {
    double time_ms = 0;
    PrioritySource source = PrioritySource::Unknown;
    std::string words;
  };
  PriorityItem item;
  double saved_ms = 0;
  using Common = std::pair<const void*, std::string>;
  std::map<Common, Why> reasons; // by what the launches have in common: an operator with its shapes, or a rule

  template <class Words> void add(double time_ms, double saving, PrioritySource source, const Common& common, Words words) {
    item.time_ms += time_ms;
    saved_ms += time_ms * saving;
    const auto [it, isNew] = reasons.try_emplace(common);
    if (isNew) {
      it->second.source = source;
      it->second.words = words();
    }
    it->second.time_ms += time_ms;
  }

  void choose() {
    const auto most = std::max_element(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) { return a.second.time_ms < b.second.time_ms; });
    if (most == reasons.end())
      return;
    item.source = most->second.source;
    item.reason = most->second.words;
    if (const double share = item.time_ms > 0 ? most->second.time_ms / item.time_ms : 1; share < kWhole)
      item.reason += " That holds for " + formatSignificant(100 * share, 2) + " % of its time.";
  }
};

std::vector<PriorityItem> ranked(std::map<std::string, Growing>& growing, double all_ms) {
  std::vector<PriorityItem> items;
  for (auto& [key, g] : growing) {
    g.choose();
    g.item.saving = g.item.time_ms > 0 ? g.saved_ms / g.item.time_ms : 0;
    g.item.share = all_ms > 0 ? g.item.time_ms / all_ms : 0;
    items.push_back(std::move(g.item));
  }
  std::sort(items.begin(), items.end(), [](const PriorityItem& a, const PriorityItem& b) {
    return a.score() != b.score() ? a.score() > b.score() : a.time_ms > b.time_ms;
  });
  return items;
}

std::string wordsOf(const NcuRule* rule) {
  return rule ? rule->description : "No rule estimates a speed-up.";
}

std::string nameOf(const NcuRule* rule) {
  return rule ? "rule " + rule->name : "no rule";
}

double savingOf(const NcuRule* rule) {
  return rule ? std::clamp(*rule->speedup_percent / 100, 0.0, 1.0) : 0;
}

std::string percent(double fraction) {
  return formatSignificant(100 * fraction, 2) + " %";
}

std::string boundReason(const RooflinePoint& point, const DevicePeaks& peaks) {
  const bool compute = point.bound == RooflineBound::Compute;
  const PeakFigure ceiling = compute ? peaks.of(point.arithmetic) : peaks.bandwidth;
  const std::string what = compute ? std::string(arithmeticName(point.arithmetic)) + " arithmetic" : "memory bandwidth";
  std::string text = point.operatorName + " reaches " + percent(point.ofBound()) + " of the " +
                     (ceiling.measured ? "measured " : "vendor's ") + what + " (" +
                     formatQuantity(compute ? point.flopsPerSecond() : point.bytesPerSecond(), compute ? "FLOP/s" : "B/s") +
                     " of " + formatQuantity(ceiling.value, compute ? "FLOP/s" : "B/s") + ").";
  if (compute && point.arithmetic == KernelArithmetic::Fp32 && peaks.tf32.value > 0)
    text += " It runs on the FP32 pipes; tensor cores would lift the limit " +
            formatSignificant(peaks.tf32.value / peaks.fp32.value, 2) + " times.";
  return text;
}

// Saving of each operator instance by the bound of its operator and shapes.
class Bounds {
public:
  Bounds(const Trace& trace, const KernelIndex& index, const DevicePeaks& peaks) : m_peaks(peaks) {
    for (auto& point : roofline(trace, index, peaks).points)
      m_points.emplace(point.operatorName + "\n" + point.shapes, std::move(point));
    for (const auto& event : trace.gpu)
      if (const NameId inputs = operatorInputsOf(trace, event); inputs != 0)
        m_inputs.try_emplace(inputs, "");
    for (auto& [id, words] : m_inputs)
      words = rooflineShapes(trace.name(id));
    splitGradients(trace, index);
  }
  const RooflinePoint* find(const Trace& trace, const GpuEvent& event, KernelCategory category) const {
    const std::string key = keyOf(trace, event);
    if (const auto gradient = m_gradients.find({key, category}); gradient != m_gradients.end())
      return &gradient->second;
    const auto it = m_points.find(key);
    return it == m_points.end() ? nullptr : &it->second;
  }
  std::string reason(const RooflinePoint& point) const { return boundReason(point, m_peaks); }

private:
  std::string keyOf(const Trace& trace, const GpuEvent& event) const { // empty: its operator or that one's inputs are unknown
    const auto words = m_inputs.find(operatorInputsOf(trace, event));
    return words == m_inputs.end() ? std::string() : trace.name(event.opName) + "\n" + words->second;
  }

  // A convolution backward makes two products of the same size, by kernels of their own: each is held against its own time.
  void splitGradients(const Trace& trace, const KernelIndex& index) {
    const double steps = stepsIn({}, trace);
    std::map<std::pair<std::string, KernelCategory>, double> times_ms;
    for (const auto& event : trace.gpu) {
      const KernelCategory category = index.of(event).category;
      if (event.step == kNoIndex || (category != KernelCategory::ConvolutionDataGradient && category != KernelCategory::ConvolutionWeightGradient))
        continue;
      if (const std::string key = keyOf(trace, event); m_points.contains(key))
        times_ms[{key, category}] += static_cast<double>(event.duration_ns) / 1e6 / steps;
    }
    for (const auto& [which, time_ms] : times_ms) {
      const bool isData = which.second == KernelCategory::ConvolutionDataGradient;
      if (!times_ms.contains({which.first, isData ? KernelCategory::ConvolutionWeightGradient : KernelCategory::ConvolutionDataGradient}))
        continue; // the only one: all of the operator's work is its own
      RooflinePoint point = m_points.at(which.first);
      point.operatorName = std::string(isData ? "The data gradient" : "The weight gradient") + " of " + point.operatorName;
      point.time_ms = time_ms;
      point.flops /= 2;
      point.bytes /= 2;
      setBound(point, m_peaks);
      m_gradients.emplace(which, std::move(point));
    }
  }

  const DevicePeaks& m_peaks;
  std::map<std::string, RooflinePoint> m_points;
  std::map<std::pair<std::string, KernelCategory>, RooflinePoint> m_gradients; // of convolutions backward
  std::map<NameId, std::string> m_inputs;
};

std::map<std::string, const NcuLaunch*> launchesByShape(const NcuReport* report) {
  std::map<std::string, const NcuLaunch*> launches;
  if (report)
    for (const auto& launch : report->launches)
      launches.try_emplace(launchKey(launch.kernel, launch.grid, launch.block), &launch);
  return launches;
}
} // namespace

const NcuRule* decisiveRule(const NcuLaunch& launch) {
  const NcuRule* best = nullptr;
  for (const auto& rule : launch.rules)
    if (rule.speedupType == "global" && rule.speedup_percent && (!best || *rule.speedup_percent > *best->speedup_percent))
      best = &rule;
  return best;
}

std::vector<PriorityItem> rankPriorities(const NcuReport& report) {
  std::map<std::string, Growing> growing;
  double all_ms = 0;
  for (const auto& launch : report.launches) {
    const double time_ms = counterValue(report, launch, Counter::Duration).value_or(0) * 1e3;
    const NcuRule* rule = decisiveRule(launch);
    Growing& g = growing[launch.kernel];
    const KernelInfo info = describeKernel(launch.kernel);
    g.item.title = info.shortName;
    g.item.key = launch.kernel;
    g.item.category = info.category;
    ++g.item.launches;
    g.add(time_ms, savingOf(rule), PrioritySource::Counters, {nullptr, nameOf(rule)}, [rule] { return wordsOf(rule); });
    all_ms += time_ms;
  }
  return ranked(growing, all_ms);
}

std::vector<PriorityItem> rankPriorities(const Trace& trace, const KernelIndex& index, const DevicePeaks* peaks,
                                         const NcuReport* report, const EventFilter& filter) {
  const auto collected = launchesByShape(report);
  std::optional<Bounds> bounds;
  if (peaks)
    bounds.emplace(trace, index, *peaks);
  const double steps = stepsIn(filter, trace);
  const EventMatcher matches(filter, trace, index);
  std::map<std::string, Growing> growing;
  double all_ms = 0;
  for (const auto& event : trace.gpu) {
    if (event.step == kNoIndex || !matches(event))
      continue;
    const double time_ms = static_cast<double>(event.duration_ns) / 1e6 / steps;
    all_ms += time_ms;
    const KernelInfo& info = index.of(event);
    Growing& g = growing[trace.name(event.name)];
    g.item.title = info.shortName;
    g.item.key = trace.name(event.name);
    g.item.category = info.category;
    g.item.operatorName = trace.name(event.opName);
    ++g.item.launches;
    const auto it = event.shape == kNoIndex || collected.empty()
                        ? collected.end()
                        : collected.find(launchKey(trace.name(event.name), trace.launchShapes[event.shape].grid,
                                                   trace.launchShapes[event.shape].block));
    if (it != collected.end()) {
      const NcuRule* rule = decisiveRule(*it->second);
      g.add(time_ms, savingOf(rule), PrioritySource::Counters, {nullptr, nameOf(rule)}, [rule] { return wordsOf(rule); });
    } else if (info.category == KernelCategory::LayoutConversion) {
      g.add(time_ms, 1, PrioritySource::Analytic, {&trace.name(event.opName), "layout"}, [&g] {
        return "Copies between memory layouts for " + g.item.operatorName + "; a network that keeps one layout does without.";
      });
    } else if (const RooflinePoint* point = bounds ? bounds->find(trace, event, info.category) : nullptr) {
      g.add(time_ms, std::clamp(1 - point->ofBound(), 0.0, 1.0), PrioritySource::Analytic, {point, "bound"}, [&] { return bounds->reason(*point); });
    } else {
      g.add(time_ms, 0, PrioritySource::Unknown, {nullptr, "unknown"}, [] { return std::string("Nothing is known of what it has to do."); });
    }
  }
  auto items = ranked(growing, all_ms);
  for (auto& item : items)
    item.launches = static_cast<std::uint64_t>(static_cast<double>(item.launches) / steps + 0.5);
  return items;
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/priority.h"
#include "core/analysis/kernel_titles.h"
#include "core/base/text.h"
#include <algorithm>
#include <map>
#include <tuple>

namespace voxlab {
namespace {
constexpr double kWhole = 0.95;      // of a kernel's time: a reason that holds for as much holds for it
constexpr double kMostly = 0.5;     // what holds for less of it is not said of it all
constexpr double kShortCall_ms = 0.01; // what is as short is over before a GPU is filled

std::string percent(double fraction) {
  return formatSignificant(100 * fraction, 2) + " %";
}

std::string boundReason(const RooflinePoint& point, const DevicePeaks& peaks);

// An item while launches are added. Its saving is that of all launches. It has one reason in the end: that of most of its time; where no
// shape of an operator has as much as half of it, that of the operator's shapes together.
struct Growing {
  struct Why {
    double time_ms = 0, saved_ms = 0;
    PrioritySource source = PrioritySource::Unknown;
    std::string words;
    bool isEstimate = false; // of a saving, if of none
  };
  PriorityItem item;
  double saved_ms = 0;
  using Common = std::pair<const void*, std::string>;
  std::map<Common, Why> reasons; // by what the launches have in common: an operator with its shapes, or a rule
  std::map<std::pair<const KernelInfo*, NameId>, double> origins_ms; // a kernel may convolve forward and backward: what it did, for which operator

  // Launches of one operator with all its shapes, bound by the same.
  struct Together {
    RooflinePoint point; // by what the kernels of this item had of each
    std::size_t shapes = 0;
    double calls = 0;
  };
  using OperatorKey = std::tuple<std::string, WorkPart, RooflineBound, KernelArithmetic>;
  std::map<OperatorKey, Together> operators;
  const DevicePeaks* peaks = nullptr;

  void addBound(double time_ms, const RooflinePoint& point, const DevicePeaks& ceilings) {
    peaks = &ceilings;
    const Common common{&point, "bound"};
    const bool isNewShape = !reasons.contains(common);
    add(time_ms, std::clamp(1 - point.ofBound(), 0.0, 1.0), PrioritySource::Analytic, common, [&] { return boundReason(point, ceilings); });
    Together& all = operators[{point.operatorName, point.part, point.bound, point.arithmetic}];
    if (all.shapes == 0) {
      all.point.operatorName = point.operatorName;
      all.point.part = point.part;
      all.point.bound = point.bound;
      all.point.arithmetic = point.arithmetic;
    }
    all.shapes += isNewShape;
    const double part = point.time_ms > 0 ? time_ms / point.time_ms : 0;
    all.point.time_ms += time_ms;
    all.point.flops += part * point.flops;
    all.point.bytes += part * point.bytes;
    all.point.bound_ms += part * point.bound_ms;
    all.calls += part * static_cast<double>(point.calls);
  }

  // nullopt: nothing tells what could be saved.
  template <class Words> void add(double time_ms, std::optional<double> saving, PrioritySource source, const Common& common, Words words) {
    item.time_ms += time_ms;
    saved_ms += time_ms * saving.value_or(0);
    const auto [it, isNew] = reasons.try_emplace(common);
    Why& why = it->second;
    if (isNew) {
      why.source = source;
      why.isEstimate = saving.has_value();
      why.words = words();
    }
    why.time_ms += time_ms;
    why.saved_ms += time_ms * saving.value_or(0);
  }

  void choose() {
    // What says nothing of a saving is no reason for one.
    const auto most = std::max_element(reasons.begin(), reasons.end(), [this](const auto& a, const auto& b) {
      return std::pair(tells(a.second), a.second.time_ms) < std::pair(tells(b.second), b.second.time_ms);
    });
    if (most == reasons.end())
      return;
    item.source = most->second.source;
    item.reason = most->second.words;
    double share = item.time_ms > 0 ? most->second.time_ms / item.time_ms : 1;
    if (share < kMostly)
      chooseTogether(share);
    if (share < kMostly && item.source != PrioritySource::Counters)
      item.reason = "No one reason holds for half of its time. The one that holds for most: " + item.reason;
    if (share >= kWhole)
      return;
    item.reason += " That holds for " + percent(share) + " of its time";
    if (const double unknown = unknownShare(); unknown > 0 && most->second.isEstimate)
      item.reason += "; for " + percent(unknown) + (most->second.source == PrioritySource::Counters ? " no rule estimates a speed-up" : " nothing is estimated");
    item.reason += ".";
  }

  bool tells(const Why& why) const { return saved_ms > 0 && why.isEstimate; }

  void chooseTogether(double& share) {
    const auto most = std::max_element(operators.begin(), operators.end(), [](const auto& a, const auto& b) { return a.second.point.time_ms < b.second.point.time_ms; });
    if (most == operators.end() || most->second.shapes < 2 || most->second.point.time_ms <= share * item.time_ms)
      return;
    RooflinePoint point = most->second.point;
    point.calls = static_cast<std::uint64_t>(most->second.calls + 0.5);
    share = point.time_ms / item.time_ms;
    item.source = PrioritySource::Analytic;
    item.reason = "Over " + std::to_string(most->second.shapes) + " shapes: " + boundReason(point, *peaks);
  }

  // By what most of its time was spent on.
  void nameItem(const Trace& trace) {
    const auto most = std::max_element(origins_ms.begin(), origins_ms.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == origins_ms.end())
      return;
    const auto& [info, operatorName] = most->first;
    item.title = info->title;
    item.category = info->category;
    item.operatorName = trace.name(operatorName);
  }

  double unknownShare() const {
    double time_ms = 0;
    for (const auto& [common, why] : reasons)
      time_ms += why.isEstimate ? 0 : why.time_ms;
    return item.time_ms > 0 ? time_ms / item.time_ms : 0;
  }
};

std::vector<PriorityItem> ranked(std::map<std::string, Growing>& growing, double all_ms) {
  std::vector<PriorityItem> items;
  for (auto& [key, g] : growing) {
    g.choose();
    g.item.saving = g.item.time_ms > 0 ? g.saved_ms / g.item.time_ms : 0;
    g.item.share = all_ms > 0 ? std::min(1.0, g.item.time_ms / all_ms) : 0;
    items.push_back(std::move(g.item));
  }
  std::sort(items.begin(), items.end(), [](const PriorityItem& a, const PriorityItem& b) {
    return a.score() != b.score() ? a.score() > b.score() : a.time_ms > b.time_ms;
  });
  return items;
}

bool hasRules(const NcuReport& report) {
  return std::any_of(report.launches.begin(), report.launches.end(), [](const NcuLaunch& launch) { return !launch.rules.empty(); });
}

// What the busier of SM and memory leaves of its peak, where counters tell.
struct Headroom {
  double saving = 0;
  std::string words;
};

std::optional<Headroom> headroomOf(const NcuReport& report, const NcuLaunch& launch) {
  const auto sm = counterValue(report, launch, Counter::SmThroughput), memory = counterValue(report, launch, Counter::MemoryThroughput);
  if (!sm && !memory)
    return std::nullopt;
  const bool isMemory = memory.value_or(0) >= sm.value_or(0);
  const double busier = std::clamp((isMemory ? memory : sm).value_or(0) / 100, 0.0, 1.0);
  const auto& other = isMemory ? sm : memory;
  return Headroom{1 - busier, std::string(isMemory ? "Memory" : "The SM") + " works at " + percent(busier) + " of its peak" +
                                  (other ? std::string(isMemory ? ", the SM" : ", memory") + " at " + percent(*other / 100) : std::string()) +
                                  ". No rule was read that says what holds it up; they stand in the details page."};
}

// Adds launches by their counters.
class CounterJudge {
public:
  explicit CounterJudge(const NcuReport& report) : m_report(report), m_hasRules(hasRules(report)) {}

  void add(Growing& g, const NcuLaunch& launch, double time_ms) const {
    if (const NcuRule* rule = decisiveRule(launch)) {
      g.add(time_ms, std::clamp(*rule->speedup_percent / 100, 0.0, 1.0), PrioritySource::Counters, {nullptr, "rule " + rule->name}, [rule] { return rule->description; });
      return;
    }
    if (const auto headroom = m_hasRules ? std::nullopt : headroomOf(m_report, launch))
      g.add(time_ms, headroom->saving, PrioritySource::Counters, {&launch, "headroom"}, [&] { return headroom->words; });
    else
      g.add(time_ms, std::nullopt, PrioritySource::Counters, {nullptr, "no rule"}, [] { return std::string("No rule estimates a speed-up."); });
  }

private:
  const NcuReport& m_report;
  bool m_hasRules;
};

std::string boundReason(const RooflinePoint& point, const DevicePeaks& peaks) {
  const bool compute = point.bound == RooflineBound::Compute;
  const PeakFigure ceiling = compute ? peaks.of(point.arithmetic) : peaks.bandwidth;
  const std::string what = compute ? std::string(arithmeticName(point.arithmetic)) + " arithmetic" : "memory bandwidth";
  const std::string part(partTitle(point.part));
  std::string text = (part.empty() ? "" : "The " + part + " of ") + point.operatorName + " reaches " + percent(point.ofBound()) + " of the " +
                     (ceiling.measured ? "measured " : "vendor's ") + what + " (" +
                     formatQuantity(compute ? point.flopsPerSecond() : point.bytesPerSecond(), compute ? "FLOP/s" : "B/s") +
                     " of " + formatQuantity(ceiling.value, compute ? "FLOP/s" : "B/s") + ").";
  text += aboveCeilingWords(point, peaks);
  if (compute && point.arithmetic == KernelArithmetic::Fp32 && peaks.tf32.value > 0)
    text += " It runs on the FP32 pipes; tensor cores would lift the limit " +
            formatSignificant(peaks.tf32.value / peaks.fp32.value, 2) + " times.";
  const double call_ms = point.calls > 0 ? point.time_ms / static_cast<double>(point.calls) : 0;
  if (call_ms > 0 && call_ms < kShortCall_ms && point.ofBound() < 0.5)
    text += " A call takes " + formatQuantity(call_ms / 1e3, "s") + ", too little work to fill the GPU: it pays to join such calls.";
  return text;
}

// Why nothing is estimated for an event.
std::string whyUnknown(const Trace& trace, const GpuEvent& event, const OperatorBounds* bounds, const NcuReport* report) {
  if (event.kind == GpuKind::Operator)
    return "What a processor can do at best is not known to this program.";
  const std::string noCounters = report && event.kind == GpuKind::Kernel ? " No counters were collected for it." : "";
  const std::string& operatorName = trace.name(event.opName);
  if (!bounds)
    return "What this GPU can do at best is not known to this program." + noCounters;
  if (operatorName.empty())
    return "No operator was recorded for it, which would say how much it has to compute and to move." + noCounters;
  if (operatorInputsOf(trace, event) == 0)
    return "The shapes of what " + operatorName + " works on were not recorded (record_shapes)." + noCounters;
  return "How much " + operatorName + " has to compute and to move is not known to this program." + noCounters;
}

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
  const CounterJudge judge(report);
  double all_ms = 0;
  for (const auto& launch : report.launches) {
    const double time_ms = counterValue(report, launch, Counter::Duration).value_or(0) * 1e3;
    Growing& g = growing[launch.kernel];
    const KernelInfo info = describeKernel(launch.kernel);
    g.item.title = info.shortName;
    g.item.key = launch.kernel;
    g.item.category = info.category;
    ++g.item.launches;
    judge.add(g, launch, time_ms);
    all_ms += time_ms;
  }
  auto items = ranked(growing, all_ms);
  std::vector<NamedKernel> names;
  for (const auto& item : items)
    names.push_back({item.key, item.title});
  const auto titles = kernelTitles(names);
  for (std::size_t i = 0; i < items.size(); ++i)
    items[i].title = titles[i];
  return items;
}

std::vector<PriorityItem> rankPriorities(const Trace& trace, const KernelIndex& index, const OperatorBounds* bounds,
                                         const NcuReport* report, const EventFilter& filter) {
  const auto collected = launchesByShape(report);
  const auto judge = report ? std::optional<CounterJudge>(*report) : std::nullopt;
  const double steps = stepsIn(filter, trace);
  const EventMatcher matches(filter, trace, index);
  std::map<std::string, Growing> growing;
  for (const auto& event : trace.gpu) {
    if (event.step == kNoIndex || !matches(event))
      continue;
    const double time_ms = selectedMs(filter, event) / steps;
    const KernelInfo& info = index.of(event);
    Growing& g = growing[trace.name(event.name)];
    g.item.key = trace.name(event.name);
    g.item.launches += !event.isLaterSlice;
    g.origins_ms[{&info, event.opName}] += time_ms;
    const auto it = event.shape == kNoIndex || collected.empty()
                        ? collected.end()
                        : collected.find(launchKey(trace.name(event.name), trace.launchShapes[event.shape].grid,
                                                   trace.launchShapes[event.shape].block));
    if (it != collected.end()) {
      judge->add(g, *it->second, time_ms);
    } else if (info.category == KernelCategory::LayoutConversion && event.kind != GpuKind::Operator) { // a processor's copies may be its work
      g.add(time_ms, 1, PrioritySource::Analytic, {&trace.name(event.opName), "layout"}, [&] {
        const std::string& operatorName = trace.name(event.opName);
        return "Copies between memory layouts" + (operatorName.empty() ? "" : " for " + operatorName) +
               ". All of it could go at most, if what writes and what reads these tensors agreed on one layout and had kernels for it; in a channels-last mode, too, a library's kernels may want another.";
      });
    } else if (const RooflinePoint* point = bounds ? bounds->of(trace, event, info.part) : nullptr) {
      g.addBound(time_ms, *point, bounds->peaks());
    } else if (copiesOverBus(trace, event)) {
      g.add(time_ms, std::nullopt, PrioritySource::Unknown, {nullptr, "bus"}, [] { return std::string("Copies between host and GPU, as fast as the bus lets it."); });
    } else if (info.part == WorkPart::Coefficients) {
      g.add(time_ms, std::nullopt, PrioritySource::Unknown, {nullptr, "coefficients"}, [] { return std::string("Works on a value or two a channel, too little to be held against a bound."); });
    } else {
      g.add(time_ms, std::nullopt, PrioritySource::Unknown, {&trace.name(event.opName), "unknown"}, [&] { return whyUnknown(trace, event, bounds, report); });
    }
  }
  for (auto& [key, g] : growing)
    g.nameItem(trace);
  auto items = ranked(growing, stepWall_ms(filter, trace));
  for (auto& item : items)
    item.launches = static_cast<std::uint64_t>(static_cast<double>(item.launches) / steps + 0.5);
  return items;
}

namespace {
std::string lackOfEstimate(WorkPlace place, bool hasBounds) {
  if (place == WorkPlace::Processor)
    return "what a processor can do at best is not known to this program";
  return hasBounds ? "that takes the shapes of operators (record_shapes) or counters" : "what this GPU can do at best is not known to this program, and there are no counters";
}
} // namespace

std::size_t gainful(std::span<const PriorityItem> items) {
  return static_cast<std::size_t>(std::find_if(items.begin(), items.end(), [](const PriorityItem& item) { return item.score() <= 0; }) - items.begin());
}

std::string withoutGainWords(WorkPlace place, bool hasBounds, const NcuReport* report) {
  if (report)
    return "These counters promise no speed-up: they hold neither a rule's estimate (the details page) nor how busy SM and memory were.";
  return "No speed-up is estimated: " + lackOfEstimate(place, hasBounds) + ".";
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/comparison.h"
#include "core/analysis/bench_table.h"
#include "core/analysis/counters.h"
#include <algorithm>
#include <map>

namespace voxlab {
namespace {
ComparedMeasure measureOf(std::string name, std::string title, std::string unit, Direction direction, Spread spread) {
  return {std::move(name), std::move(title), std::move(unit), direction, spread};
}

// What a field's name says of its unit and of which way is better.
struct FieldSuffix {
  std::string_view suffix, unit;
  Direction direction;
};
constexpr FieldSuffix kSuffixes[] = {
    {"_ms", "ms", Direction::LowerIsBetter},
    {"_bytes_per_s", "B/s", Direction::HigherIsBetter},
    {"flops_per_s", "FLOP/s", Direction::HigherIsBetter},
    {"_per_s", "/s", Direction::HigherIsBetter},
    {"_bytes", "B", Direction::LowerIsBetter},
    {"_j", "J", Direction::LowerIsBetter},
    {"_w", "W", Direction::LowerIsBetter},
    {"_c", "°C", Direction::LowerIsBetter},
    {"_mhz", "MHz", Direction::Unknown},
    {"_percent", "%", Direction::HigherIsBetter},
    {"difference", "", Direction::LowerIsBetter},
    {"_s", "s", Direction::LowerIsBetter},
};

std::string titleOf(std::string_view field, std::string_view suffix) {
  std::string title(field.substr(0, field.size() - (suffix.starts_with('_') ? suffix.size() : 0)));
  std::replace(title.begin(), title.end(), '_', ' ');
  if (!title.empty())
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

// Fields whose names alone do not say what they are.
constexpr std::pair<std::string_view, std::string_view> kTitles[] = {
    {"duration_ms", "Time a step"},
    {"device_ms", "GPU time a step"},
    {"volumes_per_s", "Volumes per second"},
    {"flops_per_s", "Arithmetic achieved"},
    {"bound_percent", "Share of the device's bound"},
    {"energy_j", "Energy a step"},
    {"peak_allocated_bytes", "Peak memory, allocated"},
    {"peak_reserved_bytes", "Peak memory, reserved"},
    {"gpu_memory_bytes", "Memory in use on the GPU"},
    {"output_difference", "Output differs from Baseline's by"},
    {"largest_output_difference", "Largest difference of the output"},
    {"loss", "Loss of the first step"},
    {"loss_difference", "Loss differs from Baseline's by"},
    {"kernel_ms", "Kernel time a step"},
    {"launches", "Kernel launches a step"},
};

ComparedMeasure measureOfField(const std::string& field, const Spread& spread) {
  const auto title = std::find_if(std::begin(kTitles), std::end(kTitles), [&](const auto& row) { return row.first == field; });
  for (const auto& row : kSuffixes)
    if (field.ends_with(row.suffix))
      return measureOf(field, title == std::end(kTitles) ? titleOf(field, row.suffix) : std::string(title->second), std::string(row.unit), row.direction,
                       spread);
  return measureOf(field, title == std::end(kTitles) ? titleOf(field, "") : std::string(title->second), "",
                   field == "launches" ? Direction::LowerIsBetter : Direction::Unknown, spread);
}

bool isMeasure(const std::string& field) {
  static constexpr std::string_view kOthers[] = {"step", "repetition", "turn", "time_s", "seed", "volumes", "flops", "bound_ms", "volumes_per_s", "flops_per_s", "bound_percent"};
  return std::find(std::begin(kOthers), std::end(kOthers), field) == std::end(kOthers);
}

// Rates follow from the time, behind which they stand.
void addRates(ComparedRun& run, const BenchRow& row) {
  const BenchRates rates = ratesOf(row);
  for (const auto& [field, rate] : {std::pair("volumes_per_s", rates.volumesPerSecond), {"flops_per_s", rates.flopsPerSecond}, {"bound_percent", rates.bound_percent}})
    if (rate)
      run.measures.push_back(measureOfField(field, *rate));
}

Direction directionOf(Counter counter) {
  switch (counter) {
  case Counter::Duration:
  case Counter::SmCycles:
  case Counter::Instructions:
  case Counter::DramRead:
  case Counter::DramWritten:
    return Direction::LowerIsBetter;
  case Counter::L1Hit:
  case Counter::L2Hit:
  case Counter::SmThroughput:
  case Counter::TensorPipe:
  case Counter::AchievedOccupancy:
    return Direction::HigherIsBetter;
  default:
    return Direction::Unknown;
  }
}

// What a run is held against; see compareRuns().
std::optional<std::size_t> baselineFor(const RunComparison& comparison, std::size_t n, DeviceScope scope) {
  const ComparedRun &run = comparison.runs[n], &base = comparison.runs[comparison.baseline];
  const bool sameDevice = run.device == base.device, within = scope == DeviceScope::Within && !sameDevice;
  if (n == comparison.baseline || (!sameDevice && !within))
    return comparison.baseline;
  std::optional<std::size_t> first;
  for (std::size_t other = 0; other < comparison.runs.size(); ++other) {
    const ComparedRun& candidate = comparison.runs[other];
    if (isOwnBaseline(candidate, run, base.mode))
      return candidate.folder == base.folder && sameDevice ? comparison.baseline : other;
    if (!first && candidate.device == run.device && candidate.mode == base.mode && candidate.what == run.what && sameWorkload(candidate, run))
      first = other;
  }
  return within ? first : comparison.baseline;
}

// Why is told by profiles, which one session may have for all: where a baseline has none, that of its mode on its device stands in,
// beside the baseline's own times.
std::optional<ComparedRun> profiledBaseline(const RunComparison& comparison, std::size_t n) {
  const ComparedRun *own = comparison.baselineOf(n), &run = comparison.runs[n];
  if (!own || own == &run || own->profiled())
    return own && own != &run ? std::optional(*own) : std::nullopt;
  const auto standsIn = [&](const ComparedRun& other) { return other.profiled() && other.mode == own->mode && other.device == own->device && sameWorkload(other, run); };
  const auto it = standsIn(comparison.runs[comparison.baseline]) ? comparison.runs.begin() + static_cast<std::ptrdiff_t>(comparison.baseline)
                                                                 : std::find_if(comparison.runs.begin(), comparison.runs.end(), standsIn);
  if (it == comparison.runs.end() || &*it == &run)
    return std::nullopt;
  ComparedRun joined = *own;
  joined.work = it->work;
  joined.idle_ms = it->idle_ms;
  joined.wall_ms = it->wall_ms;
  return joined;
}

// Measures and differences, each side against its own of `baselines`.
void normalise(RunComparison& comparison) {
  for (auto& row : comparison.measures)
    for (std::size_t n = 0; n < comparison.runs.size(); ++n) {
      const ComparedRun &run = comparison.runs[n], *own = comparison.baselineOf(n);
      const ComparedMeasure *measure = run.measure(row.name), *ofBase = own ? own->measure(row.name) : nullptr;
      const bool both = measure && ofBase && sameWorkload(run, *own) && measure->spread.count > 0 && ofBase->spread.count > 0 && ofBase->spread.median != 0;
      row.values.push_back(measure && measure->spread.count > 0 ? std::optional(measure->spread) : std::nullopt);
      row.normalised.push_back(both ? std::optional(measure->spread.median / ofBase->spread.median) : std::nullopt);
    }
  for (std::size_t n = 0; n < comparison.runs.size(); ++n)
    if (const ComparedRun& run = comparison.runs[n]; run.profiled())
      if (const auto against = profiledBaseline(comparison, n); against && against->profiled() && sameWorkload(run, *against))
        comparison.differences.push_back(whyFaster(*against, run));
}
} // namespace

const ComparedMeasure* ComparedRun::measure(std::string_view wanted) const {
  const auto it = std::find_if(measures.begin(), measures.end(), [wanted](const ComparedMeasure& m) { return m.name == wanted; });
  return it == measures.end() ? nullptr : &*it;
}

ComparedRun comparedProfile(std::string name, const Trace& trace, const KernelIndex& index) {
  ComparedRun run;
  run.name = std::move(name);
  run.device = trace.devices.empty() ? "" : trace.devices.front().name;
  const Breakdown breakdown = breakDown(trace, index);
  run.wall_ms = breakdown.mean.wall_ms;
  run.idle_ms = breakdown.mean.idle_ms;
  run.measures.push_back(measureOf("wall_ms", "Time a recorded step", "ms", Direction::LowerIsBetter, breakdown.wall_ms));
  run.measures.push_back(measureOf("kernel_ms", "Kernel time a step", "ms", Direction::LowerIsBetter, breakdown.kernel_ms));
  run.measures.push_back(measureOf("launches", "Kernel launches a step", "", Direction::LowerIsBetter,
                                   spreadOf({static_cast<double>(breakdown.mean.launches)})));
  run.measures.push_back(
      measureOf("idle_ms", "Idle time a step", "ms", Direction::LowerIsBetter, spreadOf({breakdown.mean.idleTotal_ms()})));

  struct Sum {
    ComparedWork work;
    std::map<NameId, double> byName;
  };
  std::map<std::tuple<KernelCategory, std::uint32_t, NameId, NameId, Phase>, Sum> sums; // the second: family
  const auto steps = static_cast<double>(std::max<std::size_t>(trace.steps.size(), 1));
  for (const auto& segment : deviceTimeline(trace, breakdown.device).busy) {
    const GpuEvent& event = trace.gpu[segment.event];
    double ms = 0; // of the segment, within steps
    for (auto it = std::upper_bound(trace.steps.begin(), trace.steps.end(), segment.start_ns,
                                    [](std::int64_t t, const TraceStep&s) { return t < s.end_ns; });
         it != trace.steps.end() && it->start_ns < segment.end_ns; ++it)
      ms += static_cast<double>(std::min(segment.end_ns, it->end_ns) - std::max(segment.start_ns, it->start_ns)) / 1e6 / steps;
    if (ms <= 0)
      continue;
    const KernelInfo& info = index.of(event);
    Sum& sum = sums[{info.category, index.family(event), event.opName, event.module, event.phase}];
    sum.work.category = info.category;
    sum.work.family = info.family;
    sum.work.operatorName = trace.name(event.opName);
    sum.work.module = trace.name(event.module);
    sum.work.phase = event.phase;
    sum.work.time_ms += ms;
    sum.work.calls += event.isLaterSlice ? 0 : 1 / steps;
    double& ofName = sum.byName[event.name];
    ofName += ms;
    if (std::all_of(sum.byName.begin(), sum.byName.end(), [&](const auto& other) { return other.second <= ofName; }))
      sum.work.kernel = info.shortName;
  }
  for (auto& [key, sum] : sums)
    run.work.push_back(std::move(sum.work));
  return run;
}

void addCounters(ComparedRun& run, const CounterAggregate& counters) {
  for (const auto& row : counterTable())
    if (const auto value = counters[row.counter])
      run.measures.push_back(measureOf(std::string(row.name), std::string(row.title), std::string(row.unit),
                                       directionOf(row.counter), spreadOf({*value})));
  for (const StallReason& stall : counters.stalls)
    run.stalls.push_back({std::string(stall.name), std::string(stall.title), stall.perIssue});
  if (counters.coverage)
    run.measures.push_back(measureOf("counter_coverage", "Counters' share of kernel time", "", Direction::HigherIsBetter,
                                     spreadOf({*counters.coverage})));
}

std::vector<ComparedRun> comparedBench(const RunState& state, const std::string& device) {
  std::vector<std::pair<std::string, std::map<std::string, std::vector<double>>>> groups; // in order of appearance
  std::vector<std::vector<std::string>> order;                                            // of the fields of each
  for (const auto& record : state.bench()) {
    const std::string name = record.what.empty() ? record.mode : record.mode + " · " + record.what;
    auto it = std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == name; });
    if (it == groups.end()) {
      groups.push_back({name, {}});
      order.emplace_back();
      it = groups.end() - 1;
    }
    auto& fields = order[static_cast<std::size_t>(it - groups.begin())];
    for (const auto& [field, value] : record.fields.items()) {
      if (!value.is_number() || !isMeasure(field))
        continue;
      if (!it->second.contains(field))
        fields.push_back(field);
      it->second[field].push_back(value.template get<double>());
    }
  }
  const std::vector<BenchRow> rows = benchRows(state);
  std::vector<ComparedRun> runs;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    ComparedRun run;
    run.name = groups[i].first;
    run.device = device;
    const auto dot = run.name.find(" · ");
    run.mode = run.name.substr(0, dot);
    run.what = dot == std::string::npos ? "" : run.name.substr(dot + std::string_view(" · ").size());
    const BenchRow* row = findRow(rows, run.mode, run.what);
    for (const auto& field : order[i]) {
      run.measures.push_back(measureOfField(field, spreadOf(groups[i].second[field])));
      if (field == "duration_ms" && row)
        addRates(run, *row);
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

std::string sizeWords(const std::vector<std::int64_t>& size) {
  std::string words;
  for (const auto side : size)
    words += (words.empty() ? "" : " × ") + std::to_string(side);
  return words;
}

Result<RunComparison> compareRuns(std::vector<ComparedRun> runs, const std::string& baseline, DeviceScope scope) {
  RunComparison comparison;
  comparison.runs = std::move(runs);
  const auto base =
      std::find_if(comparison.runs.begin(), comparison.runs.end(), [&](const ComparedRun& run) { return run.name == baseline; });
  if (base == comparison.runs.end()) {
    std::string names;
    for (const auto& run : comparison.runs)
      names += (names.empty() ? "" : ", ") + run.name;
    return fail(ExitCode::Usage, "The baseline \"" + baseline + "\" is not among the runs to compare (" +
                                     (names.empty() ? "there are none" : names) + ").");
  }
  comparison.baseline = static_cast<std::size_t>(base - comparison.runs.begin());
  for (const auto& run : comparison.runs)
    for (const auto& measure : run.measures)
      if (std::none_of(comparison.measures.begin(), comparison.measures.end(),
                       [&](const NormalisedMeasure& m) { return m.name == measure.name; }))
        comparison.measures.push_back({measure.name, measure.title, measure.unit, measure.direction, {}, {}});
  for (std::size_t n = 0; n < comparison.runs.size(); ++n)
    comparison.baselines.push_back(baselineFor(comparison, n, scope));
  normalise(comparison);
  return comparison;
}

bool isOwnBaseline(const ComparedRun& candidate, const ComparedRun& run, const std::string& baselineMode) {
  return !run.folder.empty() && !baselineMode.empty() && candidate.folder == run.folder && candidate.device == run.device && candidate.mode == baselineMode &&
         candidate.what == run.what && sameWorkload(candidate, run) && candidate.measure("duration_ms");
}

std::string ownBaselineWords(const RunComparison& comparison, const std::vector<std::string>& names) {
  std::string others;
  bool devices = false, sizes = false;
  for (std::size_t n = 0; n < comparison.runs.size(); ++n)
    if (comparison.baselines[n] == n && n != comparison.baseline) {
      others += (others.empty() ? "" : ", ") + names[n];
      devices |= comparison.runs[n].device != comparison.runs[comparison.baseline].device;
      sizes |= !sameWorkload(comparison.runs[n], comparison.runs[comparison.baseline]);
    }
  if (others.empty())
    return "";
  const std::string& mode = comparison.runs[comparison.baseline].mode;
  if (devices || sizes)
    return std::string("Each ") + (devices ? "device" : "size") + "'s sides are held against the " + mode + " of that " + (devices ? "device" : "size") + " (also " + others + ").";
  return "Several sessions were measured on one device: each side is held against the " + mode + " of its own session where that has one (also " + others +
         "), since clocks and temperatures differ between sessions.";
}

} // namespace voxlab

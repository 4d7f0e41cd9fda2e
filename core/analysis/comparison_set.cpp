// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/comparison_set.h"
#include "core/analysis/bench_table.h"
#include "core/analysis/run_history.h"
#include "core/analysis/run_profile.h"
#include "core/analysis/volume_points.h"
#include "core/base/text.h"
#include "core/protocol/find_run.h"
#include "core/protocol/network_spec.h"
#include "core/protocol/parameter_value.h"
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

namespace voxlab {
namespace {
namespace fs = std::filesystem;

std::string sizeOf(const ComparisonInput& input) {
  const auto data = input.spec.find("data");
  return data == input.spec.end() ? "" : sizeWords(jsonGet<std::vector<std::int64_t>>(*data, "size").value_or(std::vector<std::int64_t>{}));
}

std::string networkOf(const ComparisonInput& input) {
  const Json model = input.spec.value("model", Json::object());
  const auto channels = jsonGet<std::int64_t>(model, "base_channels");
  const auto multipliers = jsonGet<std::vector<double>>(model, "multipliers");
  if (!channels || !multipliers)
    return {};
  NetworkSpec network;
  network.multipliers = *multipliers;
  const Json written = toJson(network); // whole factors without a point
  std::string factors;
  for (const Json& factor : written.at("multipliers"))
    factors += (factors.empty() ? "" : ", ") + valueToText(factor);
  const std::int64_t batch = jsonGet<std::int64_t>(input.spec.value("train", Json::object()), "batch").value_or(1);
  return std::to_string(*channels) + " channels (" + factors + ")" + (batch > 1 ? ", batch " + std::to_string(batch) : "");
}

// Times of different networks say as little of modes as those of different sizes.
void tellNetworksApart(std::vector<ComparedRun>& sides) {
  std::map<std::string, std::set<std::string>> networks; // by size
  for (const ComparedRun& side : sides)
    if (!side.network.empty())
      networks[side.workload].insert(side.network);
  for (ComparedRun& side : sides)
    if (!side.network.empty() && networks[side.workload].size() > 1)
      side.workload += (side.workload.empty() ? "" : ", ") + side.network;
}

// A benchmark and a profile of one mode belong together; two of a kind stand side by side.
bool measuredAlready(const ComparedRun& side, const ComparedRun& other) {
  return (side.profiled() && other.profiled()) || (side.measure("duration_ms") && other.measure("duration_ms"));
}

void join(ComparedRun& side, ComparedRun&& other) {
  for (ComparedMeasure& measure : other.measures)
    if (!side.measure(measure.name))
      side.measures.push_back(std::move(measure));
  if (other.profiled()) {
    side.work = std::move(other.work);
    side.idle_ms = other.idle_ms;
    side.wall_ms = other.wall_ms;
    side.roofline = std::move(other.roofline);
  }
  if (side.stalls.empty())
    side.stalls = std::move(other.stalls);
}

bool benchmarked(const ComparedRun& side) { return side.measure("duration_ms") != nullptr; }

// A profile or counters belong to the benchmark of their own run, else to one that lies beside them, else to that of most modes, else to the oldest.
void add(std::vector<ComparedRun>& sides, ComparedRun&& side) {
  const auto modesOf = [&](const fs::path& folder) { return std::count_if(sides.begin(), sides.end(), [&](const ComparedRun& s) { return s.folder == folder && benchmarked(s); }); };
  const auto rank = [&](const ComparedRun& known) {
    return std::tuple(known.folder == side.folder, benchmarked(known), known.folder.parent_path() == side.folder.parent_path(), modesOf(known.folder));
  };
  ComparedRun* owner = nullptr;
  for (ComparedRun& known : sides)
    if (known.mode == side.mode && known.device == side.device && sameWorkload(known, side) && !measuredAlready(known, side) && (!owner || rank(known) > rank(*owner)))
      owner = &known;
  if (owner)
    join(*owner, std::move(side));
  else
    sides.push_back(std::move(side));
}

// Benchmarks first, whose names and folders stay with what joins them.
void addSides(ComparisonSet& set, std::vector<ComparedRun>&& measured) {
  std::stable_partition(measured.begin(), measured.end(), benchmarked);
  for (ComparedRun& side : measured)
    add(side.what == "sample" ? set.sampling : set.training, std::move(side));
}

void note(ComparisonSet& set, const std::string& words) {
  if (std::find(set.notes.begin(), set.notes.end(), words) == set.notes.end())
    set.notes.push_back(words);
}

Result<ComparisonInput> inputOf(const fs::path& folder) {
  if (Status found = findRun(folder); !found)
    return fail(found.error());
  const RunDirectory run(fs::absolute(folder).lexically_normal());
  const auto info = run.info();
  if (!info)
    return fail(info.error());
  const fs::path path = run.path().has_filename() ? run.path() : run.path().parent_path();
  ComparisonInput input{info->id, info->title, info->kind, info->mode, "", info->created, path, newestEnvironment(run), Json::object()};
  input.device = deviceNameOf(input.environment);
  if (const auto spec = run.spec())
    input.spec = spec->toJson();
  return input;
}

Status addRun(ComparisonSet& set, VolumePoints& volumes, std::vector<ComparedRun>& measured, const ComparisonInput& input) {
  const RunDirectory run(input.folder);
  if (input.kind == "quality")
    return volumes.addQuality(input);
  const auto state = readRunState(run);
  if (!state)
    return fail(state.error());
  if (input.kind == "sample")
    return volumes.addSamples(input, *state);
  auto sides = comparedRuns(run);
  if (!sides)
    return fail(sides.error());
  for (const BenchRow& row : benchRows(*state))
    if (!row.measured())
      note(set, row.mode + " could not be measured: " + row.unavailable);
  for (ComparedRun& side : *sides) {
    side.source = input.id;
    side.folder = input.folder;
    side.workload = sizeOf(input);
    side.network = networkOf(input);
    if (!side.measures.empty())
      measured.push_back(std::move(side));
  }
  return {};
}

// Baseline and the single changes before what combines them, the others by name.
auto modeRank(const std::string& mode) {
  static constexpr std::array<std::string_view, 4> kFirst{"baseline", "opt1", "opt2", "opt12"};
  return std::pair(std::find(kFirst.begin(), kFirst.end(), mode) - kFirst.begin(), mode);
}

// The same order whatever order the runs came in: by sampling, mode and set; alike ones by age.
void sortSet(ComparisonSet& set) {
  for (std::vector<ComparedRun>* sides : {&set.training, &set.sampling})
    std::stable_sort(sides->begin(), sides->end(), [](const ComparedRun& a, const ComparedRun& b) { return modeRank(a.mode) < modeRank(b.mode); });
  std::stable_sort(set.points.begin(), set.points.end(), [](const VolumePoint& a, const VolumePoint& b) {
    return std::tuple(a.sampler, a.steps, a.eta, modeRank(a.mode), a.set) < std::tuple(b.sampler, b.steps, b.eta, modeRank(b.mode), b.set);
  });
}

// A benchmark's sampling step beside the volumes that the same mode drew on the same device: of the session that lies beside them, where
// there are several, else the first.
void joinSteps(ComparisonSet& set) {
  for (VolumePoint& point : set.points) {
    const auto beside = [&](const ComparedRun& side) {
      return std::any_of(point.runs.begin(), point.runs.end(), [&](const fs::path& run) { return run.parent_path() == side.folder.parent_path(); });
    };
    const ComparedRun* best = nullptr;
    for (const ComparedRun& side : set.sampling)
      if (side.mode == point.mode && benchmarked(side) && (side.device == point.device || point.device.empty()) && (!best || (beside(side) && !beside(*best))))
        best = &side;
    if (!best)
      continue;
    point.step_ms = best->measure("duration_ms")->spread.median;
    point.stepSize = best->workload;
  }
}
} // namespace

std::string VolumePoint::sampling() const {
  return (sampler.empty() ? "unknown sampler" : sampler) + (steps > 0 ? " " + std::to_string(steps) : "") + (eta ? ", η " + formatSignificant(*eta) : "");
}

std::string VolumePoint::recordedName() const {
  const std::string own = title.empty() ? set : title;
  const std::string way = mode.empty() && sampler.empty() && !own.empty() ? own : (mode.empty() ? "unknown mode" : mode) + " · " + sampling();
  return label.empty() ? way : way + " · " + label;
}

std::optional<double> VolumePoint::timeAtFullSize_ms() const {
  return step_ms && steps > 0 ? std::optional(*step_ms * static_cast<double>(steps)) : std::nullopt;
}

std::vector<std::string> workloadsOf(const std::vector<ComparedRun>& sides) {
  std::vector<std::string> workloads;
  for (const ComparedRun& side : sides)
    if (!side.workload.empty() && std::find(workloads.begin(), workloads.end(), side.workload) == workloads.end())
      workloads.push_back(side.workload);
  return workloads;
}

void nameSides(std::vector<ComparedRun>& sides) {
  const auto ownName = [](const ComparedRun& side) { return !side.called.empty() ? side.called : side.mode.empty() ? side.name : side.mode; };
  const auto count = [&](auto&& alike) { return std::count_if(sides.begin(), sides.end(), alike); };
  std::vector<std::string> names;
  for (const ComparedRun& side : sides) {
    const std::string own = ownName(side);
    std::string name = own;
    if (side.called.empty() && count([&](const ComparedRun& s) { return !sameWorkload(s, side); }) > 0 && !side.workload.empty())
      name += " · " + side.workload;
    const auto alike = [&](const ComparedRun& s) { return ownName(s) == own && (s.workload == side.workload || !side.called.empty()); };
    if (count(alike) > 1) {
      const bool devicesTell = count([&](const ComparedRun& s) { return alike(s) && s.device == side.device; }) == 1;
      name += " · " + (devicesTell ? side.device : side.source);
    }
    for (int n = 2; std::find(names.begin(), names.end(), name) != names.end(); ++n)
      name = own + " · " + side.source + " (" + std::to_string(n) + ")";
    names.push_back(name);
  }
  for (std::size_t n = 0; n < sides.size(); ++n)
    sides[n].name = names[n];
}

ComparisonSet gatherComparison(const std::vector<fs::path>& runs, const std::stop_token& cancel) {
  ComparisonSet set;
  for (const fs::path& run : runs) {
    if (cancel.stop_requested())
      break;
    if (auto input = inputOf(run))
      set.inputs.push_back(std::move(*input));
    else
      note(set, input.error().message);
  }
  // By age, whatever order they were named in. What was measured on volumes comes after the volumes, whose times are better than its mean of them.
  std::stable_sort(set.inputs.begin(), set.inputs.end(), [](const ComparisonInput& a, const ComparisonInput& b) {
    const bool judgesA = a.kind == "quality", judgesB = b.kind == "quality";
    return std::tie(judgesA, a.created, a.id, a.folder) < std::tie(judgesB, b.created, b.id, b.folder);
  });
  VolumePoints volumes;
  std::vector<ComparedRun> measured;
  for (const ComparisonInput& input : set.inputs)
    if (input.kind == "quality")
      volumes.announceQuality(input);
  for (const ComparisonInput& input : set.inputs) {
    if (cancel.stop_requested())
      break;
    if (const Status status = addRun(set, volumes, measured, input); !status)
      note(set, status.error().message);
  }
  tellNetworksApart(measured);
  addSides(set, std::move(measured));
  set.points = volumes.take();
  sortSet(set);
  nameSides(set.training);
  nameSides(set.sampling);
  nameVolumes(set.points);
  joinSteps(set);
  return set;
}

std::vector<ComparedRun> volumeSides(const std::vector<VolumePoint>& points) {
  std::vector<ComparedRun> sides;
  for (const VolumePoint& point : points) {
    ComparedRun side;
    side.name = point.name();
    side.source = point.source;
    side.mode = point.mode;
    side.what = "volume";
    side.device = point.device;
    const std::string at = point.size.empty() ? "" : " at " + point.size;
    if (!point.volume_ms.empty())
      side.measures.push_back({"volume_ms", "Time a volume" + at, "ms", Direction::LowerIsBetter, spreadOf(point.volume_ms)});
    if (const auto full = point.timeAtFullSize_ms())
      side.measures.push_back({"full_volume_ms", "Time a volume at " + (point.stepSize.empty() ? std::string("the benchmark's size") : point.stepSize) + " (steps × step time)", "ms",
                               Direction::LowerIsBetter, spreadOf({*full})});
    for (const QualityMeasure& m : point.quality) {
      if (!m.value)
        continue;
      Spread spread = spreadOf({*m.value});
      spread.count = static_cast<std::size_t>(std::max<std::int64_t>(1, m.count));
      if (m.interval) {
        spread.lowerQuartile = m.interval->low;
        spread.upperQuartile = m.interval->high;
      }
      side.measures.push_back({m.name, m.title, m.unit,
                               m.direction == "lower" ? Direction::LowerIsBetter : m.direction == "higher" ? Direction::HigherIsBetter : Direction::Unknown, spread});
    }
    if (!side.measures.empty())
      sides.push_back(std::move(side));
  }
  return sides;
}

std::optional<std::string> baselineAmong(const std::vector<ComparedRun>& sides, const ComparisonSet& set, const std::string& wanted) {
  if (sides.empty())
    return std::nullopt;
  const auto first = [&](auto&& fits) -> std::optional<std::string> {
    const auto it = std::find_if(sides.begin(), sides.end(), fits);
    return it == sides.end() ? std::nullopt : std::optional(it->name);
  };
  if (wanted.empty()) {
    const auto usual = first([](const ComparedRun& s) { return s.mode == "baseline"; });
    return usual ? usual : sides.front().name;
  }
  if (const auto named = first([&](const ComparedRun& s) { return s.name == wanted; }))
    return named;
  if (const auto ofMode = first([&](const ComparedRun& s) { return s.mode == wanted; }))
    return ofMode;
  const fs::path folder = fs::absolute(wanted).lexically_normal();
  for (const ComparisonInput& input : set.inputs) {
    if (input.id != wanted && input.title != wanted && input.folder != folder && input.folder / "" != folder)
      continue;
    if (const auto usual = first([&](const ComparedRun& s) { return s.source == input.id && s.mode == "baseline"; }))
      return usual;
    if (const auto any = first([&](const ComparedRun& s) { return s.source == input.id; }))
      return any;
  }
  return std::nullopt;
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/comparison_set.h"
#include "core/analysis/bench_table.h"
#include "core/analysis/run_history.h"
#include "core/analysis/run_profile.h"
#include "core/base/text.h"
#include "core/protocol/find_run.h"
#include "core/protocol/job_parameters.h"
#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace voxlab {
namespace {
namespace fs = std::filesystem;

std::string sizeOf(const ComparisonInput& input) {
  const auto data = input.spec.find("data");
  return data == input.spec.end() ? "" : sizeWords(jsonGet<std::vector<std::int64_t>>(*data, "size").value_or(std::vector<std::int64_t>{}));
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

void add(std::vector<ComparedRun>& sides, ComparedRun&& side) {
  for (ComparedRun& known : sides)
    if (known.mode == side.mode && known.device == side.device && sameWorkload(known, side) && !measuredAlready(known, side))
      return join(known, std::move(side));
  sides.push_back(std::move(side));
}

void note(ComparisonSet& set, const std::string& words) {
  if (std::find(set.notes.begin(), set.notes.end(), words) == set.notes.end())
    set.notes.push_back(words);
}

// The point of a way to make volumes (its mode, sampler, steps, η and device), which may be a new one. Unknown devices fit all.
VolumePoint& pointFor(ComparisonSet& set, VolumePoint way) {
  const auto key = [](const VolumePoint& p) { return std::tie(p.mode, p.sampler, p.steps, p.eta); };
  for (VolumePoint& point : set.points)
    if (key(point) == key(way) && (point.device == way.device || point.device.empty() || way.device.empty())) {
      if (point.device.empty())
        point.device = way.device;
      return point;
    }
  set.points.push_back(std::move(way));
  return set.points.back();
}

// Of what a specification or a volume's description says. Where nothing is said it is the default.
std::optional<double> ownEta(const std::string& sampler, const std::optional<double>& eta) {
  return sampler == "ddpm" || eta == kDefaultEta ? std::nullopt : eta;
}

void addSamples(ComparisonSet& set, const ComparisonInput& input, const RunDirectory& run, const RunState& state) {
  const auto asked = input.spec.find("sample");
  const auto eta = asked == input.spec.end() ? std::nullopt : jsonGet<double>(*asked, "eta");
  bool timed = false;
  for (const auto& sample : state.samples()) {
    if (sample.step) // of a training's previews: other weights each time
      continue;
    VolumePoint way;
    way.mode = input.mode;
    way.sampler = sample.sampler;
    way.steps = sample.samplerSteps.value_or(0);
    way.eta = ownEta(sample.sampler, eta);
    way.device = input.device;
    VolumePoint& point = pointFor(set, std::move(way));
    if (!std::exchange(timed, true)) // a run draws in one way
      for (const double time_ms : settledVolumeTimes_ms(state))
        point.volume_ms.push_back(time_ms);
    std::error_code ec;
    if (const fs::path file = run.path() / sample.path; fs::exists(file, ec))
      point.samples.push_back({file, sample.seed, fs::path(sample.mask).filename().string()});
    if (point.size.empty() && !sample.infoPath.empty())
      if (const auto info = readJsonFile(run.path() / sample.infoPath))
        point.size = sizeWords(jsonGet<std::vector<std::int64_t>>(*info, "network_size").value_or(std::vector<std::int64_t>{}));
  }
}

// Of several results for the same volumes, the later one counts where it has a value.
void take(std::vector<QualityMeasure>& known, const QualityMeasure& measure) {
  const auto same = std::find_if(known.begin(), known.end(), [&](const QualityMeasure& m) { return m.name == measure.name; });
  if (same == known.end())
    known.push_back(measure);
  else if (measure.value)
    *same = measure;
}

Status addQuality(ComparisonSet& set, const RunDirectory& run) {
  const auto json = readJsonFile(run.path() / "quality.json");
  if (!json)
    return fail(ExitCode::Data, "The run " + run.id() + " has no result yet: wait for it, or start it with voxlab-worker run.");
  const auto result = qualityFromJson(*json);
  if (!result)
    return fail(result.error());
  const auto text = [&](const char* key) { return jsonGet<std::string>(result->of, key).value_or(""); };
  VolumePoint way;
  way.mode = text("mode");
  way.sampler = text("sampler");
  way.steps = jsonGet<std::int64_t>(result->of, "steps").value_or(0);
  way.eta = ownEta(way.sampler, jsonGet<double>(result->of, "eta"));
  VolumePoint& point = pointFor(set, std::move(way));
  for (const QualityMeasure& measure : result->measures)
    take(point.quality, measure);
  if (point.size.empty())
    point.size = sizeWords(jsonGet<std::vector<std::int64_t>>(result->of, "network_size").value_or(std::vector<std::int64_t>{}));
  if (const auto volume_ms = jsonGet<double>(result->of, "volume_ms"); volume_ms && point.volume_ms.empty())
    point.volume_ms.push_back(*volume_ms);
  return {};
}

Status addRun(ComparisonSet& set, const fs::path& folder) {
  if (Status found = findRun(folder); !found)
    return found;
  const RunDirectory run(fs::absolute(folder).lexically_normal());
  const auto info = run.info();
  if (!info)
    return fail(info.error());
  ComparisonInput input{info->id, info->title, info->kind, info->mode, "", info->created, run.path(), newestEnvironment(run), Json::object()};
  input.device = deviceNameOf(input.environment);
  if (const auto spec = run.spec())
    input.spec = spec->toJson();
  set.inputs.push_back(input);
  if (info->kind == "quality")
    return addQuality(set, run);
  const auto state = readRunState(run);
  if (!state)
    return fail(state.error());
  if (info->kind == "sample") {
    addSamples(set, input, run, *state);
    return state->samples().empty() ? fail(ExitCode::Data, "The run " + run.id() + " has drawn no volume yet: wait for it, or start it with voxlab-worker run.") : Status();
  }
  auto sides = comparedRuns(run);
  if (!sides)
    return fail(sides.error());
  for (const BenchRow& row : benchRows(*state))
    if (!row.measured())
      note(set, row.mode + " could not be measured: " + row.unavailable);
  for (ComparedRun& side : *sides) {
    side.source = info->id;
    side.workload = sizeOf(input);
    if (side.measures.empty())
      continue;
    add(side.what == "sample" ? set.sampling : set.training, std::move(side));
  }
  return {};
}

// Baseline and the single changes before what combines them, the others by name.
auto modeRank(const std::string& mode) {
  static constexpr std::array<std::string_view, 4> kFirst{"baseline", "opt1", "opt2", "opt12"};
  return std::pair(std::find(kFirst.begin(), kFirst.end(), mode) - kFirst.begin(), mode);
}

// The same order whatever order the runs came in: by sampling, then by mode; alike ones stay as they came.
void sortSet(ComparisonSet& set) {
  for (std::vector<ComparedRun>* sides : {&set.training, &set.sampling})
    std::stable_sort(sides->begin(), sides->end(), [](const ComparedRun& a, const ComparedRun& b) { return modeRank(a.mode) < modeRank(b.mode); });
  std::stable_sort(set.points.begin(), set.points.end(), [](const VolumePoint& a, const VolumePoint& b) {
    return std::tuple(a.sampler, a.steps, a.eta, modeRank(a.mode)) < std::tuple(b.sampler, b.steps, b.eta, modeRank(b.mode));
  });
}

// A benchmark's sampling step beside the volumes that the same mode drew on the same device.
void joinSteps(ComparisonSet& set) {
  for (VolumePoint& point : set.points)
    for (const ComparedRun& side : set.sampling) {
      const ComparedMeasure* step = side.measure("duration_ms");
      if (!step || side.mode != point.mode || (side.device != point.device && !point.device.empty()))
        continue;
      point.step_ms = step->spread.median;
      for (const ComparisonInput& input : set.inputs)
        if (input.id == side.source)
          point.stepSize = sizeOf(input);
    }
}
} // namespace

std::string VolumePoint::sampling() const {
  return (sampler.empty() ? "unknown sampler" : sampler) + " " + std::to_string(steps) + (eta ? ", η " + formatSignificant(*eta) : "");
}

std::string VolumePoint::name() const { return (mode.empty() ? "unknown mode" : mode) + " · " + sampling(); }

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
  const auto count = [&](auto&& alike) { return std::count_if(sides.begin(), sides.end(), alike); };
  std::vector<std::string> names;
  for (const ComparedRun& side : sides) {
    std::string name = side.mode.empty() ? side.name : side.mode;
    if (count([&](const ComparedRun& s) { return !sameWorkload(s, side); }) > 0 && !side.workload.empty())
      name += " · " + side.workload;
    if (count([&](const ComparedRun& s) { return s.mode == side.mode && s.workload == side.workload; }) > 1) {
      const bool devicesTell = count([&](const ComparedRun& s) { return s.mode == side.mode && s.workload == side.workload && s.device == side.device; }) == 1;
      name += " · " + (devicesTell ? side.device : side.source);
    }
    for (int n = 2; std::find(names.begin(), names.end(), name) != names.end(); ++n)
      name = (side.mode.empty() ? side.name : side.mode) + " · " + side.source + " (" + std::to_string(n) + ")";
    names.push_back(name);
  }
  for (std::size_t n = 0; n < sides.size(); ++n)
    sides[n].name = names[n];
}

ComparisonSet gatherComparison(const std::vector<fs::path>& runs, const std::stop_token& cancel) {
  ComparisonSet set;
  auto inOrder = runs; // what was measured on volumes comes after the volumes, whose times are better than its mean of them
  std::stable_partition(inOrder.begin(), inOrder.end(), [](const fs::path& run) {
    const auto info = RunDirectory(run).info();
    return !info || info->kind != "quality";
  });
  for (const fs::path& run : inOrder) {
    if (cancel.stop_requested())
      break;
    if (const Status status = addRun(set, run); !status)
      note(set, status.error().message);
  }
  sortSet(set);
  nameSides(set.training);
  nameSides(set.sampling);
  joinSteps(set);
  return set;
}

std::vector<ComparedRun> volumeSides(const std::vector<VolumePoint>& points) {
  std::vector<ComparedRun> sides;
  for (const VolumePoint& point : points) {
    ComparedRun side;
    side.name = point.name();
    if (std::any_of(sides.begin(), sides.end(), [&](const ComparedRun& s) { return s.name == side.name; }))
      side.name += " · " + point.device;
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

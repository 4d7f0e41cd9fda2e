// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/volume_points.h"
#include "core/analysis/run_history.h"
#include "core/base/text.h"
#include "core/protocol/job_parameters.h"
#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

namespace voxlab {
namespace {
namespace fs = std::filesystem;

std::string textOf(const Json& json, const char* section, const char* key) {
  const auto of = json.find(section);
  return of == json.end() ? std::string() : jsonGet<std::string>(*of, key).value_or("");
}

// "…/images" of a packed run, and a bare name, say no more than the name.
bool nameAlone(const fs::path& path) { return path.parent_path().empty() || path.parent_path() == "…"; }

// Whether two paths may be one thing; an unknown one may be anything.
bool maybeSame(const fs::path& a, const fs::path& b) {
  if (a.empty() || b.empty())
    return true;
  return nameAlone(a) || nameAlone(b) ? a.filename() == b.filename() : a.lexically_normal() == b.lexically_normal();
}

bool fits(const std::string& a, const std::string& b) { return a.empty() || b.empty() || a == b; }

bool sameWay(const VolumePoint& a, const VolumePoint& b) {
  return std::tie(a.mode, a.sampler, a.steps, a.eta) == std::tie(b.mode, b.sampler, b.steps, b.eta);
}

bool sameNetwork(const VolumePoint& a, const VolumePoint& b) { return maybeSame(a.checkpoint, b.checkpoint) && fits(a.weights, b.weights); }

// Ids of sampling runs, and those of files, say nothing of each other.
bool comparable(const std::string& a, const std::string& b) { return !a.empty() && !b.empty() && a.starts_with("files ") == b.starts_with("files "); }

enum class Same { Unknown, Yes, No };
// Whether a result, whose `way` has one id or none, speaks of the point's volumes.
Same sameSet(const VolumePoint& point, const VolumePoint& way) {
  Same same = Same::Unknown;
  for (const std::string& own : way.setIds)
    for (const std::string& id : point.setIds)
      if (comparable(id, own)) {
        if (id == own)
          return Same::Yes;
        same = Same::No;
      }
  return same;
}

bool sameReal(const VolumePoint& a, const VolumePoint& b) { return comparable(a.realId, b.realId) ? a.realId == b.realId : maybeSame(a.real, b.real); }

bool wayKnown(const VolumePoint& point) { return !point.mode.empty() && !point.sampler.empty(); }

// The folder without a slash at its end, and without the folder that a sample job puts its volumes into.
fs::path setFolder(const std::string& text) {
  fs::path path = fs::path(text).lexically_normal();
  if (!path.has_filename())
    path = path.parent_path();
  return path.filename() == "samples" ? path.parent_path() : path;
}

bool named(const fs::path& volumes, const fs::path& folder, const std::string& id) { return volumes.filename() == folder.filename() || volumes.filename() == id; }

// Whether the volumes at `volumes` are those of the run in `folder`: its own path, or its name where the runs lie together …
bool namesRun(const fs::path& volumes, const fs::path& quality, const fs::path& folder, const std::string& id) {
  return !volumes.empty() && (volumes == folder || (named(volumes, folder, id) && folder.parent_path() == quality.parent_path()));
}

// … or its name alone, where the runs were moved apart.
bool mayNameRun(const fs::path& volumes, const fs::path& folder, const std::string& id) {
  std::error_code ec;
  return !volumes.empty() && named(volumes, folder, id) && !fs::exists(volumes, ec);
}

// Of what a specification or a volume's description says. Where nothing is said it is the default.
std::optional<double> ownEta(const std::string& sampler, const std::optional<double>& eta) {
  return sampler == "ddpm" || eta == kDefaultEta ? std::nullopt : eta;
}

std::string sizeIn(const Json& json) {
  return sizeWords(jsonGet<std::vector<std::int64_t>>(json, "network_size").value_or(std::vector<std::int64_t>{}));
}

// Of several results for the same volumes, the later one counts where it has a value.
void takeResult(std::vector<QualityMeasure>& known, const QualityMeasure& measure) {
  const auto same = std::find_if(known.begin(), known.end(), [&](const QualityMeasure& m) { return m.name == measure.name; });
  if (same == known.end())
    known.push_back(measure);
  else if (measure.value)
    *same = measure;
}
} // namespace

void VolumePoints::announceQuality(const ComparisonInput& input) {
  const auto result = readJsonFile(input.folder / "quality.json");
  const std::string set = result ? textOf(*result, "of", "set") : "";
  if (const auto volumes = setFolder(textOf(input.spec, "quality", "synthetic")); !volumes.empty() || !set.empty())
    m_judged.push_back({volumes, input.folder, set});
}

VolumePoint& VolumePoints::drawnBy(VolumePoint way, const ComparisonInput& input) {
  const std::string id = volumeSetOf(input.folder);
  const bool judged = std::any_of(m_judged.begin(), m_judged.end(), [&](const Judged& j) {
    return comparable(j.set, id) ? j.set == id : namesRun(j.volumes, j.quality, input.folder, input.id) || mayNameRun(j.volumes, input.folder, input.id);
  });
  for (VolumePoint& point : m_points) {
    const bool own = std::find(point.runs.begin(), point.runs.end(), input.folder) != point.runs.end();
    if (!sameWay(point, way) || !(own || (wayKnown(way) && !(judged && point.judgedApart) && fits(point.device, way.device) && sameNetwork(point, way))))
      continue;
    if (!own) {
      point.runs.push_back(input.folder);
      if (!id.empty())
        point.setIds.push_back(id);
    }
    point.judgedApart |= judged;
    return point;
  }
  way.source = input.id;
  way.title = input.title;
  way.set = input.folder.filename().string();
  way.runs.push_back(input.folder);
  if (!id.empty())
    way.setIds.push_back(id);
  way.judgedApart = judged;
  m_points.push_back(std::move(way));
  return m_points.back();
}

Status VolumePoints::addSamples(const ComparisonInput& input, const RunState& state) {
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
    way.checkpoint = textOf(input.spec, "sample", "checkpoint");
    way.weights = textOf(input.spec, "sample", "weights");
    VolumePoint& point = drawnBy(std::move(way), input);
    if (!std::exchange(timed, true)) // a run draws in one way
      for (const double time_ms : settledVolumeTimes_ms(state))
        point.volume_ms.push_back(time_ms);
    std::error_code ec;
    if (const fs::path file = input.folder / sample.path; fs::exists(file, ec))
      point.samples.push_back({file, sample.seed, fs::path(sample.mask).filename().string()});
    if (point.size.empty() && !sample.infoPath.empty())
      if (const auto info = readJsonFile(input.folder / sample.infoPath))
        point.size = sizeIn(*info);
  }
  return state.samples().empty() ? fail(ExitCode::Data, "The run " + input.id + " has drawn no volume yet: wait for it, or start it with voxlab-worker run.") : Status();
}

VolumePoint& VolumePoints::judgedBy(VolumePoint way, const ComparisonInput& input) {
  const fs::path volumes = setFolder(textOf(input.spec, "quality", "synthetic"));
  const auto find = [&](auto&& isIt) -> VolumePoint* {
    const auto it = std::find_if(m_points.begin(), m_points.end(), isIt);
    return it == m_points.end() ? nullptr : &*it;
  };
  const auto any = [](const VolumePoint& point, auto&& isIt) { return std::any_of(point.runs.begin(), point.runs.end(), isIt); };
  const auto mayBe = [&](const VolumePoint& point) { return sameSet(point, way) != Same::No && fits(point.mode, way.mode) && fits(point.sampler, way.sampler); };
  const auto identified = [&](const VolumePoint& point) { return mayBe(point) && sameSet(point, way) == Same::Yes; };
  // Old results, and volumes that were judged away from the run that drew them, say no more than paths and names.
  const auto drew = [&](const VolumePoint& point) { return mayBe(point) && any(point, [&](const fs::path& run) { return namesRun(volumes, input.folder, run, point.source); }); };
  const auto mayHaveDrawn = [&](const VolumePoint& point) { return mayBe(point) && sameWay(point, way) && any(point, [&](const fs::path& run) { return mayNameRun(volumes, run, point.source); }); };
  const auto wasJudged = [&](const VolumePoint& point) { return mayBe(point) && !volumes.empty() && point.judged == volumes && sameWay(point, way); };
  const std::function<bool(const VolumePoint&)> ofSet[] = {identified, drew, mayHaveDrawn, wasJudged};
  for (const auto& isIt : ofSet) {
    if (VolumePoint* own = find([&](const VolumePoint& point) { return isIt(point) && sameReal(point, way); }))
      return *own;
    const VolumePoint* drawn = find(isIt);
    if (!drawn)
      continue;
    VolumePoint again = *drawn; // judged against other real volumes: measures of its own
    again.quality.clear();
    again.samples.clear();
    again.real = way.real;
    again.realId = way.realId;
    m_points.push_back(std::move(again));
    return m_points.back();
  }
  const auto alike = [&](const VolumePoint& point) {
    return wayKnown(way) && mayBe(point) && sameWay(point, way) && sameNetwork(point, way) && sameReal(point, way) && (volumes.empty() || (point.judged.empty() && !point.judgedApart));
  };
  if (VolumePoint* known = find(alike))
    return *known;
  way.source = input.id;
  way.title = input.title;
  way.set = volumes.empty() ? input.folder.filename().string() : volumes.filename().string();
  m_points.push_back(std::move(way));
  return m_points.back();
}

Status VolumePoints::addQuality(const ComparisonInput& input) {
  const auto json = readJsonFile(input.folder / "quality.json");
  if (!json)
    return fail(ExitCode::Data, "The run " + input.id + " has no result yet: wait for it, or start it with voxlab-worker run.");
  const auto result = qualityFromJson(*json);
  if (!result)
    return fail(result.error());
  const auto text = [&](const char* key) { return jsonGet<std::string>(result->of, key).value_or(""); };
  VolumePoint way;
  way.mode = text("mode");
  way.sampler = text("sampler");
  way.steps = jsonGet<std::int64_t>(result->of, "steps").value_or(0);
  way.eta = ownEta(way.sampler, jsonGet<double>(result->of, "eta"));
  way.checkpoint = text("checkpoint");
  way.weights = text("weights");
  way.real = setFolder(textOf(input.spec, "quality", "real"));
  way.realId = text("real_set");
  if (std::string id = text("set"); !id.empty())
    way.setIds.push_back(std::move(id));
  VolumePoint& point = judgedBy(way, input);
  if (point.setIds.empty())
    point.setIds = way.setIds;
  if (point.realId.empty())
    point.realId = way.realId;
  if (point.judged.empty())
    point.judged = setFolder(textOf(input.spec, "quality", "synthetic"));
  if (point.real.empty())
    point.real = way.real;
  for (QualityMeasure measure : result->measures) {
    if (measure.count < kFewestForInterval) // of recordings from before this was refused, too
      measure.interval.reset();
    takeResult(point.quality, measure);
  }
  if (point.size.empty())
    point.size = sizeIn(result->of);
  if (const auto volume_ms = jsonGet<double>(result->of, "volume_ms"); volume_ms && point.volume_ms.empty())
    point.volume_ms.push_back(*volume_ms);
  return {};
}

void nameVolumes(std::vector<VolumePoint>& points) {
  using Words = std::string (*)(const VolumePoint&);
  static constexpr Words kTold[] = {
      [](const VolumePoint& p) { return p.device; },
      [](const VolumePoint& p) { return p.checkpoint.filename().string(); },
      [](const VolumePoint& p) { return p.weights; },
      [](const VolumePoint& p) { return p.title; },
      [](const VolumePoint& p) { return p.set; },
      [](const VolumePoint& p) { return p.real.empty() ? std::string() : "against " + p.real.filename().string(); },
      [](const VolumePoint& p) { return p.source; },
  };
  for (VolumePoint& point : points)
    point.label.clear();
  for (const Words words : kTold) { // what differs among those that still have one name
    std::map<std::string, std::vector<VolumePoint*>> alike;
    for (VolumePoint& point : points)
      alike[point.name()].push_back(&point);
    for (const auto& [name, group] : alike)
      if (std::any_of(group.begin(), group.end(), [&](const VolumePoint* p) { return words(*p) != words(*group.front()); }))
        for (VolumePoint* point : group)
          if (const std::string told = words(*point); !told.empty())
            point->label += (point->label.empty() ? "" : " · ") + told;
  }
  std::map<std::string, int> seen;
  for (VolumePoint& point : points)
    if (const int n = ++seen[point.name()]; n > 1)
      point.label += (point.label.empty() ? "(" : " (") + std::to_string(n) + ")";
}

} // namespace voxlab

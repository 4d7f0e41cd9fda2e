// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/quality_result.h"
#include "core/protocol/version.h"
#include <algorithm>

namespace voxlab {
namespace {
template <class T> Json orNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json measureJson(const QualityMeasure& m) {
  Json json{{"name", m.name},
            {"title", m.title},
            {"unit", m.unit},
            {"better", m.direction},
            {"value", orNull(m.value)},
            {"interval_95", m.interval ? Json::array({m.interval->low, m.interval->high}) : Json()},
            {"real_baseline", orNull(m.realBaseline)},
            {"count", m.count},
            {"count_of", m.countOf},
            {"recipe", m.recipe}};
  if (!m.baselineRecipe.empty())
    json["baseline_recipe"] = m.baselineRecipe;
  if (!m.refused.empty())
    json["refused"] = m.refused;
  if (!m.noInterval.empty())
    json["no_interval"] = m.noInterval;
  return json;
}

QualityMeasure measureFrom(const Json& json) {
  const auto text = [&](std::string_view key) { return jsonGet<std::string>(json, key).value_or(""); };
  QualityMeasure m{text("name"), text("title"), text("unit"), text("better"), jsonGet<double>(json, "value"), {}, {}, 0, {}, {}, {}, {}};
  const auto interval = jsonGet<std::vector<double>>(json, "interval_95");
  if (interval && interval->size() == 2)
    m.interval = QualityInterval{interval->front(), interval->back()};
  m.realBaseline = jsonGet<double>(json, "real_baseline");
  m.count = jsonGet<std::int64_t>(json, "count").value_or(0);
  m.countOf = text("count_of");
  m.recipe = text("recipe");
  m.baselineRecipe = text("baseline_recipe");
  m.refused = text("refused");
  m.noInterval = text("no_interval");
  return m;
}

Json volumeJson(const QualityVolume& v) {
  return {{"file", v.file}, {"subject", v.subject}, {"paired", v.paired}, {"seed", orNull(v.seed)}, {"values", v.values}};
}

QualityVolume volumeFrom(const Json& json) {
  QualityVolume v;
  v.file = jsonGet<std::string>(json, "file").value_or("");
  v.subject = jsonGet<std::string>(json, "subject").value_or("");
  v.paired = jsonGet<std::string>(json, "paired").value_or("");
  v.seed = jsonGet<std::uint64_t>(json, "seed");
  v.values = jsonGet<Json>(json, "values").value_or(Json::object());
  return v;
}
} // namespace

std::string volumeSetOf(const std::filesystem::path& run) {
  const auto json = readJsonFile(run / "run.json");
  const auto text = [&](const char* key) { return json ? jsonGet<std::string>(*json, key).value_or("") : std::string(); };
  const std::string id = text("id"), created = text("created");
  return id.empty() || created.empty() ? "" : id + " " + created;
}

const QualityMeasure* QualityResult::find(std::string_view name) const {
  const auto it = std::find_if(measures.begin(), measures.end(), [name](const QualityMeasure& m) { return m.name == name; });
  return it == measures.end() ? nullptr : &*it;
}

Json toJson(const QualityResult& result) {
  Json json{{"schema", schemaVersion()}, {"of", result.of},       {"recipe", result.recipe},
            {"measures", Json::array()}, {"notes", result.notes}, {"volumes", Json::array()}};
  for (const auto& measure : result.measures)
    json["measures"].push_back(measureJson(measure));
  for (const auto& volume : result.volumes)
    json["volumes"].push_back(volumeJson(volume));
  return json;
}

Result<QualityResult> qualityFromJson(const Json& json) {
  if (const Status version = checkSchema(json, "The quality result"); !version)
    return fail(version.error());
  const auto measures = jsonGet<std::vector<Json>>(json, "measures");
  if (!measures)
    return fail(ExitCode::Data, "This is no quality result: it has no list of measures.");
  QualityResult result;
  result.of = jsonGet<Json>(json, "of").value_or(Json::object());
  result.recipe = jsonGet<Json>(json, "recipe").value_or(Json::object());
  result.notes = jsonGet<std::vector<std::string>>(json, "notes").value_or(std::vector<std::string>{});
  for (const Json& measure : *measures)
    result.measures.push_back(measureFrom(measure));
  for (const Json& volume : jsonGet<std::vector<Json>>(json, "volumes").value_or(std::vector<Json>{}))
    result.volumes.push_back(volumeFrom(volume));
  return result;
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/comparison_report.h"
#include "core/base/text.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
constexpr auto kWords = ColumnKind::Words;
constexpr std::size_t kMostRows = 15;
constexpr std::size_t kMostRunsAbreast = 7; // more become rows where that makes the table narrower

std::string_view changeName(Change change) {
  switch (change) {
  case Change::Same:
    return "same";
  case Change::Appeared:
    return "appeared";
  case Change::Vanished:
    return "vanished";
  case Change::Grew:
    return "grew";
  case Change::Shrank:
    return "shrank";
  case Change::Unknown:
    break;
  }
  return "unknown";
}

std::string_view directionWords(Direction direction) {
  return direction == Direction::LowerIsBetter    ? "lower is better"
         : direction == Direction::HigherIsBetter ? "higher is better"
                                                  : "";
}

Json differenceJson(const Difference& d) {
  Json json{{"what", d.what},
            {"baseline_ms", d.baseline_ms},
            {"other_ms", d.other_ms},
            {"delta_ms", d.delta_ms()},
            {"change", changeName(d.change)}};
  if (!d.baselineKernels.empty() || !d.otherKernels.empty()) {
    json["baseline_kernels"] = d.baselineKernels;
    json["other_kernels"] = d.otherKernels;
  }
  return json;
}

Json differencesJson(const RunDifference& d) {
  Json json{{"baseline", d.baseline},    {"other", d.other},       {"baseline_ms", d.baseline_ms},
            {"other_ms", d.other_ms},    {"source", d.benchmarked ? "benchmark" : "profile"},
            {"profile_baseline_ms", d.profileBaseline_ms}, {"profile_other_ms", d.profileOther_ms},
            {"sentence", d.sentence},    {"categories", Json::array()}, {"operators", Json::array()}};
  for (const auto& category : d.categories) {
    Json ofCategory = differenceJson(category);
    ofCategory["families"] = Json::array();
    for (const auto& family : category.families) {
      Json ofFamily = differenceJson(family);
      ofFamily["kernels"] = Json::array();
      for (const auto& kernel : family.kernels)
        ofFamily["kernels"].push_back(differenceJson(kernel));
      ofCategory["families"].push_back(std::move(ofFamily));
    }
    json["categories"].push_back(std::move(ofCategory));
  }
  for (const auto& op : d.operators)
    json["operators"].push_back(differenceJson(op));
  return json;
}

std::vector<ReportCell> differenceRow(const std::string& indent, const Difference& d) {
  return {indent + d.what, d.baseline_ms, d.other_ms, d.delta_ms(), std::string(changeName(d.change))};
}

ReportSection whySection(const RunDifference& d) {
  ReportSection section;
  section.heading = d.other + " against " + d.baseline;
  section.sentences.push_back(d.sentence);
  const auto columns = [&](const std::string& what) {
    return std::vector<ReportColumn>{
        {what, "", kWords}, {d.baseline, "ms"}, {d.other, "ms"}, {"Difference", "ms"}, {"", "", kWords}};
  };
  ReportTable byCategory{"By category and family", columns("Category"), {}};
  for (const auto& category : d.categories) {
    byCategory.rows.push_back(differenceRow("", category));
    for (const auto& family : category.families)
      if (category.families.size() > 1 && family.change != Change::Same)
        byCategory.rows.push_back(differenceRow("    ", family));
  }
  ReportTable byOperator{"By operator and module", columns("Operator"), {}};
  byOperator.shownRows = kMostRows;
  for (std::size_t i = 0; i < d.operators.size(); ++i)
    byOperator.rows.push_back(differenceRow("", d.operators[i]));
  section.tables = {std::move(byCategory), std::move(byOperator)};
  return section;
}

ReportBar categoriesBar(const ComparedRun& run) {
  ReportBar bar{run.name + ": wall time of a step", "ms", {}};
  for (std::size_t i = 0; i < static_cast<std::size_t>(KernelCategory::Count); ++i) {
    double ms = 0;
    for (const auto& work : run.work)
      ms += static_cast<std::size_t>(work.category) == i ? work.time_ms : 0;
    if (ms > 0)
      bar.parts.push_back({std::string(categoryTitle(static_cast<KernelCategory>(i))), ms, std::string(categoryName(static_cast<KernelCategory>(i)))});
  }
  for (std::size_t i = 0; i < run.idle_ms.size(); ++i)
    if (run.idle_ms[i] > 0)
      bar.parts.push_back({std::string(idleTitle(static_cast<IdleCause>(i))), run.idle_ms[i], std::string(idleName(static_cast<IdleCause>(i)))});
  return bar;
}
// 15 400 000 000 FLOP/s → "15.4 G"; the number stays for exports.
ReportCell valueCell(const std::optional<Spread>& value) {
  if (!value)
    return {};
  constexpr double kLarge = 1e6;
  return std::abs(value->median) < kLarge ? ReportCell(value->median) : ReportCell(formatQuantity(value->median, ""), value->median);
}

// Nothing is told of measures that no other run has, nor of runs that have none of the baseline's. The first two columns are words.
void keepCompared(ReportTable& normalised, std::size_t baseline) {
  const std::size_t own = 2 + baseline;
  std::erase_if(normalised.rows, [&](const std::vector<ReportCell>& row) {
    for (std::size_t i = 2; i < row.size(); ++i)
      if (i != own && row[i].number)
        return false;
    return true;
  });
  if (!normalised.rows.empty())
    dropUnknownColumns(normalised);
}

// Rows for runs instead of columns; the first two columns (a measure and its unit) become headings.
ReportTable transposed(const ReportTable& table) {
  ReportTable turned{table.caption, {{"", "", kWords}}, {}};
  for (const auto& row : table.rows)
    turned.columns.push_back({row[0].words, row[1].words});
  for (std::size_t i = 2; i < table.columns.size(); ++i) {
    turned.rows.push_back({table.columns[i].title});
    for (const auto& row : table.rows)
      turned.rows.back().push_back(row[i]);
  }
  return turned;
}
} // namespace

ReportDocument comparisonReport(const RunComparison& comparison, const std::string& title) {
  ReportDocument document;
  document.title = title;
  const std::string& baseline = comparison.runs[comparison.baseline].name;
  document.subtitle = "Normalised to " + baseline;
  ReportTable absolute{"Medians (quartiles in the JSON)", {{"Measure", "", kWords}, {"Unit", "", kWords}}, {}};
  const bool severalBaselines = std::any_of(comparison.baselines.begin(), comparison.baselines.end(), [&](const auto& n) { return n != comparison.baseline; });
  ReportTable normalised{"As multiples of " + baseline + (severalBaselines ? ", or of the same mode in one's own session" : ""), {{"Measure", "", kWords}, {"", "", kWords}}, {}};
  Json runs = Json::array();
  for (const auto& run : comparison.runs) {
    absolute.columns.push_back({run.name, ""});
    normalised.columns.push_back({run.name, ""});
    runs.push_back({{"name", run.name}, {"device", run.device}, {"baseline", comparison.baselineOf(runs.size()) ? Json(comparison.baselineOf(runs.size())->name) : Json()}});
  }
  Json measures = Json::array();
  for (const auto& measure : comparison.measures) {
    std::vector<ReportCell> values{measure.title, measure.unit},
        ratios{measure.title, std::string(directionWords(measure.direction))};
    Json ofRuns = Json::array();
    for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
      values.push_back(valueCell(measure.values[i]));
      ratios.emplace_back(measure.normalised[i]);
      Json value; // null: not measured
      if (measure.values[i])
        value = {{"median", measure.values[i]->median},
                 {"mean", measure.values[i]->mean},
                 {"lower_quartile", measure.values[i]->lowerQuartile},
                 {"upper_quartile", measure.values[i]->upperQuartile},
                 {"count", measure.values[i]->count}};
      if (measure.normalised[i])
        value["normalised"] = *measure.normalised[i];
      ofRuns.push_back(std::move(value));
    }
    absolute.rows.push_back(std::move(values));
    normalised.rows.push_back(std::move(ratios));
    measures.push_back({{"name", measure.name},
                        {"title", measure.title},
                        {"unit", measure.unit},
                        {"direction", directionWords(measure.direction)},
                        {"values", std::move(ofRuns)}});
  }
  keepCompared(normalised, comparison.baseline);
  if (comparison.runs.size() > kMostRunsAbreast && comparison.measures.size() < comparison.runs.size()) {
    absolute = transposed(absolute);
    normalised = transposed(normalised);
  }
  ReportSection section{"Measures", {}, {}, {std::move(absolute)}};
  if (!normalised.rows.empty())
    section.tables.push_back(std::move(normalised));
  for (const auto& run : comparison.runs)
    if (run.profiled())
      section.bars.push_back(categoriesBar(run));
  document.sections.push_back(std::move(section));
  document.data = {
      {"baseline", baseline}, {"runs", std::move(runs)}, {"measures", std::move(measures)}, {"differences", Json::array()}};
  for (const auto& difference : comparison.differences) {
    document.sections.push_back(whySection(difference));
    document.data["differences"].push_back(differencesJson(difference));
  }
  return document;
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/check_report.h"
#include "core/base/text.h"
#include <algorithm>

namespace voxlab {
namespace {
constexpr std::size_t kRows = 12; // of each table; the JSON has all

struct Row {
  std::string name;
  std::optional<double> relative, largest, magnitude; // no relative: no number came out
};

Row rowOf(const Json& json) {
  return {jsonGet<std::string>(json, "name").value_or(""), jsonGet<double>(json, "relative"), jsonGet<double>(json, "largest"),
          jsonGet<double>(json, "magnitude")};
}

std::vector<Row> rowsOf(const Json& summary, const char* key) {
  std::vector<Row> rows;
  if (const auto it = summary.find(key); it != summary.end() && it->is_array())
    for (const Json& item : *it)
      rows.push_back(rowOf(item));
  return rows;
}

ReportCell power(const std::optional<double>& value) {
  if (!value)
    return {"no number"};
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", *value);
  return {*value == 0 ? "0" : text, *value};
}

ReportTable tableOf(std::vector<Row> rows, const std::string& caption, const std::string& first) {
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return !a.relative ? b.relative.has_value() : b.relative && *a.relative > *b.relative;
  });
  ReportTable table{caption, {{first, "", ColumnKind::Words}, {"differs by", ""}, {"largest", ""}, {"Baseline's size", ""}}, {}};
  for (std::size_t i = 0; i < std::min(kRows, rows.size()); ++i)
    table.rows.push_back({rows[i].name, power(rows[i].relative), power(rows[i].largest), power(rows[i].magnitude)});
  return table;
}

std::string sentence(const char* what, const Json& summary, const char* key, const char* tolerance) {
  const auto it = summary.find(key);
  const auto relative = it == summary.end() ? std::nullopt : jsonGet<double>(*it, "relative");
  return std::string(what) + " differs by " + power(relative).words + " (tolerance " + power(jsonGet<double>(summary, tolerance)).words + ").";
}
} // namespace

Result<ReportDocument> checkRunReport(const RunDirectory& run) {
  const auto summary = readJsonFile(run.summaryFile());
  if (!summary)
    return fail(summary.error());
  ReportDocument document;
  const bool passed = jsonGet<bool>(*summary, "passed").value_or(false);
  document.title = "Mode " + jsonGet<std::string>(*summary, "mode").value_or("") + " against Baseline: " + (passed ? "passed" : "FAILED");
  document.data = *summary;
  document.data["run"] = run.id();
  ReportSection verdict;
  verdict.heading = "Same weights, same inputs";
  verdict.sentences = {sentence("The prediction", *summary, "prediction", "tolerance"),
                       sentence("The gradient", *summary, "gradient", "gradient_tolerance"),
                       "Loss " + formatSignificant(jsonGet<double>(*summary, "loss").value_or(0), 6) + ", Baseline's " +
                           formatSignificant(jsonGet<double>(*summary, "baseline_loss").value_or(0), 6) + "."};
  if (const auto failures = jsonGet<std::vector<std::string>>(*summary, "failures"))
    verdict.sentences.insert(verdict.sentences.end(), failures->begin(), failures->end());
  document.sections.push_back(std::move(verdict));
  ReportSection layers;
  layers.heading = "What differs most";
  layers.sentences = {"Relative, in the Euclidean norm; the root mean square is Baseline's size."};
  layers.tables = {tableOf(rowsOf(*summary, "layers"), "Layers", "layer"), tableOf(rowsOf(*summary, "gradients"), "Gradients", "parameter")};
  document.sections.push_back(std::move(layers));
  return document;
}

} // namespace voxlab

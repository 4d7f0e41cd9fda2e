// SPDX-License-Identifier: Apache-2.0
// voxlab-worker report RUN…: what the runs were and how they went, as text, JSON, CSV, Markdown or one HTML page.
#include "app/worker/run_facts.h"
#include "app/worker/verbs.h"
#include "core/analysis/bench_report.h"
#include "core/analysis/check_report.h"
#include "core/analysis/run_profile.h"
#include "core/base/csv.h"
#include "core/base/failure.h"
#include "core/base/text.h"
#include "core/protocol/find_run.h"
#include <algorithm>
#include <cmath>
#include <cstdio>

namespace voxlab {
namespace {
using Rows = std::vector<std::pair<std::string, std::string>>;

std::string number(const std::optional<double>& value) {
  return orUnknown(value, [](double v) { return formatSignificant(v); });
}

// What a person reads, line by line.
Rows rowsOf(const RunFacts& f) {
  const std::string of = f.totalSteps ? " of " + formatCount(*f.totalSteps) : "";
  const std::string passes = f.passes ? " (" + formatSignificant(*f.passes) + " passes over the data)" : "";
  std::string stepTime(kUnknown);
  if (f.stepTime_ms)
    stepTime = formatDuration(*f.stepTime_ms / 1000) + " (half of them between " + formatDuration(*f.stepTimeLow_ms / 1000) +
               " and " + formatDuration(*f.stepTimeHigh_ms / 1000) + ")";
  std::string versions;
  for (const auto& [name, version] : f.versions.items())
    versions += (versions.empty() ? "" : ", ") + name + " " + (version.is_string() ? version.get<std::string>() : version.dump());
  Rows rows{{"What", f.what},
            {"Created", f.created},
            {"Outcome", f.outcome + (f.message.empty() ? "" : ": " + f.message)},
            {"Mode", f.mode},
            {"Host", f.host + (f.host.empty() || f.processor.empty() ? "" : ", ") + f.processor},
            {"Device", f.device + (f.threads ? ", " + std::to_string(*f.threads) + " threads" : "")},
            {"Versions", versions},
            {"Steps", f.steps == 0 && !f.totalSteps ? "" : formatCount(f.steps) + of + passes},
            {"Loss at the start", f.firstLoss ? number(f.firstLoss) : ""},
            {"Loss at the end", f.lastLoss ? number(f.lastLoss) : ""},
            {"Time a step", f.stepTime_ms ? stepTime : ""},
            {"Time in all", formatDuration(f.runTime_s) + (f.starts > 1 ? ", in " + std::to_string(f.starts) + " starts" : "")},
            {"Samples", f.samples.empty()
                            ? ""
                            : formatCount(static_cast<std::int64_t>(f.samples.size())) + ", the newest " + f.samples.back()},
            {"Warnings", f.warnings > 0 ? formatCount(static_cast<std::int64_t>(f.warnings)) : ""}};
  std::erase_if(rows, [](const auto& row) { return row.second.empty(); });
  return rows;
}

std::string heading(const RunFacts& f) {
  return f.id + (f.title.empty() ? "" : " – " + f.title);
}

// A run and what it measured: its recordings, the table of a benchmark, the layers of a check.
struct Reported {
  RunFacts facts;
  const char* name; // of the details in JSON
  std::optional<ReportDocument> details;
};
using Runs = std::vector<Reported>;

std::string asText(const Runs& runs) {
  std::string text;
  for (const auto& [f, name, details] : runs) {
    text += (text.empty() ? "" : "\n") + heading(f) + "\n";
    for (const auto& [property, value] : rowsOf(f))
      text += "  " + property + std::string(19 - std::min<std::size_t>(18, property.size()), ' ') + value + "\n";
    if (details)
      text += "\n" + writeReport(*details, ReportFormat::PlainText);
  }
  return text;
}

std::string asCsv(const Runs& runs) {
  std::vector<std::string> head;
  std::string lines, tables;
  for (const auto& [f, name, details] : runs) {
    std::vector<std::string> line;
    head.clear();
    const Json json = toJson(f);
    for (const auto& [key, value] : json.items()) {
      head.push_back(key);
      line.push_back(value.is_array()    ? std::to_string(value.size()) // of lists: how many
                     : value.is_null()   ? std::string()
                     : value.is_string() ? value.get<std::string>()
                                         : compactJson(value));
    }
    lines += csvLine(line);
    if (details)
      tables += "\n" + writeReport(*details, ReportFormat::CsvTables);
  }
  return csvLine(head) + lines + tables;
}

// The loss over the steps on a logarithmic axis.
std::optional<ReportFigure> lossCurve(const Series& loss) {
  constexpr double kWidth = 640, kHeight = 200;
  std::vector<std::pair<double, double>> points;
  for (std::size_t i = 0; i < loss.size(); ++i)
    if (loss.y()[i] > 0)
      points.emplace_back(loss.x()[i], std::log10(loss.y()[i]));
  if (points.size() < 2)
    return {};
  const auto [low, high] =
      std::minmax_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const double left = points.front().first, width = std::max(1e-9, points.back().first - left);
  const double bottom = low->second, height = std::max(1e-9, high->second - bottom);
  std::string path;
  for (const auto& [x, y] : points)
    path += std::to_string(kWidth * (x - left) / width) + "," + std::to_string(kHeight * (1 - (y - bottom) / height)) + " ";
  return ReportFigure{"Loss from " + formatSignificant(std::pow(10, high->second)) + " to " + formatSignificant(std::pow(10, bottom)) +
                          " (logarithmic), steps " + formatCount(static_cast<std::int64_t>(left)) + " to " +
                          formatCount(static_cast<std::int64_t>(points.back().first)),
                      "<svg viewBox=\"-8 -8 656 216\" role=\"img\" aria-label=\"Loss\"><polyline fill=\"none\" stroke=\"#009e73\" stroke-width=\"2\" points=\"" + path +
                          "\"/></svg>\n"};
}

// All runs as one document, for HTML and Markdown.
ReportDocument page(const Runs& runs) {
  ReportDocument document;
  document.title = "Voxlab report";
  for (const auto& [f, name, details] : runs) {
    ReportSection about;
    about.heading = heading(f);
    ReportTable table{{}, {{"Property", "", ColumnKind::Words}, {"Value", "", ColumnKind::Words}}, {}};
    for (const auto& [property, value] : rowsOf(f))
      table.rows.push_back({property, value});
    about.tables.push_back(std::move(table));
    if (auto curve = lossCurve(f.loss))
      about.figures.push_back(std::move(*curve));
    document.sections.push_back(std::move(about));
    if (details)
      document.sections.insert(document.sections.end(), details->sections.begin(), details->sections.end());
  }
  return document;
}

// What was measured stands with each run; a recording of a single run at the top of the document, too.
std::string asJson(const Runs& runs) {
  const bool oneRecording = runs.size() == 1 && runs.front().details && runs.front().name == std::string_view("profile");
  Json json = oneRecording ? runs.front().details->data : Json::object();
  json["runs"] = Json::array();
  for (const auto& [facts, name, details] : runs) {
    json["runs"].push_back(toJson(facts));
    if (details)
      json["runs"].back()[name] = details->data;
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Reported reported(const RunDirectory& run) {
  const RunFacts facts = valueOrThrow(factsOf(run));
  const bool hasResults = std::filesystem::exists(run.summaryFile());
  if (facts.kind == "bench")
    return {facts, "benchmark", valueOrThrow(benchRunReport(run))};
  if (facts.kind == "verify" && hasResults)
    return {facts, "check", valueOrThrow(checkRunReport(run))};
  const ProfileFiles files = profileFilesOf(run);
  if (files.traces.empty() && files.counterPages.empty())
    return {facts, "", std::nullopt};
  return {facts, "profile", valueOrThrow(runProfileReport(run))};
}

// Markdown of benchmarks alone is their tables: core/execution/BENCHMARKS.md is made so.
std::string asMarkdown(const Runs& runs, const std::vector<RunDirectory>& folders) {
  const bool benchmarks = std::all_of(runs.begin(), runs.end(), [](const Reported& run) { return run.facts.kind == "bench"; });
  return writeReport(benchmarks ? valueOrThrow(benchRunsReport(folders, "Benchmarks")) : page(runs), ReportFormat::MarkdownText);
}
} // namespace

ExitCode report(const ReportOptions& options) {
  Runs runs;
  std::vector<RunDirectory> folders;
  for (const Path& folder : options.runs) {
    valueOrThrow(findRun(folder));
    folders.emplace_back(std::filesystem::absolute(folder).lexically_normal());
    runs.push_back(reported(folders.back()));
  }
  const std::string text = options.format == OutputFormat::JsonDocument   ? asJson(runs)
                           : options.format == OutputFormat::CsvTable     ? asCsv(runs)
                           : options.format == OutputFormat::HtmlPage     ? writeReport(page(runs), ReportFormat::HtmlPage)
                           : options.format == OutputFormat::MarkdownText ? asMarkdown(runs, folders)
                                                                          : asText(runs);
  std::fputs(text.c_str(), stdout);
  return ExitCode::Finished;
}

} // namespace voxlab

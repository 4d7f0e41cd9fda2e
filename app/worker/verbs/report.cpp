// SPDX-License-Identifier: Apache-2.0
// voxlab-worker report RUN…: what the runs were and how they went, as text, JSON, CSV or one HTML page.
#include "app/worker/run_facts.h"
#include "app/worker/verbs.h"
#include "core/analysis/bench_report.h"
#include "core/analysis/run_profile.h"
#include "core/base/failure.h"
#include "core/base/text.h"
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
            {"Host", f.host + (f.processor.empty() ? "" : ", " + f.processor)},
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

// A run and what its recordings say, where it has any.
struct Reported {
  RunFacts facts;
  std::optional<ReportDocument> profile;
};
using Runs = std::vector<Reported>;

std::string asText(const Runs& runs) {
  std::string text;
  for (const auto& [f, profile] : runs) {
    text += (text.empty() ? "" : "\n") + heading(f) + "\n";
    for (const auto& [name, value] : rowsOf(f))
      text += "  " + name + std::string(19 - std::min<std::size_t>(18, name.size()), ' ') + value + "\n";
    if (profile)
      text += "\n" + writeReport(*profile, ReportFormat::PlainText);
  }
  return text;
}

std::string csvField(const Json& value) {
  std::string text = value.is_null() ? "" : value.is_string() ? value.get<std::string>() : compactJson(value);
  if (text.find_first_of(",\"\n\r") == std::string::npos)
    return text;
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2)
    text.insert(at, 1, '"');
  return "\"" + text + "\"";
}

std::string asCsv(const Runs& runs) {
  std::string text, head, tables;
  for (const auto& [f, profile] : runs) {
    std::string line;
    head.clear();
    const Json json = toJson(f);
    for (const auto& [key, value] : json.items()) {
      const Json cell = value.is_array() ? Json(value.size()) : value; // of lists: how many
      head += (head.empty() ? "" : ",") + key;
      line += (line.empty() ? "" : ",") + csvField(cell);
    }
    text += line + "\n";
    if (profile)
      tables += "\n" + writeReport(*profile, ReportFormat::CsvTables);
  }
  return head + "\n" + text + tables;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

// The loss over the steps on a logarithmic axis.
std::string lossCurve(const Series& loss) {
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
  return "<figure><svg viewBox=\"-8 -8 656 216\" width=\"656\" role=\"img\"><polyline fill=\"none\" stroke=\"#009e73\" "
         "stroke-width=\"2\" points=\"" +
         path + "\"/></svg><figcaption>Loss from " + formatSignificant(std::pow(10, high->second)) + " to " +
         formatSignificant(std::pow(10, bottom)) + " (logarithmic), steps " + formatCount(static_cast<std::int64_t>(left)) +
         " to " + formatCount(static_cast<std::int64_t>(points.back().first)) + "</figcaption></figure>\n";
}

std::string asHtml(const Runs& runs) {
  std::string text = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Voxlab "
                     "report</title>\n<style>body{font:14px sans-serif;"
                     "max-width:60em;margin:2em "
                     "auto}th{text-align:left;vertical-align:top;padding-right:1em;white-space:nowrap}td{padding-bottom:.3em}"
                     "</style>";
  if (std::any_of(runs.begin(), runs.end(), [](const Reported& run) { return run.profile.has_value(); }))
    text += "<style>" + std::string(htmlReportStyle()) + "</style>";
  text += "</head><body>\n<h1>Voxlab report</h1>\n";
  for (const auto& [f, profile] : runs) {
    text += "<h2>" + escaped(heading(f)) + "</h2>\n<table>\n";
    for (const auto& [name, value] : rowsOf(f))
      text += "<tr><th>" + escaped(name) + "</th><td>" + escaped(value) + "</td></tr>\n";
    text += "</table>\n" + lossCurve(f.loss) + (profile ? htmlSections(*profile) : "");
  }
  return text + "</body></html>\n";
}

// What the recordings say stands in each run's "profile"; of a single run at the top of the document, too.
std::string asJson(const Runs& runs) {
  Json json = runs.size() == 1 && runs.front().profile ? runs.front().profile->data : Json::object();
  json["runs"] = Json::array();
  for (const auto& [facts, profile] : runs) {
    json["runs"].push_back(toJson(facts));
    if (profile)
      json["runs"].back()["profile"] = profile->data;
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<ReportDocument> profileOf(const RunDirectory& run) {
  const ProfileFiles files = profileFilesOf(run);
  if (files.traces.empty() && files.counterPages.empty())
    return std::nullopt;
  return valueOrThrow(runProfileReport(run));
}

// Benchmarks as one page of tables: core/execution/BENCHMARKS.md is made so.
ExitCode benchmarkPage(const std::vector<Path>& folders) {
  std::vector<RunDirectory> runs;
  for (const Path& folder : folders)
    runs.emplace_back(std::filesystem::absolute(folder).lexically_normal());
  const ReportDocument page = valueOrThrow(benchRunsReport(runs, "Benchmarks"));
  std::fputs(writeReport(page, ReportFormat::MarkdownText).c_str(), stdout);
  return ExitCode::Finished;
}
} // namespace

ExitCode report(const ReportOptions& options) {
  if (options.format == OutputFormat::MarkdownText)
    return benchmarkPage(options.runs);
  Runs runs;
  for (const Path& folder : options.runs) {
    if (!RunDirectory::looksLikeRun(folder))
      throw Failure(ExitCode::Data, folder.string() + " is no run folder: there is no run.json in it.");
    const RunDirectory run(std::filesystem::absolute(folder).lexically_normal());
    runs.push_back({valueOrThrow(factsOf(run)), profileOf(run)});
  }
  const std::string text = options.format == OutputFormat::JsonDocument ? asJson(runs)
                           : options.format == OutputFormat::CsvTable   ? asCsv(runs)
                           : options.format == OutputFormat::HtmlPage   ? asHtml(runs)
                                                                        : asText(runs);
  std::fputs(text.c_str(), stdout);
  return ExitCode::Finished;
}

} // namespace voxlab

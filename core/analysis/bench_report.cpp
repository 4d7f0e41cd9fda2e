// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/bench_report.h"
#include "core/analysis/comparison.h"
#include "core/analysis/published_times.h"
#include "core/analysis/run_history.h"
#include "core/analysis/run_profile.h"
#include "core/base/text.h"
#include "core/protocol/parameter_value.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
constexpr auto kWords = ColumnKind::Words;

std::string spreadText(const Spread& s) {
  constexpr int kDigits = 4; // one more than elsewhere: the quartiles of a GPU's steps lie within a per mille
  return formatSignificant(s.median, kDigits) + " (" + formatSignificant(s.lowerQuartile, kDigits) + " – " + formatSignificant(s.upperQuartile, kDigits) + ")";
}

ReportCell timeCell(const Spread& s) {
  return s.count == 0 ? ReportCell() : s.count == 1 ? ReportCell(s.median) : ReportCell(spreadText(s), s.median);
}

ReportCell scaled(const std::optional<double>& value, double factor) {
  return value ? ReportCell(*value * factor) : ReportCell();
}

std::optional<double> medianOf(const std::optional<Spread>& spread) {
  return spread ? std::optional(spread->median) : std::nullopt;
}

ReportCell ratio(const BenchRow& row, const BenchRow* base) {
  return row.measured() && base && base->measured() && row.wall_ms.median > 0 ? ReportCell(base->wall_ms.median / row.wall_ms.median) : ReportCell();
}

// Very small differences by their power of ten.
ReportCell small(const std::optional<double>& value) {
  if (!value || *value == 0)
    return value ? ReportCell("0", 0.0) : ReportCell();
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", *value);
  return {text, *value};
}

struct BenchFacts {
  RunInfo info;
  JobSpec spec;
  Json environment = Json::object();
};

Result<BenchFacts> factsOf(const RunDirectory& run) {
  BenchFacts facts;
  const auto info = run.info();
  if (!info)
    return fail(info.error());
  facts.info = *info;
  const auto spec = run.spec();
  if (!spec)
    return fail(spec.error());
  facts.spec = *spec;
  const auto lines = LineReader(run.environmentFile()).poll();
  if (lines && !lines->empty())
    facts.environment = lines->back();
  return facts;
}

std::string deviceWords(const Json& environment) {
  if (const auto gpu = environment.find("gpu"); gpu != environment.end())
    return jsonGet<std::string>(*gpu, "name").value_or("a GPU");
  const auto device = jsonGet<std::string>(environment, "device").value_or("");
  const auto processor = jsonGet<std::string>(environment, "processor").value_or("");
  const auto threads = jsonGet<std::int64_t>(environment, "threads");
  return device != "cpu" ? device : processor + (threads ? ", threads: " + std::to_string(*threads) : "");
}

std::string problemWords(const JobSpec& spec) {
  const auto text = [&](const char* key) { return valueToText(spec.value(key)); };
  return "A network of " + text("model.base_channels") + " base channels, levels " + text("model.multipliers") + ", " +
         text("model.image_channels") + " image and " + text("model.condition_channels") + " condition channels, at " +
         sizeWords(spec.get<std::vector<std::int64_t>>("data.size")) + " voxels, batch " + text("train.batch") + ".";
}

// How often each mode came up. Settling alone may need more steps than the warm-up that was asked for.
std::string turnWords(const JobSpec& spec) {
  const auto turns = spec.get<std::int64_t>("bench.turns", 1), steps = spec.get<std::int64_t>("bench.steps", 1);
  return " Asked of each mode: " + formatCount(turns) + (turns == 1 ? " turn, " : " turns, in an order reversed every time, ") + formatCount(steps) +
         (steps == 1 ? " timed step" : " timed steps") + " in all, after a warm-up in each.";
}

std::string whatTitle(const std::string& what) {
  return what == "train" ? "Training step" : what == "sample" ? "Sampling step" : what;
}

ReportTable tableOf(const std::vector<BenchRow>& rows, const std::string& what, const PublishedTimes* published) {
  const bool train = what == "train";
  ReportTable table;
  table.columns = {{"mode", "", kWords}, {"wall, median (quartiles)", "ms"}, {"× Baseline", ""}, {"× OPT1", ""}, {"volumes", "/s"}, {"TFLOP/s", ""},
                   {"of the bound", "%"}, {"peak allocated", "GB"}, {"reserved", "GB"}, {"NVML", "GB"}, {"energy", "J"}, {"power", "W"}, {train ? "loss differs by" : "output differs by", ""}};
  const bool traced = std::any_of(rows.begin(), rows.end(), [&](const BenchRow& r) { return r.what == what && r.kernel_ms; });
  if (traced)
    table.columns.insert(table.columns.end(), {{"kernels", "ms"}, {"launches", ""}, {"idle", "%"}});
  if (published)
    table.columns.insert(table.columns.end(), {{"published code", "ms"}, {"its × OPT1", ""}});
  const BenchRow *baseline = findRow(rows, "baseline", what), *opt1 = findRow(rows, "opt1", what);
  for (const BenchRow& row : rows) {
    if (row.what != what || !row.measured())
      continue;
    const BenchRates rates = ratesOf(row);
    table.rows.push_back({row.mode, timeCell(row.wall_ms), ratio(row, baseline), ratio(row, opt1),
                          medianOf(rates.volumesPerSecond), scaled(medianOf(rates.flopsPerSecond), 1e-12), medianOf(rates.bound_percent), scaled(row.peakAllocated_bytes, 1e-9), scaled(row.peakReserved_bytes, 1e-9),
                          scaled(row.deviceMemory_bytes, 1e-9), row.energy_j, row.power_w, small(train ? row.lossDifference : row.outputDifference)});
    if (traced)
      table.rows.back().insert(table.rows.back().end(), {row.kernel_ms, row.launches, row.idle_percent()});
    if (published) {
      const auto ms = published->of(row.mode, train), first = published->of("opt1", train);
      table.rows.back().insert(table.rows.back().end(), {ms, ms && first ? ReportCell(*first / *ms) : ReportCell()});
    }
  }
  dropUnknownColumns(table);
  return table;
}

std::vector<std::string> failures(const std::vector<BenchRow>& rows) {
  std::vector<std::string> sentences;
  for (const BenchRow& row : rows)
    if (!row.unavailable.empty())
      sentences.push_back("Not measured" + std::string(row.measured() ? " to the end" : "") + ": " + row.mode + ", " + whatTitle(row.what) + ". " + row.unavailable);
  return sentences;
}

Json dataOf(const RunDirectory& run, const BenchFacts& facts, const std::vector<BenchRow>& rows) {
  Json data{{"run", run.id()}, {"created", facts.info.created}, {"spec", facts.spec.toJson()}, {"environment", facts.environment}, {"rows", Json::array()}};
  for (const BenchRow& row : rows)
    data["rows"].push_back(toJson(row));
  return data;
}
} // namespace

Result<ReportDocument> benchRunReport(const RunDirectory& run) {
  const auto facts = factsOf(run);
  if (!facts)
    return fail(facts.error());
  const auto state = readRunState(run);
  if (!state)
    return fail(state.error());
  const std::vector<BenchRow> rows = benchRows(*state);
  ReportDocument document;
  document.title = facts->info.title.empty() ? "Benchmark " + run.id() : facts->info.title;
  document.subtitle = problemWords(facts->spec) + " On " + deviceWords(facts->environment) + ", " + facts->info.created.substr(0, 10) + "; " + softwareWords(facts->environment) + "." + turnWords(facts->spec);
  document.data = dataOf(run, *facts, rows);
  const PublishedTimes* published = publishedTimes(facts->spec);
  for (const std::string& what : facts->spec.get<std::vector<std::string>>("bench.what")) {
    ReportSection section;
    section.heading = whatTitle(what);
    if (std::any_of(rows.begin(), rows.end(), [&](const BenchRow& row) { return row.what == what && row.measured(); }))
      section.tables.push_back(tableOf(rows, what, published));
    if (published)
      section.sentences.push_back("Published code: the original Python program in the same mode, measured earlier on an " + std::string(published->device) + ".");
    document.sections.push_back(std::move(section));
  }
  if (auto sentences = failures(rows); !sentences.empty())
    document.sections.push_back({"Not measured", std::move(sentences), {}, {}});
  return document;
}

Result<ReportDocument> benchRunsReport(const std::vector<RunDirectory>& runs, const std::string& title) {
  ReportDocument all;
  all.title = title;
  all.data["benchmarks"] = Json::array();
  for (const RunDirectory& run : runs) {
    auto part = benchRunReport(run);
    if (!part)
      return fail(part.error());
    for (std::size_t i = 0; i < part->sections.size(); ++i) {
      ReportSection& section = part->sections[i];
      section.heading = part->title + ": " + section.heading;
      if (i == 0)
        section.sentences.insert(section.sentences.begin(), part->subtitle);
      all.sections.push_back(std::move(section));
    }
    all.data["benchmarks"].push_back(std::move(part->data));
  }
  return all;
}

} // namespace voxlab

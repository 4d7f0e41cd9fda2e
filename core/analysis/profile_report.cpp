// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/profile_report.h"
#include "core/base/milliseconds.h"
#include "core/base/text.h"
#include <algorithm>
#include <cmath>
#include <span>

namespace voxlab {
namespace {
constexpr auto kWords = ColumnKind::Words;

Json spreadJson(const Spread& spread) {
  Json json{{"count", spread.count},
            {"median", spread.median},
            {"mean", spread.mean},
            {"minimum", spread.minimum},
            {"maximum", spread.maximum}};
  if (spread.standardDeviation)
    json["standard_deviation"] = *spread.standardDeviation;
  return json;
}

std::string quantity(double value, std::string_view unit) {
  return unit == "%" ? formatSignificant(value) + " %" : formatQuantity(value, unit);
}

// As CSV holds it: times in milliseconds, as everywhere else there, and sums of whole things whole.
ReportCell counterCell(const CounterInfo& counter, double value) {
  const bool isRatio = counter.kind == CounterKind::Rate && counter.unit.empty(); // no prefix: "0.808", not "808 m"
  const std::string words = isRatio ? formatSignificant(value) : quantity(value, counter.unit);
  if (counter.unit == "s")
    return ReportCell(words, value * 1e3);
  return ReportCell(words, counter.kind == CounterKind::Sum ? std::round(value) : value);
}

// Categories that took time, then causes of idle time.
std::vector<ReportPart> parts(const StepBreakdown& step) {
  std::vector<ReportPart> list;
  for (std::size_t i = 0; i < step.category_ms.size(); ++i)
    if (step.category_ms[i] > 0)
      list.push_back({std::string(categoryTitle(static_cast<KernelCategory>(i))), step.category_ms[i], std::string(categoryName(static_cast<KernelCategory>(i)))});
  for (std::size_t i = 0; i < step.idle_ms.size(); ++i)
    if (step.idle_ms[i] > 0)
      list.push_back({std::string(idleTitle(static_cast<IdleCause>(i))), step.idle_ms[i], std::string(idleName(static_cast<IdleCause>(i)))});
  return list;
}

Json rowsJson(const std::vector<KernelRow>& rows, double steps, double wall_ms) {
  Json list = Json::array();
  for (const auto& row : rows) {
    Json json{{"name", row.key},
              {"title", row.title},
              {"category", categoryName(row.category)},
              {"family", row.family},
              {"operator", row.operatorName},
              {"module", row.module},
              {"calls_per_step", static_cast<double>(row.calls) / steps},
              {"ms_per_step", row.total_ms / steps},
              {"mean_ms", row.mean_ms()},
              {"minimum_ms", row.minimum_ms},
              {"maximum_ms", row.maximum_ms},
              {"share_of_step", wall_ms > 0 ? row.total_ms / steps / wall_ms : 0.0}};
    if (row.shape) {
      json["grid"] = {row.shape->grid[0], row.shape->grid[1], row.shape->grid[2]};
      json["block"] = {row.shape->block[0], row.shape->block[1], row.shape->block[2]};
      json["registers_per_thread"] = row.shape->registersPerThread;
      json["shared_memory_bytes"] = row.shape->sharedMemoryBytes;
      if (row.shape->occupancy_percent >= 0)
        json["estimated_occupancy_percent"] = row.shape->occupancy_percent;
    }
    if (row.achievedOccupancy_percent)
      json["achieved_occupancy_percent"] = *row.achievedOccupancy_percent;
    if (row.theoreticalOccupancy_percent)
      json["theoretical_occupancy_percent"] = *row.theoreticalOccupancy_percent;
    list.push_back(std::move(json));
  }
  return list;
}

// What figures of all steps are divided by.
struct StepScale {
  double steps, wall_ms;
  std::string callsTitle; // "Launches a step", or of operators "Calls a step"
};

// The last column tells what most of the row's time belongs to.
ReportTable rowsTable(const std::string& caption, const std::string& what, const std::string& lastTitle,
                      std::string KernelRow::*last, const std::vector<KernelRow>& rows, const StepScale& scale, std::size_t most) {
  ReportTable table{
      caption,
      {{what, "", kWords}, {"Time a step", "ms"}, {"Share of the step", "%"}, {scale.callsTitle, ""}, {"Mean", "ms"}, {lastTitle, "", kWords}},
      {}};
  table.shownRows = most;
  for (std::size_t i = 0; i < rows.size(); ++i)
    table.rows.push_back({rows[i].title.empty() ? "–" : rows[i].title, rows[i].total_ms / scale.steps, scale.wall_ms > 0 ? 100 * rows[i].total_ms / scale.steps / scale.wall_ms : 0.0,
                          static_cast<double>(rows[i].calls) / scale.steps, rows[i].mean_ms(), rows[i].*last});
  return table;
}

// timeKey: "ms_per_step", or "ms" of counters alone.
Json prioritiesJson(const std::vector<PriorityItem>& items, const char* timeKey) {
  const char* shareKey = timeKey == std::string_view("ms") ? "share_of_collected_time" : "share_of_step";
  Json list = Json::array();
  for (const auto& item : items)
    list.push_back({{"kernel", item.title},
                    {"name", item.key},
                    {"category", categoryName(item.category)},
                    {"operator", item.operatorName},
                    {timeKey, item.time_ms},
                    {shareKey, item.share},
                    {"estimated_saving", item.saving},
                    {"score", item.score()},
                    {"reason", item.reason},
                    {"source", item.source == PrioritySource::Counters   ? "counters"
                               : item.source == PrioritySource::Analytic ? "analytic"
                                                                         : "unknown"}});
  return list;
}

// How the list of priorities is worded.
struct PriorityWords {
  std::string whole;       // what the shares are of: "step", or "collected time"
  std::string withoutGain; // why nothing has a gain, a sentence
};

ReportTable gainsTable(std::span<const PriorityItem> items, std::size_t most, const std::string& whole) {
  ReportTable table{"Where work pays: share of the " + whole + " × estimated saving",
                    {{"Kernel", "", kWords},
                     {"Time", "ms"},
                     {"Share of the " + whole, "%"},
                     {"Saving", "%"},
                     {"Score", "%"},
                     {"Source", "", kWords},
                     {"Why", "", kWords}},
                    {}};
  table.shownRows = most;
  for (const PriorityItem& item : items)
    table.rows.push_back({item.title, item.time_ms, 100 * item.share, 100 * item.saving, 100 * item.score(), item.source == PrioritySource::Counters ? "counters" : "estimate", item.reason});
  return table;
}

// The others, with what is missing or why there is nothing to gain.
ReportTable restTable(std::span<const PriorityItem> items, std::size_t most, const std::string& whole) {
  double share = 0;
  for (const PriorityItem& item : items)
    share += item.share;
  ReportTable table{"Without an estimated saving: " + formatSignificant(100 * share, 2) + " % of the " + whole, {{"Kernel", "", kWords}, {"Time", "ms"}, {"Share of the " + whole, "%"}, {"Why", "", kWords}}, {}};
  table.shownRows = most;
  for (const PriorityItem& item : items)
    table.rows.push_back({item.title, item.time_ms, 100 * item.share, item.reason});
  return table;
}

// Each item has its reason; where there is nothing to gain at all, one sentence says why.
ReportSection prioritiesSection(std::span<const PriorityItem> items, std::size_t most, const PriorityWords& words) {
  ReportSection section{"Priorities", {}, {}, {}};
  const std::size_t gains = gainful(items);
  if (gains == 0) {
    section.sentences.push_back(words.withoutGain);
    return section;
  }
  section.tables.push_back(gainsTable(items.first(gains), most, words.whole));
  if (gains < items.size())
    section.tables.push_back(restTable(items.subspan(gains), most, words.whole));
  return section;
}

Json countersJson(const CounterAggregate& counters) {
  Json json{{"launches", counters.launches}, {"collected", counters.collected}};
  json["coverage"] = counters.coverage ? Json(*counters.coverage) : Json(nullptr); // null: unknown
  json["partial"] = counters.coverage ? Json(counters.partial()) : Json(nullptr);
  for (const auto& row : counterTable())
    if (const auto value = counters[row.counter])
      json[std::string(row.name)] = *value;
  for (const auto& stall : counters.stalls)
    json["stalls_per_issue"][std::string(stall.name)] = stall.perIssue;
  return json;
}

ReportSection countersSection(const CounterAggregate& counters) {
  ReportSection section;
  section.heading = "Hardware counters";
  section.sentences.push_back("Collected for " + formatCount(static_cast<std::int64_t>(counters.collected)) + (counters.collected == 1 ? " launch. " : " launches. ") + counters.coverageWords());
  ReportTable values{"Sums and time-weighted rates", {{"Measure", "", kWords}, {"Value", ""}, {"Unit", "", ColumnKind::DataWords}}, {}};
  for (const auto& row : counterTable())
    if (const auto value = counters[row.counter])
      values.rows.push_back({std::string(row.title), counterCell(row, *value), std::string(row.unit == "s" ? "ms" : row.unit)});
  section.tables.push_back(std::move(values));
  ReportTable stalls{"Why warps wait: warps stalled per issued instruction", {{"Reason", "", kWords}, {"Warps", ""}}, {}};
  for (const auto& stall : counters.stalls)
    stalls.rows.push_back({std::string(stall.title), stall.perIssue});
  if (!stalls.rows.empty())
    section.tables.push_back(std::move(stalls));
  return section;
}

Json precisionJson(const PrecisionAudit& audit, std::optional<Precision> asked) {
  Json json{{"products_ms", audit.products_ms}, {"tensor_cores_ms", audit.tensorCores_ms}, {"sentence", audit.sentence}};
  json["judged_by"] = audit.evidence == PrecisionEvidence::KernelNames ? Json("kernel_names") : audit.evidence == PrecisionEvidence::InputTypes ? Json("input_types") : Json(nullptr);
  if (asked) {
    json["asked"] = precisionName(*asked);
    json["as_asked_ms"] = audit.asAsked_ms;
  }
  json["layout_conversion"] = {{"ms", audit.layout.time_ms},
                               {"bytes", audit.layout.bytes},
                               {"launches", audit.layout.launches},
                               {"share_of_step", audit.layout.share}};
  json["rows"] = Json::array();
  for (const auto& row : audit.rows)
    json["rows"].push_back({{"operator", row.operatorName},
                            {"module", row.module},
                            {"shapes", row.shapes},
                            {"arithmetic", arithmeticName(row.arithmetic)},
                            {"tensor_cores", row.tensorCores},
                            {"kernel", row.kernel},
                            {"calls", row.calls},
                            {"ms", row.time_ms}});
  return json;
}

// Products in other arithmetic than was asked for; all of them where nothing was.
ReportSection precisionSection(const PrecisionAudit& audit, const std::string& callsTitle, std::size_t most) {
  ReportSection section{"Precision and layout", {audit.sentence}, {}, {}};
  const bool isJudged = std::any_of(audit.rows.begin(), audit.rows.end(), [](const PrecisionRow& row) { return row.match != PrecisionMatch::Unknown; });
  ReportTable table{isJudged ? "Products not computed as asked" : "Products",
                    {{"Operator", "", kWords},
                     {"Module", "", kWords},
                     {"Inputs", "", kWords},
                     {"Arithmetic", "", kWords},
                     {"Tensor cores", "", kWords},
                     {callsTitle, ""},
                     {"Time a step", "ms"},
                     {"Kernel", "", kWords}},
                    {}};
  table.shownRows = most;
  for (const PrecisionRow& row : audit.rows)
    if (row.match != PrecisionMatch::AsAsked)
      table.rows.push_back({row.operatorName.empty() ? "–" : row.operatorName, row.module, row.shapes,
                            std::string(arithmeticName(row.arithmetic)) + (row.match == PrecisionMatch::Wider ? ", wider" : row.match == PrecisionMatch::Narrower ? ", narrower" : ""),
                            row.tensorCores ? "yes" : "no", static_cast<double>(row.calls), row.time_ms, row.kernel});
  if (!table.rows.empty())
    section.tables.push_back(std::move(table));
  return section;
}

std::string ceilingWords(const PeakFigure& ceiling, std::string_view unit) {
  return formatQuantity(ceiling.value, unit) + (ceiling.measured ? " measured (the vendor states " + formatQuantity(ceiling.vendor, unit) + ")" : std::string(" stated by the vendor"));
}

ReportSection rooflineSection(const Roofline& roof, const DevicePeaks& peaks, std::size_t most, Json& data) {
  ReportSection section;
  section.heading = "Roofline";
  section.sentences.push_back("Operators against " + std::string(peaks.name) + ": " + ceilingWords(peaks.bandwidth, "B/s") + " of memory, " + ceilingWords(peaks.half, "FLOP/s") +
                              " in 16 bits. FLOPs and bytes are estimated from shapes.");
  if (roof.total_ms > 0)
    section.sentences.push_back("A bound is known for " + formatSignificant(100 * roof.attributed_ms / roof.total_ms, 3) + " % of the GPU's time.");
  if (std::any_of(roof.points.begin(), roof.points.end(), [](const RooflinePoint& point) { return point.ofBound() > 1; }))
    section.sentences.push_back("More than 100 % of a bound by arithmetic is faster than the ceiling, which a large matrix product measured where it says so; more than 100 % of a bound by memory is served from caches.");
  ReportTable table{"",
                    {{"Operator", "", kWords},
                     {"Inputs", "", kWords},
                     {"Time", "ms"},
                     {"Achieved", "TFLOP/s"},
                     {"Traffic", "TB/s"},
                     {"Bound", "", kWords},
                     {"Of the bound", "%"}},
                    {}};
  table.shownRows = most;
  data = Json::array();
  for (const auto& point : roof.points) {
    const char* bound = point.bound == RooflineBound::Compute ? "compute" : "memory";
    data.push_back({{"operator", point.operatorName},
                    {"part", partTitle(point.part)},
                    {"shapes", point.shapes},
                    {"calls", point.calls},
                    {"ms", point.time_ms},
                    {"flops", point.flops},
                    {"bytes", point.bytes},
                    {"arithmetic", arithmeticName(point.arithmetic)},
                    {"bound", bound},
                    {"bound_ms", point.bound_ms}});
    table.rows.push_back({point.title(), point.shapes, point.time_ms, point.flopsPerSecond() / 1e12, point.bytesPerSecond() / 1e12, bound,
                          100 * point.ofBound()});
  }
  section.tables.push_back(std::move(table));
  return section;
}

// Steps by kind: a recording may hold training and sampling steps. "ProfilerStep#7" is of the kind "ProfilerStep".
std::vector<std::pair<std::string, std::vector<const StepBreakdown*>>> stepKinds(const Trace& trace, const Breakdown& breakdown) {
  std::vector<std::pair<std::string, std::vector<const StepBreakdown*>>> kinds;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const std::string kind = trace.steps[i].name.substr(0, trace.steps[i].name.find('#'));
    auto it = std::find_if(kinds.begin(), kinds.end(), [&](const auto& known) { return known.first == kind; });
    if (it == kinds.end())
      it = kinds.insert(kinds.end(), {kind, {}});
    it->second.push_back(&breakdown.steps[i]);
  }
  return kinds;
}

void addStepKinds(const Trace& trace, const Breakdown& breakdown, ReportSection& section, Json& data) {
  const auto kinds = stepKinds(trace, breakdown);
  if (kinds.size() < 2)
    return;
  ReportTable table{"Kinds of steps", {{"Kind", "", kWords}, {"Steps", ""}, {"Wall time", "ms"}, {trace.hasGpu() ? "Kernels" : "Operators", "ms"}}, {}};
  for (const auto& [kind, steps] : kinds) {
    double wall_ms = 0, kernel_ms = 0;
    for (const StepBreakdown* step : steps) {
      wall_ms += step->wall_ms / static_cast<double>(steps.size());
      kernel_ms += step->kernel_ms / static_cast<double>(steps.size());
    }
    table.rows.push_back({kind, static_cast<double>(steps.size()), wall_ms, kernel_ms});
    data["step_kinds"][kind] = {{"steps", steps.size()}, {"wall_ms_per_step", wall_ms}, {"kernel_ms_per_step", kernel_ms}};
  }
  section.sentences.push_back("The recording holds steps of several kinds; the figures per step are means over all of them.");
  section.tables.push_back(std::move(table));
}

Json phasesJson(const std::vector<KernelRow>& rows, double steps) {
  Json json = Json::object();
  for (const auto& row : rows)
    json[row.key] = row.total_ms / steps;
  return json;
}

ReportSection overview(const Trace& trace, const Breakdown& breakdown, std::optional<double> unprofiled_ms) {
  ReportSection section;
  section.heading = "A step";
  const auto& step = breakdown.mean;
  section.sentences.push_back(formatCount(static_cast<std::int64_t>(breakdown.steps.size())) +
                              (breakdown.steps.size() == 1 ? " step: " : " steps: ") + formatMilliseconds(step.wall_ms) + " ms wall time" +
                              (unprofiled_ms ? " (" + formatMilliseconds(*unprofiled_ms) + " ms without the profiler), " : std::string(", ")) + formatMilliseconds(step.kernel_ms) +
                              (trace.hasGpu() ? " ms of kernels in " : " ms of operators in ") + formatCount(static_cast<std::int64_t>(step.launches)) +
                              (trace.hasGpu() ? (step.launches == 1 ? " launch, " : " launches, ") : step.launches == 1 ? " call, " : " calls, ") +
                              formatMilliseconds(step.idleTotal_ms()) + " ms idle.");
  if (std::string words = recordingWords(step, unprofiled_ms); !words.empty())
    section.sentences.push_back(std::move(words));
  if (std::string words = overlapWords(trace, step); !words.empty())
    section.sentences.push_back(std::move(words));
  for (const auto& note : trace.notes)
    section.sentences.push_back(note);
  section.bars.push_back({"Wall time of a step", "ms", parts(step)});
  ReportTable table{
      "Categories; they add up to the wall time", {{"Category", "", kWords}, {"Time a step", "ms"}, {"Share", "%"}}, {}};
  for (const auto& [title, ms, key] : parts(step))
    table.rows.push_back({title, ms, step.wall_ms > 0 ? 100 * ms / step.wall_ms : 0});
  section.tables.push_back(std::move(table));
  return section;
}
} // namespace

ReportDocument profileReport(const Trace& trace, const KernelIndex& index, const ProfileReportOptions& options) {
  ReportDocument document;
  document.title = options.title;
  const Breakdown breakdown = breakDown(trace, index);
  const auto steps = static_cast<double>(std::max<std::size_t>(trace.steps.size(), 1));
  const TraceDevice device = trace.devices.empty() ? TraceDevice() : trace.devices.front();
  document.subtitle = device.name;

  Json& data = document.data;
  data["device"] = device.name;
  data["steps"] = breakdown.steps.size();
  data["wall_ms_per_step"] = breakdown.mean.wall_ms;
  if (options.unprofiled_ms)
    data["unprofiled_ms_per_step"] = *options.unprofiled_ms;
  data["kernel_ms_per_step"] = breakdown.mean.kernel_ms;
  data["copy_ms_per_step"] = breakdown.mean.copy_ms;
  data["busy_ms_per_step"] = breakdown.mean.busy_ms;
  data["launches_per_step"] = breakdown.mean.launches;
  data["categories_ms"] = Json::object();
  for (const auto& [title, ms, key] : parts(breakdown.mean))
    data["categories_ms"][key] = ms;
  data["wall_ms"] = spreadJson(breakdown.wall_ms);
  data["kernel_ms"] = spreadJson(breakdown.kernel_ms);
  document.sections.push_back(overview(trace, breakdown, options.unprofiled_ms));
  addStepKinds(trace, breakdown, document.sections.back(), data);

  const StepScale scale{steps, stepWall_ms({}, trace), trace.hasGpu() ? "Launches a step" : "Calls a step"};
  EventFilter inSteps;
  inSteps.stepsOnly = true;
  const auto families = kernelRows(trace, index, KernelGrouping::Family, inSteps);
  data["families_ms"] = phasesJson(families, steps);
  auto kernels = kernelRows(trace, index, KernelGrouping::Kernel, inSteps);
  if (options.counters) {
    std::vector<KernelRow*> rows;
    for (KernelRow& row : kernels)
      rows.push_back(&row);
    addOccupancy(rows, *options.counters);
  }
  data["kernels"] = rowsJson(kernels, steps, scale.wall_ms);
  const auto operators = kernelRows(trace, index, KernelGrouping::Operator, inSteps),
             modules = kernelRows(trace, index, KernelGrouping::Module, inSteps);
  data["operators"] = rowsJson(operators, steps, scale.wall_ms);
  data["modules"] = rowsJson(modules, steps, scale.wall_ms);
  data["phases_ms"] = phasesJson(kernelRows(trace, index, KernelGrouping::Phase, inSteps), steps);
  ReportSection section{trace.hasGpu() ? "Kernels" : "Operators", {}, {}, {}};
  if (trace.hasGpu()) { // else these are the operators again
    section.tables.push_back(rowsTable("Families", "Family", "Operator", &KernelRow::operatorName, families, scale, options.rows));
    section.tables.push_back(rowsTable("Kernels", "Kernel", "Operator", &KernelRow::operatorName, kernels, scale, options.rows));
  }
  section.tables.push_back(rowsTable("Operators", "Operator", "Family", &KernelRow::family, operators, scale, options.rows));
  if (modules.size() > 1)
    section.tables.push_back(rowsTable("Modules", "Module", "Family", &KernelRow::family, modules, scale, options.rows));
  document.sections.push_back(std::move(section));

  const DevicePeaks* peaks = devicePeaks(device.name);
  const auto bounds = peaks ? std::optional<OperatorBounds>(std::in_place, trace, index, *peaks) : std::nullopt;
  const auto priorities = rankPriorities(trace, index, bounds ? &*bounds : nullptr, options.counters);
  data["priorities"] = prioritiesJson(priorities, "ms_per_step");
  const WorkPlace place = trace.hasGpu() ? WorkPlace::Gpu : WorkPlace::Processor;
  const PriorityWords words{"step", withoutGainWords(place, bounds.has_value(), options.counters)};
  document.sections.push_back(prioritiesSection(priorities, options.rows, words));

  const PrecisionAudit audit = auditPrecision(trace, index, options.asked);
  data["precision"] = precisionJson(audit, options.asked);
  document.sections.push_back(precisionSection(audit, scale.callsTitle, options.rows));

  if (!peaks && trace.hasGpu())
    document.sections.push_back({"Roofline", {unknownPeaksWords(device.name)}, {}, {}});
  if (bounds)
    document.sections.push_back(rooflineSection(bounds->roofline(), *peaks, options.rows, data["roofline"]));
  if (bounds && bounds->roofline().total_ms > 0)
    data["roofline_share"] = bounds->roofline().attributed_ms / bounds->roofline().total_ms;
  if (options.counters) {
    const CounterAggregate counters = aggregateCounters(*options.counters, trace, index);
    data["counters"] = countersJson(counters);
    document.sections.push_back(countersSection(counters));
  }
  data["notes"] = trace.notes;
  return document;
}

ReportDocument counterReport(const NcuReport& report, const std::string& title, std::size_t rows) {
  ReportDocument document;
  document.title = title;
  document.subtitle = report.deviceName;
  const CounterAggregate counters = aggregateCounters(report);
  const auto priorities = rankPriorities(report);
  document.data["device"] = report.deviceName;
  document.data["counters"] = countersJson(counters);
  document.data["priorities"] = prioritiesJson(priorities, "ms"); // of all launches in the report: there is no step here
  document.data["notes"] = report.notes;
  document.sections.push_back(countersSection(counters));
  document.sections.push_back(prioritiesSection(priorities, rows, {"collected time", withoutGainWords(WorkPlace::Gpu, false, &report)}));
  return document;
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/experiment_report.h"
#include "core/analysis/comparison_report.h"
#include "core/analysis/deployment_report.h"
#include "core/analysis/quality_report.h"
#include "core/analysis/run_again.h"
#include "core/analysis/run_profile.h"
#include "core/base/text.h"
#include <algorithm>
#include <cstdlib>
#include <set>

namespace voxlab {
namespace {
constexpr auto kWords = ColumnKind::Words;
constexpr double kSlower = 1.01; // "as fast as" ends there (speedWords)

// The measure that says how fast a side is: a benchmark's wall time, else a profile's.
const ComparedMeasure* timeOf(const ComparedRun& side) {
  const ComparedMeasure* time = side.measure("duration_ms");
  return time ? time : side.measure("wall_ms");
}

std::string unitOfTime(const std::string& what) {
  return what == "volume" ? "ms a volume" : "ms a step";
}

// The fastest first; then those that no "why" speaks of. Of many, only the slower ones: the table and the figure have the others.
std::vector<std::string> speedSentences(const RunComparison& comparison) {
  std::vector<std::string> sentences;
  const auto timeOfSide = [](const ComparedRun& side) {
    const ComparedMeasure* time = timeOf(side);
    return time && time->spread.count > 0 ? time->spread.median : 0.0;
  };
  const auto baseOf = [&](std::size_t n) -> const ComparedRun& { return comparison.baselineOf(n) ? *comparison.baselineOf(n) : comparison.runs[n]; };
  const auto ratio = [&](std::size_t n) { // to its own baseline; 0: unknown
    const double own = timeOfSide(baseOf(n));
    return own > 0 && sameWorkload(comparison.runs[n], baseOf(n)) ? timeOfSide(comparison.runs[n]) / own : 0.0;
  };
  const auto words = [&](std::size_t n) {
    const ComparedRun& side = comparison.runs[n];
    return speedWords(baseOf(n).name, timeOfSide(baseOf(n)), side.name, timeOfSide(side), unitOfTime(side.what)) + ".";
  };
  constexpr std::size_t kMostToldAll = 8;
  const bool all = comparison.runs.size() <= kMostToldAll;
  std::size_t fastest = comparison.baseline;
  for (std::size_t n = 0; n < comparison.runs.size(); ++n)
    if (ratio(n) > 0 && ratio(n) < 1 && (fastest == comparison.baseline || ratio(n) < ratio(fastest)))
      fastest = n;
  if (fastest != comparison.baseline)
    sentences.push_back("The fastest: " + words(fastest));
  for (std::size_t n = 0; n < comparison.runs.size(); ++n) {
    const bool explained = std::any_of(comparison.differences.begin(), comparison.differences.end(), [&](const RunDifference& d) { return d.other == comparison.runs[n].name; });
    if (&comparison.runs[n] != &baseOf(n) && n != fastest && ratio(n) > 0 && !explained && (all || ratio(n) > kSlower))
      sentences.push_back(words(n));
  }
  std::vector<std::string> names;
  for (const ComparedRun& side : comparison.runs)
    names.push_back(side.name);
  if (const std::string own = ownBaselineWords(comparison, names); !own.empty())
    sentences.push_back(own);
  return sentences;
}

ReportFigure timeFigure(const RunComparison& comparison, const std::string& title) {
  const ComparedMeasure* first = timeOf(comparison.runs[comparison.baseline]);
  if (!first || !(first->spread.median > 0))
    return {};
  std::vector<FigureBar> bars;
  for (std::size_t n = 0; n < comparison.runs.size(); ++n) {
    const ComparedRun& side = comparison.runs[n];
    const ComparedMeasure *time = timeOf(side), *own = comparison.baselineOf(n) ? timeOf(*comparison.baselineOf(n)) : nullptr;
    if (!time || time->spread.count == 0 || !own || !(own->spread.median > 0)) {
      bars.push_back({side.name, {}, {}, {}, ""});
      continue;
    }
    const double scale = 1 / own->spread.median, time_ms = time->spread.median;
    bars.push_back({side.name, time_ms * scale, time->spread.lowerQuartile * scale, time->spread.upperQuartile * scale,
                    formatSignificant(time_ms * scale) + " × (" + formatSignificant(time_ms) + " ms)"});
  }
  return barFigure(title + ", as a multiple of " + comparison.runs[comparison.baseline].name + "; whiskers: quartiles", bars, 1.0);
}

// Sides that worked on one size, and which of them is the baseline.
struct Part {
  std::string size; // empty where all sides worked on one
  std::vector<ComparedRun> sides;
  std::string baseline;
  bool asWished = false; // the baseline is the one that was named
};

// Times of different sizes say nothing of modes: each size is a part of its own, that with the most sides first, with names that need not tell
// the size. Sides of unknown size go with the first.
std::vector<Part> partsOf(const std::vector<ComparedRun>& sides, const ComparisonSet& set, const std::string& wished) {
  const auto sizes = workloadsOf(sides);
  std::vector<Part> parts;
  for (const std::string& size : sizes.empty() ? std::vector<std::string>{""} : sizes) {
    parts.push_back({sizes.size() > 1 ? size : "", {}, "", false});
    std::copy_if(sides.begin(), sides.end(), std::back_inserter(parts.back().sides), [&](const ComparedRun& side) { return side.workload == size; });
  }
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.sides.size() > b.sides.size(); });
  if (!sizes.empty())
    std::copy_if(sides.begin(), sides.end(), std::back_inserter(parts.front().sides), [](const ComparedRun& side) { return side.workload.empty(); });
  for (Part& part : parts) {
    const auto named = baselineAmong(part.sides, set, wished);
    const auto baseline = named ? named : baselineAmong(part.sides, set, "");
    const auto it = std::find_if(part.sides.begin(), part.sides.end(), [&](const ComparedRun& side) { return side.name == baseline; });
    const auto place = static_cast<std::size_t>(it - part.sides.begin());
    part.asWished = named.has_value();
    if (!part.size.empty())
      nameSides(part.sides);
    part.baseline = place < part.sides.size() ? part.sides[place].name : "";
  }
  return parts;
}

// "training", "training_at_64x64x64".
std::string keyOf(const std::string& key, const std::string& size) {
  std::string of = "_at_";
  for (std::size_t at = 0; at < size.size(); ++at)
    if (size[at] >= '0' && size[at] <= '9')
      of += size[at];
    else if (of.back() != 'x' && of.back() != '_')
      of += 'x';
  return key + of;
}

// One part: measures, normalised and absolute, and why.
void addPart(ReportDocument& document, const RunComparison& comparison, const std::string& title, const std::string& key) {
  ReportDocument part = comparisonReport(comparison, title);
  for (ReportSection& section : part.sections) {
    const bool first = section.heading == "Measures";
    section.heading = first ? title : title + ": " + section.heading;
    if (first) {
      section.sentences = speedSentences(comparison);
      if (ReportFigure figure = timeFigure(comparison, title + ", wall time"); !figure.markup.empty())
        section.figures.push_back(std::move(figure));
    }
    document.sections.push_back(std::move(section));
  }
  document.data[key] = std::move(part.data);
}

// Each size by itself, as the other parts; sides of unknown size go with the first.
void addDeployment(ReportDocument& document, const ComparisonSet& set, const ExperimentReportOptions& options) {
  std::vector<ComparedRun> all = set.sampling;
  all.insert(all.end(), set.training.begin(), set.training.end());
  const auto sizes = workloadsOf(all);
  const auto at = [&](const std::vector<ComparedRun>& sides, const std::string& size, bool first) {
    std::vector<ComparedRun> part;
    std::copy_if(sides.begin(), sides.end(), std::back_inserter(part), [&](const ComparedRun& side) { return side.workload == size || (first && side.workload.empty()); });
    if (sizes.size() > 1)
      nameSides(part);
    return part;
  };
  bool first = true;
  for (const std::string& size : sizes.empty() ? std::vector<std::string>{""} : sizes) {
    auto report = deploymentReport(at(set.sampling, size, first), at(set.training, size, first), options.deployment, options.currency);
    if (!report)
      continue;
    report->section.heading += sizes.size() > 1 ? " at " + size : "";
    document.sections.push_back(std::move(report->section));
    document.data[first ? "foretold" : keyOf("foretold", size)] = std::move(report->data);
    first = false;
  }
  for (const std::string& note : notesOnPrices(all, options.deployment))
    document.data["notes"].push_back(note);
}

// "2026-01-31 14:25" of "2026-01-31T14:25:30.123Z".
std::string minuteOf(const std::string& created) {
  std::string words = created.substr(0, 16);
  std::replace(words.begin(), words.end(), 'T', ' ');
  return words;
}

void addEnvironment(ReportDocument& document, const ComparisonSet& set) {
  ReportTable table{"Runs; times are UTC", {{"Run", "", kWords}, {"Kind", "", kWords}, {"Mode", "", kWords}, {"Device", "", kWords}, {"Recorded", "", kWords}, {"Software", "", kWords}}, {}};
  std::vector<std::string> software; // each once: what the letters in the table stand for
  Json runs = Json::array();
  for (const ComparisonInput& input : set.inputs) {
    const std::string words = softwareWords(input.environment);
    const auto known = std::find(software.begin(), software.end(), words);
    const auto place = known - software.begin();
    if (!words.empty() && known == software.end())
      software.push_back(words);
    table.rows.push_back({input.title.empty() ? input.id : input.title, input.kind, input.mode, input.device, minuteOf(input.created), words.empty() ? "" : "S" + std::to_string(place + 1)});
    runs.push_back({{"id", input.id}, {"title", input.title}, {"kind", input.kind}, {"mode", input.mode}, {"device", input.device}, {"created", input.created}});
  }
  ReportSection section{"Environment", {}, {}, {}};
  for (std::size_t n = 0; n < software.size(); ++n)
    section.sentences.push_back((software.size() > 1 ? "Software S" + std::to_string(n + 1) : std::string("Software of all runs")) + ": " + software[n] + ".");
  if (software.size() == 1)
    for (auto& row : table.rows)
      row.back() = {};
  dropUnknownColumns(table);
  section.tables.push_back(std::move(table));
  document.sections.push_back(std::move(section));
  document.data["runs"] = std::move(runs);
}

void addMethod(ReportDocument& document, const ComparisonSet& set) {
  ReportSection section{"Method", {}, {}, {}};
  section.sentences.push_back("Values are medians, whiskers and brackets quartiles. A benchmark times steps after a warm-up in each mode by the host's clock, on a GPU with the device's marks between the steps of a turn; modes take turns, in reversed order every second time. Rates (volumes, arithmetic, share of the bound) follow from a step's work and its median time.");
  section.sentences.push_back("Times of volumes leave out the first that a job draws, which waits for libraries and for the choice of algorithms, wherever it drew others.");
  section.sentences.push_back("Equal seeds give equal noise in every mode, so that volumes of one seed may be compared voxel by voxel.");
  std::set<std::string> told;
  for (const VolumePoint& point : set.points)
    for (const QualityMeasure& m : point.quality)
      if (m.value && told.insert(m.title + m.recipe).second)
        section.sentences.push_back(m.title + ": " + m.recipe + (m.baselineRecipe.empty() ? "" : ". Real to real: " + m.baselineRecipe) + ".");
  for (const Json& note : document.data.at("notes"))
    section.sentences.push_back("Note: " + note.get<std::string>());
  document.sections.push_back(std::move(section));
}

void addCommands(ReportDocument& document, const ComparisonSet& set, const ExperimentReportOptions& options) {
  const char* home = std::getenv("HOME");
  const auto called = std::find_if(set.training.begin(), set.training.end(), [&](const ComparedRun& side) { return side.name == options.baseline && !side.called.empty(); });
  RunAgain again = runAgain(set.inputs, called == set.training.end() ? options.baseline : called->mode, home ? home : "");
  document.data["run_again"] = again.commands;
  document.sections.push_back({"How to run it again", std::move(again.sentences), {}, {}, {}, std::move(again.commands)});
}

// What was written about sides and volumes, each once.
void addNotes(ReportDocument& document, const ComparisonSet& set) {
  ReportTable table{"Notes on what was compared", {{"", "", kWords}, {"Note", "", kWords}}, {}};
  std::set<std::pair<std::string, std::string>> told;
  const auto add = [&](const std::string& name, const std::string& note) {
    if (!note.empty() && told.emplace(name, note).second)
      table.rows.push_back({name, note});
  };
  for (const auto* sides : {&set.training, &set.sampling})
    for (const ComparedRun& side : *sides)
      add(side.name, side.note);
  for (const VolumePoint& point : set.points)
    add(point.name(), point.note);
  document.data["remarks"] = Json::object();
  for (const auto& [name, note] : told)
    document.data["remarks"][name] = note;
  if (!table.rows.empty())
    document.sections.push_back({"Notes", {}, {}, {std::move(table)}});
}

void addPoints(ReportDocument& document, const ComparisonSet& set) {
  Json points = Json::array();
  for (const VolumePoint& point : set.points) {
    Json json{{"name", point.name()}, {"mode", point.mode}, {"sampler", point.sampler}, {"steps", point.steps}, {"device", point.device}, {"size", point.size}, {"volume_ms", point.volume_ms}};
    if (point.eta)
      json["eta"] = *point.eta;
    if (point.step_ms)
      json.update({{"step_ms", *point.step_ms}, {"step_size", point.stepSize}});
    for (const QualityMeasure& m : point.quality)
      json["quality"][m.name] = m.value ? Json(*m.value) : Json();
    points.push_back(std::move(json));
  }
  document.data["volumes"] = std::move(points);
}
} // namespace

Result<ReportDocument> experimentReport(const ComparisonSet& set, const ExperimentReportOptions& options) {
  if (set.empty())
    return fail(ExitCode::Data, "There is nothing to compare. " + (set.notes.empty() ? std::string("Give runs that hold benchmarks, profiles, samples or quality results.") : set.notes.front()));
  ReportDocument document;
  document.title = options.title;
  const std::vector<ComparedRun> volumes = volumeSides(set.points);
  bool found = false;
  const std::tuple<const std::vector<ComparedRun>*, const char*, const char*> parts[] = {
      {&set.training, "Training step", "training"}, {&set.sampling, "Sampling step", "sampling"}, {&volumes, "Volumes", "volumes_compared"}};
  for (const auto& [sides, title, key] : parts) {
    bool first = true;
    for (Part& part : sides->empty() ? std::vector<Part>() : partsOf(*sides, set, options.baseline)) {
      found |= part.asWished;
      auto comparison = compareRuns(std::move(part.sides), part.baseline, options.scope);
      if (!comparison)
        return fail(comparison.error());
      document.subtitle = document.subtitle.empty() ? "Normalised to " + part.baseline : document.subtitle;
      addPart(document, *comparison, title + (part.size.empty() ? "" : " at " + part.size), first ? key : keyOf(key, part.size));
      first = false;
    }
  }
  if (!options.baseline.empty() && !found)
    return fail(ExitCode::Usage, "The baseline \"" + options.baseline + "\" is neither a mode nor a run among those that are compared.");
  if (auto section = qualitySection(set.points))
    document.sections.push_back(std::move(*section));
  if (!options.pictures.empty())
    document.sections.push_back({"Slices", {"The same mask and seed, the middle slices of what each way of sampling made of them."}, {}, {}, {pictureFigure("Middle slices at equal seeds", options.pictures)}});
  addNotes(document, set);
  document.data["notes"] = set.notes;
  addDeployment(document, set, options);
  addEnvironment(document, set);
  addMethod(document, set);
  addCommands(document, set, options);
  addPoints(document, set);
  return document;
}

} // namespace voxlab

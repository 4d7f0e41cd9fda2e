// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/quality_report.h"
#include "core/analysis/experiment_report.h"
#include "core/base/text.h"
#include <algorithm>
#include <set>

namespace voxlab {
namespace {
constexpr auto kWords = ColumnKind::Words;

std::string countWords(const QualityMeasure& m) { return m.value ? std::to_string(m.count) + " " + m.countOf : ""; }

const QualityMeasure* measureOf(const VolumePoint& point, const std::string& name) {
  const auto it = std::find_if(point.quality.begin(), point.quality.end(), [&](const QualityMeasure& m) { return m.name == name; });
  return it == point.quality.end() ? nullptr : &*it;
}

// The measures of all points, in order of first appearance.
std::vector<const QualityMeasure*> measuresOf(const std::vector<VolumePoint>& points) {
  std::vector<const QualityMeasure*> measures;
  for (const VolumePoint& point : points)
    for (const QualityMeasure& m : point.quality)
      if (std::none_of(measures.begin(), measures.end(), [&](const QualityMeasure* known) { return known->name == m.name; }))
        measures.push_back(&m);
  return measures;
}

ReportTable tableOf(const QualityMeasure& measure, const std::vector<VolumePoint>& points) {
  ReportTable table{measure.title + (measure.direction.empty() ? "" : ": " + measure.direction + " is better"),
                    {{"Volumes", "", kWords}, {"at", "", kWords}, {"Value", measure.unit}, {"95 % from", measure.unit}, {"to", measure.unit}, {"Real to real", measure.unit}, {"Of", "", kWords}, {"Remark", "", kWords}}, {}};
  for (const VolumePoint& point : points)
    if (const QualityMeasure* m = measureOf(point, measure.name))
      table.rows.push_back({point.name(), point.size, m->value, m->interval ? std::optional(m->interval->low) : std::nullopt, m->interval ? std::optional(m->interval->high) : std::nullopt,
                            m->realBaseline, countWords(*m), m->refused});
  dropUnknownColumns(table);
  return table;
}

// What has no value anywhere needs no table: why, once for all that share the reason.
std::vector<std::string> refusals(const std::vector<const QualityMeasure*>& measures, const std::vector<VolumePoint>& points) {
  std::vector<std::pair<std::string, std::string>> titlesByReason;
  for (const QualityMeasure* measure : measures)
    for (const VolumePoint& point : points) {
      const QualityMeasure* m = measureOf(point, measure->name);
      if (!m || m->refused.empty())
        continue;
      auto it = std::find_if(titlesByReason.begin(), titlesByReason.end(), [&](const auto& entry) { return entry.first == m->refused; });
      if (it == titlesByReason.end())
        it = titlesByReason.insert(titlesByReason.end(), {m->refused, ""});
      if (it->second.find(measure->title) == std::string::npos)
        it->second += (it->second.empty() ? "" : ", ") + measure->title;
    }
  std::vector<std::string> sentences;
  for (const auto& [reason, titles] : titlesByReason)
    sentences.push_back("Not measured: " + titles + ". " + reason);
  return sentences;
}

// Why values have no interval, each reason once; recordings from before this was told say it by their counts.
std::string intervalWords(const std::vector<VolumePoint>& points) {
  std::set<std::string> reasons;
  for (const VolumePoint& point : points)
    for (const QualityMeasure& m : point.quality)
      if (m.value && !m.interval && (m.count < kFewestForInterval || !m.noInterval.empty()))
        reasons.insert(!m.noInterval.empty() ? m.noInterval
                                             : "Fewer than " + std::to_string(kFewestForInterval) + " volumes or pairs, drawn again and again, would not show how far the value may lie off.");
  std::string words;
  for (const std::string& reason : reasons)
    words += (words.empty() ? "Values without a 95 % interval: " : " ") + reason;
  return words;
}

void addFronts(ReportSection& section, const std::vector<VolumePoint>& all) {
  bool told = false;
  for (const char* preferred : {"ssim", "mae", "frechet", "foreground_dice", "equal_seed_ssim"}) {
    const auto front = qualityFront(all, preferred);
    if (!front || front->entries.size() < 2)
      continue;
    std::vector<FigurePoint> points;
    bool joined = false;
    for (const auto& entry : front->entries) {
      const VolumePoint& point = all[entry.point];
      points.push_back({point.name(), entry.time_ms / 1000, entry.value, point.mode, entry.onFront});
      joined |= entry.joined;
    }
    section.figures.push_back(scatterFigure(front->title + " against time; the line joins those that no other beats in both", "Time a volume, s (logarithmic)", front->title + (front->higherIsBetter ? ", higher is better" : ", lower is better"), points, FigureScale::Logarithmic));
    if (joined && !told)
      section.sentences.push_back("Time is that of the full-size network by benchmark, quality that of volumes drawn from a trained network at its own, smaller size: "
                                  "each point joins the two, and is no measurement of either at the other's size.");
    told |= joined;
  }
}
} // namespace

// A network that repeats its training volumes does well in every measure of similarity: said before those.
std::string memorisationWords(const std::vector<VolumePoint>& points) {
  std::size_t measured = 0, copying = 0;
  double least = 1, most = 0;
  for (const VolumePoint& point : points) {
    const QualityMeasure* m = measureOf(point, "nearest_training_share");
    if (!m || !m->value)
      continue;
    ++measured;
    copying += *m->value > 0;
    least = *m->value > 0 ? std::min(least, *m->value) : least;
    most = std::max(most, *m->value);
  }
  if (copying == 0)
    return {};
  const std::string share = least == most ? formatSignificant(100 * most) + " %" : formatSignificant(100 * least) + " to " + formatSignificant(100 * most) + " %";
  return "Memorisation: in " + std::to_string(copying) + " of " + std::to_string(measured) + (measured == 1 ? " set " : " sets ") + share +
         " of the volumes are likely copies, closer to a training volume than half the smallest distance between training volumes of different subjects. Measures of similarity to real volumes "
         "then tell how well the network repeats what it was trained on, not how well it makes new volumes.";
}

std::optional<ReportSection> qualitySection(const std::vector<VolumePoint>& points) {
  ReportSection section{"Quality against speed", {}, {}, {}};
  for (std::string words : {memorisationWords(points), intervalWords(points)})
    if (!words.empty())
      section.sentences.push_back(std::move(words));
  addFronts(section, points);
  const auto measures = measuresOf(points);
  std::vector<const QualityMeasure*> nowhere;
  for (const QualityMeasure* measure : measures) {
    const bool any = std::any_of(points.begin(), points.end(), [&](const VolumePoint& point) {
      const QualityMeasure* m = measureOf(point, measure->name);
      return m && m->value;
    });
    if (any)
      section.tables.push_back(tableOf(*measure, points));
    else
      nowhere.push_back(measure);
  }
  for (std::string& sentence : refusals(nowhere, points))
    section.sentences.push_back(std::move(sentence));
  return measures.empty() ? std::nullopt : std::optional(std::move(section));
}

} // namespace voxlab

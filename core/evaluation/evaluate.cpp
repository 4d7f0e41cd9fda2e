// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/evaluate.h"
#include "core/base/failure.h"
#include "core/evaluation/evaluation_parts.h"
#include <ATen/Parallel.h>
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
Json setJson(const VolumeSet& set) {
  return {{"volumes", set.files.size()}, {"subjects", set.subjects()}};
}

// What all synthetic volumes have in common.
Json originOf(const VolumeSet& synthetic) {
  Json of = Json::object();
  for (const char* key : {"mode", "sampler", "steps", "checkpoint", "eta", "weights", "network_size"}) {
    const Json& first = synthetic.files.front().info;
    const auto has = [&](const EvaluatedFile& file) { return file.info.contains(key) && first.contains(key) && file.info.at(key) == first.at(key); };
    if (std::all_of(synthetic.files.begin(), synthetic.files.end(), has))
      of[key] = first.at(key);
  }
  if (const auto checkpoint = jsonGet<std::string>(of, "checkpoint")) // where it lay is nobody's business
    of["checkpoint"] = std::filesystem::path(*checkpoint).filename().string();
  return of;
}

// Sets of hundreds may have a note each.
void addNotes(const VolumeSet& set, QualityResult& result) {
  constexpr std::size_t kMostNotes = 5;
  for (std::size_t n = 0; n < std::min(set.notes.size(), kMostNotes); ++n)
    if (std::find(result.notes.begin(), result.notes.end(), set.notes[n]) == result.notes.end()) // the real volumes stand in for the training set
      result.notes.push_back(set.notes[n]);
  if (set.notes.size() > kMostNotes)
    result.notes.push_back("There are " + std::to_string(set.notes.size() - kMostNotes) + " more notes of this kind.");
}

void addVolumes(const VolumeSet& synthetic, QualityResult& result) {
  for (const auto& file : synthetic.files)
    result.volumes.push_back({file.file.filename().string(), file.subject, "", file.seed, Json::object()});
}
} // namespace

double EvaluationContext::dataRange(const VolumeSet& set, std::size_t volume) const {
  if (order.scaling == IntensityScaling::Percentiles)
    return 2;
  const auto [low, high] = std::minmax_element(set.voxels[volume].begin(), set.voxels[volume].end());
  return static_cast<double>(*high) - static_cast<double>(*low);
}

void EvaluationContext::tell(const std::string& what, double part) const {
  if (order.tell && !order.tell(what, part))
    throw Failure(ExitCode::Stopped, "Stopped before everything was measured.");
}

std::string EvaluationContext::intensityWords() const {
  return order.scaling == IntensityScaling::Percentiles ? "0.5 and 99.5 percentile of each volume to −1 and 1" : "intensities as stored";
}

void EvaluationContext::addMean(QualityMeasure measure, const std::vector<double>& values, std::uint32_t stream, const std::string& whyNone) {
  for (std::size_t n = 0; n < values.size(); ++n)
    if (!std::isnan(values[n]))
      result.volumes[n].values[measure.name] = values[n];
  const MeanEstimate estimate = meanWithInterval(values, sets.synthetic.groups(), bootstrap(stream));
  if (!estimate.mean)
    return refuse(std::move(measure), whyNone);
  measure.value = estimate.mean;
  measure.interval = estimate.interval;
  measure.noInterval = estimate.noInterval;
  measure.count = estimate.count;
  result.measures.push_back(std::move(measure));
}

void EvaluationContext::setInterval(QualityMeasure& measure, const Groups& first, const Groups& second, const Statistic& statistic, std::uint32_t stream) const {
  measure.interval = bootstrapInterval(first, second, statistic, measure.value.value(), bootstrap(stream));
  measure.noInterval = whyNoInterval(first, second, bootstrap(stream));
}

void EvaluationContext::refuse(QualityMeasure measure, std::string why) {
  measure.value = std::nullopt;
  measure.refused = std::move(why);
  result.measures.push_back(std::move(measure));
}

void inParallel(std::int64_t count, const std::function<void(std::int64_t)>& work) {
  at::parallel_for(0, count, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end; ++n)
      work(n);
  });
}

QualityResult evaluate(const EvaluationSets& sets, const EvaluationOrder& order) {
  QualityResult result;
  EvaluationContext context{sets, order, result};
  result.of = originOf(sets.synthetic);
  result.recipe = {{"grid", sets.synthetic.size},
                   {"intensities", context.intensityWords()},
                   {"synthetic", setJson(sets.synthetic)},
                   {"real", setJson(sets.real)},
                   {"training", setJson(sets.training)},
                   {"seed", order.seed},
                   {"intervals", "95 %, " + std::to_string(order.resamples) + " bootstrap resamples of subjects, moved by the bootstrap's bias; none of fewer than " + std::to_string(kFewestForInterval) + " subjects"}};
  addVolumes(sets.synthetic, result);
  for (const VolumeSet* set : {&sets.synthetic, &sets.real, &sets.training})
    addNotes(*set, result);
  using Part = void (*)(EvaluationContext&);
  const std::pair<const char*, Part> parts[] = {{"voxel", addVoxelMeasures}, {"histogram", addHistogramDistance}, {"fidelity", addMaskFidelity},
                                                {"nearest", addNearestDistance}, {"diversity", addDiversity}};
  constexpr double kParts = 7;
  double done = 0;
  context.tell("equal seeds", done++ / kParts);
  if (sets.equalSeeds && order.measures.contains("equal_seeds"))
    addEqualSeeds(context);
  for (const auto& [name, part] : parts) {
    context.tell(name, done++ / kParts);
    if (order.measures.contains(name))
      part(context);
  }
  context.tell("features", done / kParts);
  if (order.measures.contains("mmd") || order.measures.contains("frechet"))
    addFeatureDistances(context);
  context.tell("features", 1);
  return result;
}

} // namespace voxlab

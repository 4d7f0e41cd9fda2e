// SPDX-License-Identifier: Apache-2.0
// Measures that compare each synthetic volume with one real volume, and with the nearest training volume.
#include "core/diffusion/random.h"
#include "core/evaluation/evaluation_parts.h"
#include "core/imaging/quality.h"
#include <cmath>
#include <limits>

namespace voxlab {
namespace {
constexpr std::int64_t kBaselinePairs = 50;
const double kNone = std::numeric_limits<double>::quiet_NaN();

struct PairValues {
  double mae = kNone, psnr = kNone, ssim = kNone, multiScale = kNone;
  int scales = 0;
};

PairValues compare(const EvaluationContext& context, const std::vector<float>& first, const VolumeSet& real, std::size_t second) {
  PairValues out;
  const std::vector<float>& reference = real.voxels[second];
  const double range = context.dataRange(real, second);
  if (const auto difference = compareVoxels(reference, first, range)) {
    out.mae = difference->mae;
    out.psnr = difference->psnr_db.value_or(kNone);
  }
  out.ssim = ssim(reference, first, real.size, range).value_or(kNone);
  if (const auto multi = multiScaleSsim(reference, first, real.size, range)) {
    out.multiScale = multi->value;
    out.scales = multi->scales;
  }
  return out;
}

// Pairs of volumes of different subjects, at most so many, drawn at random.
std::vector<std::pair<std::size_t, std::size_t>> differentSubjects(const VolumeSet& set, std::uint64_t seed) {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (std::size_t i = 0; i < set.files.size(); ++i)
    for (std::size_t j = i + 1; j < set.files.size(); ++j)
      if (set.files[i].subject != set.files[j].subject)
        all.emplace_back(i, j);
  std::vector<std::pair<std::size_t, std::size_t>> chosen;
  const auto order = randomPermutation({seed, Purpose::Evaluation, 1u << 20, 0}, static_cast<std::int64_t>(all.size()));
  for (std::size_t n = 0; n < std::min(order.size(), static_cast<std::size_t>(kBaselinePairs)); ++n)
    chosen.push_back(all[static_cast<std::size_t>(order[n])]);
  return chosen;
}

std::optional<double> meanOf(const std::vector<PairValues>& pairs, double PairValues::*field) {
  double sum = 0;
  std::int64_t count = 0;
  for (const auto& pair : pairs)
    if (!std::isnan(pair.*field)) {
      sum += pair.*field;
      ++count;
    }
  return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

double rootMeanSquare(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    const double difference = static_cast<double>(a[n]) - static_cast<double>(b[n]);
    sum += difference * difference;
  }
  return std::sqrt(sum / static_cast<double>(a.size()));
}
} // namespace

void addVoxelMeasures(EvaluationContext& c) {
  const VolumeSet &synthetic = c.sets.synthetic, &real = c.sets.real;
  const auto pairs = pairedBy(synthetic.files, real.files);
  std::vector<PairValues> values(pairs.size());
  inParallel(static_cast<std::int64_t>(pairs.size()), [&](std::int64_t n) {
    const auto i = static_cast<std::size_t>(n);
    if (pairs[i])
      values[i] = compare(c, synthetic.voxels[i], real, *pairs[i]);
  });
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (pairs[i])
      c.result.volumes[i].paired = real.files[*pairs[i]].file.filename().string();
  const auto others = differentSubjects(real, c.order.seed);
  std::vector<PairValues> baseline(others.size());
  inParallel(static_cast<std::int64_t>(others.size()), [&](std::int64_t n) {
    const auto& [i, j] = others[static_cast<std::size_t>(n)];
    baseline[static_cast<std::size_t>(n)] = compare(c, real.voxels[i], real, j);
  });
  int scales = 0;
  for (const auto& value : values)
    scales = std::max(scales, value.scales);
  const std::string range = std::string("; ") + c.intensityWords() +
                            (c.order.scaling == IntensityScaling::Percentiles ? ", data range 2" : ", data range that of the real volume");
  struct Row {
    const char *name, *title, *unit, *direction;
    double PairValues::*field;
    std::string recipe;
  };
  const Row rows[] = {
      {"mae", "Mean absolute error", "", "lower", &PairValues::mae, "Mean absolute difference of all voxels" + range},
      {"psnr", "PSNR", "dB", "higher", &PairValues::psnr, "20·log10(data range / root mean square difference), equal pairs left out" + range},
      {"ssim", "3D SSIM", "", "higher", &PairValues::ssim, ssimRecipe(SsimWindow::Gaussian11) + range},
      {"ms_ssim", "3D MS-SSIM", "", "higher", &PairValues::multiScale,
       "3D MS-SSIM (Wang et al. 2003), Gaussian window 11³, sigma 1.5, " + std::to_string(scales) + (scales == 1 ? " scale" : " scales") + " halved by means, weights of the five-scale "
       "original divided by their sum" + range},
  };
  std::uint32_t stream = 1;
  for (const Row& row : rows) {
    QualityMeasure m{row.name, row.title, row.unit, row.direction, {}, {}, meanOf(baseline, row.field), 0, "pairs", row.recipe, {}, {}};
    if (m.realBaseline)
      m.baselineRecipe = "mean of " + std::to_string(others.size()) + " pairs of real volumes of different subjects";
    std::vector<double> ofVolumes;
    for (const auto& value : values)
      ofVolumes.push_back(value.*row.field);
    const bool any = std::any_of(pairs.begin(), pairs.end(), [](const auto& pair) { return pair.has_value(); });
    if (real.files.empty())
      c.refuse(std::move(m), "There are no real volumes: name their folder in quality.real.");
    else if (!any)
      c.refuse(std::move(m), "No synthetic volume belongs to the same case as a real one: they are paired by their names, or by the masks that they were drawn for.");
    else if (row.field == &PairValues::psnr && std::all_of(ofVolumes.begin(), ofVolumes.end(), [](double v) { return std::isnan(v); }))
      c.refuse(std::move(m), "All pairs are equal, which makes the ratio infinite.");
    else
      c.addMean(std::move(m), ofVolumes, stream, "The volumes are smaller than the window (11 voxels along each axis): set a larger quality.size."); // nothing else is without a value
    ++stream;
  }
}

void addNearestDistance(EvaluationContext& c) {
  const VolumeSet &synthetic = c.sets.synthetic, &training = c.sets.training;
  QualityMeasure distance{"nearest_training", "Distance to the nearest training volume", "", "", {}, {}, {}, 0, "synthetic volumes",
                          "Smallest root mean square voxel difference to any training volume; " + c.intensityWords(), {}, {}};
  QualityMeasure share{"nearest_training_share", "Share of likely copies", "", "lower", {}, {}, {}, 0, "synthetic volumes",
                       "Share of synthetic volumes that lie closer to a training volume than half the smallest distance between training "
                       "volumes of different subjects", {}, {}};
  if (training.files.empty()) {
    const std::string why = "There are no training volumes: name their folder in quality.training.";
    c.refuse(std::move(distance), why);
    return c.refuse(std::move(share), why);
  }
  const auto nearest = [&](const std::vector<float>& voxels, const std::string* notOf) {
    double best = kNone;
    for (std::size_t n = 0; n < training.voxels.size(); ++n)
      if (!notOf || training.files[n].subject != *notOf)
        best = std::fmin(best, rootMeanSquare(voxels, training.voxels[n]));
    return best;
  };
  std::vector<double> ofSynthetic(synthetic.files.size()), ofTraining(training.files.size());
  inParallel(static_cast<std::int64_t>(ofSynthetic.size()), [&](std::int64_t n) {
    ofSynthetic[static_cast<std::size_t>(n)] = nearest(synthetic.voxels[static_cast<std::size_t>(n)], nullptr);
  });
  inParallel(static_cast<std::int64_t>(ofTraining.size()), [&](std::int64_t n) {
    const auto i = static_cast<std::size_t>(n);
    ofTraining[i] = nearest(training.voxels[i], &training.files[i].subject);
  });
  const MeanEstimate among = meanWithInterval(ofTraining, training.groups(), {0, 0, 0});
  distance.realBaseline = among.mean;
  if (among.mean)
    distance.baselineRecipe = "mean over training volumes of the distance to the nearest one of another subject";
  c.addMean(std::move(distance), ofSynthetic, 11);
  double closest = kNone;
  for (const double value : ofTraining)
    closest = std::fmin(closest, value);
  if (std::isnan(closest))
    return c.refuse(std::move(share), "All training volumes are of one subject, so there is no distance to judge by: name volumes of several in quality.training.");
  std::vector<double> copies;
  for (const double value : ofSynthetic)
    copies.push_back(value < closest / 2 ? 1 : 0);
  c.addMean(std::move(share), copies, 12);
}

} // namespace voxlab

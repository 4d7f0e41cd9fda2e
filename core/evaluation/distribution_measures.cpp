// SPDX-License-Identifier: Apache-2.0
// Measures of whole sets: features' distributions, diversity, intensity histograms; and what masks asked for.
#include "core/base/text.h"
#include "core/diffusion/random.h"
#include "core/evaluation/evaluation_parts.h"
#include "core/evaluation/features.h"
#include "core/evaluation/mask_fidelity.h"
#include "core/imaging/quality.h"
#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace voxlab {
namespace {
constexpr double kNearNothing = 0.1; // of a kernel's mean between sets
constexpr int kSplits = 20;
constexpr std::string_view kGaussianWords = "Gaussian kernel, bandwidth "; // its value follows once the features are there
const double kNone = std::numeric_limits<double>::quiet_NaN();

at::Tensor tensorOfVolume(const std::vector<float>& voxels, const GridSize& size) {
  at::Tensor out = at::empty({1, 1, size[2], size[1], size[0]});
  std::copy(voxels.begin(), voxels.end(), out.mutable_data_ptr<float>());
  return out;
}

at::Tensor featuresOf(const EvaluationContext& c, const VolumeSet& set, FeatureNetwork& network) {
  std::vector<at::Tensor> rows;
  for (const auto& voxels : set.voxels) {
    rows.push_back(network.features(tensorOfVolume(voxels, set.size)));
    c.tell("features", 5.0 / 6);
  }
  return at::stack(rows);
}

at::Tensor chosenRows(const at::Tensor& features, Rows rows) {
  at::Tensor index = at::empty({static_cast<std::int64_t>(rows.size())}, at::kLong);
  std::copy(rows.begin(), rows.end(), index.mutable_data_ptr<std::int64_t>());
  return features.index_select(0, index);
}

// The mean of a distance between random halves of the real subjects, the same for every measure.
std::optional<double> betweenHalves(const Groups& groups, std::uint64_t seed, const Statistic& statistic) {
  if (groups.size() < 4)
    return std::nullopt;
  double sum = 0;
  for (int split = 0; split < kSplits; ++split) {
    const auto order = randomPermutation({seed, Purpose::Evaluation, (1u << 20) + 1, static_cast<std::uint32_t>(split)}, static_cast<std::int64_t>(groups.size()));
    Groups halves[2];
    for (std::size_t n = 0; n < order.size(); ++n)
      halves[n % 2].push_back(groups[static_cast<std::size_t>(order[n])]);
    sum += statistic(membersOf(halves[0]), membersOf(halves[1]));
  }
  return sum / kSplits;
}

std::string halvesRecipe(const Groups& groups) {
  return "mean over " + std::to_string(kSplits) + " random halves of the " + std::to_string(groups.size()) +
         " real subjects; halves are smaller than the sets compared, which makes it larger";
}

std::string tooFew(const EvaluationContext& c) {
  const std::int64_t real = c.sets.real.subjects(), synthetic = c.sets.synthetic.subjects();
  if (real >= kFewestSubjects && synthetic >= kFewestSubjects)
    return {};
  return "Needs " + std::to_string(kFewestSubjects) + " real and " + std::to_string(kFewestSubjects) +
         " synthetic subjects at least, copies of one counted once: there are " + std::to_string(real) + " and " + std::to_string(synthetic) + ".";
}

std::string countWords(const EvaluationContext& c) {
  return "synthetic subjects against " + std::to_string(c.sets.real.subjects()) + " real ones";
}

void clampAtZero(QualityMeasure& m) {
  if (m.interval)
    m.interval = QualityInterval{std::max(0.0, m.interval->low), std::max(0.0, m.interval->high)};
}

struct FeatureSets {
  at::Tensor synthetic, real;
  Groups ofSynthetic, ofReal;
};

void addFrechet(EvaluationContext& c, const FeatureSets& f, QualityMeasure m) {
  const auto statistic = [&](Rows first, Rows second) { return frechetDistance(chosenRows(f.synthetic, first), chosenRows(f.real, second)); };
  const auto amongReal = [&](Rows first, Rows second) { return frechetDistance(chosenRows(f.real, first), chosenRows(f.real, second)); };
  m.value = frechetDistance(f.synthetic, f.real);
  c.setInterval(m, f.ofSynthetic, f.ofReal, statistic, 20);
  m.realBaseline = betweenHalves(f.ofReal, c.order.seed, amongReal);
  m.baselineRecipe = halvesRecipe(f.ofReal);
  m.count = c.sets.synthetic.subjects();
  clampAtZero(m);
  c.result.measures.push_back(std::move(m));
}

void addMmd(EvaluationContext& c, const FeatureSets& f, QualityMeasure m) {
  const double bandwidth = c.order.bandwidth > 0 ? c.order.bandwidth : medianDistance(f.real);
  const KernelMatrix kernel(f.synthetic, f.real, c.order.kernel, bandwidth), amongReal(f.real, f.real, c.order.kernel, bandwidth);
  const auto statistic = [&](Rows first, Rows second) { return kernel.mmd(first, second); };
  m.value = kernel.mmd(membersOf(f.ofSynthetic), membersOf(f.ofReal));
  if (c.order.kernel == MmdKernel::Gaussian && kernel.meanBetween(membersOf(f.ofSynthetic), membersOf(f.ofReal)) < kNearNothing)
    c.result.notes.push_back("MMD² has reached its end: the sets lie so many bandwidths apart that it hardly grows any more where they differ still more. Judge by the Fréchet distance, or set a larger quality.bandwidth (here it was " +
                             formatSignificant(bandwidth, 4) + ").");
  c.setInterval(m, f.ofSynthetic, f.ofReal, statistic, 21);
  m.realBaseline = betweenHalves(f.ofReal, c.order.seed, [&](Rows first, Rows second) { return amongReal.mmd(first, second); });
  m.baselineRecipe = halvesRecipe(f.ofReal);
  m.count = c.sets.synthetic.subjects();
  clampAtZero(m);
  if (const auto at = m.recipe.find(kGaussianWords); at != std::string::npos)
    m.recipe.insert(at + kGaussianWords.size(), formatSignificant(bandwidth, 4) + ", ");
  c.result.recipe["mmd"] = {{"kernel", c.order.kernel == MmdKernel::Gaussian ? "gaussian" : "polynomial"},
                            {"bandwidth", c.order.kernel == MmdKernel::Gaussian ? Json(bandwidth) : Json()},
                            {"unbiased", kernel.unbiasedMmd()}};
  c.result.measures.push_back(std::move(m));
}
} // namespace

void addFeatureDistances(EvaluationContext& c) {
  const auto network = c.order.features.empty() ? makeRandomFeatures(c.order.device) : loadFeatures(c.order.features, c.order.device);
  const std::string by = network->recipe() + " Volumes on one grid, " + c.intensityWords() + ".";
  QualityMeasure frechet{"frechet", "Fréchet distance", "", "lower", {}, {}, {}, 0, countWords(c),
                         "|μ₁ − μ₂|² + tr(C₁ + C₂ − 2(C₁C₂)^½) over features. " + by, {}, {}};
  QualityMeasure mmd{"mmd", "MMD²", "", "lower", {}, {}, {}, 0, countWords(c),
                     std::string("Squared maximum mean discrepancy (V-statistic) over features, ") +
                         (c.order.kernel == MmdKernel::Gaussian ? std::string(kGaussianWords) + (c.order.bandwidth > 0 ? "as given" : "the median distance between real volumes")
                                                                : "polynomial kernel (x·y/d + 1)³") + ". " + by, {}, {}};
  const bool wantsFrechet = c.order.measures.contains("frechet"), wantsMmd = c.order.measures.contains("mmd");
  if (const std::string why = tooFew(c); !why.empty()) {
    if (wantsMmd)
      c.refuse(std::move(mmd), why);
    if (wantsFrechet)
      c.refuse(std::move(frechet), why);
    return;
  }
  const FeatureSets f{featuresOf(c, c.sets.synthetic, *network), featuresOf(c, c.sets.real, *network), c.sets.synthetic.groups(), c.sets.real.groups()};
  c.result.recipe["features"] = {{"network", network->recipe()}, {"count", f.real.size(1)}};
  if (wantsMmd)
    addMmd(c, f, std::move(mmd));
  if (wantsFrechet)
    addFrechet(c, f, std::move(frechet));
}

namespace {
struct Pairwise {
  std::vector<double> values; // K × K
  std::int64_t size = 0;
  double mean(Rows rows) const { // of pairs of different volumes
    double sum = 0;
    std::int64_t count = 0;
    for (const std::int64_t i : rows)
      for (const std::int64_t j : rows)
        if (i != j && !std::isnan(values[static_cast<std::size_t>(i * size + j)])) {
          sum += values[static_cast<std::size_t>(i * size + j)];
          ++count;
        }
    return count > 0 ? sum / static_cast<double>(count) : kNone;
  }
};

// One volume a subject, as many subjects as the number of pairs allows.
Pairwise pairwiseSimilarity(const EvaluationContext& c, const VolumeSet& set) {
  const Groups groups = set.groups();
  const auto most = static_cast<std::size_t>((1 + std::sqrt(1 + 8.0 * static_cast<double>(c.order.pairs))) / 2);
  const auto order = randomPermutation({c.order.seed, Purpose::Evaluation, (1u << 20) + 2, 0}, static_cast<std::int64_t>(groups.size()));
  std::vector<std::size_t> chosen;
  for (std::size_t n = 0; n < std::min(most, order.size()); ++n)
    chosen.push_back(static_cast<std::size_t>(groups[static_cast<std::size_t>(order[n])].front()));
  Pairwise out{std::vector<double>(chosen.size() * chosen.size(), kNone), static_cast<std::int64_t>(chosen.size())};
  inParallel(out.size * out.size, [&](std::int64_t n) {
    const std::int64_t i = n / out.size, j = n % out.size;
    if (i >= j)
      return;
    const std::size_t first = chosen[static_cast<std::size_t>(i)], second = chosen[static_cast<std::size_t>(j)];
    if (const auto similarity = multiScaleSsim(set.voxels[first], set.voxels[second], set.size, c.dataRange(set, first)))
      out.values[static_cast<std::size_t>(n)] = out.values[static_cast<std::size_t>(j * out.size + i)] = similarity->value;
  });
  return out;
}
} // namespace

void addDiversity(EvaluationContext& c) {
  QualityMeasure m{"diversity", "Similarity within the set (diversity)", "", "", {}, {}, {}, 0, "pairs",
                   "Mean MS-SSIM of pairs of synthetic volumes of different subjects; low is diverse, as low as between real volumes is right; " +
                       c.intensityWords(), {}, {}};
  if (const std::string why = tooFew(c); !why.empty())
    return c.refuse(std::move(m), why);
  const Pairwise synthetic = pairwiseSimilarity(c, c.sets.synthetic), real = pairwiseSimilarity(c, c.sets.real);
  Groups single;
  for (std::int64_t n = 0; n < synthetic.size; ++n)
    single.push_back({n});
  const auto statistic = [&](Rows rows, Rows) { return synthetic.mean(rows); };
  m.value = synthetic.mean(membersOf(single));
  if (std::isnan(*m.value))
    return c.refuse(std::move(m), "The volumes are smaller than the window of MS-SSIM (11 voxels).");
  c.setInterval(m, single, {}, statistic, 22);
  Groups ofReal;
  for (std::int64_t n = 0; n < real.size; ++n)
    ofReal.push_back({n});
  m.realBaseline = real.mean(membersOf(ofReal));
  m.baselineRecipe = "the same within the real volumes";
  m.count = synthetic.size * (synthetic.size - 1) / 2;
  c.result.measures.push_back(std::move(m));
}

void addHistogramDistance(EvaluationContext& c) {
  constexpr std::size_t kBins = 256;
  QualityMeasure m{"histogram_distance", "Intensity histogram distance", "", "lower", {}, {}, {}, 0, "volumes",
                   "First Wasserstein distance between the mean histograms of both sets, 256 bins, all voxels; " + c.intensityWords(), {}, {}};
  if (c.sets.real.files.empty())
    return c.refuse(std::move(m), "There are no real volumes: name their folder in quality.real.");
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const VolumeSet* set : {&c.sets.synthetic, &c.sets.real})
    for (const auto& voxels : set->voxels) {
      const auto [lowest, highest] = std::minmax_element(voxels.begin(), voxels.end());
      low = std::min(low, static_cast<double>(*lowest));
      high = std::max(high, static_cast<double>(*highest));
    }
  const double width = high > low ? (high - low) / kBins : 1;
  const auto histograms = [&](const VolumeSet& set) {
    std::vector<std::vector<double>> out(set.voxels.size(), std::vector<double>(kBins));
    inParallel(static_cast<std::int64_t>(set.voxels.size()), [&](std::int64_t n) {
      for (const float voxel : set.voxels[static_cast<std::size_t>(n)])
        out[static_cast<std::size_t>(n)][std::min(kBins - 1, static_cast<std::size_t>((voxel - low) / width))] += 1;
    });
    return out;
  };
  const auto ofSynthetic = histograms(c.sets.synthetic), ofReal = histograms(c.sets.real);
  const auto pooled = [&](const auto& list, Rows rows) {
    std::vector<double> sum(kBins);
    for (const std::int64_t row : rows)
      for (std::size_t n = 0; n < kBins; ++n)
        sum[n] += list[static_cast<std::size_t>(row)][n];
    return sum;
  };
  const auto statistic = [&](Rows first, Rows second) { return wassersteinDistance(pooled(ofSynthetic, first), pooled(ofReal, second), width); };
  const Groups syntheticGroups = c.sets.synthetic.groups(), realGroups = c.sets.real.groups();
  m.value = statistic(membersOf(syntheticGroups), membersOf(realGroups));
  c.setInterval(m, syntheticGroups, realGroups, statistic, 23);
  m.realBaseline = betweenHalves(realGroups, c.order.seed, [&](Rows first, Rows second) { return wassersteinDistance(pooled(ofReal, first), pooled(ofReal, second), width); });
  m.baselineRecipe = m.realBaseline ? halvesRecipe(realGroups) : "";
  m.count = static_cast<std::int64_t>(c.sets.synthetic.files.size());
  clampAtZero(m);
  c.result.measures.push_back(std::move(m));
}

void addMaskFidelity(EvaluationContext& c) {
  const std::string how = c.order.segmenter.empty()
                              ? "within the mask's foreground, voxels count as inside when closer to the mean intensity inside the label than outside"
                              : "segmentation by the TorchScript network " + c.order.segmenter.filename().string();
  QualityMeasure foreground{"foreground_dice", "Mask fidelity, foreground", "", "higher", {}, {}, {}, 0, "volumes with masks",
                            c.order.segmenter.empty() ? "Dice of voxels above Otsu's threshold and the mask's foreground" : "Dice of the foreground; " + how, {}, {}};
  QualityMeasure labels{"label_dice", "Mask fidelity, labels", "", "higher", {}, {}, {}, 0, "volumes with masks", "Mean Dice of the mask's labels; " + how, {}, {}};
  const auto segmenter = c.order.segmenter.empty() ? nullptr : loadSegmentation(c.order.segmenter, c.order.device);
  const auto measure = [&](const VolumeSet& set) {
    std::pair<std::vector<double>, std::vector<double>> out;
    for (std::size_t n = 0; n < set.files.size(); ++n) {
      out.first.push_back(kNone);
      out.second.push_back(kNone);
      const auto mask = c.sets.masks.find(set.files[n].caseKey);
      if (mask == c.sets.masks.end())
        continue;
      const auto wanted = loadLabels(mask->second, set.size);
      if (!wanted) {
        c.result.notes.push_back(wanted.error().message);
        continue;
      }
      MaskFidelity found;
      if (segmenter) {
        const at::Tensor segmented = segmenter->labels(tensorOfVolume(set.voxels[n], set.size));
        found = fidelityOfSegmentation({segmented.const_data_ptr<float>(), static_cast<std::size_t>(segmented.numel())}, *wanted);
      } else {
        found = fidelityByIntensity(set.voxels[n], *wanted);
      }
      out.first.back() = found.foreground.value_or(kNone);
      out.second.back() = found.meanOfLabels().value_or(kNone);
      c.tell("fidelity", 2.0 / 6);
    }
    return out;
  };
  if (c.sets.masks.empty()) {
    const std::string why = "There are no masks: name their folder in quality.masks.";
    c.refuse(std::move(foreground), why);
    return c.refuse(std::move(labels), why);
  }
  const auto [syntheticForeground, syntheticLabels] = measure(c.sets.synthetic);
  const auto [realForeground, realLabels] = measure(c.sets.real);
  const Groups real = c.sets.real.groups();
  foreground.realBaseline = meanWithInterval(realForeground, real, {0, 0, 0}).mean;
  labels.realBaseline = meanWithInterval(realLabels, real, {0, 0, 0}).mean;
  foreground.baselineRecipe = foreground.realBaseline ? "the real volumes with their own masks" : "";
  labels.baselineRecipe = labels.realBaseline ? "the real volumes with their own masks" : "";
  const bool any = std::any_of(c.sets.synthetic.files.begin(), c.sets.synthetic.files.end(), [&](const EvaluatedFile& file) { return c.sets.masks.contains(file.caseKey); });
  const std::string unmatched = "None of the masks belongs to a synthetic volume: they go together by their names, or by the masks that the volumes were drawn for.";
  c.addMean(std::move(foreground), syntheticForeground, 13, any ? "No volume with a mask has two intensities at least, between which a threshold could lie, and a mask that is not empty." : unmatched);
  c.addMean(std::move(labels), syntheticLabels, 14, any ? "No mask has labels that could be told from their surroundings." : unmatched);
}

} // namespace voxlab

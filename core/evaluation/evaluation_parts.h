// SPDX-License-Identifier: Apache-2.0
// The measures that evaluate() puts together, one function each; they add to the result.
#pragma once
#include "core/evaluation/evaluate.h"

namespace voxlab {

struct EvaluationContext {
  const EvaluationSets& sets;
  const EvaluationOrder& order;
  QualityResult& result;

  double dataRange(const VolumeSet& set, std::size_t volume) const; // 2, or that of the volume as stored
  BootstrapPlan bootstrap(std::uint32_t stream) const { return {order.resamples, order.seed, stream}; }
  void tell(const std::string& what, double part) const; // throws Failure with Stopped
  std::string intensityWords() const;
  // A value a synthetic volume, kept with the volume, and its mean as a measure. NaN: none.
  void addMean(QualityMeasure measure, const std::vector<double>& values, std::uint32_t stream, const std::string& whyNone = "No volume has a value.");
  // Of a measure that has its value; bootstrapInterval().
  void setInterval(QualityMeasure& measure, const Groups& first, const Groups& second, const Statistic& statistic, std::uint32_t stream) const;
  void refuse(QualityMeasure measure, std::string why);
};

// work(n) for n in [0, count) on all cores.
void inParallel(std::int64_t count, const std::function<void(std::int64_t)>& work);

void addVoxelMeasures(EvaluationContext& context);    // mae, psnr, ssim, ms_ssim
void addEqualSeeds(EvaluationContext& context);       // equal_seed_psnr, equal_seed_ssim; where there are equalSeeds
void addHistogramDistance(EvaluationContext& context); // histogram_distance
void addMaskFidelity(EvaluationContext& context);     // foreground_dice, label_dice
void addNearestDistance(EvaluationContext& context);  // nearest_training, nearest_training_share
void addFeatureDistances(EvaluationContext& context); // frechet, mmd
void addDiversity(EvaluationContext& context);        // diversity

} // namespace voxlab

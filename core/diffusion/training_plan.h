// SPDX-License-Identifier: Apache-2.0
// The numbers of one training run, from its specification.
#pragma once
#include "core/diffusion/dataset.h"
#include "core/diffusion/sampler.h"
#include "core/diffusion/train_step.h"
#include "core/protocol/network_spec.h"

namespace voxlab {

struct TrainingPlan {
  NetworkSpec network;
  TrainSettings step;
  int timesteps = 250; // T of the noise schedule
  std::uint64_t seed = 0;
  double passes = 0; // over the data; above 0 it sets totalSteps
  std::int64_t totalSteps = 0;
  std::int64_t logEvery = 10, checkpointEvery = 1000, keepCheckpoints = 3;
  std::int64_t sampleEvery = 1000, sampleCount = 1; // sampleEvery 0: never
  std::string sampler;
  SamplerSettings sampling;
  std::int64_t recordEvery = 0; // sampler steps between recorded estimates of a preview; 0: none

  std::int64_t samplesPerStep() const { return static_cast<std::int64_t>(step.batchSize) * step.accumulate; }
  // How often the data has been gone through after so many steps.
  double passesAfter(std::int64_t steps, std::int64_t cases) const;
};

// Throws Failure with Usage on values that do not go together.
TrainingPlan trainingPlanFrom(const JobSpec& spec, std::int64_t cases);
// What volumes are prepared like for that network: size, labels (1, 2, … when none are named), recipe, augmentation.
DatasetSettings datasetSettingsFrom(const JobSpec& spec, const NetworkSpec& network);
SamplerSettings samplerSettingsFrom(const JobSpec& spec);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/training_plan.h"
#include "core/base/failure.h"
#include <cmath>

namespace voxlab {

double TrainingPlan::passesAfter(std::int64_t steps, std::int64_t cases) const {
  return static_cast<double>(steps) * static_cast<double>(samplesPerStep()) / static_cast<double>(cases);
}

SamplerSettings samplerSettingsFrom(const JobSpec& spec) {
  SamplerSettings settings;
  settings.steps = spec.get<int>("sample.steps");
  settings.eta = spec.get<double>("sample.eta");
  settings.clamp = spec.get<bool>("sample.clamp", true) ? Clamp::Unit : Clamp::None;
  return settings;
}

TrainingPlan trainingPlanFrom(const JobSpec& spec, std::int64_t cases) {
  TrainingPlan plan;
  plan.network = valueOrThrow(networkSpecFrom(spec));
  plan.step.loss = spec.get<std::string>("diffusion.loss") == "l2" ? LossKind::L2 : LossKind::L1;
  plan.step.lossScaling = spec.get<bool>("train.reference_compatible") ? LossScaling::DividedByBatch : LossScaling::Mean;
  plan.step.batchSize = spec.get<int>("train.batch", 1);
  plan.step.accumulate = spec.get<int>("train.accumulate", 1);
  plan.step.learningRate = spec.get<double>("train.learning_rate");
  plan.step.warmupSteps = spec.get<int>("train.warmup_steps");
  plan.step.clipNorm = spec.get<double>("train.clip_norm");
  plan.step.emaDecay = spec.get<double>("train.ema_decay");
  plan.step.emaEvery = spec.get<int>("train.ema_every", 1);
  plan.step.emaStart = spec.get<std::int64_t>("train.ema_start");
  plan.timesteps = spec.get<int>("diffusion.timesteps");
  plan.seed = spec.get<std::uint64_t>("seed");
  plan.passes = spec.get<double>("train.passes");
  plan.totalSteps = spec.get<std::int64_t>("train.steps");
  if (plan.passes > 0)
    plan.totalSteps =
        static_cast<std::int64_t>(std::ceil(plan.passes * static_cast<double>(cases) / static_cast<double>(plan.samplesPerStep())));
  plan.logEvery = spec.get<std::int64_t>("train.log_every", 1);
  plan.checkpointEvery = spec.get<std::int64_t>("train.checkpoint_every", 1);
  plan.keepCheckpoints = spec.get<std::int64_t>("train.keep_checkpoints");
  plan.sampleEvery = spec.get<std::int64_t>("train.sample_every");
  plan.sampleCount = spec.get<std::int64_t>("train.sample_count", 1);
  plan.sampler = spec.get<std::string>("sample.sampler");
  plan.sampling = samplerSettingsFrom(spec);
  plan.recordEvery = spec.get<std::int64_t>("sample.record_every");
  return plan;
}

DatasetSettings datasetSettingsFrom(const JobSpec& spec, const NetworkSpec& network) {
  const auto size = spec.get<std::vector<std::int64_t>>("data.size", {128, 128, 128});
  if (size.size() != 3)
    throw Failure(ExitCode::Usage, "data.size needs three numbers: voxels along X, Y and Z.");
  DatasetSettings settings;
  settings.preprocess.recipe = spec.get<std::string>("data.preprocessing", "volume");
  settings.preprocess.size = {size[0], size[1], size[2]};
  settings.preprocess.labels = spec.get<std::vector<std::int64_t>>("data.labels");
  if (settings.preprocess.labels.empty())
    settings.preprocess.labels = defaultLabels(network.conditionChannels);
  settings.preprocess.conditionBackground = spec.get<double>("data.condition_background", -1);
  settings.augmentation.flip = spec.get<bool>("data.augment_flip") ? Flip::LeftRight : Flip::Never;
  settings.augmentation.shift = spec.get<std::int64_t>("data.augment_shift");
  settings.augmentation.contrast = spec.get<double>("data.augment_contrast");
  settings.paddedSize = paddedSize(network, {size[2], size[1], size[0]});
  settings.seed = spec.get<std::uint64_t>("seed");
  return settings;
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "tests/core/execution/mode_quality.h"
#include "core/base/failure.h"
#include "core/diffusion/loss_log.h"
#include "core/diffusion/noise.h"
#include "core/diffusion/parameter_layout.h"
#include "core/diffusion/preparation_record.h"
#include "core/diffusion/sampler.h"
#include "core/execution/cuda_runtime.h"
#include "core/execution/graph_runner.h"
#include "core/execution/make_backend.h"
#include "core/execution/training_parts.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <c10/core/GradMode.h>
#include <cmath>

namespace voxlab {
namespace {

constexpr int kTimesteps = 250; // of networks that do not say
constexpr std::int64_t kLogEvery = 10;

SpatialSize paddedFor(const Weights& weights, const GridSize& size) { return paddedSize(weights.network, {size[2], size[1], size[0]}); }

std::unique_ptr<Dataset> openData(const QualitySettings& settings, const Weights& weights) {
  IndexOptions options;
  options.imageChannels = weights.network.imageChannels;
  options.masks = weights.network.conditionChannels > 0 ? MaskUse::Required : MaskUse::Ignored;
  const DatasetIndex index = valueOrThrow(indexDataset(settings.images, settings.masks, options));
  if (index.cases.empty())
    throw Failure(ExitCode::Data, settings.images.string() + " holds no subject with everything that the network needs.");
  const PreparationRecord record = preparationOf(weights).record;
  DatasetSettings data;
  data.preprocess.recipe = record.recipe;
  data.preprocess.size = record.size;
  data.preprocess.labels = record.labels;
  data.preprocess.conditionBackground = record.conditionBackground;
  data.paddedSize = paddedFor(weights, record.size);
  return std::make_unique<Dataset>(index.cases, data);
}

} // namespace

ModeQuality::ModeQuality(QualitySettings settings, c10::Device device)
    : m_settings(std::move(settings)), m_device(device), m_weights(valueOrThrow(loadWeights(m_settings.weights, WhichWeights::Ema))), m_data(openData(m_settings, m_weights)) {
  const SpatialSize& size = m_data->settings().paddedSize;
  m_description = std::to_string(elementCount(m_weights.parameters)) + " parameters, " + std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " +
                  std::to_string(size[2]) + ", " + std::to_string(m_data->size()) + " subjects";
}

std::pair<at::Tensor, at::Tensor> ModeQuality::subjects(int count) {
  std::vector<at::Tensor> images, conditions;
  for (int k = 0; k < count; ++k) { // without shuffling: the same for every mode
    const BatchPlace place{k, 0, 1, 1};
    const ImageBatch batch = m_data->batch(place, {k + 1, 0, 1, 1});
    images.push_back(batch.image);
    conditions.push_back(batch.condition);
  }
  const bool conditional = conditions.front().defined();
  return {at::cat(images).to(m_device), conditional ? at::cat(conditions).to(m_device) : at::Tensor()};
}

at::Tensor ModeQuality::predictions(const Mode& mode) {
  const c10::AutoGradMode noGradient(false);
  const ModeGuard guard(mode.switches, Determinism::Off);
  const auto [images, conditions] = subjects(3);
  const int T = m_weights.timesteps.value_or(kTimesteps);
  const at::Tensor times = at::tensor({T / 20, T / 2, T - 1}, at::kLong).to(m_device);
  const DiffusionProcess process(T, m_device);
  const at::Tensor noise = normalNoise(images.sizes(), {{7, Purpose::Evaluation, 0, 0}, {7, Purpose::Evaluation, 1, 0}, {7, Purpose::Evaluation, 2, 0}}, m_device);
  const auto backend =
      makeEagerBackend(m_weights.network, placeParameters(m_weights.parameters, mode.switches, m_device), mode.switches, BackendUse::Inference, Determinism::Off);
  return backend->predict(process.noised(images, times, noise), conditions, times).cpu();
}

at::Tensor ModeQuality::volumes(const Mode& mode) {
  const c10::AutoGradMode noGradient(false);
  const ModeGuard guard(mode.switches, Determinism::Off);
  const auto [images, conditions] = subjects(m_settings.seeds);
  const auto backend =
      makeEagerBackend(m_weights.network, placeParameters(m_weights.parameters, mode.switches, m_device), mode.switches, BackendUse::Inference, Determinism::Off);
  std::vector<SampleKey> keys;
  for (int k = 0; k < m_settings.seeds; ++k)
    keys.push_back({static_cast<std::uint64_t>(1000 + k), 0});
  SeededNoise noise(keys, {images.size(1), images.size(2), images.size(3), images.size(4)}, m_device);
  SamplerSettings sampling;
  sampling.steps = m_settings.samplingSteps;
  sampling.update = updateKindOf(mode.switches);
  return makeDdpmSampler()->run(Schedule(m_weights.timesteps.value_or(kTimesteps)), sampling, conditioned(backend->predictor(), conditions), noise)->cpu();
}

SmoothedLoss ModeQuality::train(const Mode& mode, std::uint64_t seed) {
  const ModeGuard guard(mode.switches, Determinism::Off);
  const NamedTensors start = initialWeights(m_weights.network, seed);
  const NamedTensors weights = placeParameters(start, mode.switches, m_device), average = placeParameters(start, mode.switches, m_device);
  EagerBackend backend(m_weights.network, weights, mode.switches, BackendUse::Training);
  const int T = m_weights.timesteps.value_or(kTimesteps);
  const DiffusionProcess process(T, m_device);
  TrainSettings settings;
  settings.batchSize = m_settings.batch;
  settings.accumulate = 1;
  settings.learningRate = 2e-4;
  settings.warmupSteps = 50;
  settings.clipNorm = 1;
  settings.adam = adamKindOf(mode.switches);
  TrainStep step(weights, average, process, backend.predictor(), settings, makeGradientScaler(mode.switches, m_device), makeWorkRunner(mode.switches, m_device));
  LossLog log;
  SmoothedLoss result;
  for (std::int64_t i = 0; i < m_settings.trainingSteps; ++i) {
    const auto place = [&](std::int64_t k) { return BatchPlace{static_cast<std::int64_t>(seed % 1000) * 10000 + k, 0, m_settings.batch, m_settings.batch}; };
    const ImageBatch images = m_data->batch(place(i), place(i + 1));
    MicroBatch batch{images.image.to(m_device), images.condition.defined() ? images.condition.to(m_device) : at::Tensor(), {}, {}};
    drawNoise(batch, seed, i, 0, T);
    const at::Tensor loss = step.accumulate(batch);
    const StepOutcome outcome = step.update();
    log.add(loss, outcome.gradientNorm, outcome.skipped);
    if (log.steps() == kLogEvery || i + 1 == m_settings.trainingSteps) {
      const LossReading reading = log.take();
      result.value = reading.smoothed;
      result.skippedSteps += reading.skippedSteps;
    }
  }
  return result;
}

double relativeDifference(const at::Tensor& a, const at::Tensor& b) { return ((a - b).norm() / b.norm()).item<double>(); }

double meanPsnr(const at::Tensor& volumes, const at::Tensor& reference) {
  const at::Tensor error = (volumes - reference).to(at::kDouble).square().flatten(1).mean(1);
  return (error.reciprocal() * 4).log10().mul(10).mean().item<double>();
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values)
    sum += v;
  return sum / static_cast<double>(values.size());
}

double deviations(double value, const std::vector<double>& others) {
  const double middle = mean(others);
  double square = 0;
  for (const double v : others)
    square += (v - middle) * (v - middle);
  return (value - middle) / std::sqrt(square / static_cast<double>(others.size() - 1));
}

} // namespace voxlab

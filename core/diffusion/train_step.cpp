// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/train_step.h"
#include "core/diffusion/run_ahead.h"
#include "core/diffusion/noise.h"
#include "core/diffusion/profiler_range.h"
#include "core/kernels/fused_calls.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_addcmul.h>
#include <ATen/ops/_foreach_copy.h>
#include <ATen/ops/_foreach_div.h>
#include <ATen/ops/_foreach_lerp.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/_foreach_sqrt.h>
#include <ATen/ops/_foreach_sub.h>
#include <ATen/ops/_foreach_zero.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/reciprocal.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

namespace voxlab {

void drawNoise(MicroBatch& batch, std::uint64_t seed, std::int64_t step, std::int64_t firstSample, int timesteps) {
  std::vector<RandomKey> keys;
  std::vector<std::int64_t> times;
  for (std::int64_t n = 0; n < batch.image.size(0); ++n) {
    RandomKey key{seed, Purpose::TrainingTimestep, static_cast<std::uint32_t>(firstSample + n), static_cast<std::uint32_t>(step)};
    times.push_back(randomInteger(key, 0, timesteps));
    key.purpose = Purpose::TrainingNoise;
    keys.push_back(key);
  }
  const at::Device device = batch.image.device();
  const at::Tensor drawn = at::tensor(times, at::kLong);
  batch.timesteps = copyTo(device.is_cpu() ? drawn : drawn.pin_memory(), device);
  batch.noise = normalNoise(batch.image.sizes(), keys, batch.image.device());
}

TrainStep::TrainStep(NamedTensors parameters, NamedTensors average, const DiffusionProcess& process, Predictor predictor, TrainSettings settings,
                     std::unique_ptr<GradientScaler> scaler, std::unique_ptr<WorkRunner> runner)
    : m_parameters(std::move(parameters)), m_average(std::move(average)), m_process(process), m_predictor(std::move(predictor)),
      m_settings(settings), m_scaler(std::move(scaler)), m_runner(std::move(runner)) {
  TORCH_CHECK(!m_parameters.empty(), "There is nothing to train.");
  TORCH_CHECK(!m_scaler || m_settings.adam != AdamKind::Lists, "Scaled gradients need an Adam that can skip a step.");
  TORCH_CHECK(m_settings.accumulate > 0 && m_settings.batchSize > 0 && m_settings.emaEvery > 0, "Training counts have to be positive.");
  for (const NamedTensor& p : m_parameters) {
    TORCH_CHECK(p.tensor.scalar_type() == at::kFloat, p.name, " has to be float32 to be trained.");
    m_weights.push_back(at::Tensor(p.tensor).requires_grad_(true));
    const at::Tensor* average_ = findTensor(m_average, p.name);
    TORCH_CHECK(average_ && average_->sizes() == p.tensor.sizes(), "The moving average has no ", p.name, " of the same shape.");
    m_averages.push_back(*average_);
    m_moments1.push_back(at::zeros_like(p.tensor.detach()));
    m_moments2.push_back(at::zeros_like(p.tensor.detach()));
    m_elements += p.tensor.numel();
  }
  const auto options = at::TensorOptions(at::kFloat).device(m_weights.front().device());
  m_state = at::zeros({7}, options); // as optimiser_step.h lays it out
  m_rate = m_state.narrow(0, 0, 1).fill_(learningRate());
  m_inverseScale = m_state.narrow(0, 1, 1).fill_(1);
  m_adamStep = m_state.narrow(0, 2, 1);
  if (!m_runner)
    return;
  m_loss = at::zeros({}, options);
  m_outcome = {at::zeros({}, options), at::zeros({1}, options)};
  for (at::Tensor& weight : m_weights)
    weight.mutable_grad() = at::zeros_like(weight.detach());
}

double TrainStep::learningRate() const {
  if (m_step >= m_settings.warmupSteps)
    return m_settings.learningRate;
  return m_settings.learningRate * static_cast<double>(m_step + 1) / m_settings.warmupSteps;
}

at::Tensor TrainStep::forward(const MicroBatch& batch) const {
  const ProfilerRange range("forward");
  const at::Tensor noisy = m_process.noised(batch.image, batch.timesteps, batch.noise);
  return diffusionLoss(m_settings.loss, m_predictor(noisy, batch.condition, batch.timesteps), batch.noise);
}

at::Tensor TrainStep::backward(const MicroBatch& batch) {
  const c10::AutoGradMode gradient(true);
  const at::Tensor loss = forward(batch);
  const ProfilerRange range("backward");
  const double divisor = static_cast<double>(m_settings.accumulate) *
                         (m_settings.lossScaling == LossScaling::DividedByBatch ? m_settings.batchSize : 1);
  const at::Tensor share = loss / divisor;
  torch::autograd::backward({m_scaler ? m_scaler->scaled(share) : share});
  return loss.detach();
}

// Copies a micro-batch to where the recording for its shape expects it. (A pass over the data may end with a smaller one.)
TrainStep::KeptBatch& TrainStep::keep(const MicroBatch& batch) {
  std::string name = "accumulate";
  for (const std::int64_t size : batch.image.sizes())
    name += " " + std::to_string(size);
  KeptBatch& kept = m_kept[name];
  kept.recording = name;
  for (at::Tensor MicroBatch::*m : {&MicroBatch::image, &MicroBatch::condition, &MicroBatch::timesteps, &MicroBatch::noise}) {
    const at::Tensor& given = batch.*m;
    at::Tensor& place = kept.batch.*m;
    if (!given.defined())
      continue;
    if (place.defined())
      place.copy_(given);
    else
      place = given.clone();
  }
  return kept;
}

at::Tensor TrainStep::accumulate(const MicroBatch& batch) {
  ++m_accumulated;
  if (!m_runner)
    return backward(batch);
  const KeptBatch& kept = keep(batch);
  m_runner->run(kept.recording, [this, &kept] { m_loss.copy_(backward(kept.batch)); });
  return m_loss.clone();
}

std::vector<at::Tensor> TrainStep::gradients() const {
  std::vector<at::Tensor> list;
  list.reserve(m_weights.size());
  for (std::size_t i = 0; i < m_weights.size(); ++i) {
    TORCH_CHECK(m_weights[i].grad().defined(), m_parameters[i].name, " got no gradient from the loss.");
    list.push_back(m_weights[i].grad());
  }
  return list;
}

// Recordings need them to stay where they are; otherwise the first micro-batch brings its own, which saves a pass.
void TrainStep::clearGradients() {
  if (m_runner)
    return at::_foreach_zero_(gradients());
  for (at::Tensor& weight : m_weights)
    weight.mutable_grad().reset();
}

// As torch.nn.utils.clip_grad_norm_, but without reading the norm back.
at::Tensor TrainStep::clip(const std::vector<at::Tensor>& gradients) const {
  const at::Tensor norm = at::linalg_vector_norm(at::stack(at::_foreach_norm(gradients, 2)), 2);
  if (m_settings.clipNorm > 0)
    at::_foreach_mul_(gradients, at::clamp((norm + 1e-6).reciprocal() * m_settings.clipNorm, std::nullopt, 1.0));
  return norm;
}

void TrainStep::adam(const std::vector<at::Tensor>& gradients) {
  const std::optional<at::Tensor> overflow = m_scaler ? std::optional(m_scaler->overflowed()) : std::nullopt;
  if (overflow)
    m_adamStep.add_(1 - *overflow); // a skipped step does not count
  else
    m_adamStep.add_(1);
  if (m_settings.adam == AdamKind::Lists)
    return adamByLists(gradients);
  const std::vector<at::Tensor> steps(m_weights.size(), m_adamStep);
  at::_fused_adam_(m_weights, gradients, m_moments1, m_moments2, {}, steps, m_rate, m_settings.beta1, m_settings.beta2, 0.0,
                   m_settings.epsilon, false, false, std::nullopt, overflow);
}

// Kingma & Ba, "Adam: a method for stochastic optimization", 2015, algorithm 1.
void TrainStep::adamByLists(const std::vector<at::Tensor>& gradients) {
  at::_foreach_lerp_(m_moments1, gradients, 1.0 - m_settings.beta1);
  at::_foreach_mul_(m_moments2, m_settings.beta2);
  at::_foreach_addcmul_(m_moments2, gradients, gradients, 1.0 - m_settings.beta2);
  const at::Tensor correction1 = 1.0 - at::pow(m_settings.beta1, m_adamStep), correction2 = 1.0 - at::pow(m_settings.beta2, m_adamStep);
  std::vector<at::Tensor> denominator = at::_foreach_sqrt(m_moments2);
  at::_foreach_mul_(denominator, at::rsqrt(correction2)[0]);
  at::_foreach_add_(denominator, m_settings.epsilon);
  std::vector<at::Tensor> change = at::_foreach_div(m_moments1, denominator);
  at::_foreach_mul_(change, (m_rate / correction1)[0]);
  at::_foreach_sub_(m_weights, change);
}

void TrainStep::updateAverage() {
  if (m_step % m_settings.emaEvery != 0)
    return;
  if (m_step < m_settings.emaStart)
    at::_foreach_copy_(m_averages, m_weights);
  else
    at::_foreach_lerp_(m_averages, m_weights, 1.0 - m_settings.emaDecay);
}

StepOutcome TrainStep::optimise() {
  const c10::AutoGradMode noGradient(false);
  const std::vector<at::Tensor> list = gradients();
  if (m_settings.adam == AdamKind::OnePass)
    return optimiseInOnePass(list);
  StepOutcome outcome;
  if (m_scaler) {
    m_scaler->unscale(list);
    outcome.skipped = m_scaler->overflowed().clone();
  }
  outcome.gradientNorm = clip(list);
  adam(list);
  if (m_scaler)
    m_scaler->update();
  clearGradients();
  return outcome;
}

StepOutcome TrainStep::optimiseInOnePass(const std::vector<at::Tensor>& list) {
  if (m_scaler)
    m_inverseScale.copy_(m_scaler->scale().reciprocal());
  fused::optimiserStep(m_weights, list, m_moments1, m_moments2, m_state,
                       {m_settings.beta1, m_settings.beta2, m_settings.epsilon, m_settings.clipNorm, m_scaler != nullptr});
  StepOutcome outcome;
  outcome.gradientNorm = m_state[3].clone();
  if (m_scaler) {
    outcome.skipped = m_state.narrow(0, 4, 1).clone();
    m_scaler->noteOverflow(outcome.skipped);
    m_scaler->update();
  }
  clearGradients();
  return outcome;
}

StepOutcome TrainStep::update() {
  const ProfilerRange range("optimizer", m_elements);
  const c10::AutoGradMode noGradient(false);
  TORCH_CHECK(m_accumulated > 0, "There is nothing to update from: no micro-batch came before.");
  m_accumulated = 0;
  m_rate.fill_(learningRate());
  StepOutcome outcome;
  if (m_runner) {
    m_runner->run("update", [this] {
      const StepOutcome now = optimise();
      m_outcome.gradientNorm.copy_(now.gradientNorm);
      if (now.skipped.defined())
        m_outcome.skipped.copy_(now.skipped);
    });
    outcome.gradientNorm = m_outcome.gradientNorm.clone();
    if (m_scaler)
      outcome.skipped = m_outcome.skipped.clone();
  } else {
    outcome = optimise();
  }
  updateAverage();
  ++m_step;
  return outcome;
}

NamedTensors TrainStep::optimizerState() const {
  NamedTensors state;
  for (std::size_t i = 0; i < m_parameters.size(); ++i) {
    state.push_back({"exp_avg." + m_parameters[i].name, m_moments1[i]});
    state.push_back({"exp_avg_sq." + m_parameters[i].name, m_moments2[i]});
  }
  state.push_back({"adam_step", m_adamStep});
  if (m_scaler)
    for (NamedTensor& t : m_scaler->state())
      state.push_back(std::move(t));
  return state;
}

void TrainStep::restore(const NamedTensors& state, std::int64_t step) {
  NamedTensors common; // the scaler's state may be missing or surplus: a run may go on in a mode of another precision
  const NamedTensors own = optimizerState();
  for (const NamedTensor& t : own) {
    const at::Tensor* stored = findTensor(state, t.name);
    const bool scaling = t.name == "loss_scale" || t.name == "growth_tracker";
    TORCH_CHECK(stored || scaling, "The optimiser's state has no ", t.name, ".");
    if (stored)
      common.push_back({t.name, *stored});
  }
  NamedTensors targets;
  for (const NamedTensor& t : common)
    targets.push_back({t.name, *findTensor(own, t.name)});
  copyValues(common, targets);
  m_step = step;
}

} // namespace voxlab

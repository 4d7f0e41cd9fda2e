// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/sampler.h"
#include "core/diffusion/noise.h"
#include "core/diffusion/sampler_loop.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>
#include <numbers>

namespace voxlab {

Denoiser conditioned(Predictor predictor, at::Tensor condition) {
  return [predict = std::move(predictor), condition = std::move(condition)](const at::Tensor& x, const at::Tensor& timesteps) {
    return predict(x, condition, timesteps);
  };
}

SeededNoise::SeededNoise(std::vector<SampleKey> keys, std::array<std::int64_t, 4> shape, at::Device device)
    : m_keys(std::move(keys)), m_shape(shape), m_device(device) {}

at::Tensor SeededNoise::initial() { return draw(Purpose::InitialNoise, 0); }
at::Tensor SeededNoise::atStep(int timestep) { return draw(Purpose::StepNoise, timestep); }

at::Tensor SeededNoise::draw(Purpose purpose, int step) const {
  std::vector<RandomKey> keys;
  for (const SampleKey& k : m_keys)
    keys.push_back({k.seed, purpose, k.sample, static_cast<std::uint32_t>(step)});
  return normalNoise({static_cast<std::int64_t>(keys.size()), m_shape[0], m_shape[1], m_shape[2], m_shape[3]}, keys, m_device);
}

at::Tensor Sampler::Loop::cleanEstimate(int i, const at::Tensor& predicted) const {
  const std::size_t t = static_cast<std::size_t>(times[static_cast<std::size_t>(i)]);
  at::Tensor clean = x * schedule.sqrtRecipAlphasCumprod[t] - predicted * schedule.sqrtRecipm1AlphasCumprod[t];
  return settings.clamp == Clamp::Unit ? clean.clamp_(-1.0, 1.0) : clean;
}

bool Sampler::Loop::advance(int i, at::Tensor next, const at::Tensor& clean) {
  x = std::move(next);
  if (callback && callback({i, count(), times[static_cast<std::size_t>(i)], x, clean}) == SamplerVerdict::Stop)
    stopped = true;
  return !stopped;
}

std::optional<at::Tensor> Sampler::run(const Schedule& schedule, const SamplerSettings& settings, const Denoiser& denoiser,
                                       NoiseSource& noise, const SamplerCallback& callback) const {
  const c10::AutoGradMode noGradient(false);
  Loop loop{schedule, settings, denoiser, noise, callback, timesteps(schedule, settings.steps), {}, noise.initial(), false};
  const std::vector<std::int64_t> times(loop.times.begin(), loop.times.end());
  loop.deviceTimes = at::tensor(times, at::kLong).to(loop.x.device()).unsqueeze(1).expand({-1, loop.x.size(0)}).contiguous();
  iterate(loop);
  if (loop.stopped)
    return std::nullopt;
  return loop.x;
}

std::vector<int> visitedTimesteps(int timesteps, int count) {
  if (count <= 0 || count > timesteps)
    count = timesteps;
  std::vector<int> times{timesteps - 1};
  for (int i = 1; i < count; ++i) {
    const double u = 0.5 * (1.0 + std::cos(std::numbers::pi * i / (count - 1)));
    times.push_back(static_cast<int>(std::lround((timesteps - 1) * std::pow(u, 1.5))));
  }
  for (int i = 1; i < count; ++i) { // rounding may have made neighbours equal
    auto& time = times[static_cast<std::size_t>(i)];
    time = std::max(std::min(time, times[static_cast<std::size_t>(i) - 1] - 1), count - 1 - i);
  }
  return times;
}

} // namespace voxlab

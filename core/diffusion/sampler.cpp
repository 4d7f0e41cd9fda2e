// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/sampler.h"
#include "core/diffusion/noise.h"
#include "core/diffusion/sampler_loop.h"
#include "core/kernels/fused_calls.h"
#include "core/kernels/sampler_update.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/tensor.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>
#include <cstring>
#include <limits>

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

// x0 = sqrt(1/abar) x - sqrt(1/abar - 1) noise, clamped if asked.
void Sampler::Loop::updateByOperations(int i, const Weights& w) {
  const auto t = static_cast<std::size_t>(timestep(i));
  at::Tensor estimate = x * schedule.sqrtRecipAlphasCumprod[t] - predictedNoise(i) * schedule.sqrtRecipm1AlphasCumprod[t];
  if (settings.clamp == Clamp::Unit)
    estimate.clamp_(-1.0, 1.0);
  at::Tensor next = estimate * w.clean;
  if (w.state != 0)
    next.add_(x, w.state);
  if (w.before != 0)
    next.add_(clean, w.before);
  if (w.sigma > 0)
    next.add_(noise.atStep(timestep(i)), w.sigma);
  x = std::move(next);
  clean = std::move(estimate);
}

bool Sampler::Loop::tell(int i) const { return !callback || callback({i, count(), timestep(i), x, clean}) != SamplerVerdict::Stop; }

namespace {

// The numbers of all steps and the noise's keys, where the kernel reads them.
class KernelUpdate {
public:
  KernelUpdate(std::vector<SamplerRow> rows, const std::vector<SampleKey>& keys, at::Device device)
      : m_rows(at::empty({static_cast<std::int64_t>(rows.size()), sizeof(SamplerRow) / sizeof(float)}, at::kFloat)),
        m_keys(at::empty({static_cast<std::int64_t>(keys.size()), 2}, at::kLong)) {
    std::memcpy(m_rows.mutable_data_ptr<float>(), rows.data(), rows.size() * sizeof(SamplerRow));
    for (std::size_t n = 0; n < keys.size(); ++n) {
      m_keys[static_cast<std::int64_t>(n)][0] = static_cast<std::int64_t>(keys[n].seed);
      m_keys[static_cast<std::int64_t>(n)][1] = static_cast<std::int64_t>(keys[n].sample);
    }
    m_rows = m_rows.to(device);
    m_keys = m_keys.to(device);
  }
  // x in place; the new estimate goes to a tensor of its own, so that a callback may keep it.
  void run(int i, at::Tensor& x, at::Tensor& clean, at::Tensor predicted) const {
    if (!predicted.is_contiguous() && !predicted.is_contiguous(at::MemoryFormat::ChannelsLast3d))
      predicted = predicted.contiguous();
    const at::Tensor estimate = at::empty_like(x);
    fused::samplerUpdate(x, predicted, clean.defined() ? std::optional(clean) : std::nullopt, estimate, m_rows.narrow(0, i, 1), {}, m_keys,
                         static_cast<std::int64_t>(Purpose::StepNoise));
    clean = estimate;
  }

private:
  at::Tensor m_rows, m_keys;
};

} // namespace

std::optional<at::Tensor> Sampler::run(const Schedule& schedule, const SamplerSettings& settings, const Denoiser& denoiser,
                                       NoiseSource& noise, const SamplerCallback& callback) const {
  const c10::AutoGradMode noGradient(false);
  Loop loop{schedule, settings, denoiser, noise, callback, timesteps(schedule, settings.steps), {}, noise.initial(), {}};
  const std::vector<std::int64_t> times(loop.times.begin(), loop.times.end());
  loop.deviceTimes = at::tensor(times, at::kLong).to(loop.x.device()).unsqueeze(1).expand({-1, loop.x.size(0)}).contiguous();
  std::optional<KernelUpdate> kernel;
  if (settings.update == UpdateKind::OneKernel && noise.keys()) {
    std::vector<SamplerRow> rows;
    for (int i = 0; i < loop.count(); ++i) {
      const auto t = static_cast<std::size_t>(loop.timestep(i));
      const Weights w = weights(loop, i);
      rows.push_back({static_cast<float>(schedule.sqrtRecipAlphasCumprod[t]), static_cast<float>(schedule.sqrtRecipm1AlphasCumprod[t]), static_cast<float>(w.clean),
                      static_cast<float>(w.state), static_cast<float>(w.before), static_cast<float>(w.sigma),
                      settings.clamp == Clamp::Unit ? 1.0f : std::numeric_limits<float>::infinity(), static_cast<std::uint32_t>(loop.timestep(i))});
    }
    kernel.emplace(std::move(rows), *noise.keys(), loop.x.device());
  }
  for (int i = 0; i < loop.count(); ++i) {
    if (kernel)
      kernel->run(i, loop.x, loop.clean, loop.predictedNoise(i));
    else
      loop.updateByOperations(i, weights(loop, i));
    if (!loop.tell(i))
      return std::nullopt;
  }
  return loop.x;
}

std::vector<int> visitedTimesteps(const Schedule& schedule, int count) {
  const int last = schedule.timesteps - 1;
  if (count <= 0 || count > schedule.timesteps)
    count = schedule.timesteps;
  const auto logSnr = [&](int t) {
    const double abar = schedule.alphasCumprod[static_cast<std::size_t>(t)];
    return std::log(abar / (1.0 - abar));
  };
  std::vector<int> times{last};
  for (int i = 1, t = last; i < count; ++i) {
    const double wanted = std::lerp(logSnr(last), logSnr(0), static_cast<double>(i) / (count - 1));
    while (t > 0 && std::abs(logSnr(t - 1) - wanted) <= std::abs(logSnr(t) - wanted))
      --t;
    t = std::max(std::min(t, times.back() - 1), count - 1 - i); // no step twice, and room for those to come
    times.push_back(t);
  }
  return times;
}

} // namespace voxlab

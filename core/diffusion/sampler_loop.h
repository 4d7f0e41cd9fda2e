// SPDX-License-Identifier: Apache-2.0
// What the samplers' implementations share; included by them only.
#pragma once
#include "core/diffusion/sampler.h"

namespace voxlab {

struct Sampler::Loop {
  const Schedule& schedule;
  const SamplerSettings& settings;
  const Denoiser& denoiser;
  NoiseSource& noise;
  const SamplerCallback& callback;
  std::vector<int> times;  // visited time steps, falling
  at::Tensor deviceTimes;  // (count, N) int64
  at::Tensor x;            // (N, C, D, H, W) float32
  bool stopped = false;

  int count() const { return static_cast<int>(times.size()); }
  // abar at the i-th visited step; 1 beyond the last: there is no noise in the result.
  double abar(int i) const { return i < count() ? schedule.alphasCumprod[static_cast<std::size_t>(times[static_cast<std::size_t>(i)])] : 1.0; }
  at::Tensor predictedNoise(int i) const { return denoiser(x, deviceTimes.select(0, i)).to(at::kFloat); }
  // x0 = sqrt(1/abar) x - sqrt(1/abar - 1) noise, clamped if asked.
  at::Tensor cleanEstimate(int i, const at::Tensor& predicted) const;
  // Takes the new state, tells the callback; false: stop.
  bool advance(int i, at::Tensor next, const at::Tensor& clean);
};

// count time steps from T - 1 down to 0, evenly spaced; all T if count is 0 or more than T.
std::vector<int> evenTimesteps(int timesteps, int count);
// The same, but closer together towards 0, as (T - 1) u^2 with u falling evenly from 1 to 0 (Song et al. 2021, appendix D.3).
std::vector<int> quadraticTimesteps(int timesteps, int count);

} // namespace voxlab

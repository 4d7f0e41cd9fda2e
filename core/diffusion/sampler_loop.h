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
  at::Tensor clean;        // estimate of the last step

  int count() const { return static_cast<int>(times.size()); }
  int timestep(int i) const { return times[static_cast<std::size_t>(i)]; }
  // abar at the i-th visited step; 1 beyond the last: there is no noise in the result.
  double abar(int i) const { return i < count() ? schedule.alphasCumprod[static_cast<std::size_t>(timestep(i))] : 1.0; }
  at::Tensor predictedNoise(int i) const { return denoiser(x, deviceTimes.select(0, i)).to(at::kFloat); }
  void updateByOperations(int i, const Weights& w);
  bool tell(int i) const; // false: stop
};

// count time steps from T - 1 down to 0, all T if count is 0 or more than T: evenly spaced in the logarithm of the signal-to-noise
// ratio (Lu et al. 2022), where two would fall on one step the next. So they are close together at both ends: at the noisy end
// they fix a volume's brightness, at the other its detail.
std::vector<int> visitedTimesteps(const Schedule& schedule, int count);

} // namespace voxlab

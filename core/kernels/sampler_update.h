// SPDX-License-Identifier: Apache-2.0
// One reverse-diffusion update in one pass over the state, noise included. DDPM, DDIM and DPM-Solver++(2M) are all
//   clean = signal x - noise eps, clamped to [-1, 1] if asked;   x <- cleanWeight clean + stateWeight x + beforeWeight before + sigma z
// (DDIM's eps that belongs to the clamped clean volume is a combination of clean and x). Everything is FP32; z is the noise of
// philox.h. What changes from step to step stands in device memory, so that a captured graph can be replayed for every step.
#pragma once
#include "core/kernels/element_type.h"
#include "core/kernels/philox.h"

namespace voxlab {

// One step of a sampler; eight words, so that a table of them is an (n, 8) tensor.
struct SamplerRow {
  float signal, noise;                                        // sqrt(1 / abar), sqrt(1 / abar - 1)
  float cleanWeight, stateWeight, beforeWeight, sigma;        // sigma = 0: no noise is drawn
  float limit;                                                // clean is limited to [-limit, limit]; infinite: not at all
  std::uint32_t timestep;                                     // of the noise's stream
};

// One volume's place in the random numbers.
struct SamplerKey {
  std::uint64_t seed;
  std::uint64_t sample; // below 2^32
};

struct SamplerUpdate {
  std::int64_t batch = 1, channels = 1, voxels = 0;
  float* x = nullptr;               // (N, C, voxels), updated
  const float* predicted = nullptr; // eps: element (n, c, v) at n C voxels + c channelStride + v voxelStride
  std::int64_t channelStride = 0, voxelStride = 1;
  const float* before = nullptr; // the clean estimate of the step before, or null; may be clean
  float* clean = nullptr;        // (N, C, voxels), written; or null
  const SamplerRow* rows = nullptr;
  const int* index = nullptr; // which row; null: the first
  const SamplerKey* keys = nullptr; // (N)
  std::uint32_t purpose = 0;
};

// Elements 4 block … 4 block + 3 of volume n.
VOXLAB_HOST_DEVICE void updateSamplerBlock(const SamplerUpdate& p, const SamplerRow& row, std::int64_t n, std::int64_t block) {
  const std::int64_t elements = p.channels * p.voxels, first = 4 * block;
  philox::Normals z{};
  if (row.sigma != 0.0f)
    z = philox::normals({p.keys[n].seed, p.purpose, static_cast<std::uint32_t>(p.keys[n].sample), row.timestep}, static_cast<std::uint64_t>(block));
  for (int lane = 0; lane < 4; ++lane) {
    const std::int64_t i = first + lane;
    if (i >= elements)
      return;
    const std::int64_t at = n * elements + i;
    const float x = p.x[at], eps = p.predicted[n * elements + i / p.voxels * p.channelStride + i % p.voxels * p.voxelStride];
    float clean = row.signal * x - row.noise * eps;
    clean = clean > row.limit ? row.limit : clean < -row.limit ? -row.limit : clean; // NaN stays
    float next = row.cleanWeight * clean + row.stateWeight * x + row.sigma * z.value[lane];
    if (p.before)
      next += row.beforeWeight * p.before[at];
    p.x[at] = next;
    if (p.clean)
      p.clean[at] = clean;
  }
}

namespace reference {
void samplerUpdate(const SamplerUpdate& p);
}
void launchSamplerUpdate(const SamplerUpdate& p, Stream stream);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// DDIM (Song, Meng & Ermon, "Denoising diffusion implicit models", 2021, eq. 12 and 16): from abar to abar',
//   x <- sqrt(abar') x0 + sqrt(1 - abar' - sigma^2) eps + sigma z,
//   sigma = eta sqrt((1 - abar') / (1 - abar)) sqrt(1 - abar / abar').
// eps = (x - sqrt(abar) x0) / sqrt(1 - abar) belongs to the clamped x0, so that x stays consistent where the clamp acts.
#include "core/diffusion/sampler_loop.h"
#include <algorithm>
#include <cmath>

namespace voxlab {

Sampler::Weights Sampler::implicitWeights(const Loop& loop, int i) {
  if (i + 1 == loop.count())
    return {1, 0, 0, 0};
  const double abar = loop.abar(i), next = loop.abar(i + 1);
  const double sigma = loop.settings.eta * std::sqrt((1.0 - next) / (1.0 - abar)) * std::sqrt(1.0 - abar / next);
  const double direction = std::sqrt(std::max(0.0, 1.0 - next - sigma * sigma)) / std::sqrt(1.0 - abar); // of x - sqrt(abar) x0
  return {std::sqrt(next) - direction * std::sqrt(abar), direction, 0, sigma};
}

namespace {

class DdimSampler : public Sampler {
public:
  std::vector<int> timesteps(const Schedule& schedule, int steps) const override { return visitedTimesteps(schedule, steps); }

protected:
  Weights weights(const Loop& loop, int i) const override { return implicitWeights(loop, i); }
};

} // namespace

std::unique_ptr<Sampler> makeDdimSampler() { return std::make_unique<DdimSampler>(); }

} // namespace voxlab

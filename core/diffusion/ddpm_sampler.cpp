// SPDX-License-Identifier: Apache-2.0
// Ancestral sampling (Ho et al., "Denoising diffusion probabilistic models", 2020, algorithm 2 with the posterior of eq. 7):
//   x <- c1 x0 + c2 x + sigma z,  between a visited step with abar and the next with abar':
//   beta = 1 - abar / abar',  c1 = beta sqrt(abar') / (1 - abar),  c2 = (1 - abar') sqrt(1 - beta) / (1 - abar),
//   sigma^2 = beta (1 - abar') / (1 - abar).
// With all T steps these are the schedule's own vectors; with fewer, those of the shortened chain (Nichol & Dhariwal 2021).
#include "core/diffusion/sampler_loop.h"
#include <cmath>

namespace voxlab {
namespace {

class DdpmSampler : public Sampler {
public:
  std::vector<int> timesteps(const Schedule& schedule, int steps) const override { return visitedTimesteps(schedule, steps); }

protected:
  Weights weights(const Loop& loop, int i) const override {
    const Schedule& s = loop.schedule;
    const bool last = i + 1 == loop.count();
    if (loop.count() == s.timesteps) {
      const auto t = static_cast<std::size_t>(loop.timestep(i));
      return {s.posteriorMeanCoef1[t], s.posteriorMeanCoef2[t], 0, last ? 0 : std::exp(0.5 * s.posteriorLogVarianceClipped[t])};
    }
    const double abar = loop.abar(i), next = loop.abar(i + 1), beta = 1.0 - abar / next;
    return {beta * std::sqrt(next) / (1.0 - abar), (1.0 - next) * std::sqrt(1.0 - beta) / (1.0 - abar), 0,
            last ? 0 : std::sqrt(beta * (1.0 - next) / (1.0 - abar))};
  }
};

} // namespace

std::unique_ptr<Sampler> makeDdpmSampler() { return std::make_unique<DdpmSampler>(); }

} // namespace voxlab

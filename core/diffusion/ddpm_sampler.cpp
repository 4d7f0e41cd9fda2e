// SPDX-License-Identifier: Apache-2.0
// Ancestral sampling (Ho et al., "Denoising diffusion probabilistic models", 2020, algorithm 2 with the posterior of eq. 7):
//   x <- c1 x0 + c2 x + sigma z,  between a visited step with abar and the next with abar':
//   beta = 1 - abar / abar',  c1 = beta sqrt(abar') / (1 - abar),  c2 = (1 - abar') sqrt(1 - beta) / (1 - abar),
//   sigma^2 = beta (1 - abar') / (1 - abar).
// With all T steps these are the schedule's own vectors; with fewer, those of the shortened chain (Nichol & Dhariwal 2021).
#include "core/diffusion/sampler_loop.h"
#include <ATen/TensorOperators.h>
#include <cmath>

namespace voxlab {
namespace {

class DdpmSampler : public Sampler {
public:
  std::vector<int> timesteps(const Schedule& schedule, int steps) const override { return visitedTimesteps(schedule.timesteps, steps); }

protected:
  struct Coefficients {
    double clean, state, sigma;
  };

  static Coefficients coefficients(const Loop& loop, int i) {
    const Schedule& s = loop.schedule;
    const std::size_t t = static_cast<std::size_t>(loop.times[static_cast<std::size_t>(i)]);
    if (loop.count() == s.timesteps)
      return {s.posteriorMeanCoef1[t], s.posteriorMeanCoef2[t], std::exp(0.5 * s.posteriorLogVarianceClipped[t])};
    const double abar = loop.abar(i), abarNext = loop.abar(i + 1), beta = 1.0 - abar / abarNext;
    return {beta * std::sqrt(abarNext) / (1.0 - abar), (1.0 - abarNext) * std::sqrt(1.0 - beta) / (1.0 - abar),
            std::sqrt(beta * (1.0 - abarNext) / (1.0 - abar))};
  }

  void iterate(Loop& loop) const override {
    for (int i = 0; i < loop.count(); ++i) {
      const at::Tensor clean = loop.cleanEstimate(i, loop.predictedNoise(i));
      const Coefficients c = coefficients(loop, i);
      at::Tensor next = clean * c.clean + loop.x * c.state;
      if (i + 1 < loop.count())
        next.add_(loop.noise.atStep(loop.times[static_cast<std::size_t>(i)]), c.sigma);
      if (!loop.advance(i, std::move(next), clean))
        return;
    }
  }
};

} // namespace

std::unique_ptr<Sampler> makeDdpmSampler() { return std::make_unique<DdpmSampler>(); }

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// DDIM (Song, Meng & Ermon, "Denoising diffusion implicit models", 2021, eq. 12 and 16): from abar to abar',
//   x <- sqrt(abar') x0 + sqrt(1 - abar' - sigma^2) eps + sigma z,
//   sigma = eta sqrt((1 - abar') / (1 - abar)) sqrt(1 - abar / abar').
// eps belongs to the clamped x0, so that x stays consistent where the clamp acts.
#include "core/diffusion/sampler_loop.h"
#include <ATen/TensorOperators.h>
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {

class DdimSampler : public Sampler {
public:
  std::vector<int> timesteps(const Schedule& schedule, int steps) const override { return visitedTimesteps(schedule.timesteps, steps); }

protected:
  void iterate(Loop& loop) const override {
    for (int i = 0; i < loop.count(); ++i) {
      const double abar = loop.abar(i), next = loop.abar(i + 1);
      const double sigma = loop.settings.eta * std::sqrt((1.0 - next) / (1.0 - abar)) * std::sqrt(1.0 - abar / next);
      at::Tensor predicted = loop.predictedNoise(i);
      const at::Tensor clean = loop.cleanEstimate(i, predicted);
      if (loop.settings.clamp == Clamp::Unit)
        predicted = (loop.x - clean * std::sqrt(abar)) * (1.0 / std::sqrt(1.0 - abar));
      at::Tensor x = clean * std::sqrt(next);
      if (i + 1 < loop.count()) {
        x.add_(predicted, std::sqrt(std::max(0.0, 1.0 - next - sigma * sigma)));
        if (sigma > 0)
          x.add_(loop.noise.atStep(loop.times[static_cast<std::size_t>(i)]), sigma);
      }
      if (!loop.advance(i, std::move(x), clean))
        return;
    }
  }
};

} // namespace

std::unique_ptr<Sampler> makeDdimSampler() { return std::make_unique<DdimSampler>(); }

} // namespace voxlab

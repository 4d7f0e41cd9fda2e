// SPDX-License-Identifier: Apache-2.0
// DPM-Solver++(2M) (Lu et al., "DPM-Solver++: fast solver for guided sampling of diffusion probabilistic models", 2022,
// algorithm 2). With alpha = sqrt(abar), sigma = sqrt(1 - abar), lambda = ln(alpha / sigma), h = lambda' - lambda:
//   D  = (1 + 1 / (2 r)) x0_i - 1 / (2 r) x0_(i-1),  r = h_(i-1) / h_i
//   x <- (sigma' / sigma) x - alpha' (exp(-h) - 1) D
// First order (D = x0_i) while there is hardly any signal, and in the last step, which goes to noise 0: there x = x0.
#include "core/diffusion/sampler_loop.h"
#include <ATen/TensorOperators.h>
#include <cmath>

namespace voxlab {
namespace {

class DpmSolverSampler : public Sampler {
public:
  std::vector<int> timesteps(const Schedule& schedule, int steps) const override { return visitedTimesteps(schedule.timesteps, steps); }

protected:
  // Below this share of signal an estimate of x0 is mostly error (and clamped), and extrapolating it makes that error permanent:
  // heads came out full of noise.
  static constexpr double kReliableAbar = 0.05;

  static double lambda(double abar) { return 0.5 * std::log(abar / (1.0 - abar)); }

  void iterate(Loop& loop) const override {
    at::Tensor before; // x0 of the step before
    for (int i = 0; i < loop.count(); ++i) {
      const at::Tensor clean = loop.cleanEstimate(i, loop.predictedNoise(i));
      at::Tensor x = i + 1 < loop.count() ? step(loop, i, clean, before) : clean.clone();
      before = clean;
      if (!loop.advance(i, std::move(x), clean))
        return;
    }
  }

  static at::Tensor step(const Loop& loop, int i, const at::Tensor& clean, const at::Tensor& before) {
    const double abar = loop.abar(i), next = loop.abar(i + 1);
    const double h = lambda(next) - lambda(abar);
    at::Tensor x = loop.x * std::sqrt((1.0 - next) / (1.0 - abar));
    const double weight = -std::sqrt(next) * std::expm1(-h);
    if (!before.defined() || loop.abar(i - 1) < kReliableAbar)
      return x.add_(clean, weight);
    const double half = 0.5 * h / (lambda(abar) - lambda(loop.abar(i - 1))); // 1 / (2 r)
    x.add_(clean, weight * (1.0 + half));
    return x.add_(before, -weight * half);
  }
};

} // namespace

std::unique_ptr<Sampler> makeDpmSolverSampler() { return std::make_unique<DpmSolverSampler>(); }

} // namespace voxlab

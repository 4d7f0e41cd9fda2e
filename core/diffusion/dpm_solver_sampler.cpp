// SPDX-License-Identifier: Apache-2.0
// DPM-Solver++(2M) and its stochastic form (Lu et al., "DPM-Solver++: fast solver for guided sampling of diffusion probabilistic
// models", 2022, algorithm 2 and SDE-DPM-Solver++(2M)). With alpha = sqrt(abar), sigma = sqrt(1 - abar), lambda = ln(alpha / sigma),
// h = lambda' - lambda, it is DDIM's update with an extrapolated estimate in place of x0:
//   D  = (1 + 1 / (2 r)) x0_i - 1 / (2 r) x0_(i-1),  r = h_(i-1) / h_i
// eta = 0 follows the probability flow, eta = 1 the stochastic equation. Fresh noise matters where the schedule begins with hardly
// any signal (cosine: sqrt(abar) = 2e-4 at T - 1): the first estimates are nearly pure error, which the flow keeps to the end.
// First order (D = x0_i) in the first step and in the last, which goes to noise 0: there x = x0.
#include "core/diffusion/sampler_loop.h"
#include <cmath>

namespace voxlab {
namespace {

class DpmSolverSampler : public Sampler {
public:
  std::vector<int> timesteps(const Schedule& schedule, int steps) const override { return visitedTimesteps(schedule, steps); }

protected:
  static double lambda(double abar) { return 0.5 * std::log(abar / (1.0 - abar)); }

  Weights weights(const Loop& loop, int i) const override {
    Weights w = implicitWeights(loop, i);
    if (i == 0 || i + 1 == loop.count())
      return w;
    const double h = lambda(loop.abar(i + 1)) - lambda(loop.abar(i));
    const double half = 0.5 * h / (lambda(loop.abar(i)) - lambda(loop.abar(i - 1))); // 1 / (2 r)
    w.before = -w.clean * half;
    w.clean *= 1.0 + half;
    return w;
  }
};

} // namespace

std::unique_ptr<Sampler> makeDpmSolverSampler() { return std::make_unique<DpmSolverSampler>(); }

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/schedule.h"
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace voxlab {
namespace {
// Unnormalised product of the alphas before step i.
double cosineCurve(int i, int timesteps) {
  constexpr double kOffset = 0.008;
  const double angle = (static_cast<double>(i) / timesteps + kOffset) / (1.0 + kOffset) * (std::numbers::pi / 2);
  return std::cos(angle) * std::cos(angle);
}
} // namespace

Schedule::Schedule(int steps) : timesteps(steps) {
  if (steps < 2)
    throw std::invalid_argument("A noise schedule needs at least 2 steps, not " + std::to_string(steps) + ".");
  double abar = 1.0;
  const double start = cosineCurve(0, steps);
  for (int t = 0; t < steps; ++t) {
    const double beta = std::clamp(1.0 - (cosineCurve(t + 1, steps) / start) / (cosineCurve(t, steps) / start), 0.0, 0.999);
    const double abarPrev = abar;
    abar *= 1.0 - beta;
    const double variance = beta * (1.0 - abarPrev) / (1.0 - abar);
    const double coef2 = (1.0 - abarPrev) * std::sqrt(1.0 - beta) / (1.0 - abar);
    betas.push_back(beta);
    alphasCumprod.push_back(abar);
    alphasCumprodPrev.push_back(abarPrev);
    sqrtAlphasCumprod.push_back(std::sqrt(abar));
    sqrtOneMinusAlphasCumprod.push_back(std::sqrt(1.0 - abar));
    logOneMinusAlphasCumprod.push_back(std::log(1.0 - abar));
    sqrtRecipAlphasCumprod.push_back(std::sqrt(1.0 / abar));
    sqrtRecipm1AlphasCumprod.push_back(std::sqrt(1.0 / abar - 1.0));
    posteriorVariance.push_back(variance);
    posteriorLogVarianceClipped.push_back(std::log(std::max(variance, 1e-20)));
    posteriorMeanCoef1.push_back(beta * std::sqrt(abarPrev) / (1.0 - abar));
    posteriorMeanCoef2.push_back(coef2);
    posteriorMeanCoef3.push_back(1.0 - coef2);
  }
}

std::vector<std::pair<std::string, const std::vector<double>*>> Schedule::vectors() const {
  return {{"betas", &betas},
          {"alphas_cumprod", &alphasCumprod},
          {"alphas_cumprod_prev", &alphasCumprodPrev},
          {"sqrt_alphas_cumprod", &sqrtAlphasCumprod},
          {"sqrt_one_minus_alphas_cumprod", &sqrtOneMinusAlphasCumprod},
          {"log_one_minus_alphas_cumprod", &logOneMinusAlphasCumprod},
          {"sqrt_recip_alphas_cumprod", &sqrtRecipAlphasCumprod},
          {"sqrt_recipm1_alphas_cumprod", &sqrtRecipm1AlphasCumprod},
          {"posterior_variance", &posteriorVariance},
          {"posterior_log_variance_clipped", &posteriorLogVarianceClipped},
          {"posterior_mean_coef1", &posteriorMeanCoef1},
          {"posterior_mean_coef2", &posteriorMeanCoef2},
          {"posterior_mean_coef3", &posteriorMeanCoef3}};
}

} // namespace voxlab

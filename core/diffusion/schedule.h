// SPDX-License-Identifier: Apache-2.0
// The cosine noise schedule (Nichol & Dhariwal, "Improved denoising diffusion probabilistic models", eq. 17, s = 0.008,
// beta limited to 0.999), in float64. Index t = 0 … T - 1.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace voxlab {

struct Schedule {
  explicit Schedule(int timesteps); // 2 or more; throws std::invalid_argument otherwise

  int timesteps;
  std::vector<double> betas, alphasCumprod, alphasCumprodPrev, sqrtAlphasCumprod, sqrtOneMinusAlphasCumprod, logOneMinusAlphasCumprod,
      sqrtRecipAlphasCumprod, sqrtRecipm1AlphasCumprod, posteriorVariance, posteriorLogVarianceClipped, posteriorMeanCoef1,
      posteriorMeanCoef2, posteriorMeanCoef3;

  // The 13 vectors under their names in checkpoints, in checkpoint order.
  std::vector<std::pair<std::string, const std::vector<double>*>> vectors() const;
};

} // namespace voxlab

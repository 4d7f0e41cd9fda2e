// SPDX-License-Identifier: Apache-2.0
// The spread norm against LibTorch's own in double, for any device.
#pragma once
#include "core/diffusion/random.h"
#include "core/diffusion/noise.h"
#include "core/diffusion/spread_norm.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/group_norm.h>
#include <gtest/gtest.h>

namespace voxlab {

inline double normDifference(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor reference = b.to(at::kCPU, at::kDouble);
  return ((a.to(at::kCPU, at::kDouble) - reference).norm() / reference.norm()).item<double>();
}

struct NormProblem {
  std::vector<std::int64_t> sizes;
  at::ScalarType type = at::kFloat;
  at::MemoryFormat layout = at::MemoryFormat::Contiguous;
  double mean = 0; // of x; deviation 1
};

// Result and all gradients; tolerances are a rounding to the type, and, for gradients in 16 bits, LibTorch's rounded statistics.
inline void checkSpreadNorm(const NormProblem& p, c10::Device device) {
  SCOPED_TRACE(testing::Message() << p.sizes[0] << " volumes, " << p.sizes[1] << " channels, side " << p.sizes[2] << ", " << p.type << ", " << p.layout << ", mean " << p.mean);
  const auto random = [&](std::uint32_t step, const std::vector<std::int64_t>& sizes) {
    std::vector<RandomKey> keys;
    for (std::int64_t n = 0; n < sizes[0]; ++n)
      keys.push_back({5, Purpose::Evaluation, static_cast<std::uint32_t>(n), step});
    return normalNoise(sizes, keys, at::kCPU);
  };
  const std::int64_t channels = p.sizes[1];
  const at::Tensor x = (random(0, p.sizes) + p.mean).to(p.type), dy = random(1, p.sizes).to(p.type);
  const at::Tensor gamma = random(2, {1, channels, 1, 1, 1}).flatten() + 1, beta = random(3, {1, channels, 1, 1, 1}).flatten();
  const auto leaf = [](const at::Tensor& t) { return t.detach().clone().requires_grad_(); };
  const at::Tensor x0 = leaf(x.to(at::kDouble)), gamma0 = leaf(gamma.to(at::kDouble)), beta0 = leaf(beta.to(at::kDouble));
  const at::Tensor expected = at::group_norm(x0, 32, gamma0, beta0, 1e-5);
  expected.backward(dy.to(at::kDouble));

  const at::Tensor x1 = x.to(device).contiguous(p.layout).requires_grad_(), gamma1 = leaf(gamma.to(device)), beta1 = leaf(beta.to(device));
  ASSERT_TRUE(spreadNormServes(x1, 32, 1));
  const at::Tensor y = spreadGroupNorm(x1, 32, gamma1, beta1, 1e-5);
  EXPECT_EQ(y.scalar_type(), p.type);
  EXPECT_TRUE(y.is_contiguous(p.layout));
  y.backward(dy.to(device));
  const double rounding = p.type == at::kFloat ? 2e-6 : p.type == at::kHalf ? 5e-4 : 4e-3;
  const double cancellation = p.type == at::kFloat ? std::max(1.0, p.mean / 4) : 1;
  EXPECT_LT(normDifference(y, expected), rounding * cancellation);
  EXPECT_LT(normDifference(beta1.grad(), beta0.grad()), rounding);
  if (p.mean != 0 && p.type != at::kFloat)
    return; // LibTorch's backward pass takes the mean in 16 bits
  EXPECT_LT(normDifference(x1.grad(), x0.grad()), 2 * rounding * cancellation);
  EXPECT_LT(normDifference(gamma1.grad(), gamma0.grad()), 2 * rounding * cancellation);
}

inline void checkSpreadNorms(c10::Device device) {
  for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf})
    for (const double mean : {0.0, 100.0}) {
      checkSpreadNorm({{1, 64, 16, 16, 16}, type, at::MemoryFormat::Contiguous, mean}, device);
      checkSpreadNorm({{1, 96, 8, 12, 16}, type, at::MemoryFormat::ChannelsLast3d, mean}, device);
      checkSpreadNorm({{2, 32, 5, 7, 9}, type, at::MemoryFormat::Contiguous, mean}, device);
      checkSpreadNorm({{1, 64, 3, 1, 2}, type, at::MemoryFormat::ChannelsLast3d, mean}, device);
    }
}

} // namespace voxlab

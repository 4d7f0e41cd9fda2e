// SPDX-License-Identifier: Apache-2.0
// Results and gradients are compared in parity/spread_norm_test.cpp, and on a GPU.
#include "core/diffusion/spread_norm.h"
#include "core/diffusion/autocast.h"
#include "core/diffusion/block_ops.h"
#include "core/diffusion/noise.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

namespace voxlab {
namespace {

TEST(SpreadNorm, ServesLargeDenseVolumes) {
  const at::Tensor large = at::zeros({1, 32, 64, 64, 32}), two = at::zeros({2, 32, 64, 64, 32});
  EXPECT_TRUE(spreadNormServes(large, 32));
  EXPECT_TRUE(spreadNormServes(large.flatten(2), 32)) << "attention's volumes are flat";
  EXPECT_TRUE(spreadNormServes(two, 32));
  EXPECT_TRUE(spreadNormServes(large.contiguous(at::MemoryFormat::ChannelsLast3d), 32));
  EXPECT_FALSE(spreadNormServes(two.contiguous(at::MemoryFormat::ChannelsLast3d), 32)) << "channels are no rows of several volumes there";
  EXPECT_FALSE(spreadNormServes(large.slice(4, 0, 16), 32));
  EXPECT_FALSE(spreadNormServes(large.transpose(3, 4), 32));
  EXPECT_FALSE(spreadNormServes(at::zeros({1, 32, 32, 32, 32}), 32)) << "small enough for a block a group";
  EXPECT_THROW(spreadGroupNorm(large, 24, at::ones({32}), at::zeros({32}), 1e-5), c10::Error);
  EXPECT_THROW(spreadGroupNorm(large.transpose(3, 4), 32, at::ones({32}), at::zeros({32}), 1e-5), c10::Error);
}

TEST(SpreadNorm, BlocksUseItWhereTheyAreTold) {
  BlockOptions options;
  options.norm = NormKind::Spread;
  const NormLayer layer{"norm", at::ones({32}) * 2, at::ones({32})};
  const at::Tensor x = normalNoise({1, 32, 64, 64, 32}, {{5, Purpose::Evaluation, 0, 0}}, at::kCPU);
  const at::Tensor own = BlockOps(options).norm(x, layer), plain = BlockOps().norm(x, layer);
  EXPECT_LT(((own - plain).norm() / plain.norm()).item<double>(), 1e-6);
  EXPECT_FALSE(own.equal(plain)) << "the sums have another order";
  const AutocastScope autocast({at::kCPU, at::kBFloat16});
  for (const BlockOps& ops : {BlockOps(options), BlockOps()})
    EXPECT_EQ(ops.norm(x.to(at::kBFloat16), layer).scalar_type(), at::kBFloat16) << "stored like its input, as published";
}

} // namespace
} // namespace voxlab

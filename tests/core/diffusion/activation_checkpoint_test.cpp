// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/activation_checkpoint.h"
#include "core/diffusion/autocast.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/sin.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

namespace voxlab {
namespace {

at::Tensor leaf(double value) { return (at::ones({3, 3}) * value).requires_grad_(true); }

TEST(ActivationCheckpoint, GradientsOfInputsAndParameters) {
  int calls = 0;
  const at::Tensor x = leaf(0.5), w = leaf(0.25);
  const Recomputable function = [&](const std::vector<at::Tensor>& in) {
    ++calls;
    EXPECT_FALSE(in[1].defined());
    return at::sin(at::matmul(in[0], w)) + in[2];
  };
  const at::Tensor plain = function({x, {}, x}).sum();
  const auto expected = torch::autograd::grad({plain}, {x, w});
  calls = 0;
  const at::Tensor again = recomputed(function, {x, {}, x}, {w}).sum();
  EXPECT_EQ(calls, 1);
  const auto found = torch::autograd::grad({again}, {x, w});
  EXPECT_EQ(calls, 2);
  EXPECT_TRUE(at::equal(again, plain));
  EXPECT_TRUE(at::allclose(found[0], expected[0], 1e-6));
  EXPECT_TRUE(at::equal(found[1], expected[1]));
}

TEST(ActivationCheckpoint, AccumulatesIntoLeaves) {
  const at::Tensor x = leaf(0.5), w = leaf(0.25);
  for (int i = 0; i < 2; ++i)
    torch::autograd::backward({recomputed([&](const std::vector<at::Tensor>& in) { return at::matmul(in[0], w); }, {x}, {w}).sum()});
  EXPECT_TRUE(at::allclose(w.grad(), at::ones({3, 3}) * 3.0));
}

TEST(ActivationCheckpoint, InputsWithoutGradientsAreFine) {
  const at::Tensor x = at::ones({3, 3}), w = leaf(2);
  const at::Tensor y = recomputed([&](const std::vector<at::Tensor>& in) { return in[0] * w; }, {x}, {w});
  EXPECT_TRUE(at::equal(torch::autograd::grad({y.sum()}, {w})[0], x));
}

TEST(ActivationCheckpoint, RestoresAutocastForTheSecondComputation) {
  const at::Tensor x = leaf(0.5), w = leaf(0.25);
  std::vector<at::ScalarType> types;
  at::Tensor y;
  {
    const AutocastScope scope({at::kCPU, at::kBFloat16});
    y = recomputed(
        [&](const std::vector<at::Tensor>& in) {
          const at::Tensor product = at::matmul(in[0], w);
          types.push_back(product.scalar_type());
          return product;
        },
        {x}, {w});
  }
  EXPECT_FALSE(AutocastState::current(at::kCPU).type);
  torch::autograd::backward({y.sum()});
  EXPECT_EQ(types, (std::vector<at::ScalarType>{at::kBFloat16, at::kBFloat16}));
  EXPECT_FALSE(AutocastState::current(at::kCPU).type);
}

TEST(ActivationCheckpoint, IsAPlainCallWithoutGradients) {
  const c10::AutoGradMode noGradient(false);
  const at::Tensor w = leaf(2);
  EXPECT_FALSE(recomputed([&](const std::vector<at::Tensor>& in) { return in[0] * w; }, {at::ones({2, 3, 3})}, {w}).requires_grad());
}

TEST(Autocast, ScopesNest) {
  const AutocastScope outer({at::kCPU, at::kBFloat16});
  {
    const AutocastScope inner({at::kCPU, at::kHalf});
    EXPECT_EQ(AutocastState::current(at::kCPU).type, at::kHalf);
    const AutocastScope off({at::kCPU, std::nullopt});
    EXPECT_FALSE(AutocastState::current(at::kCPU).type);
  }
  EXPECT_EQ(AutocastState::current(at::kCPU).type, at::kBFloat16);
}

} // namespace
} // namespace voxlab

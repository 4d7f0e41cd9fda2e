// SPDX-License-Identifier: Apache-2.0
// The whole network on the fused kernels' CPU references against plain ATen operations, outputs and gradients.
#include "core/diffusion/noise.h"
#include "core/diffusion/parameter_layout.h"
#include "core/execution/eager_backend.h"
#include "tests/support/tiny_network.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

namespace voxlab {
namespace {

struct Inputs {
  at::Tensor x = normalNoise({2, 1, 8, 4, 6}, {{1, Purpose::InitialNoise, 0, 0}, {1, Purpose::InitialNoise, 1, 0}}, at::kCPU);
  at::Tensor condition = at::ones({2, 2, 8, 4, 6});
  at::Tensor timesteps = at::tensor({3, 200}, at::kLong);
};

double difference(const at::Tensor& a, const at::Tensor& b) { return ((a - b).norm() / b.norm()).item<double>(); }

at::Tensor predict(const std::string& mode, BackendUse use = BackendUse::Inference) {
  const auto parsed = parseMode(mode);
  const Inputs in;
  const c10::AutoGradMode noGradient(false);
  const NamedTensors weights = placeParameters(randomWeights(tinyNetwork(), 7), parsed->switches, at::kCPU);
  EagerBackend backend(tinyNetwork(), weights, parsed->switches, use);
  backend.predict(in.x * 2, in.condition, in.timesteps); // what it remembers of one call must not reach the next
  return backend.predict(in.x, in.condition, in.timesteps);
}

TEST(FusedOps, TheNetworkIsTheSame) {
  const at::Tensor baseline = predict("baseline");
  EXPECT_LT(difference(predict("baseline+fused"), baseline), 5e-6);
  EXPECT_LT(difference(predict("baseline+fused", BackendUse::Training), baseline), 5e-6);
  EXPECT_LT(difference(predict("fused_bf16"), baseline), 4e-2);
  EXPECT_LT(difference(predict("fused_fp16"), baseline), 8e-3);
}

TEST(FusedOps, EveryPartCanBeTurnedOffAlone) {
  const at::Tensor baseline = predict("baseline");
  for (const char* part : {"stem", "convolution", "residual", "attention", "upsample", "head"})
    EXPECT_LT(difference(predict(std::string("baseline+fused+unfused_") + part), baseline), 5e-6) << part;
  EXPECT_LT(difference(predict("fused_bf16+unfused_stem+unfused_convolution+unfused_residual+unfused_attention+unfused_upsample+unfused_head"), baseline), 4e-2);
}

std::vector<at::Tensor> gradients(const std::string& mode) {
  const auto parsed = parseMode(mode);
  const Inputs in;
  const NamedTensors weights = placeParameters(randomWeights(tinyNetwork(), 7), parsed->switches, at::kCPU);
  for (const NamedTensor& w : weights)
    at::Tensor(w.tensor).requires_grad_(true);
  EagerBackend backend(tinyNetwork(), weights, parsed->switches, BackendUse::Training);
  return torch::autograd::grad({backend.predict(in.x, in.condition, in.timesteps).square().mean()}, tensorsOf(weights));
}

void expectSameGradients(const std::string& mode, const std::vector<at::Tensor>& expected, double tolerance) {
  const auto layout = parameterLayout(tinyNetwork());
  const auto list = gradients(mode);
  double total = 0;
  for (const at::Tensor& g : expected)
    total += g.square().sum().item<double>();
  for (std::size_t i = 0; i < list.size(); ++i) {
    ASSERT_EQ(list[i].sizes(), expected[i].sizes()) << layout[i].name;
    EXPECT_EQ(list[i].scalar_type(), at::kFloat) << layout[i].name;
    // Some gradients are zero but for rounding (a constant before a norm of single channels), so errors count against all of them too.
    const double allowed = tolerance * (expected[i].norm().item<double>() + 0.01 * std::sqrt(total));
    EXPECT_LE((list[i] - expected[i]).norm().item<double>(), allowed) << mode << " " << layout[i].name;
  }
}

TEST(FusedOps, GradientsAreTheSame) {
  const auto expected = gradients("baseline");
  expectSameGradients("baseline+fused", expected, 1e-4);
  expectSameGradients("baseline+fused+unfused_stem+unfused_residual+unfused_upsample", expected, 1e-4);
  expectSameGradients("baseline+fused+unfused_convolution+unfused_attention+unfused_head", expected, 1e-4);
  expectSameGradients("baseline+fused+checkpoint_0+checkpoint_1", expected, 1e-4);
  expectSameGradients("fused_bf16", expected, 0.1);
}

} // namespace
} // namespace voxlab

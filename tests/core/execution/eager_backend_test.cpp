// SPDX-License-Identifier: Apache-2.0
#include "core/execution/eager_backend.h"
#include "core/diffusion/noise.h"
#include "core/diffusion/parameter_layout.h"
#include "tests/support/tiny_network.h"
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <c10/core/GradMode.h>
#include <cmath>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

namespace voxlab {
namespace {

// Tensors are tiny here: more threads would only wait for each other.
const bool kOneThread = [] {
  at::set_num_threads(1);
  return true;
}();

struct Inputs {
  at::Tensor x = normalNoise({2, 1, 8, 4, 6}, {{1, Purpose::InitialNoise, 0, 0}, {1, Purpose::InitialNoise, 1, 0}}, at::kCPU);
  at::Tensor condition = at::ones({2, 2, 8, 4, 6});
  at::Tensor timesteps = at::tensor({3, 200}, at::kLong);
};

at::Tensor predict(const std::string& mode, BackendUse use, Determinism determinism = Determinism::Off) {
  const auto parsed = parseMode(mode);
  const Inputs in;
  const c10::AutoGradMode noGradient(false);
  const NamedTensors weights = placeParameters(randomWeights(tinyNetwork(), 7), parsed->switches, at::kCPU);
  return EagerBackend(tinyNetwork(), weights, parsed->switches, use, determinism).predict(in.x, in.condition, in.timesteps);
}

double difference(const at::Tensor& a, const at::Tensor& b) { return ((a - b).norm() / b.norm()).item<double>(); }

TEST(EagerBackend, ModesAgreeWithinTheirPrecision) {
  const at::Tensor baseline = predict("baseline", BackendUse::Inference);
  EXPECT_GT(baseline.abs().max().item<double>(), 0.01);
  EXPECT_LT(difference(predict("opt2", BackendUse::Inference), baseline), 5e-6);
  EXPECT_LT(difference(predict("baseline+flash_attention", BackendUse::Inference), baseline), 5e-6);
  EXPECT_LT(difference(predict("baseline", BackendUse::Inference, Determinism::On), baseline), 5e-6);
  for (const char* mode : {"bf16", "bf16_channels_last", "bf16_stored", "bf16+stored"}) {
    const at::Tensor result = predict(mode, BackendUse::Inference);
    EXPECT_EQ(result.scalar_type(), at::kFloat);
    EXPECT_LT(difference(result, baseline), 4e-2) << mode;
    EXPECT_GT(difference(result, baseline), 1e-5) << mode << " does not compute in 16 bits";
  }
  EXPECT_LT(difference(predict("fp16", BackendUse::Inference), baseline), 8e-3);
}

TEST(EagerBackend, InferenceCopiesChangeNothing) {
  for (const char* mode : {"baseline", "bf16", "bf16_stored", "opt2"})
    EXPECT_TRUE(at::equal(predict(mode, BackendUse::Inference), predict(mode, BackendUse::Training))) << mode;
}

TEST(EagerBackend, RepeatsBitForBit) {
  EXPECT_TRUE(at::equal(predict("bf16", BackendUse::Inference), predict("bf16", BackendUse::Inference)));
}

// Gradients of the mean square of the output.
std::vector<at::Tensor> gradients(const std::string& mode, const Inputs& in = {}) {
  const auto parsed = parseMode(mode);
  const NamedTensors weights = placeParameters(randomWeights(tinyNetwork(), 7), parsed->switches, at::kCPU);
  for (const NamedTensor& w : weights)
    at::Tensor(w.tensor).requires_grad_(true);
  EagerBackend backend(tinyNetwork(), weights, parsed->switches, BackendUse::Training);
  const at::Tensor loss = backend.predict(in.x, in.condition, in.timesteps).square().mean();
  return torch::autograd::grad({loss}, tensorsOf(weights));
}

// Where a tensor is used twice, its gradients are added in another order: equal up to rounding.
double gradientDifference(const std::string& mode) {
  const auto plain = gradients(mode), again = gradients(mode + "+checkpoint_0+checkpoint_1");
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    difference += std::pow((plain[i] - again[i]).norm().item<double>(), 2);
    norm += std::pow(plain[i].norm().item<double>(), 2);
  }
  return std::sqrt(difference / norm);
}

TEST(EagerBackend, RecomputationChangesNoGradient) {
  EXPECT_LT(gradientDifference("baseline"), 1e-5);
  EXPECT_LT(gradientDifference("bf16"), 5e-3);
}

TEST(EagerBackend, GradientsReachEveryWeightInEveryMode) {
  const auto layout = parameterLayout(tinyNetwork());
  for (const char* mode : {"opt2", "bf16", "bf16_stored+channels_last"}) {
    const auto list = gradients(mode);
    for (std::size_t i = 0; i < list.size(); ++i) {
      EXPECT_EQ(list[i].scalar_type(), at::kFloat);
      EXPECT_GT(list[i].abs().max().item<double>(), 0) << mode << " " << layout[i].name;
    }
  }
}

// LibTorch's BF16 weight gradients of volumes two voxels deep come from memory that nobody wrote.
TEST(EagerBackend, GradientsOfSmallVolumesAreTheirs) {
  Inputs in;
  for (at::Tensor* t : {&in.x, &in.condition})
    *t = t->slice(2, 0, 4).slice(3, 0, 4).slice(4, 0, 4).contiguous(); // two voxels a side at the second level
  const auto expected = gradients("baseline", in);
  for (const char* mode : {"bf16", "bf16_stored", "bf16_channels_last", "fused_bf16"}) {
    const auto found = gradients(mode, in);
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      difference += std::pow((found[i] - expected[i]).norm().item<double>(), 2);
      norm += std::pow(expected[i].norm().item<double>(), 2);
    }
    EXPECT_LT(std::sqrt(difference / norm), 0.1) << mode; // NaN fails
  }
}

TEST(EagerBackend, PlacedParametersAreCopiesInTheModesLayout) {
  const NamedTensors weights = randomWeights(tinyNetwork(), 7);
  const NamedTensors placed = placeParameters(weights, parseMode("opt2")->switches, at::kCPU);
  const at::Tensor& convolution = *findTensor(placed, "input_blocks.1.0.in_layers.2.weight");
  EXPECT_TRUE(convolution.is_contiguous(at::MemoryFormat::ChannelsLast3d));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_TRUE(at::equal(placed[i].tensor, weights[i].tensor));
    EXPECT_FALSE(placed[i].tensor.is_alias_of(weights[i].tensor)) << weights[i].name;
  }
}

TEST(EagerBackend, SizesThatDoNotFitAreNamed) {
  const NamedTensors weights = randomWeights(tinyNetwork(), 7);
  EagerBackend backend(tinyNetwork(), weights, {}, BackendUse::Inference);
  try {
    backend.predict(at::ones({1, 1, 8, 8, 7}), at::ones({1, 2, 8, 8, 7}), at::tensor({1}, at::kLong));
    FAIL();
  } catch (const c10::Error& e) {
    EXPECT_NE(std::string(e.msg()).find("multiple of 2"), std::string::npos) << e.msg();
  }
}

} // namespace
} // namespace voxlab

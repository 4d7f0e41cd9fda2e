// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/unet.h"
#include "core/diffusion/noise.h"
#include "core/diffusion/parameter_layout.h"
#include "core/diffusion/process.h"
#include "tests/support/tiny_network.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/upsample_trilinear3d.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>
#include <set>
#include <torch/csrc/autograd/autograd.h>

namespace voxlab {
namespace {

at::Tensor input(std::int64_t volumes = 1) {
  std::vector<RandomKey> keys;
  for (std::int64_t n = 0; n < volumes; ++n)
    keys.push_back({3, Purpose::Evaluation, static_cast<std::uint32_t>(n), 0});
  return normalNoise({volumes, 3, 4, 6, 8}, keys, at::kCPU);
}

TEST(ParameterLayout, OfThePublishedNetworks) {
  EXPECT_EQ(parameterCount(NetworkSpec()), 40226433);
  EXPECT_EQ(parameterLayout(NetworkSpec()).size(), 246u);
  NetworkSpec brats;
  brats.imageChannels = brats.conditionChannels = 4;
  brats.residualBlocks = 2;
  brats.attentionFactors = {12}; // as the published program has it: never reached
  EXPECT_EQ(parameterCount(brats), 57562564);
  EXPECT_EQ(parameterLayout(brats).size(), 338u);
}

TEST(ParameterLayout, NamesAreUnique) {
  std::set<std::string> names;
  for (const ParameterInfo& info : parameterLayout(NetworkSpec()))
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
}

TEST(InitialWeights, FollowPyTorchsLayersAndTheSeed) {
  const NamedTensors weights = initialWeights(tinyNetwork(), 1);
  const at::Tensor& stem = *findTensor(weights, "input_blocks.0.0.weight");
  const double bound = 1 / std::sqrt(3 * 27.0);
  EXPECT_LE(stem.abs().max().item<double>(), bound);
  EXPECT_NEAR(stem.std().item<double>(), bound / std::sqrt(3.0), 0.05 * bound);
  EXPECT_NEAR(stem.mean().item<double>(), 0, 0.05 * bound);
  EXPECT_LE(findTensor(weights, "input_blocks.0.0.bias")->abs().max().item<double>(), bound);
  EXPECT_TRUE(at::equal(*findTensor(weights, "out.0.weight"), at::ones({32})));
  for (const char* zero : {"out.2.weight", "out.2.bias", "middle_block.1.proj_out.weight", "input_blocks.1.0.out_layers.3.weight"})
    EXPECT_EQ(findTensor(weights, zero)->abs().max().item<double>(), 0) << zero;
  EXPECT_TRUE(at::equal(stem, *findTensor(initialWeights(tinyNetwork(), 1), "input_blocks.0.0.weight")));
  EXPECT_FALSE(at::equal(stem, *findTensor(initialWeights(tinyNetwork(), 2), "input_blocks.0.0.weight")));
}

TEST(InitialWeights, AFreshNetworkPredictsZeroAndLosesWhatANormalHas) {
  const c10::AutoGradMode noGradient(false);
  const UNet network(tinyNetwork(), initialWeights(tinyNetwork(), 1));
  const at::Tensor output = network.forward(input(), at::tensor({9}, at::kLong));
  EXPECT_TRUE(at::equal(output, at::zeros({1, 1, 4, 6, 8})));
  const at::Tensor noise = normalNoise({1, 1, 64, 64, 64}, {{1, Purpose::TrainingNoise, 0, 0}}, at::kCPU);
  EXPECT_NEAR(diffusionLoss(LossKind::L1, at::zeros_like(noise), noise).item<double>(), 0.798, 0.005);
  EXPECT_NEAR(diffusionLoss(LossKind::L2, at::zeros_like(noise), noise).item<double>(), 1.0, 0.015);
  EXPECT_THROW(diffusionLoss(LossKind::Unknown, noise, noise), c10::Error);
}

TEST(UNet, VolumesOfABatchDoNotSeeEachOther) {
  const c10::AutoGradMode noGradient(false);
  const UNet network(tinyNetwork(), randomWeights(tinyNetwork(), 1));
  const at::Tensor x = input(2), t = at::tensor({9, 200}, at::kLong);
  const at::Tensor both = network.forward(x, t);
  for (std::int64_t n = 0; n < 2; ++n) {
    const at::Tensor alone = network.forward(x.narrow(0, n, 1), t.narrow(0, n, 1));
    EXPECT_LT((both.narrow(0, n, 1) - alone).abs().max().item<double>(), 1e-5);
  }
  EXPECT_GT((both[0] - both[1]).abs().max().item<double>(), 1e-2);
}

TEST(UNet, NamesWhatDoesNotFit) {
  const auto message = [](const NetworkSpec& spec, const NamedTensors& weights) {
    try {
      const UNet network(spec, weights);
    } catch (const c10::Error& e) {
      return std::string(e.msg());
    }
    return std::string();
  };
  NamedTensors weights = initialWeights(tinyNetwork(), 1);
  EXPECT_EQ(message(tinyNetwork(), weights), "");
  NamedTensors missing = weights;
  missing.erase(missing.begin() + 5);
  EXPECT_NE(message(tinyNetwork(), missing).find(weights[5].name), std::string::npos);
  NamedTensors surplus = weights;
  surplus.push_back({"stranger", at::ones({1})});
  EXPECT_NE(message(tinyNetwork(), surplus).find("stranger"), std::string::npos);
  NamedTensors shape = weights;
  shape[0].tensor = at::ones({2, 2});
  EXPECT_NE(message(tinyNetwork(), shape).find(weights[0].name), std::string::npos);
  NamedTensors twice = weights;
  twice.push_back(weights[0]);
  EXPECT_NE(message(tinyNetwork(), twice).find("twice"), std::string::npos);
}

TEST(UNet, RefusesInputsThatDoNotFit) {
  const UNet network(tinyNetwork(), initialWeights(tinyNetwork(), 1));
  const at::Tensor t = at::tensor({1}, at::kLong);
  EXPECT_THROW(network.forward(at::ones({1, 2, 4, 4, 4}), t), c10::Error);
  EXPECT_THROW(network.forward(at::ones({1, 3, 4, 4, 5}), t), c10::Error);
  EXPECT_THROW(network.forward(at::ones({1, 3, 4, 4}), t), c10::Error);
  EXPECT_THROW(network.forward(at::ones({2, 3, 4, 4, 4}), t), c10::Error);
  EXPECT_THROW(network.forward(at::ones({1, 3, 0, 4, 4}), t), c10::Error);
}

TEST(InferNetworkSpec, FindsManyShapes) {
  for (const std::vector<double>& multipliers : {std::vector<double>{1}, {1, 2}, {0.5, 1, 2}, {1, 1, 2, 3}})
    for (const int blocks : {1, 2})
      for (const std::vector<int>& attention : {std::vector<int>{}, {1}, {2}, {1, 2}}) {
        NetworkSpec spec;
        spec.imageChannels = 2;
        spec.conditionChannels = 3;
        spec.baseChannels = 64;
        spec.multipliers = multipliers;
        spec.residualBlocks = blocks;
        spec.attentionFactors = attention;
        NamedTensors shapes;
        for (const ParameterInfo& info : parameterLayout(spec))
          shapes.push_back({info.name, at::empty(info.shape)});
        const auto inferred = inferNetworkSpec(shapes);
        ASSERT_TRUE(inferred) << inferred.error().message;
        std::erase_if(spec.attentionFactors, [&](int f) { return f > spec.sizeMultiple(); });
        EXPECT_EQ(toJson(*inferred), toJson(spec));
      }
}

TEST(InferNetworkSpec, SaysWhatIsWrong) {
  NamedTensors weights = initialWeights(tinyNetwork(), 1);
  EXPECT_FALSE(inferNetworkSpec({}));
  EXPECT_FALSE(inferNetworkSpec({{"fc.weight", at::ones({3, 3})}}));
  NamedTensors odd = weights;
  odd.push_back({"extra.weight", at::ones({3, 3})});
  const auto result = inferNetworkSpec(odd);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ExitCode::Data);
  EXPECT_NE(result.error().message.find("extra.weight"), std::string::npos);
  weights.erase(weights.begin() + 20);
  EXPECT_FALSE(inferNetworkSpec(weights));
}

TEST(Upsample, GatherFormEqualsTrilinear) {
  for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{1, 1, 1, 1, 1}, {2, 3, 1, 5, 2}, {1, 4, 4, 3, 7}}) {
    const at::Tensor x = at::randn(shape).requires_grad_(true);
    const at::Tensor plain = at::upsample_trilinear3d(x, {2 * shape[2], 2 * shape[3], 2 * shape[4]}, false, 2.0, 2.0, 2.0);
    const at::Tensor gather = upsampleByGather(x);
    EXPECT_LT((plain - gather).abs().max().item<double>(), 1e-6);
    const at::Tensor weight = at::randn(plain.sizes());
    const at::Tensor a = torch::autograd::grad({(plain * weight).sum()}, {x})[0], b = torch::autograd::grad({(gather * weight).sum()}, {x})[0];
    EXPECT_LT((a - b).abs().max().item<double>(), 1e-5);
  }
}

TEST(Process, NoisesEachVolumeByItsOwnStep) {
  const DiffusionProcess process(100, at::kCPU);
  const at::Tensor x0 = at::ones({2, 1, 2, 2, 2}), noise = at::ones({2, 1, 2, 2, 2}) * 2.0;
  const at::Tensor x = process.noised(x0, at::tensor({0, 99}, at::kLong), noise);
  const Schedule& s = process.schedule();
  EXPECT_NEAR(x[0].max().item<double>(), s.sqrtAlphasCumprod[0] + 2 * s.sqrtOneMinusAlphasCumprod[0], 1e-6);
  EXPECT_NEAR(x[1].max().item<double>(), s.sqrtAlphasCumprod[99] + 2 * s.sqrtOneMinusAlphasCumprod[99], 1e-6);
  EXPECT_THROW(Schedule(1), std::invalid_argument);
}

} // namespace
} // namespace voxlab

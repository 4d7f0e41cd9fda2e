// SPDX-License-Identifier: Apache-2.0
#include "tests/core/kernels/layer_checks.h"
#include "core/kernels/fused_layers.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conv3d.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/group_norm.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/randn_like.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/upsample_trilinear3d.h>
#include <c10/core/GradMode.h>
#include <c10/util/irange.h>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <torch/csrc/autograd/autograd.h>

namespace voxlab {
namespace {

using Tensors = std::vector<at::Tensor>;
using Layer = std::function<at::Tensor(const Tensors&)>; // of leaves
using fused::Activate;
using fused::ConvolutionEngine;

constexpr auto kLast = at::MemoryFormat::ChannelsLast3d;
constexpr double kEpsilon = 1e-5;

struct Place {
  c10::Device device;
  at::ScalarType type;
};

// Rounding to the storage type, some times; products of float32 volumes may be TF32's on a GPU.
double tolerance(const Place& place) {
  switch (place.type) {
  case at::kBFloat16: return 2e-2;
  case at::kHalf: return 3e-3;
  default: return place.device.is_cuda() ? 2e-3 : 2e-5;
  }
}

at::Tensor randomDoubles(at::IntArrayRef sizes, double scale = 1, double mean = 0) { return at::randn(sizes, at::kDouble) * scale + mean; }

// Leaves as the fused layers take them: volumes (five dimensions, more than eight channels) of the storage type, channels last;
// parameters float32.
enum class Kind { Volume, Narrow, Parameter };
struct Leaf {
  at::Tensor value; // double, rounded to what is stored
  Kind kind = Kind::Parameter;
};
Leaf volume(const Place& place, at::IntArrayRef sizes) { return {randomDoubles(sizes).to(place.type).to(at::kDouble), Kind::Volume}; }
Leaf parameter(at::IntArrayRef sizes, double scale, double mean = 0) { return {randomDoubles(sizes, scale, mean).to(at::kFloat).to(at::kDouble), Kind::Parameter}; }
// A convolution's weight, of values that every storage type has.
Leaf weightOf(std::int64_t outputs, std::int64_t inputs, std::int64_t kernel) {
  const double scale = 1 / std::sqrt(static_cast<double>(inputs * kernel * kernel * kernel));
  return {randomDoubles({outputs, inputs, kernel, kernel, kernel}, scale).to(at::kBFloat16).to(at::kDouble), Kind::Parameter};
}

at::Tensor placed(const Leaf& leaf, const Place& place) {
  const auto type = leaf.kind == Kind::Volume ? place.type : at::kFloat;
  const at::Tensor t = leaf.value.to(at::TensorOptions(type).device(place.device));
  return (leaf.kind == Kind::Parameter ? t.clone() : t.clone(kLast)).requires_grad_(true);
}

struct Outcome {
  at::Tensor result; // double on the CPU
  Tensors gradients;
};

Outcome evaluate(const Layer& layer, const Tensors& leaves, const at::Tensor& dy) {
  const at::Tensor y = layer(leaves);
  const Tensors gradients = torch::autograd::grad({y}, leaves, {dy.to(y.options())}, std::nullopt, false, true);
  Outcome outcome{y.detach().to(at::kCPU).to(at::kDouble), {}};
  for (const at::Tensor& g : gradients)
    outcome.gradients.push_back(g.defined() ? g.to(at::kCPU).to(at::kDouble) : at::Tensor());
  return outcome;
}

Outcome evaluateFused(const Layer& layer, const std::vector<Leaf>& leaves, const Place& place, const at::Tensor& dy) {
  Tensors list;
  for (const Leaf& leaf : leaves)
    list.push_back(placed(leaf, place));
  return evaluate(layer, list, dy);
}

double relative(const at::Tensor& a, const at::Tensor& b, double floor) { return ((a - b).norm().item<double>()) / (b.norm().item<double>() + floor); }

void expectSame(const std::string& name, const Place& place, const std::vector<Leaf>& leaves, const Layer& fusedLayer, const Layer& plainLayer) {
  SCOPED_TRACE(name);
  Tensors doubles;
  for (const Leaf& leaf : leaves)
    doubles.push_back(leaf.value.detach().clone().requires_grad_(true));
  at::Tensor dy;
  {
    const c10::AutoGradMode noGradient(false);
    dy = at::randn_like(plainLayer(doubles)).to(at::kBFloat16).to(at::kDouble);
  }
  const Outcome expected = evaluate(plainLayer, doubles, dy), found = evaluateFused(fusedLayer, leaves, place, dy);
  const double allowed = tolerance(place);
  EXPECT_LE(relative(found.result, expected.result, 1e-12), allowed) << "result";
  double most = 0; // a gradient that is zero but for rounding is judged by the others
  for (const at::Tensor& g : expected.gradients)
    most = std::max(most, g.norm().item<double>());
  for (const auto i : c10::irange(leaves.size())) {
    ASSERT_TRUE(found.gradients[i].defined()) << "leaf " << i;
    EXPECT_LE(relative(found.gradients[i], expected.gradients[i], 0.02 * most), allowed) << "gradient of leaf " << i;
  }
}

std::string words(const char* layer, at::IntArrayRef sizes) {
  std::string text = layer;
  for (const auto n : sizes)
    text += " " + std::to_string(n);
  return text;
}

// Every side and every width comes up, without all combinations.
const std::vector<std::vector<std::int64_t>>& volumeSizes() {
  static const std::vector<std::vector<std::int64_t>> sizes{{1, 32, 1, 1, 1}, {2, 64, 3, 5, 1}, {1, 96, 5, 3, 17}, {1, 320, 3, 1, 5}, {2, 512, 1, 3, 3}, {1, 64, 17, 5, 3}};
  return sizes;
}

Layer plainNorm(bool silu) {
  return [silu](const Tensors& t) {
    const at::Tensor y = at::group_norm(t[0], 32, t[1], t[2], kEpsilon);
    return silu ? at::silu(y) : y;
  };
}
Layer fusedNorm(bool silu) {
  return [silu](const Tensors& t) { return fused::normalise({t[0], {}}, {t[1], t[2], 32, kEpsilon}, silu ? Activate::SiLU : Activate::None); };
}
std::vector<Leaf> normLeaves(const Place& place, at::IntArrayRef sizes) {
  return {volume(place, sizes), parameter({sizes[1]}, 0.3, 1), parameter({sizes[1]}, 1)};
}

Layer plainConvolution(std::int64_t stride) {
  return [stride](const Tensors& t) { return at::conv3d(t[0], t[1], t[2], stride, t[1].size(2) / 2); };
}
Layer fusedConvolution(std::int64_t stride, ConvolutionEngine engine) {
  return [=](const Tensors& t) { return fused::convolve(t[0], {t[1], t[2]}, stride, engine).tensor; };
}

// x, x2 (0 channels: none) and the shift; norms, convolutions, and the 1³ convolution where the width changes.
struct Block {
  std::int64_t first = 64, second = 0, outputs = 64;
  bool through() const { return second > 0 || first != outputs; }
};
std::vector<Leaf> blockLeaves(const Place& place, const Block& b, at::IntArrayRef grid) {
  const auto sized = [&](std::int64_t channels) { return std::vector<std::int64_t>{grid[0], channels, grid[1], grid[2], grid[3]}; };
  const std::int64_t inputs = b.first + b.second;
  std::vector<Leaf> leaves{volume(place, sized(b.first)),     parameter({grid[0], b.outputs}, 0.5), parameter({inputs}, 0.3, 1),  parameter({inputs}, 0.5),
                           weightOf(b.outputs, inputs, 3),    parameter({b.outputs}, 0.5),          parameter({b.outputs}, 0.3, 1), parameter({b.outputs}, 0.5),
                           weightOf(b.outputs, b.outputs, 3), parameter({b.outputs}, 0.5)};
  if (b.through()) {
    leaves.push_back(weightOf(b.outputs, inputs, 1));
    leaves.push_back(parameter({b.outputs}, 0.5));
  }
  if (b.second > 0)
    leaves.push_back(volume(place, sized(b.second)));
  return leaves;
}
Layer plainBlock(const Block& b) {
  return [b](const Tensors& t) {
    const at::Tensor input = b.second > 0 ? at::cat({t[0], t[12]}, 1) : t[0];
    at::Tensor h = at::conv3d(at::silu(at::group_norm(input, 32, t[2], t[3], kEpsilon)), t[4], t[5], 1, 1);
    h = h + t[1].view({t[1].size(0), t[1].size(1), 1, 1, 1});
    h = at::conv3d(at::silu(at::group_norm(h, 32, t[6], t[7], kEpsilon)), t[8], t[9], 1, 1);
    return h + (b.through() ? at::conv3d(input, t[10], t[11]) : input);
  };
}
Layer fusedBlock(const Block& b, ConvolutionEngine engine) {
  return [=](const Tensors& t) {
    fused::Residual block{{t[2], t[3], 32, kEpsilon}, {t[4], t[5]}, {t[6], t[7], 32, kEpsilon}, {t[8], t[9]}, {}, engine};
    if (b.through())
      block.skip = fused::Convolution{t[10], t[11]};
    return fused::residual({t[0], {}}, b.second > 0 ? fused::Volume{t[12], {}} : fused::Volume{}, t[1], block).tensor;
  };
}

std::vector<Leaf> headLeaves(const Place& place, at::IntArrayRef sizes, std::int64_t outputs) {
  std::vector<Leaf> leaves = normLeaves(place, sizes);
  leaves.push_back(weightOf(outputs, sizes[1], 3));
  leaves.push_back(parameter({outputs}, 1));
  return leaves;
}
at::Tensor plainHead(const Tensors& t) { return at::conv3d(at::silu(at::group_norm(t[0], 32, t[1], t[2], kEpsilon)), t[3], t[4], 1, 1); }
at::Tensor fusedHead(const Tensors& t) { return fused::head({t[0], {}}, {t[1], t[2], 32, kEpsilon}, {t[3], t[4]}); }

} // namespace

void checkNormalisation(c10::Device device, at::ScalarType type) {
  const Place place{device, type};
  for (const auto& sizes : volumeSizes())
    for (const bool silu : {false, true})
      if (sizes[1] > 32 || sizes[2] * sizes[3] * sizes[4] > 1) // a norm of one value is 0, and its gradient too
        expectSame(words(silu ? "norm + SiLU" : "norm", sizes), place, normLeaves(place, sizes), fusedNorm(silu), plainNorm(silu));
}

void checkSumsAndUpsampling(c10::Device device, at::ScalarType type) {
  const Place place{device, type};
  for (const auto& sizes : volumeSizes()) {
    expectSame(words("sum", sizes), place, {volume(place, sizes), volume(place, sizes)}, [](const Tensors& t) { return fused::add(t[0], t[1]).tensor; },
               [](const Tensors& t) { return t[0] + t[1]; });
    expectSame(words("up-sampling", sizes), place, {volume(place, sizes)}, [](const Tensors& t) { return fused::upsample(t[0]); },
               [](const Tensors& t) { return at::upsample_trilinear3d(t[0], {2 * t[0].size(2), 2 * t[0].size(3), 2 * t[0].size(4)}, false, 2.0, 2.0, 2.0); });
  }
}

void checkConvolutions(c10::Device device, at::ScalarType type) {
  const Place place{device, type};
  for (const auto& sizes : volumeSizes())
    for (const std::int64_t outputs : {std::int64_t{32}, std::int64_t{64}, std::int64_t{128}}) {
      const auto leaves = [&](std::int64_t kernel) { return std::vector<Leaf>{volume(place, sizes), weightOf(outputs, sizes[1], kernel), parameter({outputs}, 1)}; };
      for (const ConvolutionEngine engine : {ConvolutionEngine::Own, ConvolutionEngine::LibTorch})
        expectSame(words("3³ convolution", sizes), place, leaves(3), fusedConvolution(1, engine), plainConvolution(1));
      expectSame(words("1³ convolution", sizes), place, leaves(1), fusedConvolution(1, ConvolutionEngine::Own), plainConvolution(1));
      expectSame(words("3³ convolution, stride 2", sizes), place, leaves(3), fusedConvolution(2, ConvolutionEngine::Own), plainConvolution(2));
    }
}

void checkNarrowLayers(c10::Device device, at::ScalarType type) {
  const Place place{device, type};
  for (const std::int64_t inputs : {1, 3, 8})
    for (const auto& sizes : volumeSizes()) {
      const Leaf x{randomDoubles({sizes[0], inputs, sizes[2], sizes[3], sizes[4]}).to(at::kFloat).to(at::kDouble), Kind::Narrow};
      expectSame(words("first layer", sizes) + " from " + std::to_string(inputs), place, {x, weightOf(sizes[1], inputs, 3), parameter({sizes[1]}, 1)},
                 [type](const Tensors& t) { return fused::stem(t[0], {t[1], t[2]}, type); }, plainConvolution(1));
    }
  for (const std::int64_t outputs : {1, 4})
    for (const auto& sizes : volumeSizes())
      if (sizes[1] > 32)
        expectSame(words("last layer", sizes) + " to " + std::to_string(outputs), place, headLeaves(place, sizes, outputs), fusedHead, plainHead);
}

void checkResidualBlocks(c10::Device device, at::ScalarType type) {
  const Place place{device, type};
  const Block blocks[] = {{64, 0, 64}, {32, 0, 64}, {64, 64, 64}, {96, 32, 64}, {128, 192, 128}};
  const std::vector<std::int64_t> grids[] = {{1, 3, 5, 1}, {2, 1, 3, 5}, {1, 17, 3, 5}};
  for (const Block& b : blocks)
    for (const auto& grid : grids)
      for (const ConvolutionEngine engine : {ConvolutionEngine::Own, ConvolutionEngine::LibTorch})
        expectSame(words("residual block", {b.first, b.second, b.outputs}) + words(" on", grid), place, blockLeaves(place, b, grid), fusedBlock(b, engine), plainBlock(b));
}

void checkNotFinite(c10::Device device, at::ScalarType type) {
  const Place place{device, type};
  const c10::AutoGradMode noGradient(false);
  for (const double value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    const auto expectSameHoles = [&](const char* name, const std::vector<Leaf>& leaves, const Layer& fusedLayer, const Layer& plainLayer) {
      Tensors own, plain;
      for (const Leaf& leaf : leaves) {
        own.push_back(placed(leaf, place).detach());
        plain.push_back(leaf.value);
      }
      const at::Tensor found = fusedLayer(own).to(at::kCPU), expected = plainLayer(plain);
      EXPECT_TRUE(at::equal(at::isfinite(found), at::isfinite(expected))) << name << " of " << value;
      EXPECT_GT(at::isfinite(expected).sum().item<std::int64_t>(), 0) << name << ": nothing is left to compare";
      EXPECT_LT(at::isfinite(expected).sum().item<std::int64_t>(), expected.numel()) << name;
    };
    const std::vector<std::int64_t> sizes{2, 64, 5, 6, 7};
    const auto poisoned = [&](std::vector<Leaf> leaves) {
      leaves[0].value[1][5][2][3][3] = value;
      return leaves;
    };
    expectSameHoles("norm + SiLU", poisoned(normLeaves(place, sizes)), fusedNorm(true), plainNorm(true));
    expectSameHoles("sum", poisoned({volume(place, sizes), volume(place, sizes)}), [](const Tensors& t) { return fused::add(t[0], t[1]).tensor; },
                    [](const Tensors& t) { return t[0] + t[1]; });
    expectSameHoles("up-sampling", poisoned({volume(place, sizes)}), [](const Tensors& t) { return fused::upsample(t[0]); },
                    [](const Tensors& t) { return at::upsample_trilinear3d(t[0], {10, 12, 14}, false, 2.0, 2.0, 2.0); });
    expectSameHoles("3³ convolution", poisoned({volume(place, sizes), weightOf(64, 64, 3), parameter({64}, 1)}), fusedConvolution(1, ConvolutionEngine::Own), plainConvolution(1));
    const Leaf narrow{randomDoubles({2, 8, 5, 6, 7}), Kind::Narrow};
    expectSameHoles("first layer", poisoned({narrow, weightOf(64, 8, 3), parameter({64}, 1)}), [type](const Tensors& t) { return fused::stem(t[0], {t[1], t[2]}, type); },
                    plainConvolution(1));
    expectSameHoles("last layer", poisoned(headLeaves(place, sizes, 1)), fusedHead, plainHead);
    expectSameHoles("residual block", poisoned(blockLeaves(place, {64, 0, 64}, {2, 5, 6, 7})), fusedBlock({64, 0, 64}, ConvolutionEngine::Own), plainBlock({64, 0, 64}));
  }
}

void checkRepeats(c10::Device device, at::ScalarType type) {
  const Place place{device, type};
  const std::vector<std::int64_t> sizes{2, 64, 17, 16, 9};
  const auto expectSameBits = [&](const char* name, const std::vector<Leaf>& leaves, const Layer& layer) {
    at::Tensor dy;
    {
      const c10::AutoGradMode noGradient(false);
      Tensors list;
      for (const Leaf& leaf : leaves)
        list.push_back(placed(leaf, place).detach());
      dy = at::randn_like(layer(list));
    }
    const Outcome once = evaluateFused(layer, leaves, place, dy), again = evaluateFused(layer, leaves, place, dy);
    EXPECT_TRUE(at::equal(once.result, again.result)) << name;
    for (const auto i : c10::irange(leaves.size()))
      EXPECT_TRUE(at::equal(once.gradients[i], again.gradients[i])) << name << ", gradient of leaf " << i;
  };
  expectSameBits("norm + SiLU", normLeaves(place, sizes), fusedNorm(true));
  expectSameBits("up-sampling", {volume(place, sizes)}, [](const Tensors& t) { return fused::upsample(t[0]); });
  expectSameBits("3³ convolution", {volume(place, sizes), weightOf(64, 64, 3), parameter({64}, 1)}, fusedConvolution(1, ConvolutionEngine::Own));
  expectSameBits("first layer", {Leaf{randomDoubles({2, 3, 17, 16, 9}), Kind::Narrow}, weightOf(64, 3, 3), parameter({64}, 1)},
                 [type](const Tensors& t) { return fused::stem(t[0], {t[1], t[2]}, type); });
  expectSameBits("last layer", headLeaves(place, sizes, 1), fusedHead);
  expectSameBits("residual block", blockLeaves(place, {64, 64, 64}, {2, 17, 16, 9}), fusedBlock({64, 64, 64}, ConvolutionEngine::Own));
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/narrow_conv.h"
#include "tests/core/kernels/kernel_test.h"

namespace voxlab {
namespace {

class NarrowConv : public KernelTest {};

struct Case {
  VolumeShape shape;
  int narrow;
  ElementType type;
  std::string name() const {
    return nameOf(type) + " N" + std::to_string(shape.batch) + " " + std::to_string(shape.depth) + "x" + std::to_string(shape.height) + "x" +
           std::to_string(shape.width) + " C" + std::to_string(shape.channels) + " K" + std::to_string(narrow);
  }
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const ElementType type : {ElementType::Float32, ElementType::BFloat16, ElementType::Float16}) {
    all.push_back({{1, 1, 1, 1, 32}, 1, type});
    all.push_back({{1, 3, 5, 17, 64}, 1, type});
    all.push_back({{2, 5, 3, 35, 64}, 3, type});
    all.push_back({{1, 7, 9, 4, 96}, 4, type});
    all.push_back({{1, 3, 3, 5, 64}, 8, type});
    all.push_back({{1, 2, 5, 33, 32}, 6, type});
  }
  all.push_back({{1, 1, 1, 5, 512}, 4, ElementType::Float32}); // more weights than shared memory holds at once
  return all;
}

// Operands that are split into two TF32 values: what is dropped is the product of two lower halves, relative 2^-22.
constexpr double kSplitTolerance = 3e-6;
// Sums of products of operands rounded to TF32 (relative 2^-11 each) against exact ones; 16-bit operands are rounded in the
// reference too, what remains is the order of the sums and the rounding of a 16-bit result.
double tolerance(ElementType type, bool narrowResult) { return type == ElementType::Float32 ? 7e-4 : narrowResult ? 1e-5 : storageTolerance(type); }

struct Arrays {
  explicit Arrays(const Case& c)
      : wide(c.type, randomValues(static_cast<std::size_t>(c.shape.elements()), 1)),
        narrow(ElementType::Float32, randomValues(static_cast<std::size_t>(c.shape.batch * c.shape.voxels() * c.narrow), 2)),
        weight(ElementType::Float32, randomValues(static_cast<std::size_t>(27 * c.shape.channels * c.narrow), 3, 0, 0.05)),
        wideBias(ElementType::Float32, randomValues(static_cast<std::size_t>(c.shape.channels), 4)),
        narrowBias(ElementType::Float32, randomValues(static_cast<std::size_t>(c.narrow), 5)),
        wideResult(c.type, wide.size()), narrowResult(ElementType::Float32, narrow.size()), weightGradient(ElementType::Float32, weight.size()),
        wideSums(ElementType::Float32, wideBias.size()), coefficients(ElementType::Float32, coefficientValues(c)) {}

  static std::vector<double> coefficientValues(const Case& c) {
    return randomValues(static_cast<std::size_t>(4 * c.shape.batch * c.shape.channels), 6); // scale, offset and two that are not read
  }
  Array wide, narrow, weight, wideBias, narrowBias, wideResult, narrowResult, weightGradient, wideSums, coefficients;
};

TEST_F(NarrowConv, NarrowToWideAgreesWithTheReference) {
  for (const Case& c : cases())
    for (const NarrowLayer layer : {NarrowLayer::First, NarrowLayer::Last}) {
      Arrays a(c);
      const bool biased = layer == NarrowLayer::First;
      reference::narrowToWide({c.shape, c.type, layer, c.narrow, a.narrow.hostFloats(), a.weight.hostFloats(), biased ? a.wideBias.hostFloats() : nullptr,
                               a.wideResult.host()});
      launchNarrowToWide({c.shape, c.type, layer, c.narrow, a.narrow.deviceFloats(), a.weight.deviceFloats(), biased ? a.wideBias.deviceFloats() : nullptr,
                          a.wideResult.device()},
                         nullptr);
      expectClose(a.wideResult, a.wideResult, c.type == ElementType::Float32 ? kSplitTolerance : storageTolerance(c.type), c.name());
    }
}

TEST_F(NarrowConv, WideToNarrowAgreesWithTheReference) {
  for (const Case& c : cases())
    for (const NarrowLayer layer : {NarrowLayer::First, NarrowLayer::Last})
      for (const bool normalise : {false, layer == NarrowLayer::Last}) {
        Arrays a(c);
        WideToNarrow p{c.shape, c.type, layer, c.narrow, a.wide.host(), nullptr, Activation::SiLU, a.weight.hostFloats(), a.narrowBias.hostFloats(),
                       a.narrowResult.hostFloats()};
        if (normalise)
          p.coefficients = reinterpret_cast<const ChannelCoefficients*>(a.coefficients.hostFloats());
        reference::wideToNarrow(p);
        p.wide = a.wide.device();
        p.weight = a.weight.deviceFloats();
        p.bias = a.narrowBias.deviceFloats();
        p.narrow = a.narrowResult.deviceFloats();
        if (normalise)
          p.coefficients = reinterpret_cast<const ChannelCoefficients*>(a.coefficients.deviceFloats());
        launchWideToNarrow(p, nullptr);
        // The activated value may round to the other neighbour.
        expectClose(a.narrowResult, a.narrowResult, normalise ? std::max(tolerance(c.type, true), 2e-4) : tolerance(c.type, true), c.name());
      }
}

TEST_F(NarrowConv, WeightGradientAgreesWithTheReference) {
  for (const Case& c : cases())
    for (const NarrowLayer layer : {NarrowLayer::First, NarrowLayer::Last}) {
      Arrays a(c);
      NarrowTimesWide p{c.shape, c.type, layer, c.narrow, a.narrow.hostFloats(), a.wide.host(), nullptr, Activation::SiLU, a.weightGradient.hostFloats(),
                        a.wideSums.hostFloats()};
      if (layer == NarrowLayer::Last)
        p.coefficients = reinterpret_cast<const ChannelCoefficients*>(a.coefficients.hostFloats());
      reference::narrowTimesWide(p);
      p.wide = a.wide.device();
      p.narrow = a.narrow.deviceFloats();
      p.weightGradient = a.weightGradient.deviceFloats();
      p.wideSums = a.wideSums.deviceFloats();
      if (layer == NarrowLayer::Last)
        p.coefficients = reinterpret_cast<const ChannelCoefficients*>(a.coefficients.deviceFloats());
      p.blocks = narrowTimesWideBlocks(p, 3);
      const DeviceBytes workspace(static_cast<std::size_t>(narrowTimesWideWorkspace(p)) * sizeof(float));
      p.workspace = static_cast<float*>(workspace.data());
      launchNarrowTimesWide(p, nullptr);
      expectSuccess(cudaDeviceSynchronize());
      expectClose(a.weightGradient, a.weightGradient, std::max(tolerance(c.type, true), layer == NarrowLayer::Last ? 2e-4 : 0.0), c.name());
      expectClose(a.wideSums, a.wideSums, std::max(tolerance(c.type, true), 2e-4), c.name() + " sums");
    }
}

TEST_F(NarrowConv, NanReachesItsNeighboursOnly) {
  const VolumeShape shape{1, 5, 9, 37, 64};
  for (const ElementType type : {ElementType::Float32, ElementType::BFloat16}) {
    Arrays a({shape, 1, type});
    std::vector<double> values = randomValues(a.narrow.size(), 2);
    const std::size_t bad = (2 * 9 + 4) * 37 + 20;
    values[bad] = std::nan("");
    const Array narrow(ElementType::Float32, values);
    launchNarrowToWide({shape, type, NarrowLayer::First, 1, narrow.deviceFloats(), a.weight.deviceFloats(), nullptr, a.wideResult.device()}, nullptr);
    const std::vector<double> wide = a.wideResult.deviceValues();
    std::vector<double> wideValues = randomValues(a.wide.size(), 1);
    wideValues[bad * 64 + 5] = std::nan("");
    const Array poisoned(type, wideValues);
    launchWideToNarrow({shape, type, NarrowLayer::Last, 1, poisoned.device(), nullptr, Activation::None, a.weight.deviceFloats(), nullptr,
                        a.narrowResult.deviceFloats()},
                       nullptr);
    const std::vector<double> result = a.narrowResult.deviceValues();
    for (std::size_t v = 0; v < result.size(); ++v) {
      const long z = static_cast<long>(v / (9 * 37)), y = static_cast<long>(v / 37 % 9), x = static_cast<long>(v % 37);
      const bool near = std::abs(z - 2) <= 1 && std::abs(y - 4) <= 1 && std::abs(x - 20) <= 1;
      EXPECT_EQ(std::isnan(wide[v * 64]), near) << v;
      EXPECT_EQ(std::isnan(result[v]), near) << v;
    }
  }
}

} // namespace
} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// Plain loops in FP64, operands rounded as the kernels round them for 16-bit storage (FP32 operands are left exact).
#include "core/kernels/narrow_conv.h"
#include "core/kernels/reference_loops.h"
#include <cmath>
#include <vector>

namespace voxlab::reference {
namespace {

// The wide tensor, normalised and activated if the coefficients say so, as the tensor cores see it.
std::vector<double> wideOperand(const VolumeShape& s, ElementType type, const void* data, const ChannelCoefficients* coefficients, Activation activation) {
  const ConstElements wide(data, type);
  std::vector<double> values(static_cast<std::size_t>(s.elements()));
  for (std::int64_t i = 0; i < s.elements(); ++i) {
    double value = wide[i];
    if (coefficients) {
      const ChannelCoefficients& k = coefficients[i / (s.voxels() * s.channels) * s.channels + i % s.channels];
      value = static_cast<double>(k.scale) * value + k.offset;
      if (activation == Activation::SiLU)
        value /= 1.0 + std::exp(-value);
      value = roundedTo(type, value);
    }
    values[static_cast<std::size_t>(i)] = value;
  }
  return values;
}

std::vector<double> weights(const float* weight, ElementType type, std::int64_t count) {
  std::vector<double> w(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    w[static_cast<std::size_t>(i)] = roundedTo(type, weight[i]);
  return w;
}

} // namespace

void narrowToWide(const NarrowToWide& p) {
  const int C = p.shape.channels, K = p.narrowChannels;
  const Elements wide(p.wide, p.type);
  const std::vector<double> w = weights(p.weight, p.type, std::int64_t{27} * C * K);
  std::vector<double> sums(static_cast<std::size_t>(p.shape.elements()));
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i] = p.bias ? static_cast<double>(p.bias[i % static_cast<std::size_t>(C)]) : 0.0;
  forEachNeighbour(p.shape, [&](std::int64_t voxel, std::int64_t neighbour, int tap) {
    const int weightTap = p.layer == NarrowLayer::First ? tap : 26 - tap; // a data gradient looks the other way
    for (int k = 0; k < K; ++k) {
      const double value = roundedTo(p.type, p.narrow[neighbour * K + k]);
      for (int c = 0; c < C; ++c)
        sums[static_cast<std::size_t>(voxel * C + c)] += value * w[static_cast<std::size_t>(narrowWeightOffset(p.layer, C, K, c, k, weightTap))];
    }
  });
  for (std::int64_t i = 0; i < p.shape.elements(); ++i)
    wide.set(i, sums[static_cast<std::size_t>(i)]);
}

void wideToNarrow(const WideToNarrow& p) {
  const int C = p.shape.channels, K = p.narrowChannels;
  const std::vector<double> wide = wideOperand(p.shape, p.type, p.wide, p.coefficients, p.activation);
  const std::vector<double> w = weights(p.weight, p.type, std::int64_t{27} * C * K);
  std::vector<double> sums(static_cast<std::size_t>(p.shape.batch * p.shape.voxels() * K));
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i] = p.bias ? static_cast<double>(p.bias[i % static_cast<std::size_t>(K)]) : 0.0;
  forEachNeighbour(p.shape, [&](std::int64_t voxel, std::int64_t neighbour, int tap) {
    const int weightTap = p.layer == NarrowLayer::Last ? tap : 26 - tap;
    for (int k = 0; k < K; ++k)
      for (int c = 0; c < C; ++c)
        sums[static_cast<std::size_t>(voxel * K + k)] +=
            wide[static_cast<std::size_t>(neighbour * C + c)] * w[static_cast<std::size_t>(narrowWeightOffset(p.layer, C, K, c, k, weightTap))];
  });
  for (std::size_t i = 0; i < sums.size(); ++i)
    p.narrow[i] = static_cast<float>(sums[i]);
}

void narrowTimesWide(const NarrowTimesWide& p) {
  const int C = p.shape.channels, K = p.narrowChannels;
  const std::vector<double> wide = wideOperand(p.shape, p.type, p.wide, p.coefficients, p.activation);
  std::vector<double> sums(static_cast<std::size_t>(27 * C * K)), wideSums(static_cast<std::size_t>(C));
  forEachNeighbour(p.shape, [&](std::int64_t voxel, std::int64_t neighbour, int tap) {
    const int weightTap = p.layer == NarrowLayer::First ? tap : 26 - tap;
    for (int k = 0; k < K; ++k) {
      const double value = roundedTo(p.type, p.narrow[neighbour * K + k]);
      for (int c = 0; c < C; ++c)
        sums[static_cast<std::size_t>(narrowWeightOffset(p.layer, C, K, c, k, weightTap))] += value * wide[static_cast<std::size_t>(voxel * C + c)];
    }
  });
  for (std::size_t i = 0; i < wide.size(); ++i)
    wideSums[i % static_cast<std::size_t>(C)] += wide[i];
  for (std::size_t i = 0; i < sums.size(); ++i)
    p.weightGradient[i] = static_cast<float>(sums[i]);
  for (int c = 0; c < C && p.wideSums; ++c)
    p.wideSums[c] = static_cast<float>(wideSums[static_cast<std::size_t>(c)]);
}

} // namespace voxlab::reference

// SPDX-License-Identifier: Apache-2.0
// Plain loops in FP64, operands rounded as the kernels round them for 16-bit storage (FP32 operands are left exact).
#include "core/kernels/element_access.h"
#include "core/kernels/narrow_conv.h"
#include <cmath>
#include <vector>

namespace voxlab::reference {
namespace {

double roundedTo(ElementType type, double value) {
  const float f = static_cast<float>(value);
  return type == ElementType::BFloat16 ? toFloat(fromFloat<BFloat16>(f)) : type == ElementType::Float16 ? toFloat(fromFloat<Float16>(f)) : value;
}

// Calls visit(n, voxel, neighbour, tap) for every neighbour inside the volume.
template <class F> void forEachNeighbour(const VolumeShape& s, F&& visit) {
  for (std::int64_t n = 0; n < s.batch; ++n)
    for (std::int64_t z = 0; z < s.depth; ++z)
      for (std::int64_t y = 0; y < s.height; ++y)
        for (std::int64_t x = 0; x < s.width; ++x)
          for (int tap = 0; tap < 27; ++tap) {
            const std::int64_t nz = z + tap / 9 - 1, ny = y + tap / 3 % 3 - 1, nx = x + tap % 3 - 1;
            if (nz >= 0 && nz < s.depth && ny >= 0 && ny < s.height && nx >= 0 && nx < s.width)
              visit(n, (z * s.height + y) * s.width + x, (nz * s.height + ny) * s.width + nx, tap);
          }
}

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
  const std::int64_t S = p.shape.voxels();
  const Elements wide(p.wide, p.type);
  const std::vector<double> w = weights(p.weight, p.type, std::int64_t{27} * C * K);
  std::vector<double> sums(static_cast<std::size_t>(p.shape.elements()));
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i] = p.bias ? static_cast<double>(p.bias[i % static_cast<std::size_t>(C)]) : 0.0;
  forEachNeighbour(p.shape, [&](std::int64_t n, std::int64_t voxel, std::int64_t neighbour, int tap) {
    const int weightTap = p.layer == NarrowLayer::First ? tap : 26 - tap; // a data gradient looks the other way
    for (int k = 0; k < K; ++k) {
      const double value = roundedTo(p.type, p.narrow[(n * S + neighbour) * K + k]);
      for (int c = 0; c < C; ++c)
        sums[static_cast<std::size_t>((n * S + voxel) * C + c)] += value * w[static_cast<std::size_t>(narrowWeightOffset(p.layer, C, K, c, k, weightTap))];
    }
  });
  for (std::int64_t i = 0; i < p.shape.elements(); ++i)
    wide.set(i, sums[static_cast<std::size_t>(i)]);
}

void wideToNarrow(const WideToNarrow& p) {
  const int C = p.shape.channels, K = p.narrowChannels;
  const std::int64_t S = p.shape.voxels();
  const std::vector<double> wide = wideOperand(p.shape, p.type, p.wide, p.coefficients, p.activation);
  const std::vector<double> w = weights(p.weight, p.type, std::int64_t{27} * C * K);
  std::vector<double> sums(static_cast<std::size_t>(p.shape.batch * S * K));
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i] = p.bias ? static_cast<double>(p.bias[i % static_cast<std::size_t>(K)]) : 0.0;
  forEachNeighbour(p.shape, [&](std::int64_t n, std::int64_t voxel, std::int64_t neighbour, int tap) {
    const int weightTap = p.layer == NarrowLayer::Last ? tap : 26 - tap;
    for (int k = 0; k < K; ++k)
      for (int c = 0; c < C; ++c)
        sums[static_cast<std::size_t>((n * S + voxel) * K + k)] +=
            wide[static_cast<std::size_t>((n * S + neighbour) * C + c)] * w[static_cast<std::size_t>(narrowWeightOffset(p.layer, C, K, c, k, weightTap))];
  });
  for (std::size_t i = 0; i < sums.size(); ++i)
    p.narrow[i] = static_cast<float>(sums[i]);
}

void narrowTimesWide(const NarrowTimesWide& p) {
  const int C = p.shape.channels, K = p.narrowChannels;
  const std::int64_t S = p.shape.voxels();
  const std::vector<double> wide = wideOperand(p.shape, p.type, p.wide, p.coefficients, p.activation);
  std::vector<double> sums(static_cast<std::size_t>(27 * C * K)), wideSums(static_cast<std::size_t>(C));
  forEachNeighbour(p.shape, [&](std::int64_t n, std::int64_t voxel, std::int64_t neighbour, int tap) {
    const int weightTap = p.layer == NarrowLayer::First ? tap : 26 - tap;
    for (int k = 0; k < K; ++k) {
      const double value = roundedTo(p.type, p.narrow[(n * S + neighbour) * K + k]);
      for (int c = 0; c < C; ++c)
        sums[static_cast<std::size_t>(narrowWeightOffset(p.layer, C, K, c, k, weightTap))] += value * wide[static_cast<std::size_t>((n * S + voxel) * C + c)];
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

// SPDX-License-Identifier: Apache-2.0
// Plain loops in FP64; 16-bit operands are what the kernels multiply too.
#include "core/kernels/reference_loops.h"
#include "core/kernels/wide_conv.h"
#include <cmath>
#include <vector>

namespace voxlab::reference {
namespace {

std::vector<double> valuesOf(const void* data, ElementType type, std::int64_t count) {
  const ConstElements elements(data, type);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    values[static_cast<std::size_t>(i)] = elements[i];
  return values;
}

} // namespace

void wideConvolution(const WideConvolution& p) {
  const std::int64_t Co = p.shape.channels, Ci = p.inputChannels, voxels = p.shape.batch * p.shape.voxels();
  const bool forward = p.pass == ConvolutionPass::Forward;
  const ConstElements weight(p.weight.data, p.weight.type);
  std::vector<double> w(static_cast<std::size_t>(27 * Co * Ci)); // [tap][input][output]
  for (std::int64_t tap = 0; tap < 27; ++tap)
    for (std::int64_t i = 0; i < Ci; ++i)
      for (std::int64_t o = 0; o < Co; ++o)
        w[static_cast<std::size_t>((tap * Ci + i) * Co + o)] =
            roundedTo(p.type, weight[(forward ? o : i) * p.weight.outputStride + (forward ? i : o) * p.weight.inputStride + (forward ? tap : 26 - tap) * p.weight.tapStride]);
  const std::vector<double> x = valuesOf(p.x, p.type, voxels * Ci);
  std::vector<double> sums(static_cast<std::size_t>(voxels * Co));
  forEachNeighbour(p.shape, [&](std::int64_t voxel, std::int64_t neighbour, int tap) {
    double* const to = sums.data() + voxel * Co;
    for (std::int64_t i = 0; i < Ci; ++i) {
      const double value = x[static_cast<std::size_t>(neighbour * Ci + i)];
      const double* const row = w.data() + (tap * Ci + i) * Co;
      for (std::int64_t o = 0; o < Co; ++o)
        to[o] += value * row[o];
    }
  });
  const ConstElements throughWeight(p.through.weight.data, p.through.weight.type), throughX[2] = {{p.through.x[0], p.type}, {p.through.x[1], p.type}};
  for (int source = 0, first = 0; source < 2; first += p.through.channels[source++])
    for (std::int64_t voxel = 0; voxel < voxels; ++voxel)
      for (std::int64_t i = 0; i < p.through.channels[source]; ++i) {
        const double value = throughX[source][voxel * p.through.channels[source] + i];
        for (std::int64_t o = 0; o < Co; ++o)
          sums[static_cast<std::size_t>(voxel * Co + o)] +=
              value * roundedTo(p.type, throughWeight[o * p.through.weight.outputStride + (first + i) * p.through.weight.inputStride]);
      }
  const ConstElements addend(p.addend, p.type);
  const Elements y(p.y, p.type);
  for (std::int64_t i = 0; i < voxels * Co; ++i) {
    double value = sums[static_cast<std::size_t>(i)] + (p.bias ? static_cast<double>(p.bias[i % Co]) : 0.0);
    if (addend)
      value = roundedTo(p.type, value) + addend[i]; // rounded before, as a convolution and an addition would
    y.set(i, value);
  }
  if (p.moments)
    channelMoments({p.shape, p.type, p.y, nullptr, nullptr, nullptr, p.moments, 1});
}

void wideWeightGradient(const WideWeightGradient& p) {
  const std::int64_t Co = p.shape.channels, Ci = p.inputChannels, voxels = p.shape.batch * p.shape.voxels();
  const std::vector<double> x = valuesOf(p.x, p.type, voxels * Ci), dy = valuesOf(p.dy, p.type, voxels * Co);
  std::vector<double> sums(static_cast<std::size_t>(27 * Co * Ci)); // [tap][output][input]
  forEachNeighbour(p.shape, [&](std::int64_t voxel, std::int64_t neighbour, int tap) {
    for (std::int64_t o = 0; o < Co; ++o) {
      const double value = dy[static_cast<std::size_t>(voxel * Co + o)];
      double* const to = sums.data() + (tap * Co + o) * Ci;
      for (std::int64_t i = 0; i < Ci; ++i)
        to[i] += value * x[static_cast<std::size_t>(neighbour * Ci + i)];
    }
  });
  for (std::int64_t tap = 0; tap < 27; ++tap)
    for (std::int64_t o = 0; o < Co; ++o)
      for (std::int64_t i = 0; i < Ci; ++i)
        p.weightGradient[o * p.outputStride + i * p.inputStride + tap * p.tapStride] = static_cast<float>(sums[static_cast<std::size_t>((tap * Co + o) * Ci + i)]);
}

} // namespace voxlab::reference

// SPDX-License-Identifier: Apache-2.0
// By the definition, in FP64: every output and its eight inputs.
#include "core/kernels/element_access.h"
#include "core/kernels/upsample_trilinear.h"
#include <algorithm>
#include <vector>

namespace voxlab::reference {
namespace {

// The two inputs of one output along an axis, and their weights.
struct Taps {
  std::int64_t index[2];
  double weight[2];
};
Taps tapsOf(std::int64_t output, std::int64_t inputs) {
  const std::int64_t near = output / 2, far = output % 2 == 0 ? near - 1 : near + 1;
  return {{near, std::clamp<std::int64_t>(far, 0, inputs - 1)}, {0.75, 0.25}};
}

// Calls visit(output voxel, input voxel, weight) for each of the eight inputs of every output of one batch entry.
template <class F> void forEachTap(const VolumeShape& in, F&& visit) {
  for (std::int64_t z = 0; z < 2 * in.depth; ++z)
    for (std::int64_t y = 0; y < 2 * in.height; ++y)
      for (std::int64_t x = 0; x < 2 * in.width; ++x) {
        const Taps tz = tapsOf(z, in.depth), ty = tapsOf(y, in.height), tx = tapsOf(x, in.width);
        for (int i = 0; i < 8; ++i)
          visit((z * 2 * in.height + y) * 2 * in.width + x,
                (tz.index[i / 4] * in.height + ty.index[i / 2 % 2]) * in.width + tx.index[i % 2],
                tz.weight[i / 4] * ty.weight[i / 2 % 2] * tx.weight[i % 2]);
      }
}

} // namespace

void upsampleTrilinear(const UpsampleTrilinear& p) {
  const ConstElements x(p.x, p.type);
  const Elements y(p.y, p.type);
  const std::int64_t C = p.input.channels, S = p.input.voxels();
  std::vector<double> sums(static_cast<std::size_t>(8 * S * C));
  for (std::int64_t n = 0; n < p.input.batch; ++n) {
    std::fill(sums.begin(), sums.end(), 0.0);
    forEachTap(p.input, [&](std::int64_t output, std::int64_t input, double weight) {
      for (std::int64_t c = 0; c < C; ++c)
        sums[static_cast<std::size_t>(output * C + c)] += weight * x[(n * S + input) * C + c];
    });
    for (std::int64_t i = 0; i < 8 * S * C; ++i)
      y.set(n * 8 * S * C + i, sums[static_cast<std::size_t>(i)]);
  }
}

void upsampleTrilinearBackward(const UpsampleTrilinearBackward& p) {
  const ConstElements dy(p.dy, p.type);
  const Elements dx(p.dx, p.type);
  const std::int64_t C = p.input.channels, S = p.input.voxels();
  std::vector<double> sums(static_cast<std::size_t>(S * C));
  for (std::int64_t n = 0; n < p.input.batch; ++n) {
    std::fill(sums.begin(), sums.end(), 0.0);
    forEachTap(p.input, [&](std::int64_t output, std::int64_t input, double weight) {
      for (std::int64_t c = 0; c < C; ++c)
        sums[static_cast<std::size_t>(input * C + c)] += weight * dy[(n * 8 * S + output) * C + c];
    });
    for (std::int64_t i = 0; i < S * C; ++i)
      dx.set(n * S * C + i, sums[static_cast<std::size_t>(i)]);
  }
}

} // namespace voxlab::reference

// SPDX-License-Identifier: Apache-2.0
// Small volumes for the tests of this folder.
#pragma once
#include "core/imaging/volume_io.h"
#include <cmath>

namespace voxlab::tests {

inline Volume makeVolume(std::array<std::int64_t, 3> size, const Affine& affine = kIdentityAffine) {
  Volume volume;
  volume.header.grid = {size, affine};
  volume.voxels.resize(static_cast<std::size_t>(volume.grid().voxelCount()));
  return volume;
}

// f(i, j, k) at every voxel.
template <class F> Volume makeVolume(std::array<std::int64_t, 3> size, const Affine& affine, F&& f) {
  Volume volume = makeVolume(size, affine);
  auto to = volume.voxels.begin();
  for (std::int64_t k = 0; k < size[2]; ++k)
    for (std::int64_t j = 0; j < size[1]; ++j)
      for (std::int64_t i = 0; i < size[0]; ++i)
        *to++ = static_cast<float>(f(i, j, k));
  return volume;
}

inline Volume ramp(std::array<std::int64_t, 3> size, const Affine& affine = kIdentityAffine) {
  return makeVolume(size, affine, [](auto i, auto j, auto k) { return 3.0 * static_cast<double>(i) - 1.5 * static_cast<double>(j) + 0.25 * static_cast<double>(k * k); });
}

inline Volume labels(std::array<std::int64_t, 3> size, const Affine& affine = kIdentityAffine, int count = 3) {
  return makeVolume(size, affine, [count](auto i, auto j, auto k) { return (i + j + k) % count; });
}

} // namespace voxlab::tests

// SPDX-License-Identifier: Apache-2.0
// What the convolutions' CPU references share. Included by *_reference.cpp files only.
#pragma once
#include "core/kernels/element_access.h"

namespace voxlab::reference {

// As a 16-bit operand would be; FP32 operands are left exact.
inline double roundedTo(ElementType type, double value) {
  const float f = static_cast<float>(value);
  return type == ElementType::BFloat16 ? toFloat(fromFloat<BFloat16>(f)) : type == ElementType::Float16 ? toFloat(fromFloat<Float16>(f)) : value;
}

// Calls visit(voxel, neighbour, tap) for every neighbour of a 3³ surrounding that is inside the volume; voxels are counted through
// the batch.
template <class F> void forEachNeighbour(const VolumeShape& s, F&& visit) {
  for (std::int64_t n = 0; n < s.batch; ++n)
    for (std::int64_t z = 0; z < s.depth; ++z)
      for (std::int64_t y = 0; y < s.height; ++y)
        for (std::int64_t x = 0; x < s.width; ++x)
          for (int tap = 0; tap < 27; ++tap) {
            const std::int64_t nz = z + tap / 9 - 1, ny = y + tap / 3 % 3 - 1, nx = x + tap % 3 - 1;
            if (nz >= 0 && nz < s.depth && ny >= 0 && ny < s.height && nx >= 0 && nx < s.width)
              visit(((n * s.depth + z) * s.height + y) * s.width + x, ((n * s.depth + nz) * s.height + ny) * s.width + nx, tap);
          }
}

} // namespace voxlab::reference

// SPDX-License-Identifier: Apache-2.0
// Trilinear up-sampling by two with half-pixel centres (align_corners = false) of channels-last volumes, and its gradient as a
// gather: no atomics, the same bits every time. Along each axis of n inputs
//   out[2i] = 1/4 in[i - 1] + 3/4 in[i],   out[2i + 1] = 3/4 in[i] + 1/4 in[i + 1],   indices clamped to 0 … n - 1
//   d in[i] = 1/4 d out[2i - 1] + 3/4 d out[2i] + 3/4 d out[2i + 1] + 1/4 d out[2i + 2],   indices clamped to 0 … 2n - 1
// Channel counts are multiples of 8. NaN and infinity reach the outputs whose weight on them is not zero.
#pragma once
#include "core/kernels/element_type.h"

namespace voxlab {

struct UpsampleTrilinear {
  VolumeShape input;
  ElementType type = ElementType::Unknown;
  const void* x = nullptr; // (N, D, H, W, C)
  void* y = nullptr;       // (N, 2D, 2H, 2W, C)
};

struct UpsampleTrilinearBackward {
  VolumeShape input;
  ElementType type = ElementType::Unknown;
  const void* dy = nullptr; // (N, 2D, 2H, 2W, C)
  void* dx = nullptr;       // (N, D, H, W, C)
};

namespace reference {
void upsampleTrilinear(const UpsampleTrilinear& p);
void upsampleTrilinearBackward(const UpsampleTrilinearBackward& p);
} // namespace reference

void launchUpsampleTrilinear(const UpsampleTrilinear& p, Stream stream);
void launchUpsampleTrilinearBackward(const UpsampleTrilinearBackward& p, Stream stream);

} // namespace voxlab

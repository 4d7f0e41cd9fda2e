// SPDX-License-Identifier: Apache-2.0
// SiLU on the device. Included by .cu files only.
#pragma once
#include "core/kernels/intrinsics.h"

namespace voxlab::device {

inline constexpr float kLog2E = 1.4426950408889634f;

__device__ __forceinline__ float sigmoid(float z) { return fastReciprocal(1.0f + fastExp2(-kLog2E * z)); }
// z sigmoid(z)
__device__ __forceinline__ float silu(float z) { return z * sigmoid(z); }
// d silu / dz
__device__ __forceinline__ float siluSlope(float z) {
  const float s = sigmoid(z);
  return s * (1.0f + z * (1.0f - s));
}

} // namespace voxlab::device

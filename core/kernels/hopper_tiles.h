// SPDX-License-Identifier: Apache-2.0
// How both Hopper convolutions cut a volume: planes of 8 x 32 voxels, 128 bytes of channels each, with or without a halo of one
// voxel. Eight neighbours in x are the eight rows of a swizzled group. Included by *_hopper.cu files only.
#pragma once
#include "core/kernels/hopper.h"
#include "core/kernels/intrinsics.h"

namespace voxlab::device {

inline constexpr int kTileX = 8, kTileY = 32, kBoxX = kTileX + 2, kBoxY = kTileY + 2;
inline constexpr int kRowBytes = 128; // of one voxel
inline constexpr int kTileBytes = kTileX * kTileY * kRowBytes, kBoxBytes = kBoxX * kBoxY * kRowBytes, kPlaneBytes = (kBoxBytes + 1023) / 1024 * 1024;
inline constexpr int kOutputs = 64; // output channels of a product
inline constexpr int kGroup = 128;  // threads of a warpgroup

// Something counted from the start of the block that passes through a ring in shared memory: its place, and the parity of the
// place's barrier.
template <int kPlaces> struct Turn {
  int place;
  std::uint32_t parity;
  __device__ __forceinline__ explicit Turn(std::uint32_t count) : place(static_cast<int>(count % kPlaces)), parity(count / kPlaces & 1u) {}
};

// The block's dynamic shared memory from the first multiple of 1024 bytes, of which swizzled rows need to start.
__device__ __forceinline__ unsigned char* alignedSharedMemory() {
  unsigned char* const memory = dynamicSharedMemory();
  return memory + (1024 - sharedAddress(memory) % 1024) % 1024;
}

} // namespace voxlab::device

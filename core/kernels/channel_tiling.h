// SPDX-License-Identifier: Apache-2.0
// How the elementwise kernels share out a channels-last tensor. A thread keeps one 16-byte vector of channels and walks over
// voxels, so its per-channel parameters and sums stay in registers; a warp reads whole cache lines. Included by .cu files only.
#pragma once
#include "core/kernels/launch.h"
#include "core/kernels/vector_access.h"

namespace voxlab::device {

inline constexpr int kTilingThreads = 256;
inline constexpr int kSlabVectors = 32; // vectors of one voxel that a block covers at most

struct ChannelTiling {
  int vectors;     // per voxel
  int slabs;       // blocks side by side in the channels: gridDim.y
  int slabVectors; // of one block
  int rows;        // voxels that a block touches at once
  int chunks;      // runs of voxels: gridDim.x
  std::int64_t length, voxels, channels;

  dim3 grid(std::int64_t batch) const { return dim3(static_cast<unsigned>(chunks), static_cast<unsigned>(slabs), static_cast<unsigned>(batch)); }
};

constexpr ChannelTiling channelTiling(const VolumeShape& shape, int vectorWidth, int chunks) {
  ChannelTiling t{};
  t.vectors = shape.channels / vectorWidth;
  t.slabs = static_cast<int>(divideUp(t.vectors, kSlabVectors));
  t.slabVectors = static_cast<int>(divideUp(t.vectors, t.slabs));
  t.rows = kTilingThreads / t.slabVectors;
  t.chunks = chunks;
  t.voxels = shape.voxels();
  t.channels = shape.channels;
  t.length = divideUp(t.voxels, chunks);
  return t;
}

// The part of one thread: vector `vector` of voxels begin + row, begin + row + rows, … below end.
struct TilingThread {
  int slabVector, vector, row;
  std::int64_t batch, begin, end;
  bool active;

  __device__ __forceinline__ explicit TilingThread(const ChannelTiling& t)
      : slabVector(static_cast<int>(threadIdx.x) % t.slabVectors), vector(static_cast<int>(blockIdx.y) * t.slabVectors + slabVector),
        row(static_cast<int>(threadIdx.x) / t.slabVectors), batch(blockIdx.z), begin(blockIdx.x * t.length), end(begin + t.length),
        active(row < t.rows && vector < t.vectors) {
    end = end < t.voxels ? end : t.voxels;
    begin = begin < end ? begin : end;
  }
  // Voxels that the threads of a row walk over.
  __device__ __forceinline__ std::int64_t count(const ChannelTiling& t, int ofRow) const {
    return end - begin > ofRow ? (end - begin - ofRow + t.rows - 1) / t.rows : 0;
  }
};

// One vector's column through one of two tensors that stand side by side: voxel v is at base + v * stride.
template <class T> struct Column {
  T* base;
  std::int64_t stride;
};
template <class T>
__device__ __forceinline__ Column<T> columnOf(T* first, T* second, const int (&channels)[2], std::int64_t voxels, std::int64_t batch, int channel) {
  return channel < channels[0] ? Column<T>{first + batch * voxels * channels[0] + channel, channels[0]}
                               : Column<T>{second + batch * voxels * channels[1] + (channel - channels[0]), channels[1]};
}

} // namespace voxlab::device

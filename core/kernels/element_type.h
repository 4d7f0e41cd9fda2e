// SPDX-License-Identifier: Apache-2.0
// How the elements of an activation are stored. Whatever the storage, kernels compute and sum in FP32.
#pragma once
#include <cstddef>
#include <cstdint>

struct CUstream_st; // of the CUDA runtime

namespace voxlab {

enum class ElementType { Unknown, Float32, BFloat16, Float16 };

// 16-bit storage, as bits: conversions stand in vector_access.h (device) and element_access.h (host).
struct BFloat16 {
  std::uint16_t bits;
};
struct Float16 {
  std::uint16_t bits;
};

constexpr std::size_t elementBytes(ElementType type) { return type == ElementType::Float32 ? 4 : type == ElementType::Unknown ? 0 : 2; }

template <class T> constexpr ElementType elementTypeOf();
template <> constexpr ElementType elementTypeOf<float>() { return ElementType::Float32; }
template <> constexpr ElementType elementTypeOf<BFloat16>() { return ElementType::BFloat16; }
template <> constexpr ElementType elementTypeOf<Float16>() { return ElementType::Float16; }

// A batch of channels-last volumes: memory order (N, D, H, W, C), C fastest.
struct VolumeShape {
  std::int64_t batch = 1;
  std::int64_t depth = 0, height = 0, width = 0;
  int channels = 0;
  constexpr std::int64_t voxels() const { return depth * height * width; } // of one batch entry
  constexpr std::int64_t elements() const { return batch * voxels() * channels; }
};

// The stream to launch on; nullptr is the default stream. The same type as cudaStream_t.
using Stream = CUstream_st*;

} // namespace voxlab

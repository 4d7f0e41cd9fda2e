// SPDX-License-Identifier: Apache-2.0
// One tensor-core product for every storage type. In registers an operand is a 32-bit word of kPerWord values of the summed
// dimension. Included by .cu files only.
#pragma once
#include "core/kernels/vector_access.h"

namespace voxlab::device {

template <class T> struct TensorCore {
  using Stored = std::uint16_t; // in shared memory
  static constexpr int kPerWord = 2, kDepth = 16;
  static __device__ __forceinline__ std::uint32_t word(float low, float high) { return packPair<T>(low, high); }
  static __device__ __forceinline__ Stored stored(float x) { return static_cast<Stored>(packPair<T>(x, 0.0f)); }
  static __device__ __forceinline__ void multiply(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    if constexpr (elementTypeOf<T>() == ElementType::BFloat16)
      mmaBFloat16(d, a, b);
    else
      mmaFloat16(d, a, b);
  }
};
template <> struct TensorCore<float> {
  using Stored = float; // rounded to TF32
  static constexpr int kPerWord = 1, kDepth = 8;
  static __device__ __forceinline__ std::uint32_t word(float x, float) { return roundToTf32(x); }
  static __device__ __forceinline__ Stored stored(float x) { return __uint_as_float(roundToTf32(x)); }
  static __device__ __forceinline__ void multiply(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) { mmaTf32(d, a, b); }
};

// Where a value of a fragment's word stands in the summed dimension: word 0 or 1 (the k + 8 or k + 4 half) of lane 4 g + t.
template <class T> __device__ __forceinline__ int depthOf(int t, int word, int value) {
  return TensorCore<T>::kPerWord == 2 ? 2 * t + 8 * word + value : t + 4 * word;
}

} // namespace voxlab::device

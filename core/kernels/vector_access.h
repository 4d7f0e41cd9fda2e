// SPDX-License-Identifier: Apache-2.0
// 16-byte accesses and the conversion between storage and FP32 on the device. Included by .cu files only.
#pragma once
#include "core/kernels/element_type.h"
#include "core/kernels/intrinsics.h"

namespace voxlab::device {

// Values in 16 bytes.
template <class T> inline constexpr int kVectorWidth = 16 / static_cast<int>(sizeof(T));

template <class T> __device__ __forceinline__ float2 unpackPair(std::uint32_t x);
template <> __device__ __forceinline__ float2 unpackPair<BFloat16>(std::uint32_t x) { return unpackBFloat16(x); }
template <> __device__ __forceinline__ float2 unpackPair<Float16>(std::uint32_t x) { return unpackFloat16(x); }
template <class T> __device__ __forceinline__ std::uint32_t packPair(float low, float high);
template <> __device__ __forceinline__ std::uint32_t packPair<BFloat16>(float low, float high) { return packBFloat16(low, high); }
template <> __device__ __forceinline__ std::uint32_t packPair<Float16>(float low, float high) { return packFloat16(low, high); }

template <class T> __device__ __forceinline__ void unpack(const uint4& raw, float (&value)[kVectorWidth<T>]) {
  const std::uint32_t word[4] = {raw.x, raw.y, raw.z, raw.w};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if constexpr (sizeof(T) == 4) {
      value[i] = __uint_as_float(word[i]);
    } else {
      const float2 pair = unpackPair<T>(word[i]);
      value[2 * i] = pair.x;
      value[2 * i + 1] = pair.y;
    }
  }
}

template <class T> __device__ __forceinline__ uint4 pack(const float (&value)[kVectorWidth<T>]) {
  std::uint32_t word[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if constexpr (sizeof(T) == 4)
      word[i] = __float_as_uint(value[i]);
    else
      word[i] = packPair<T>(value[2 * i], value[2 * i + 1]);
  }
  return make_uint4(word[0], word[1], word[2], word[3]);
}

template <class T> __device__ __forceinline__ uint4 loadRaw(const T* p) { return *reinterpret_cast<const uint4*>(p); }
template <class T> __device__ __forceinline__ void storeRaw(T* p, const uint4& raw) { *reinterpret_cast<uint4*>(p) = raw; }

// What storing and loading again would give.
template <class T> __device__ __forceinline__ void roundToStorage(float (&value)[kVectorWidth<T>]) {
  if constexpr (sizeof(T) != 4) {
    const uint4 raw = pack<T>(value);
    unpack<T>(raw, value);
  }
}

} // namespace voxlab::device

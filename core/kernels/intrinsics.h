// SPDX-License-Identifier: Apache-2.0
// The machine instructions that the kernels use beyond plain CUDA C++, one function each. Included by .cu files only.
// tests/support/cuda_emulator has a file of this name with the same functions in plain C++, which lets the kernels run
// without a GPU.
#pragma once
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace voxlab::device {

// 2^x and 1/x to about one unit in the last place.
__device__ __forceinline__ float fastExp2(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ __forceinline__ float fastReciprocal(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// Two 16-bit values in one register; the first in the low half. NaN stays NaN.
__device__ __forceinline__ std::uint32_t packBFloat16(float low, float high) {
#if __CUDA_ARCH__ >= 800
  std::uint32_t y;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(high), "f"(low));
  return y;
#else
  const auto round = [](float x) {
    const std::uint32_t bits = __float_as_uint(x);
    return x != x ? 0x7FFFu : (bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16;
  };
  return round(low) | (round(high) << 16);
#endif
}
__device__ __forceinline__ float2 unpackBFloat16(std::uint32_t x) { return make_float2(__uint_as_float(x << 16), __uint_as_float(x & 0xFFFF0000u)); }
__device__ __forceinline__ std::uint32_t packFloat16(float low, float high) {
  const __half2 h = __floats2half2_rn(low, high);
  return reinterpret_cast<const std::uint32_t&>(h);
}
__device__ __forceinline__ float2 unpackFloat16(std::uint32_t x) { return __half22float2(reinterpret_cast<const __half2&>(x)); }

// The bytes of two registers, picked by nibbles of selector: 0-3 of a, 4-7 of b.
__device__ __forceinline__ std::uint32_t permuteBytes(std::uint32_t a, std::uint32_t b, std::uint32_t selector) { return __byte_perm(a, b, selector); }

// FP32 rounded to the 19 bits that the tensor cores read.
__device__ __forceinline__ std::uint32_t roundToTf32(float x) {
#if __CUDA_ARCH__ >= 800
  std::uint32_t y;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y) : "f"(x));
  return y;
#else
  return __float_as_uint(x);
#endif
}

// d += a b on the tensor cores, one warp together; a 16 x K row-major, b K x 8, d 16 x 8. With lane = 4 g + t:
//   d[0], d[1] = row g, columns 2t, 2t + 1;   d[2], d[3] = row g + 8
//   16-bit, K = 16: a[0] = row g, k 2t, 2t+1; a[1] = row g + 8; a[2], a[3] = the same rows, k + 8; b[0] = column g, k 2t, 2t+1; b[1] = k + 8
//   tf32, K = 8:    a[0] = row g, k t; a[1] = row g + 8; a[2], a[3] = k + 4; b[0] = column g, k t; b[1] = k + 4
__device__ __forceinline__ void mmaBFloat16(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  __trap(); // the launchers refuse bf16 products below sm_80
#endif
}
__device__ __forceinline__ void mmaFloat16(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[2]), "r"(a[3]), "r"(b[1]));
#endif
}
__device__ __forceinline__ void mmaTf32(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  __trap(); // the launchers refuse tf32 products below sm_80
#endif
}

// The block's dynamic shared memory.
__device__ __forceinline__ unsigned char* dynamicSharedMemory() {
  extern __shared__ __align__(128) unsigned char memory[];
  return memory;
}

} // namespace voxlab::device

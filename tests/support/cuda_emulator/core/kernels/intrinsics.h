// SPDX-License-Identifier: Apache-2.0
// The emulator's version of core/kernels/intrinsics.h: the same functions, in plain C++.
#pragma once
#include "core/kernels/element_access.h"
#include <cuda_runtime.h>

namespace voxlab::device {

inline float fastExp2(float x) { return std::exp2(x); }
inline float fastReciprocal(float x) { return 1.0f / x; }

inline std::uint32_t packBFloat16(float low, float high) {
  return fromFloat<BFloat16>(low).bits | static_cast<std::uint32_t>(fromFloat<BFloat16>(high).bits) << 16;
}
inline float2 unpackBFloat16(std::uint32_t x) { return make_float2(__uint_as_float(x << 16), __uint_as_float(x & 0xFFFF0000u)); }
inline std::uint32_t packFloat16(float low, float high) {
  return fromFloat<Float16>(low).bits | static_cast<std::uint32_t>(fromFloat<Float16>(high).bits) << 16;
}
inline float2 unpackFloat16(std::uint32_t x) {
  return make_float2(toFloat(Float16{static_cast<std::uint16_t>(x)}), toFloat(Float16{static_cast<std::uint16_t>(x >> 16)}));
}
inline std::uint32_t permuteBytes(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
  const std::uint64_t bytes = a | static_cast<std::uint64_t>(b) << 32;
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= static_cast<std::uint32_t>(bytes >> (8 * (selector >> (4 * i) & 7u)) & 0xFFu) << (8 * i);
  return result;
}
inline std::uint32_t roundToTf32(float x) {
  const std::uint32_t bits = __float_as_uint(x);
  return std::isfinite(x) ? (bits + 0x1000u) & ~0x1FFFu : bits & ~0x1FFFu;
}

struct MmaOperands {
  std::uint32_t a[4], b[2];
};
// kValues values of K in a register: two for 16-bit storage, one for tf32.
template <unsigned kValues, class Convert>
void mmaEmulated(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2], Convert convert) {
  const MmaOperands mine{{a[0], a[1], a[2], a[3]}, {b[0], b[1]}};
  const unsigned char* slots = emulator::exchange(&mine, sizeof mine);
  const float* product = emulator::sharedResults(16 * 8, [&](float* out) {
    constexpr unsigned kDepth = 8 * kValues;
    float rows[16][kDepth], columns[8][kDepth]; // the order in the summed dimension is the same in both, which is all that matters
    for (unsigned l = 0; l < 32; ++l) {
      const auto operands = emulator::fromLane<MmaOperands>(slots, l);
      for (unsigned v = 0; v < kValues; ++v)
        for (unsigned upper = 0; upper < 2; ++upper) {
          const unsigned k = (l % 4 * 2 + upper) * kValues + v;
          rows[l / 4][k] = convert(operands.a[2 * upper], static_cast<int>(v));
          rows[l / 4 + 8][k] = convert(operands.a[2 * upper + 1], static_cast<int>(v));
          columns[l / 4][k] = convert(operands.b[upper], static_cast<int>(v));
        }
    }
    for (unsigned r = 0; r < 16; ++r)
      for (unsigned c = 0; c < 8; ++c) {
        double sum = 0;
        for (unsigned k = 0; k < kDepth; ++k)
          sum += static_cast<double>(rows[r][k]) * columns[c][k];
        out[r * 8 + c] = static_cast<float>(sum);
      }
  });
  const unsigned g = emulator::lane() / 4, t = emulator::lane() % 4;
  for (unsigned i = 0; i < 4; ++i)
    d[i] += product[(g + i / 2 * 8) * 8 + 2 * t + i % 2];
}
inline void mmaBFloat16(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
  mmaEmulated<2>(d, a, b, [](std::uint32_t x, int v) { return v ? unpackBFloat16(x).y : unpackBFloat16(x).x; });
}
inline void mmaFloat16(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
  mmaEmulated<2>(d, a, b, [](std::uint32_t x, int v) { return v ? unpackFloat16(x).y : unpackFloat16(x).x; });
}
inline void mmaTf32(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
  mmaEmulated<1>(d, a, b, [](std::uint32_t x, int) { return __uint_as_float(x & ~0x1FFFu); });
}

inline unsigned char* dynamicSharedMemory() { return emulator::dynamicShared(); }

} // namespace voxlab::device

// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011) and Box–Muller in FP32, shared by
// CPU and CUDA. Every operation is an IEEE multiplication, addition, square root or conversion, rounded once and never
// contracted, so both give the same bits.
//
//   counter = { low 32 bits of block, step, sample, purpose in 8 bits | high 24 bits of block }, key = seed
//   block   = logical element index / 4, lane = index % 4
//   u = fl(fl(a) 2^-32 + 2^-33) in (0, 1],  r = sqrt(-2 ln u),  w = b / 2^32 in [0, 1)
//   normals of the words (a, b): r cos(2 pi w), r sin(2 pi w); lanes 0, 1 from words 0, 1, lanes 2, 3 from words 2, 3
//
// ln, cos and sin are the Cephes single-precision polynomials; the angle is reduced exactly, in integers.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__CUDACC__)
#define VOXLAB_HOST_DEVICE __host__ __device__ inline
#else
#define VOXLAB_HOST_DEVICE inline
#endif

namespace voxlab::philox {

struct Block {
  std::uint32_t word[4];
};
struct Normals {
  float value[4];
};

// Where in the stream: which purpose, which sample, which step. The seed is the key.
struct Stream {
  std::uint64_t seed;
  std::uint32_t purpose; // below 256
  std::uint32_t sample;
  std::uint32_t step;
};

VOXLAB_HOST_DEVICE float times(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}
VOXLAB_HOST_DEVICE float plus(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fadd_rn(a, b);
#else
  return a + b;
#endif
}
VOXLAB_HOST_DEVICE float root(float a) {
#if defined(__CUDA_ARCH__)
  return __fsqrt_rn(a);
#else
  return std::sqrt(a);
#endif
}
// a * x + b, rounded twice
VOXLAB_HOST_DEVICE float step(float a, float x, float b) { return plus(times(a, x), b); }

VOXLAB_HOST_DEVICE Block generate(const std::uint32_t counter[4], std::uint32_t key0, std::uint32_t key1) {
  Block b{{counter[0], counter[1], counter[2], counter[3]}};
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * b.word[0];
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57u} * b.word[2];
    b = Block{{static_cast<std::uint32_t>(p1 >> 32) ^ b.word[1] ^ key0, static_cast<std::uint32_t>(p1),
               static_cast<std::uint32_t>(p0 >> 32) ^ b.word[3] ^ key1, static_cast<std::uint32_t>(p0)}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return b;
}

VOXLAB_HOST_DEVICE Block generate(const Stream& stream, std::uint64_t block) {
  const std::uint32_t counter[4] = {static_cast<std::uint32_t>(block), stream.step, stream.sample,
                                    (stream.purpose << 24) | static_cast<std::uint32_t>((block >> 32) & 0xFFFFFFu)};
  return generate(counter, static_cast<std::uint32_t>(stream.seed), static_cast<std::uint32_t>(stream.seed >> 32));
}

// ln u for normal u in (0, 1]
VOXLAB_HOST_DEVICE float logarithm(float u) {
  std::uint32_t bits;
  std::memcpy(&bits, &u, 4);
  int exponent = static_cast<int>(bits >> 23) - 126;
  bits = (bits & 0x007FFFFFu) | 0x3F000000u; // mantissa in [0.5, 1)
  float m;
  std::memcpy(&m, &bits, 4);
  float x;
  if (m < 0.707106781186547524f) {
    exponent -= 1;
    x = plus(plus(m, m), -1.0f);
  } else {
    x = plus(m, -1.0f);
  }
  const float z = times(x, x);
  float y = step(7.0376836292e-2f, x, -1.1514610310e-1f);
  y = step(y, x, 1.1676998740e-1f);
  y = step(y, x, -1.2420140846e-1f);
  y = step(y, x, 1.4249322787e-1f);
  y = step(y, x, -1.6668057665e-1f);
  y = step(y, x, 2.0000714765e-1f);
  y = step(y, x, -2.4999993993e-1f);
  y = step(y, x, 3.3333331174e-1f);
  y = times(times(y, x), z);
  const float e = static_cast<float>(exponent);
  y = step(-2.12194440e-4f, e, y);
  y = step(-0.5f, z, y);
  return step(0.693359375f, e, plus(x, y));
}

VOXLAB_HOST_DEVICE void normalPair(std::uint32_t a, std::uint32_t b, float& first, float& second) {
  const float u = plus(times(static_cast<float>(a), 2.3283064365386963e-10f), 1.1641532182693481e-10f);
  const float r = root(times(-2.0f, logarithm(u)));
  const std::uint32_t quadrant = (b + 0x20000000u) >> 30;
  const float turn = static_cast<float>(static_cast<std::int32_t>(b - (quadrant << 30))); // quarter turns * 2^30, in [-2^29, 2^29)
  const float x = times(turn, 1.4629180792671596e-9f);                                     // pi/2 * 2^-30
  const float z = times(x, x);
  const float sine = plus(times(times(step(step(-1.9515295891e-4f, z, 8.3321608736e-3f), z, -1.6666654611e-1f), z), x), x);
  const float cosine =
      plus(step(-0.5f, z, times(times(step(step(2.443315711809948e-5f, z, -1.388731625493765e-3f), z, 4.166664568298827e-2f), z), z)), 1.0f);
  const float c = (quadrant & 1u) ? -sine : cosine; // cos(x + pi/2) = -sin x
  const float s = (quadrant & 1u) ? cosine : sine;
  const bool opposite = (quadrant & 2u) != 0;
  first = times(r, opposite ? -c : c);
  second = times(r, opposite ? -s : s);
}

// The standard normal values of elements 4 block .. 4 block + 3.
VOXLAB_HOST_DEVICE Normals normals(const Stream& stream, std::uint64_t block) {
  const Block b = generate(stream, block);
  Normals n;
  normalPair(b.word[0], b.word[1], n.value[0], n.value[1]);
  normalPair(b.word[2], b.word[3], n.value[2], n.value[3]);
  return n;
}

} // namespace voxlab::philox

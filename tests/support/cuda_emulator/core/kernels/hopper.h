// SPDX-License-Identifier: Apache-2.0
// The emulator's version of core/kernels/hopper.h. Copies happen at once; products as late as they may: when somebody waits for
// them, so that an operand which is overwritten too early shows.
#pragma once
#include "core/kernels/intrinsics.h"
#include "core/kernels/launch.h"
#include <map>
#include <vector>

namespace voxlab::device {

struct TensorMap {
  const unsigned char* data;
  std::int64_t size[5], stride[5]; // channels, x, y, z, batch; strides in bytes
  int box[3];                      // bytes of channels, x, y
  int elementBytes;
};

inline TensorMap volumeMap(const void* data, ElementType type, const VolumeShape& s, int boxX, int boxY) {
  const auto bytes = static_cast<std::int64_t>(elementBytes(type));
  const std::int64_t c = s.channels * bytes;
  return {static_cast<const unsigned char*>(data),
          {s.channels, s.width, s.height, s.depth, s.batch},
          {bytes, c, s.width * c, s.height * s.width * c, s.voxels() * c},
          {128, boxX, boxY},
          static_cast<int>(bytes)};
}

inline std::uint32_t sharedAddress(const void* p) { return static_cast<std::uint32_t>(static_cast<const unsigned char*>(p) - emulator::dynamicShared()); }
inline std::uint32_t swizzled(std::uint32_t address) { return address ^ (address >> 7 & 7u) << 4; }

using Barrier = std::uint64_t;

struct BarrierState {
  unsigned arrivals = 0, pending = 0, phase = 0;
  std::int64_t bytes = 0;
};
inline std::map<Barrier*, BarrierState>& barrierStates() {
  static std::map<Barrier*, BarrierState> states;
  return states;
}
inline void completeIfDue(BarrierState& state) {
  if (state.pending > 0 || state.bytes != 0)
    return;
  ++state.phase;
  state.pending = state.arrivals;
  emulator::noteProgress();
}
inline void initialise(Barrier* barrier, unsigned arrivals) { barrierStates()[barrier] = {arrivals, arrivals, 0, 0}; }
inline void publishBarriers() {}
inline void arrive(Barrier* barrier) {
  BarrierState& state = barrierStates().at(barrier);
  if (state.pending == 0)
    throw std::runtime_error("a barrier got more arrivals than it was made for");
  --state.pending;
  completeIfDue(state);
}
inline void arriveExpecting(Barrier* barrier, std::uint32_t bytes) {
  barrierStates().at(barrier).bytes += bytes;
  arrive(barrier);
}
inline void deliver(Barrier* barrier, std::uint32_t bytes) {
  BarrierState& state = barrierStates().at(barrier);
  state.bytes -= bytes;
  completeIfDue(state);
}
inline void wait(Barrier* barrier, std::uint32_t parity) {
  emulator::waitUntil([&] { return barrierStates().at(barrier).phase % 2 != parity; });
}
inline void synchroniseSome(unsigned id, unsigned threads) { emulator::blockBarrier(id, threads); }
inline void arriveSome(unsigned id, unsigned threads) { emulator::blockArrive(id, threads); }

inline void prefetchMap(const TensorMap&) {}
inline void copyBox(void* to, const TensorMap& map, Barrier* barrier, int channel, int x, int y, int z, int n) {
  const std::uint32_t base = sharedAddress(to);
  if (base % 1024 != 0)
    throw std::runtime_error("a swizzled box has to start at a multiple of 1024 bytes");
  std::uint32_t row = 0;
  for (int by = 0; by < map.box[2]; ++by)
    for (int bx = 0; bx < map.box[1]; ++bx, ++row)
      for (int piece = 0; piece < 8; ++piece) {
        const std::int64_t at[5] = {channel + piece * 16 / map.elementBytes, x + bx, y + by, z, n};
        bool inside = true;
        std::int64_t offset = 0;
        for (int d = 0; d < 5; ++d) {
          inside = inside && at[d] >= 0 && at[d] < map.size[d];
          offset += at[d] * map.stride[d];
        }
        unsigned char* const piecePlace = emulator::dynamicShared() + swizzled(base + row * 128 + static_cast<std::uint32_t>(piece) * 16);
        if (inside)
          std::memcpy(piecePlace, map.data + offset, 16);
        else
          std::memset(piecePlace, 0, 16);
      }
  deliver(barrier, row * 128);
}
inline void copyBytes(void* to, const void* from, std::uint32_t bytes, Barrier* barrier) {
  std::memcpy(to, from, bytes);
  deliver(barrier, bytes);
}

template <int> void takeRegisters() {}
template <int> void giveRegisters() {}
template <int kCount> void touch(float (&)[kCount]) {}
inline void publishShared() {}

// Groups of products of one thread that nobody has waited for.
struct ProductQueue {
  std::vector<std::function<void()>> open;
  std::vector<std::vector<std::function<void()>>> closed;
};
inline ProductQueue& productQueue() {
  static std::map<unsigned, ProductQueue> queues;
  return queues[emulator::threadNumber()];
}
inline void beginProducts() {}
inline void closeProducts() {
  ProductQueue& q = productQueue();
  q.closed.push_back(std::move(q.open));
  q.open.clear();
}
template <int kOpen> void awaitProducts() {
  ProductQueue& q = productQueue();
  while (q.closed.size() > kOpen) {
    for (const auto& product : q.closed.front())
      product();
    q.closed.erase(q.closed.begin());
  }
}

struct OperandRows {
  std::uint32_t address, groupStride, blockStride;
};
inline std::uint64_t operand(std::uint32_t address, std::uint32_t groupStride, std::uint32_t blockStride = 16) {
  if (address % 16 || groupStride % 16 || blockStride % 16)
    throw std::runtime_error("operands and their strides are multiples of 16 bytes");
  return static_cast<std::uint64_t>(address >> 4) | static_cast<std::uint64_t>(blockStride >> 4) << 16 | static_cast<std::uint64_t>(groupStride >> 4) << 32;
}
inline OperandRows decoded(std::uint64_t operand) {
  return {static_cast<std::uint32_t>(operand & 0x3FFF) << 4, static_cast<std::uint32_t>(operand >> 32 & 0x3FFF) << 4, static_cast<std::uint32_t>(operand >> 16 & 0x3FFF) << 4};
}
inline float valueAt(std::uint32_t address, ElementType type) {
  const unsigned char* p = emulator::dynamicShared() + swizzled(address);
  float value;
  BFloat16 b;
  Float16 h;
  switch (type) {
  case ElementType::BFloat16:
    std::memcpy(&b, p, 2);
    return toFloat(b);
  case ElementType::Float16:
    std::memcpy(&h, p, 2);
    return toFloat(h);
  default:
    std::memcpy(&value, p, 4);
    return __uint_as_float(__float_as_uint(value) & ~0x1FFFu);
  }
}

// One thread's share; rows along M and N, or (kAcross) the summed dimension along the rows.
template <bool kAcross, int kCount> void multiplyShare(float (&d)[kCount], std::uint64_t a, std::uint64_t b, int accumulates, ElementType type) {
  const unsigned thread = emulator::threadNumber() % 128, g = thread % 32 / 4, t = thread % 4, firstRow = thread / 32 * 16 + g;
  const std::uint32_t bytes = static_cast<std::uint32_t>(elementBytes(type)), depth = 32 / bytes;
  const auto value = [&](std::uint64_t which, std::uint32_t index, std::uint32_t k) {
    const OperandRows o = decoded(which);
    if (kAcross)
      return valueAt(o.address + index / 64 * o.blockStride + index % 64 * bytes + k / 8 * o.groupStride + k % 8 * 128, type);
    return valueAt(o.address + index / 8 * o.groupStride + index % 8 * 128 + k * bytes, type);
  };
  float rows[2][16], column[16];
  for (std::uint32_t half = 0; half < 2; ++half)
    for (std::uint32_t k = 0; k < depth; ++k)
      rows[half][k] = value(a, firstRow + 8 * half, k);
  for (std::uint32_t j = 0; j < kCount / 4; ++j)
    for (std::uint32_t side = 0; side < 2; ++side) {
      for (std::uint32_t k = 0; k < depth; ++k)
        column[k] = value(b, 8 * j + 2 * t + side, k);
      for (std::uint32_t half = 0; half < 2; ++half) {
        double sum = 0;
        for (std::uint32_t k = 0; k < depth; ++k)
          sum += static_cast<double>(rows[half][k]) * column[k];
        float& to = d[4 * j + 2 * half + side];
        to = static_cast<float>((accumulates ? to : 0.0f) + sum);
      }
    }
}
template <bool kAcross, int kCount> void enqueue(float (&d)[kCount], std::uint64_t a, std::uint64_t b, int accumulates, ElementType type) {
  productQueue().open.push_back([&d, a, b, accumulates, type] { multiplyShare<kAcross>(d, a, b, accumulates, type); });
}
inline void multiplyBFloat16(float (&d)[128], std::uint64_t a, std::uint64_t b, int accumulates) { enqueue<false>(d, a, b, accumulates, ElementType::BFloat16); }
inline void multiplyFloat16(float (&d)[128], std::uint64_t a, std::uint64_t b, int accumulates) { enqueue<false>(d, a, b, accumulates, ElementType::Float16); }
inline void multiplyTf32(float (&d)[128], std::uint64_t a, std::uint64_t b, int accumulates) { enqueue<false>(d, a, b, accumulates, ElementType::Float32); }
inline void multiplyRowsBFloat16(float (&d)[96], std::uint64_t a, std::uint64_t b, int accumulates) { enqueue<true>(d, a, b, accumulates, ElementType::BFloat16); }
inline void multiplyRowsFloat16(float (&d)[96], std::uint64_t a, std::uint64_t b, int accumulates) { enqueue<true>(d, a, b, accumulates, ElementType::Float16); }

inline void storeTransposed(void* row, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  struct Share {
    void* row;
    std::uint32_t word[4];
  };
  const Share mine{row, {a, b, c, d}};
  const unsigned char* slots = emulator::exchange(&mine, sizeof mine);
  // This lane stores its own row: row l % 8 of transposed matrix l / 8 gathers column l % 8 of the matrix.
  const unsigned lane = emulator::lane(), matrix = lane / 8, column = lane % 8;
  std::uint16_t values[8];
  for (unsigned r = 0; r < 8; ++r) {
    const std::uint32_t word = emulator::fromLane<Share>(slots, 4 * r + column / 2).word[matrix];
    values[r] = static_cast<std::uint16_t>(column % 2 ? word >> 16 : word);
  }
  std::memcpy(row, values, 16);
}

} // namespace voxlab::device

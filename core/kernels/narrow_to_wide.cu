// SPDX-License-Identifier: Apache-2.0
// A matrix product of voxels x (27 taps x K narrow channels) by (27 K) x C. A block keeps the narrow tensor's tile with its
// halo and all weights in shared memory; a warp gathers its operand from the tile for 64 voxels (two rows of 32) by 32 channels.
// Channels are dealt to the columns of the tensor cores' result so that a thread ends with eight neighbours: 16-byte stores.
// At 64 channels, 128³ and 16 bits the output's 268 MB are the limit.
// For FP32 storage operands are split into two TF32 values, x = high + low, and three of the four products taken: LibTorch runs such
// layers in FP32, and what the network's first layer gets wrong is in all that follows.
#include "core/kernels/launch.h"
#include "core/kernels/narrow_conv.h"
#include "core/kernels/tensor_core.h"

namespace voxlab {
namespace device {
namespace {

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr int kTileX = 32, kTileY = 4, kTileZ = 4;
constexpr int kPitch = kTileX + 2, kRows = kTileY + 2, kPlanes = kTileZ + 2, kTileVoxels = kPlanes * kRows * kPitch;
constexpr int kUnits = kTileZ * kTileY / 2; // of two rows
constexpr int kColumnTiles = 4;             // tensor-core tiles of 8 columns: 32 channels
constexpr int kRowTiles = 4;                // of 16 voxels

struct Tiles {
  std::int64_t x, y, z, count;  // along the axes of one batch entry, and in all
  int firstBlock, blocks;       // of 32 channels: those whose weights this launch keeps
};
constexpr std::size_t kMostSharedBytes = 200 * 1024; // what is left of a multiprocessor's from Ampere on is the first-level cache

// kNarrow: narrow channels, padded to 1, 4 or 8.
template <class T, int kNarrow> struct Expansion {
  using Core = TensorCore<T>;
  using Stored = typename Core::Stored;
  static constexpr int kSteps = (27 * kNarrow + Core::kDepth - 1) / Core::kDepth;
  // Two values of a word are one 32-bit load where they belong to one voxel.
  static constexpr bool kSplitWords = Core::kPerWord == 2 && kNarrow == 1;
  static constexpr int kEntries = kSplitWords ? 4 : 2; // offsets a lane needs for one step
  static constexpr std::size_t kTileBytes = (kTileVoxels * kNarrow * sizeof(Stored) + 15) / 16 * 16;
  static constexpr std::size_t kOffsetBytes = kSteps * 4 * kEntries * sizeof(int);
  static constexpr int kParts = sizeof(T) == 4 ? 2 : 1; // high and low
  static constexpr std::size_t kBlockBytes = kParts * kSteps * 2 * 32 * sizeof(uint4); // weights of 32 channels
  static constexpr std::size_t sharedBytes(int blocks) { return kTileBytes + kOffsetBytes + static_cast<std::size_t>(blocks) * kBlockBytes; }
};

struct Split {
  std::uint32_t high, low;
  __device__ __forceinline__ explicit Split(float x) : high(roundToTf32(x)) {
    const float rest = x - __uint_as_float(high);
    low = roundToTf32(rest == rest ? rest : 0.0f); // of an infinity nothing is left
  }
};

// Weights in the order in which the lanes need them: [32 channels][part][step][half of the column tiles][lane] of 16 bytes.
template <class T, int kNarrow> __device__ void fillWeights(const NarrowToWide& p, const Tiles& tiles, std::uint32_t* words) {
  using E = Expansion<T, kNarrow>;
  using Core = TensorCore<T>;
  const int count = tiles.blocks * E::kParts * E::kSteps * 2 * 32 * 4;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) {
    const int lane = i / 4 % 32, step = i / 256 % E::kSteps, part = i / 256 / E::kSteps % E::kParts, block = i / 256 / E::kSteps / E::kParts + tiles.firstBlock;
    const int columnTile = i / 128 % 2 * 2 + i % 4 / 2, word = i % 2, column = lane / 4;
    const int channel = block * 32 + column / 2 * 8 + columnTile * 2 + column % 2;
    float value[2] = {};
    for (int v = 0; v < Core::kPerWord; ++v) {
      const int k = step * Core::kDepth + depthOf<T>(lane % 4, word, v), tap = k / kNarrow, narrow = k % kNarrow;
      if (tap < 27 && narrow < p.narrowChannels)
        value[v] = p.weight[narrowWeightOffset(p.layer, p.shape.channels, p.narrowChannels, channel, narrow, p.layer == NarrowLayer::First ? tap : 26 - tap)];
    }
    words[i] = part == 0 ? Core::word(value[0], value[1]) : Split(value[0]).low;
  }
}

// Where in the tile, relative to a voxel's first tap, the values of a lane's words stand: [step][t][word and value].
template <class T, int kNarrow> __device__ void fillOffsets(int* offsets) {
  using E = Expansion<T, kNarrow>;
  for (int i = static_cast<int>(threadIdx.x); i < E::kSteps * 4 * E::kEntries; i += kThreads) {
    const int entry = i % E::kEntries, t = i / E::kEntries % 4, step = i / E::kEntries / 4;
    const int word = E::kSplitWords ? entry / 2 : entry, value = E::kSplitWords ? entry % 2 : 0;
    const int k = step * TensorCore<T>::kDepth + depthOf<T>(t, word, value), tap = k / kNarrow;
    offsets[i] = tap < 27 ? ((tap / 9 * kRows + tap / 3 % 3) * kPitch + tap % 3) * kNarrow + k % kNarrow : 0; // the weight is zero there
  }
}

template <class T, int kNarrow>
__device__ void fillTile(const NarrowToWide& p, typename TensorCore<T>::Stored* tile, std::int64_t n, std::int64_t z0, std::int64_t y0, std::int64_t x0) {
  const VolumeShape& s = p.shape;
  for (int i = static_cast<int>(threadIdx.x); i < kTileVoxels; i += kThreads) {
    const std::int64_t x = x0 + i % kPitch - 1, y = y0 + i / kPitch % kRows - 1, z = z0 + i / (kPitch * kRows) - 1;
    const bool inside = x >= 0 && x < s.width && y >= 0 && y < s.height && z >= 0 && z < s.depth;
    const float* from = p.narrow + (((n * s.depth + z) * s.height + y) * s.width + x) * p.narrowChannels;
#pragma unroll
    for (int k = 0; k < kNarrow; ++k) {
      const float value = inside && k < p.narrowChannels ? from[k] : 0.0f;
      if constexpr (sizeof(T) == 4)
        tile[i * kNarrow + k] = value; // split where it is used
      else
        tile[i * kNarrow + k] = TensorCore<T>::stored(value);
    }
  }
}

template <class T, int kNarrow>
__device__ __forceinline__ std::uint32_t gather(const typename TensorCore<T>::Stored* voxel, const int (&offset)[Expansion<T, kNarrow>::kEntries], int word) {
  if constexpr (Expansion<T, kNarrow>::kSplitWords)
    return voxel[offset[2 * word]] | static_cast<std::uint32_t>(voxel[offset[2 * word + 1]]) << 16;
  else
    return *reinterpret_cast<const std::uint32_t*>(voxel + offset[word]);
}

// sum += a b for all column tiles.
template <class T>
__device__ __forceinline__ void multiplyColumns(float (&sum)[kColumnTiles][4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[kColumnTiles][2]) {
#pragma unroll
  for (int j = 0; j < kColumnTiles; ++j)
    TensorCore<T>::multiply(sum[j], a, b[j]);
}

struct WeightColumns {
  std::uint32_t word[kColumnTiles][2];
  __device__ __forceinline__ explicit WeightColumns(const uint4* from) {
    const uint4 low = from[0], high = from[32];
    const std::uint32_t all[kColumnTiles][2] = {{low.x, low.y}, {low.z, low.w}, {high.x, high.y}, {high.z, high.w}};
#pragma unroll
    for (int j = 0; j < kColumnTiles; ++j)
#pragma unroll
      for (int w = 0; w < 2; ++w)
        word[j][w] = all[j][w];
  }
};

// Eight neighbouring channels of one voxel.
template <class T> __device__ __forceinline__ void storeEight(T* to, const float (&value)[8]) {
  if constexpr (sizeof(T) == 4) {
    storeRaw(to, pack<T>({value[0], value[1], value[2], value[3]}));
    storeRaw(to + 4, pack<T>({value[4], value[5], value[6], value[7]}));
  } else {
    storeRaw(to, pack<T>(value));
  }
}

template <class T, int kNarrow>
__global__ void __launch_bounds__(kThreads, 2) narrowToWideKernel(const __grid_constant__ NarrowToWide p, const __grid_constant__ Tiles tiles) {
  using E = Expansion<T, kNarrow>;
  using Stored = typename TensorCore<T>::Stored;
  unsigned char* const shared = dynamicSharedMemory();
  Stored* const tile = reinterpret_cast<Stored*>(shared);
  int* const offsets = reinterpret_cast<int*>(shared + E::kTileBytes);
  std::uint32_t* const weights = reinterpret_cast<std::uint32_t*>(shared + E::kTileBytes + E::kOffsetBytes);
  fillWeights<T, kNarrow>(p, tiles, weights);
  fillOffsets<T, kNarrow>(offsets);

  const VolumeShape& s = p.shape;
  const int C = s.channels, warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32, g = lane / 4, t = lane % 4;
  for (std::int64_t index = blockIdx.x; index < tiles.count; index += gridDim.x) {
    const std::int64_t x0 = index % tiles.x * kTileX, y0 = index / tiles.x % tiles.y * kTileY, z0 = index / (tiles.x * tiles.y) % tiles.z * kTileZ,
                       n = index / (tiles.x * tiles.y * tiles.z);
    __syncthreads(); // the tile before this one has been used
    fillTile<T, kNarrow>(p, tile, n, z0, y0, x0);
    __syncthreads();
    for (int job = warp; job < kUnits * tiles.blocks; job += kWarps) {
      const int unit = job % kUnits, block = job / kUnits, unitZ = unit / (kTileY / 2), unitY = unit % (kTileY / 2) * 2;
      if (z0 + unitZ >= s.depth || y0 + unitY >= s.height)
        continue;
      float sum[kRowTiles][kColumnTiles][4] = {};
      const Stored* const first = tile + ((unitZ * kRows + unitY) * kPitch + g) * kNarrow;
      for (int step = 0; step < E::kSteps; ++step) {
        int offset[E::kEntries];
#pragma unroll
        for (int e = 0; e < E::kEntries; ++e)
          offset[e] = offsets[(step * 4 + t) * E::kEntries + e];
        const uint4* const from = reinterpret_cast<const uint4*>(weights) + (block * E::kParts * E::kSteps + step) * 64 + lane;
        const WeightColumns b(from);
#pragma unroll
        for (int m = 0; m < kRowTiles; ++m) {
          const Stored* const voxel = first + (m / 2 * kPitch + m % 2 * 16) * kNarrow;
          const std::uint32_t a[4] = {gather<T, kNarrow>(voxel, offset, 0), gather<T, kNarrow>(voxel + 8 * kNarrow, offset, 0),
                                      gather<T, kNarrow>(voxel, offset, 1), gather<T, kNarrow>(voxel + 8 * kNarrow, offset, 1)};
          if constexpr (E::kParts == 2) {
            std::uint32_t high[4], low[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
              const Split split(__uint_as_float(a[i]));
              high[i] = split.high;
              low[i] = split.low;
            }
            multiplyColumns<T>(sum[m], low, b.word);
            multiplyColumns<T>(sum[m], high, WeightColumns(from + E::kSteps * 64).word);
            multiplyColumns<T>(sum[m], high, b.word);
          } else {
            multiplyColumns<T>(sum[m], a, b.word);
          }
        }
      }
      const int channel = (tiles.firstBlock + block) * 32 + 8 * t;
      float bias[8];
#pragma unroll
      for (int i = 0; i < 8; ++i)
        bias[i] = p.bias ? p.bias[channel + i] : 0.0f;
#pragma unroll
      for (int m = 0; m < kRowTiles; ++m)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const std::int64_t x = x0 + m % 2 * 16 + half * 8 + g, y = y0 + unitY + m / 2;
          if (x >= s.width || y >= s.height)
            continue;
          float value[8];
#pragma unroll
          for (int i = 0; i < 8; ++i)
            value[i] = sum[m][i / 2][half * 2 + i % 2] + bias[i];
          storeEight(static_cast<T*>(p.wide) + (((n * s.depth + z0 + unitZ) * s.height + y) * s.width + x) * C + channel, value);
        }
    }
  }
}

template <class T, int kNarrow> void launchExpansion(const NarrowToWide& p, Stream stream) {
  using E = Expansion<T, kNarrow>;
  const VolumeShape& s = p.shape;
  Tiles tiles{divideUp(s.width, kTileX), divideUp(s.height, kTileY), divideUp(s.depth, kTileZ), 0, 0, 0};
  tiles.count = tiles.x * tiles.y * tiles.z * s.batch;
  const auto grid = static_cast<unsigned>(std::min<std::int64_t>(tiles.count, 2 * multiprocessors()));
  const int all = s.channels / 32, most = static_cast<int>((kMostSharedBytes - E::sharedBytes(0)) / E::kBlockBytes);
  for (; tiles.firstBlock < all; tiles.firstBlock += tiles.blocks) { // one launch up to 96 channels in any case
    tiles.blocks = std::min(most, all - tiles.firstBlock);
    launch("The narrow-to-wide convolution", narrowToWideKernel<T, kNarrow>, LaunchShape{dim3(grid), dim3(kThreads), E::sharedBytes(tiles.blocks), stream}, p, tiles);
  }
}

} // namespace
} // namespace device

void launchNarrowToWide(const NarrowToWide& p, Stream stream) {
  device::requireTensorCores(p.type);
  device::withElementType(p.type, [&](auto element) {
    using T = decltype(element);
    if (p.narrowChannels == 1)
      device::launchExpansion<T, 1>(p, stream);
    else if (p.narrowChannels <= 4)
      device::launchExpansion<T, 4>(p, stream);
    else
      device::launchExpansion<T, 8>(p, stream);
  });
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// The weight gradient of both narrow layers: G[c][k, tap] = sum over voxels v of wide[v][c] narrow[v + tap][k], a product whose
// summed dimension is the voxels. A warp owns 32 channels by all (k, tap) columns and walks over rows of voxels: the wide tensor
// goes from memory straight into registers, four channels a lane, where the halves of neighbouring voxels' words change places;
// pairs of narrow voxels come from a tile in shared memory, of which a second copy shifted by one makes odd pairs aligned.
// One more column of ones sums the wide tensor itself: the bias gradient. Blocks leave partial sums, which a second kernel
// adds in a fixed order.
#include "core/kernels/activation.h"
#include "core/kernels/launch.h"
#include "core/kernels/narrow_conv.h"
#include "core/kernels/tensor_core.h"

namespace voxlab {
namespace device {
namespace {

constexpr int kTileX = 32, kTileY = 4, kPitch = kTileX + 2, kRows = kTileY + 2;
constexpr int kRowsOfWarp = 2, kStretches = kRowsOfWarp * 2; // of 16 voxels: one step of the loop
constexpr int kChannels = 32;                                // of a block
constexpr int kReduceColumns = 32, kReduceParts = 8;

// Many columns take many registers: then fewer blocks, of more warps, fill a multiprocessor.
template <int kColumnTiles> struct Block {
  static constexpr int kWarps = kColumnTiles == 4 ? 8 : 12, kThreads = 32 * kWarps, kPerMultiprocessor = kColumnTiles == 4 ? 2 : 1;
  static constexpr int kTileZ = kWarps * kRowsOfWarp / kTileY, kPlanes = kTileZ + 2, kTileVoxels = kPlanes * kRows * kPitch;
};

struct Tiles {
  int x, y, z, batch;
  __host__ __device__ constexpr std::int64_t count() const { return static_cast<std::int64_t>(x) * y * z * batch; }
};
template <int kColumnTiles> struct Origin {
  std::int64_t n;
  int z, y, x;
  __device__ __forceinline__ Origin(const Tiles& tiles, std::int64_t index) {
    n = index / (tiles.x * tiles.y * tiles.z);
    const int within = static_cast<int>(index - n * (tiles.x * tiles.y * tiles.z));
    x = within % tiles.x * kTileX;
    y = within / tiles.x % tiles.y * kTileY;
    z = within / (tiles.x * tiles.y) * Block<kColumnTiles>::kTileZ;
  }
};

// Words of the summed dimension: pairs of voxels, or single ones.
template <class T, int kColumnTiles> struct Layout {
  using Core = TensorCore<T>;
  static constexpr int kCopies = Core::kPerWord, kPlanes = Block<kColumnTiles>::kPlanes;
  static constexpr int kRowWords = kPitch / Core::kPerWord, kCopyWords = kPlanes * kRows * kRowWords, kChannelWords = kCopies * kCopyWords;
  static constexpr std::size_t tileBytes(int narrowPlanes) { return static_cast<std::size_t>(narrowPlanes) * kChannelWords * sizeof(std::uint32_t); }
  static constexpr std::size_t sharedBytes(int narrowPlanes) {
    const std::size_t sums = static_cast<std::size_t>(kChannels) * kColumnTiles * 8 * sizeof(float), tile = tileBytes(narrowPlanes);
    return tile > sums ? tile : sums;
  }
};

// Column q of the product is narrow channel q / 27, tap q % 27; column 27 K is all ones; what follows is ignored.
// First word of the column's values, relative to the first voxel of a stretch.
template <class T, int kColumnTiles> __device__ int columnOffset(int q, int narrowChannels) {
  using L = Layout<T, kColumnTiles>;
  const int channel = q < 27 * narrowChannels ? q / 27 : narrowChannels, tap = q < 27 * narrowChannels ? q % 27 : 13, dx = tap % 3;
  const int row = channel * L::kChannelWords + (tap / 9 * kRows + tap / 3 % 3) * L::kRowWords;
  return L::kCopies == 2 ? row + (dx == 1 ? L::kCopyWords : dx / 2) : row + dx;
}

template <class T, int kColumnTiles> __device__ void fillTile(const NarrowTimesWide& p, std::uint32_t* words, const Origin<kColumnTiles>& origin) {
  using L = Layout<T, kColumnTiles>;
  using Stored = typename TensorCore<T>::Stored;
  const VolumeShape& s = p.shape;
  for (int i = static_cast<int>(threadIdx.x); i < Block<kColumnTiles>::kTileVoxels; i += Block<kColumnTiles>::kThreads) {
    const int within = i % kPitch, row = i / kPitch;
    const int x = origin.x + within - 1, y = origin.y + row % kRows - 1, z = origin.z + row / kRows - 1;
    const bool inside = x >= 0 && x < s.width && y >= 0 && y < s.height && z >= 0 && z < s.depth;
    const float* from = p.narrow + (((origin.n * s.depth + z) * s.height + y) * s.width + x) * p.narrowChannels;
    for (int k = 0; k <= p.narrowChannels; ++k) {
      const Stored value = TensorCore<T>::stored(k == p.narrowChannels ? 1.0f : inside ? from[k] : 0.0f);
      Stored* const to = reinterpret_cast<Stored*>(words + k * L::kChannelWords + row * L::kRowWords);
      to[within] = value;
      if (L::kCopies == 2 && within > 0)
        to[2 * L::kCopyWords + within - 1] = value;
    }
  }
}

// Sixteen voxels of a row, four channels of four voxels a lane; zeros outside.
template <class T> struct Stretch {
  static constexpr int kVoxels = 4, kWords = sizeof(T); // words of four channels: two or four
  std::uint32_t word[kVoxels][kWords];
  int inside; // bit i: voxel i is
};
// The voxels of a lane: 2t, 2t + 1, 2t + 8, 2t + 9 of the pairs, or t, t + 4, t + 8, t + 12.
template <class T> __device__ __forceinline__ int voxelOfLane(int t, int i) { return TensorCore<T>::kPerWord == 2 ? 2 * t + i % 2 + i / 2 * 8 : t + 4 * i; }

template <class T, int kColumnTiles>
__device__ __forceinline__ void loadStretch(Stretch<T>& stretch, const NarrowTimesWide& p, const Origin<kColumnTiles>& origin, int part, int warp, int lane) {
  const VolumeShape& s = p.shape;
  const int row = warp * kRowsOfWarp + part / 2, g = lane / 4, t = lane % 4;
  const int x0 = origin.x + part % 2 * 16, y = origin.y + row % kTileY, z = origin.z + row / kTileY;
  const bool rowInside = origin.n < s.batch && y < s.height && z < s.depth;
  const T* const from = static_cast<const T*>(p.wide) + (((origin.n * s.depth + z) * s.height + y) * s.width + x0) * s.channels + blockIdx.y * kChannels + 4 * g;
  stretch.inside = 0;
#pragma unroll
  for (int i = 0; i < Stretch<T>::kVoxels; ++i) {
    const int voxel = voxelOfLane<T>(t, i);
    const bool inside = rowInside && x0 + voxel < s.width;
    stretch.inside |= inside ? 1 << i : 0;
    if constexpr (sizeof(T) == 4) {
      const uint4 raw = inside ? *reinterpret_cast<const uint4*>(from + voxel * s.channels) : make_uint4(0, 0, 0, 0);
      stretch.word[i][0] = raw.x, stretch.word[i][1] = raw.y, stretch.word[i][2] = raw.z, stretch.word[i][3] = raw.w;
    } else {
      const uint2 raw = inside ? *reinterpret_cast<const uint2*>(from + voxel * s.channels) : make_uint2(0, 0);
      stretch.word[i][0] = raw.x, stretch.word[i][1] = raw.y;
    }
  }
}

template <class T> __device__ __forceinline__ void normalise(Stretch<T>& stretch, const float (&scale)[4], const float (&offset)[4], Activation activation) {
#pragma unroll
  for (int i = 0; i < Stretch<T>::kVoxels; ++i) {
    float value[4];
    if constexpr (sizeof(T) == 4) {
#pragma unroll
      for (int c = 0; c < 4; ++c)
        value[c] = __uint_as_float(stretch.word[i][c]);
    } else {
      const float2 low = unpackPair<T>(stretch.word[i][0]), high = unpackPair<T>(stretch.word[i][1]);
      value[0] = low.x, value[1] = low.y, value[2] = high.x, value[3] = high.y;
    }
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      value[c] = scale[c] * value[c] + offset[c];
      value[c] = activation == Activation::SiLU ? silu(value[c]) : value[c];
      value[c] = stretch.inside >> i & 1 ? value[c] : 0.0f;
    }
    if constexpr (sizeof(T) == 4) {
#pragma unroll
      for (int c = 0; c < 4; ++c)
        stretch.word[i][c] = __float_as_uint(value[c]);
    } else {
      stretch.word[i][0] = packPair<T>(value[0], value[1]);
      stretch.word[i][1] = packPair<T>(value[2], value[3]);
    }
  }
}

// The rows of the result: row g of row tile i is channel 4 g + 2 i, row g + 8 the one after it.
template <class T, int kColumnTiles>
__device__ __forceinline__ void multiplyStretch(float (&sum)[2][kColumnTiles][4], const Stretch<T>& stretch, const std::uint32_t* words,
                                                const int (&offset)[kColumnTiles]) {
  constexpr int kSteps = 16 / TensorCore<T>::kDepth;
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    std::uint32_t a[2][4];
#pragma unroll
    for (int i = 0; i < 2; ++i)
      if constexpr (sizeof(T) == 4) {
        a[i][0] = roundToTf32(__uint_as_float(stretch.word[2 * step][2 * i]));
        a[i][1] = roundToTf32(__uint_as_float(stretch.word[2 * step][2 * i + 1]));
        a[i][2] = roundToTf32(__uint_as_float(stretch.word[2 * step + 1][2 * i]));
        a[i][3] = roundToTf32(__uint_as_float(stretch.word[2 * step + 1][2 * i + 1]));
      } else {
        constexpr std::uint32_t kLowHalves = 0x5410, kHighHalves = 0x7632;
        a[i][0] = permuteBytes(stretch.word[0][i], stretch.word[1][i], kLowHalves);
        a[i][1] = permuteBytes(stretch.word[0][i], stretch.word[1][i], kHighHalves);
        a[i][2] = permuteBytes(stretch.word[2][i], stretch.word[3][i], kLowHalves);
        a[i][3] = permuteBytes(stretch.word[2][i], stretch.word[3][i], kHighHalves);
      }
#pragma unroll
    for (int j = 0; j < kColumnTiles; ++j) {
      const std::uint32_t b[2] = {words[offset[j] + step * 8], words[offset[j] + step * 8 + 4]};
      TensorCore<T>::multiply(sum[0][j], a[0], b);
      TensorCore<T>::multiply(sum[1][j], a[1], b);
    }
  }
}

// gridDim: blocks, groups of 32 channels, groups of column tiles. Partial sums: [block][channel][column].
template <class T, int kColumnTiles>
__global__ void __launch_bounds__(Block<kColumnTiles>::kThreads, Block<kColumnTiles>::kPerMultiprocessor)
    narrowTimesWideKernel(const __grid_constant__ NarrowTimesWide p, const __grid_constant__ Tiles tiles) {
  using L = Layout<T, kColumnTiles>;
  constexpr int kWarps = Block<kColumnTiles>::kWarps, kThreads = Block<kColumnTiles>::kThreads;
  std::uint32_t* const words = reinterpret_cast<std::uint32_t*>(dynamicSharedMemory());
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32, g = lane / 4, t = lane % 4;
  const int firstColumn = static_cast<int>(blockIdx.z) * kColumnTiles * 8;
  int offset[kColumnTiles];
#pragma unroll
  for (int j = 0; j < kColumnTiles; ++j)
    offset[j] = columnOffset<T, kColumnTiles>(firstColumn + 8 * j + g, p.narrowChannels) + t;
  float sum[2][kColumnTiles][4] = {};
  float scale[4] = {}, shift[4] = {};
  std::int64_t coefficientsOf = -1; // batch entry

  Origin<kColumnTiles> origin(tiles, blockIdx.x);
  Stretch<T> next;
  loadStretch(next, p, origin, 0, warp, lane);
  for (std::int64_t index = blockIdx.x; index < tiles.count(); index += gridDim.x) {
    const Origin<kColumnTiles> following(tiles, index + gridDim.x);
    __syncthreads(); // the tile before this one has been used
    fillTile<T>(p, words, origin);
    if (p.coefficients && origin.n != coefficientsOf) {
      coefficientsOf = origin.n;
#pragma unroll
      for (int c = 0; c < 4; ++c) {
        const ChannelCoefficients k = p.coefficients[coefficientsOf * p.shape.channels + blockIdx.y * kChannels + 4 * g + c];
        scale[c] = k.scale;
        shift[c] = k.offset;
      }
    }
    __syncthreads();
#pragma unroll 1
    for (int part = 0; part < kStretches; ++part) {
      Stretch<T> stretch = next;
      // The next sixteen voxels are on their way while these are multiplied.
      if (part + 1 < kStretches)
        loadStretch(next, p, origin, part + 1, warp, lane);
      else
        loadStretch(next, p, following, 0, warp, lane);
      if (p.coefficients)
        normalise(stretch, scale, shift, p.activation);
      const int row = warp * kRowsOfWarp + part / 2;
      multiplyStretch<T, kColumnTiles>(sum, stretch, words + (row / kTileY * kRows + row % kTileY) * L::kRowWords + part % 2 * 16 / TensorCore<T>::kPerWord, offset);
    }
    origin = following;
  }
  // The warps add up one after the other: a fixed order.
  float* const total = reinterpret_cast<float*>(words);
  constexpr int kColumns = kColumnTiles * 8;
  for (int w = 0; w < kWarps; ++w) {
    __syncthreads();
    if (warp == w)
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < kColumnTiles; ++j)
#pragma unroll
          for (int e = 0; e < 4; ++e) {
            float& to = total[(4 * g + 2 * i + e / 2) * kColumns + 8 * j + 2 * t + e % 2];
            to = w == 0 ? sum[i][j][e] : to + sum[i][j][e];
          }
  }
  __syncthreads();
  const int columns = static_cast<int>(gridDim.z) * kColumns;
  for (int i = static_cast<int>(threadIdx.x); i < kChannels * kColumns; i += kThreads) {
    const int channel = static_cast<int>(blockIdx.y) * kChannels + i / kColumns;
    p.workspace[(static_cast<std::int64_t>(blockIdx.x) * p.shape.channels + channel) * columns + firstColumn + i % kColumns] = total[i];
  }
}

// Adds the blocks' partial sums of 32 columns of one channel, eight threads a column.
__global__ void __launch_bounds__(kReduceColumns* kReduceParts) reduceKernel(const __grid_constant__ NarrowTimesWide p, int columns) {
  __shared__ float parts[kReduceParts][kReduceColumns];
  const int within = static_cast<int>(threadIdx.x) % kReduceColumns, part = static_cast<int>(threadIdx.x) / kReduceColumns;
  const int q = static_cast<int>(blockIdx.x) * kReduceColumns + within, channel = static_cast<int>(blockIdx.y), K = p.narrowChannels;
  float sum = 0;
  if (q <= 27 * K) {
#pragma unroll 4
    for (int block = part; block < p.blocks; block += kReduceParts)
      sum += p.workspace[(static_cast<std::int64_t>(block) * p.shape.channels + channel) * columns + q];
  }
  parts[part][within] = sum;
  __syncthreads();
  if (part > 0 || q > 27 * K)
    return;
  for (int other = 1; other < kReduceParts; ++other)
    sum += parts[other][within];
  if (q < 27 * K)
    p.weightGradient[narrowWeightOffset(p.layer, p.shape.channels, K, channel, q / 27, p.layer == NarrowLayer::First ? q % 27 : 26 - q % 27)] = sum;
  else if (p.wideSums)
    p.wideSums[channel] = sum;
}

// Column tiles in one block, and groups of them.
struct Columns {
  int tiles, groups;
};
constexpr Columns columnsFor(int narrowChannels) {
  return narrowChannels == 1 ? Columns{4, 1} : narrowChannels <= 3 ? Columns{11, 1} : narrowChannels == 4 ? Columns{14, 1} : Columns{14, 2};
}

template <int kColumnTiles> Tiles tilesOf(const VolumeShape& s) {
  return {static_cast<int>(divideUp(s.width, kTileX)), static_cast<int>(divideUp(s.height, kTileY)), static_cast<int>(divideUp(s.depth, Block<kColumnTiles>::kTileZ)),
          static_cast<int>(s.batch)};
}

template <class T, int kColumnTiles> void launchProduct(const NarrowTimesWide& p, int groups, Stream stream) {
  const int channelGroups = p.shape.channels / kChannels, columns = groups * kColumnTiles * 8;
  launch("The narrow convolution's weight gradient", narrowTimesWideKernel<T, kColumnTiles>,
         LaunchShape{dim3(static_cast<unsigned>(p.blocks), static_cast<unsigned>(channelGroups), static_cast<unsigned>(groups)), dim3(Block<kColumnTiles>::kThreads),
                     Layout<T, kColumnTiles>::sharedBytes(p.narrowChannels + 1), stream},
         p, tilesOf<kColumnTiles>(p.shape));
  launch("Adding up the narrow convolution's weight gradient", reduceKernel,
         LaunchShape{dim3(static_cast<unsigned>(divideUp(27 * p.narrowChannels + 1, kReduceColumns)), static_cast<unsigned>(p.shape.channels)),
                     dim3(kReduceColumns * kReduceParts), 0, stream},
         p, columns);
}

} // namespace
} // namespace device

int narrowTimesWideBlocks(const NarrowTimesWide& p, int multiprocessors) {
  const device::Columns columns = device::columnsFor(p.narrowChannels);
  const std::int64_t perMultiprocessor = columns.tiles == 4 ? device::Block<4>::kPerMultiprocessor : device::Block<14>::kPerMultiprocessor;
  const std::int64_t wanted = perMultiprocessor * multiprocessors / (p.shape.channels / device::kChannels * columns.groups);
  const std::int64_t tiles = columns.tiles == 4 ? device::tilesOf<4>(p.shape).count() : device::tilesOf<14>(p.shape).count();
  return static_cast<int>(std::clamp<std::int64_t>(tiles, 1, std::max<std::int64_t>(1, wanted)));
}

std::int64_t narrowTimesWideWorkspace(const NarrowTimesWide& p) {
  const device::Columns columns = device::columnsFor(p.narrowChannels);
  return static_cast<std::int64_t>(p.blocks) * p.shape.channels * columns.groups * columns.tiles * 8;
}

void launchNarrowTimesWide(const NarrowTimesWide& p, Stream stream) {
  device::requireTensorCores(p.type);
  device::withElementType(p.type, [&](auto element) {
    using T = decltype(element);
    const device::Columns columns = device::columnsFor(p.narrowChannels);
    if (columns.tiles == 4)
      device::launchProduct<T, 4>(p, columns.groups, stream);
    else if (columns.tiles == 11)
      device::launchProduct<T, 11>(p, columns.groups, stream);
    else
      device::launchProduct<T, 14>(p, columns.groups, stream);
  });
}

} // namespace voxlab

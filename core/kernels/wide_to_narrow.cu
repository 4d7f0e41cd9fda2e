// SPDX-License-Identifier: Apache-2.0
// Not one product of depth 27 C a voxel, most of whose eight columns would be padding, but C values a voxel by 27 taps: every
// voxel's product with all taps is taken once and the result is added up by shifts. A block marches along the depth; for each
// input plane it stores the products of its tile and halo in shared memory, [tap][position], and every thread adds the
// three times nine that its output position needs to the outputs of the planes below, at and above.
// The wide tensor is read once, plus halo (a third, mostly from the caches): at 64 channels, 128³ and 16 bits 268 MB.
#include "core/kernels/activation.h"
#include "core/kernels/launch.h"
#include "core/kernels/narrow_conv.h"
#include "core/kernels/tensor_core.h"

namespace voxlab {
namespace device {
namespace {

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr int kTileX = 32, kTileY = 8; // one output position a thread
constexpr int kPitch = kTileX + 2, kPositions = (kTileY + 2) * kPitch;
constexpr int kRowTiles = (kPositions + 15) / 16, kRowTilesOfWarp = (kRowTiles + kWarps - 1) / kWarps;
constexpr int kTaps = 28;                   // 27, padded to whole pairs
constexpr int kProductPitch = kRowTiles * 16 + 4; // the four lanes of a row then write to different banks
constexpr int kLongestRun = 16;             // planes
constexpr std::size_t kMostSharedBytes = 200 * 1024; // of a block; more would leave no first-level cache

struct March {
  std::int64_t tilesX, tilesY, runs; // blocks along x, y and z; gridDim.y is the batch
  int runLength;
  int firstNarrow; // the first narrow channel of this launch
};

// kNarrow: narrow channels of one launch, padded to 1 or 4.
template <class T> struct Contraction {
  using Core = TensorCore<T>;
  static constexpr int kWidth = kVectorWidth<T>, kSlab = 4 * kWidth; // channels of one 16-byte load by the four lanes of a row
  static constexpr std::size_t kProductBytes = kTaps * kProductPitch * sizeof(float);
  static constexpr std::size_t weightBytes(int channels, int narrow) { return static_cast<std::size_t>(narrow) * channels / kSlab * 2 * 2 * 32 * sizeof(uint4); }
  static constexpr std::size_t sharedBytes(int channels, int narrow) {
    return kProductBytes + weightBytes(channels, narrow) + static_cast<std::size_t>(channels) * sizeof(float2);
  }
};

// Weights in the order in which the lanes need them: [narrow][slab][step][half of the column tiles][lane] of 16 bytes. A lane
// loads neighbouring channels, so the summed dimension is dealt out to match.
template <class T, int kNarrow> __device__ void fillWeights(const WideToNarrow& p, int firstNarrow, std::uint32_t* words) {
  using K = Contraction<T>;
  using Core = TensorCore<T>;
  const int slabs = p.shape.channels / K::kSlab, count = kNarrow * slabs * 2 * 2 * 32 * 4;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) {
    const int lane = i / 4 % 32, step = i / 256 % 2, slab = i / 512 % slabs, narrow = i / 512 / slabs + firstNarrow;
    const int tap = (i / 128 % 2 * 2 + i % 4 / 2) * 8 + lane / 4, word = i % 2;
    float value[2] = {};
    for (int v = 0; v < Core::kPerWord; ++v) {
      const int channel = slab * K::kSlab + lane % 4 * K::kWidth + (2 * step + word) * Core::kPerWord + v;
      if (tap < 27 && narrow < p.narrowChannels)
        value[v] = p.weight[narrowWeightOffset(p.layer, p.shape.channels, p.narrowChannels, channel, narrow, p.layer == NarrowLayer::Last ? tap : 26 - tap)];
    }
    words[i] = Core::word(value[0], value[1]);
  }
}

// What the tensor cores multiply: the wide values, normalised and activated if asked for.
template <class T, bool kNormalise>
__device__ __forceinline__ void prepareOperand(uint4& raw, const float2* scaleAndOffset, bool inside, Activation activation) {
  constexpr int kWidth = kVectorWidth<T>;
  if constexpr (kNormalise || sizeof(T) == 4) {
    float value[kWidth];
    unpack<T>(raw, value);
    if constexpr (kNormalise)
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        value[i] = scaleAndOffset[i].x * value[i] + scaleAndOffset[i].y;
        value[i] = activation == Activation::SiLU ? silu(value[i]) : value[i];
        value[i] = inside ? value[i] : 0.0f; // the padding is zero after the activation
      }
    if constexpr (sizeof(T) == 4)
#pragma unroll
      for (int i = 0; i < kWidth; ++i)
        value[i] = __uint_as_float(roundToTf32(value[i]));
    raw = pack<T>(value);
  }
}

template <class T, int kNarrow, bool kNormalise>
__global__ void __launch_bounds__(kThreads, 3) wideToNarrowKernel(const __grid_constant__ WideToNarrow p, const __grid_constant__ March m) {
  using K = Contraction<T>;
  unsigned char* const shared = dynamicSharedMemory();
  float* const products = reinterpret_cast<float*>(shared);
  std::uint32_t* const weights = reinterpret_cast<std::uint32_t*>(shared + K::kProductBytes);
  float2* const scaleAndOffset = reinterpret_cast<float2*>(shared + K::kProductBytes + K::weightBytes(p.shape.channels, kNarrow));
  const VolumeShape& s = p.shape;
  const int C = s.channels, slabs = C / K::kSlab, warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32, g = lane / 4, t = lane % 4;
  const std::int64_t n = blockIdx.y, x0 = blockIdx.x % m.tilesX * kTileX, y0 = blockIdx.x / m.tilesX % m.tilesY * kTileY;
  const std::int64_t firstPlane = blockIdx.x / (m.tilesX * m.tilesY) * m.runLength, endPlane = firstPlane + m.runLength < s.depth ? firstPlane + m.runLength : s.depth;

  fillWeights<T, kNarrow>(p, m.firstNarrow, weights);
  if constexpr (kNormalise)
    for (int c = static_cast<int>(threadIdx.x); c < C; c += kThreads)
      scaleAndOffset[c] = make_float2(p.coefficients[n * C + c].scale, p.coefficients[n * C + c].offset);
  __syncthreads();

  // Rows g and g + 8 of this warp's row tiles: offsets within a plane, or -1 outside.
  int offset[kRowTilesOfWarp][2];
#pragma unroll
  for (int i = 0; i < kRowTilesOfWarp; ++i)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int position = (warp + i * kWarps) * 16 + half * 8 + g;
      const std::int64_t y = y0 + position / kPitch - 1, x = x0 + position % kPitch - 1;
      const bool inside = position < kPositions && y >= 0 && y < s.height && x >= 0 && x < s.width;
      offset[i][half] = inside ? static_cast<int>((y * s.width + x) * C) + t * K::kWidth : -1;
    }
  const auto multiplyTile = [&](const T* plane, const int (&at)[2], int rowTile, int narrow) {
    float sum[4][4] = {};
    const uint4 nothing = make_uint4(0, 0, 0, 0);
    const uint4* from = reinterpret_cast<const uint4*>(weights) + narrow * slabs * 128 + lane;
#pragma unroll 2
    for (int slab = 0; slab < slabs; ++slab) {
      uint4 raw[2];
#pragma unroll
      for (int half = 0; half < 2; ++half)
        raw[half] = at[half] >= 0 ? loadRaw(plane + at[half] + slab * K::kSlab) : nothing;
#pragma unroll
      for (int half = 0; half < 2; ++half)
        prepareOperand<T, kNormalise>(raw[half], scaleAndOffset + slab * K::kSlab + t * K::kWidth, at[half] >= 0, p.activation);
      const std::uint32_t a[2][4] = {{raw[0].x, raw[1].x, raw[0].y, raw[1].y}, {raw[0].z, raw[1].z, raw[0].w, raw[1].w}};
#pragma unroll
      for (int step = 0; step < 2; ++step, from += 64) {
        const uint4 low = from[0], high = from[32];
        const std::uint32_t b[4][2] = {{low.x, low.y}, {low.z, low.w}, {high.x, high.y}, {high.z, high.w}};
#pragma unroll
        for (int j = 0; j < 4; ++j)
          TensorCore<T>::multiply(sum[j], a[step], b[j]);
      }
    }
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int tap = 8 * j + 2 * t + i % 2;
        if (tap < kTaps)
          products[tap * kProductPitch + rowTile * 16 + i / 2 * 8 + g] = sum[j][i];
      }
  };

  const int column = static_cast<int>(threadIdx.x) % kTileX, row = static_cast<int>(threadIdx.x) / kTileX;
  const float* const mine = products + row * kPitch + column;
  const bool writes = x0 + column < s.width && y0 + row < s.height;
  float* out = p.narrow + (((n * s.depth + firstPlane) * s.height + y0 + row) * s.width + x0 + column) * p.narrowChannels + m.firstNarrow;
  float below[kNarrow] = {}, at[kNarrow] = {}; // the sums of the outputs one plane below the input plane, and at it
  for (std::int64_t z = firstPlane - 1; z <= endPlane; ++z) {
    const bool inside = z >= 0 && z < s.depth;
    const T* const plane = static_cast<const T*>(p.wide) + (n * s.depth + z) * s.height * s.width * C;
#pragma unroll
    for (int k = 0; k < kNarrow; ++k) {
      float layer[3] = {}; // products with the weights of z - 1, z and z + 1
      if (inside) {
#pragma unroll
        for (int i = 0; i < kRowTilesOfWarp; ++i)
          if (warp + i * kWarps < kRowTiles)
            multiplyTile(plane, offset[i], warp + i * kWarps, k);
        __syncthreads();
#pragma unroll
        for (int tap = 0; tap < 27; ++tap)
          layer[tap / 9] += mine[tap * kProductPitch + tap / 3 % 3 * kPitch + tap % 3];
        __syncthreads();
      }
      below[k] += layer[2];
      if (z > firstPlane && writes && m.firstNarrow + k < p.narrowChannels)
        out[k] = below[k] + (p.bias ? p.bias[m.firstNarrow + k] : 0.0f);
      below[k] = at[k] + layer[1];
      at[k] = layer[0];
    }
    if (z > firstPlane)
      out += s.height * s.width * p.narrowChannels;
  }
}

template <class T, int kNarrow> void launchContraction(const WideToNarrow& p, int firstNarrow, Stream stream) {
  const VolumeShape& s = p.shape;
  March m{divideUp(s.width, kTileX), divideUp(s.height, kTileY), 0, 0, firstNarrow};
  const std::int64_t columns = m.tilesX * m.tilesY * s.batch;
  m.runLength = static_cast<int>(std::clamp<std::int64_t>(s.depth * columns / (4 * multiprocessors()), 1, kLongestRun));
  m.runs = divideUp(s.depth, m.runLength);
  const LaunchShape shape{dim3(static_cast<unsigned>(m.tilesX * m.tilesY * m.runs), static_cast<unsigned>(s.batch)), dim3(kThreads),
                          Contraction<T>::sharedBytes(s.channels, kNarrow), stream};
  launch("The wide-to-narrow convolution", p.coefficients ? wideToNarrowKernel<T, kNarrow, true> : wideToNarrowKernel<T, kNarrow, false>, shape, p, m);
}

} // namespace
} // namespace device

void launchWideToNarrow(const WideToNarrow& p, Stream stream) {
  device::requireTensorCores(p.type);
  device::requirePlaneFits(p.shape);
  device::withElementType(p.type, [&](auto element) {
    using T = decltype(element);
    const bool fourFit = device::Contraction<T>::sharedBytes(p.shape.channels, 4) <= device::kMostSharedBytes;
    if (p.narrowChannels > 1 && fourFit)
      for (int first = 0; first < p.narrowChannels; first += 4)
        device::launchContraction<T, 4>(p, first, stream);
    else
      for (int first = 0; first < p.narrowChannels; ++first)
        device::launchContraction<T, 1>(p, first, stream);
  });
}

} // namespace voxlab

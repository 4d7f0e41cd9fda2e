// SPDX-License-Identifier: Apache-2.0
// Forward: moments of runs of voxels, their combination to one scale and offset a channel, and y = act(scale x + offset).
// At 64 channels, 128³ and 16 bits the first reads 268 MB and the last reads and writes as much; the middle one is tiny.
#include "core/kernels/activation.h"
#include "core/kernels/channel_tiling.h"
#include "core/kernels/group_norm.h"
#include "core/kernels/running_moments.h"

namespace voxlab {
namespace device {
namespace {

constexpr int kUnroll = 4;
constexpr int kCoefficientThreads = 256;

// Rows of one block to one row of partial moments.
template <int kWidth>
__device__ void storeMoments(const RunningMoments<kWidth>& mine, const TilingThread& me, const ChannelTiling& t, float* moments) {
  __shared__ float means[kTilingThreads * kWidth], squares[kTilingThreads * kWidth];
  const int width = t.slabVectors * kWidth;
  if (me.row < t.rows)
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      means[me.row * width + me.slabVector * kWidth + i] = mine.mean[i];
      squares[me.row * width + me.slabVector * kWidth + i] = mine.squares[i];
    }
  __syncthreads();
  float* out = moments + (me.batch * t.chunks + blockIdx.x) * (1 + 2 * t.channels);
  if (threadIdx.x == 0 && blockIdx.y == 0)
    out[0] = static_cast<float>(me.end - me.begin);
  const int within = static_cast<int>(threadIdx.x), channel = static_cast<int>(blockIdx.y) * width + within;
  if (within >= width || channel >= t.channels)
    return;
  const float total = static_cast<float>(me.end - me.begin), share = total > 0 ? 1.0f / total : 0.0f;
  float mean = 0, sum = 0;
#pragma unroll 8
  for (int row = 0; row < t.rows; ++row)
    mean += static_cast<float>(me.count(t, row)) * share * means[row * width + within];
#pragma unroll 8
  for (int row = 0; row < t.rows; ++row) {
    const float difference = means[row * width + within] - mean;
    sum += squares[row * width + within] + static_cast<float>(me.count(t, row)) * difference * difference;
  }
  out[1 + channel] = mean;
  out[1 + t.channels + channel] = sum;
}

template <class T> __global__ void __launch_bounds__(kTilingThreads, 4) momentsKernel(ChannelTiling t, const T* x, float* moments) {
  constexpr int kWidth = kVectorWidth<T>;
  const TilingThread me(t);
  RunningMoments<kWidth> running;
  if (me.active) {
    const std::int64_t step = t.rows * t.channels;
    const T* p = x + (me.batch * t.voxels + me.begin + me.row) * t.channels + me.vector * kWidth;
    std::int64_t left = me.count(t, me.row);
    float value[kWidth];
    for (; left >= kUnroll; left -= kUnroll, p += kUnroll * step) {
      uint4 raw[kUnroll];
#pragma unroll
      for (int u = 0; u < kUnroll; ++u)
        raw[u] = loadRaw(p + u * step);
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) {
        unpack<T>(raw[u], value);
        running.add(value);
      }
    }
    for (; left > 0; --left, p += step) {
      unpack<T>(loadRaw(p), value);
      running.add(value);
    }
  }
  storeMoments(running, me, t, moments);
}

template <class T>
__global__ void __launch_bounds__(kTilingThreads, 4)
    sumMomentsKernel(ChannelTiling t, const T* x, const T* addend, const float* bias, T* sum, float* moments) {
  constexpr int kWidth = kVectorWidth<T>, kStep = 2;
  const TilingThread me(t);
  RunningMoments<kWidth> running;
  if (me.active) {
    float constant[kWidth];
#pragma unroll
    for (int i = 0; i < kWidth; ++i)
      constant[i] = bias ? bias[me.vector * kWidth + i] : 0.0f;
    const std::int64_t step = t.rows * t.channels;
    std::int64_t at = (me.batch * t.voxels + me.begin + me.row) * t.channels + me.vector * kWidth;
    const auto process = [&](const uint4& first, const uint4& second, std::int64_t where) {
      float value[kWidth], other[kWidth];
      unpack<T>(first, value);
      unpack<T>(second, other);
#pragma unroll
      for (int i = 0; i < kWidth; ++i)
        value[i] += constant[i] + other[i];
      const uint4 result = pack<T>(value);
      storeRaw(sum + where, result);
      unpack<T>(result, value); // the moments are those of what was stored
      running.add(value);
    };
    const uint4 nothing = make_uint4(0, 0, 0, 0);
    std::int64_t left = me.count(t, me.row);
    for (; left >= kStep; left -= kStep, at += kStep * step) {
      uint4 first[kStep], second[kStep];
#pragma unroll
      for (int u = 0; u < kStep; ++u) {
        first[u] = loadRaw(x + at + u * step);
        second[u] = addend ? loadRaw(addend + at + u * step) : nothing;
      }
#pragma unroll
      for (int u = 0; u < kStep; ++u)
        process(first[u], second[u], at + u * step);
    }
    for (; left > 0; --left, at += step)
      process(loadRaw(x + at), addend ? loadRaw(addend + at) : nothing, at);
  }
  storeMoments(running, me, t, moments);
}

__device__ __forceinline__ double shiftOf(const GroupNormCoefficients& p, std::int64_t n, int c) {
  return (p.shift ? static_cast<double>(p.shift[n * p.channels() + c]) : 0.0) + (p.bias ? static_cast<double>(p.bias[c]) : 0.0);
}

// What a block adds up: voxels times channels, their sum and their sum of squares. In FP64 the difference of the squares keeps
// all the digits that FP32 can show.
struct GroupSums {
  double count, sum, squares;
};
__device__ GroupSums blockSum(GroupSums mine, GroupSums* scratch) {
#pragma unroll
  for (int other = 16; other > 0; other /= 2) {
    mine.count += __shfl_xor_sync(0xFFFFFFFFu, mine.count, other);
    mine.sum += __shfl_xor_sync(0xFFFFFFFFu, mine.sum, other);
    mine.squares += __shfl_xor_sync(0xFFFFFFFFu, mine.squares, other);
  }
  if (threadIdx.x % 32 == 0)
    scratch[threadIdx.x / 32] = mine;
  __syncthreads();
  GroupSums total{};
  for (int w = 0; w < kCoefficientThreads / 32; ++w) {
    total.count += scratch[w].count;
    total.sum += scratch[w].sum;
    total.squares += scratch[w].squares;
  }
  return total;
}

// One block a group and batch entry.
__global__ void __launch_bounds__(kCoefficientThreads) coefficientsKernel(const __grid_constant__ GroupNormCoefficients p) {
  __shared__ GroupSums scratch[kCoefficientThreads / 32];
  const int C = p.channels(), perGroup = C / p.groups, first = static_cast<int>(blockIdx.x) * perGroup;
  const std::int64_t n = blockIdx.y;
  GroupSums sums{};
  for (int which = 0; which < 2; ++which) {
    const PartialMoments& source = p.source[which];
    const int offset = which == 0 ? 0 : p.source[0].channels, begin = max(first - offset, 0), end = min(first + perGroup - offset, source.channels), width = end - begin;
    if (width <= 0)
      continue;
    const std::int64_t rowSize = 1 + 2 * static_cast<std::int64_t>(source.channels);
    const float* rows = source.data + n * source.chunks * rowSize;
#pragma unroll 4
    for (int i = static_cast<int>(threadIdx.x); i < source.chunks * width; i += kCoefficientThreads) {
      const float* row = rows + i / width * rowSize;
      const int c = begin + i % width;
      const double count = row[0], mean = static_cast<double>(row[1 + c]) + shiftOf(p, n, offset + c), squares = row[1 + source.channels + c];
      if (count > 0) { // a run without voxels says nothing
        sums.count += count;
        sums.sum += count * mean;
        sums.squares += squares + count * mean * mean;
      }
    }
  }
  sums = blockSum(sums, scratch);
  const double mean = sums.sum / sums.count, variance = sums.squares / sums.count - mean * mean;
  const double r = 1.0 / sqrt((variance < 0 ? 0.0 : variance) + static_cast<double>(p.epsilon)); // NaN stays
  for (int c = first + static_cast<int>(threadIdx.x); c < first + perGroup; c += kCoefficientThreads) {
    const double center = mean - shiftOf(p, n, c), scale = p.gamma[c] * r;
    p.coefficients[n * C + c] = {static_cast<float>(scale), static_cast<float>(p.beta[c] - scale * center), static_cast<float>(center),
                                 static_cast<float>(r)};
  }
}

template <class T, Activation kActivation> __global__ void __launch_bounds__(kTilingThreads, 4) scaleShiftKernel(const __grid_constant__ ChannelTiling t, const __grid_constant__ ScaleShift p) {
  constexpr int kWidth = kVectorWidth<T>;
  const TilingThread me(t);
  if (!me.active)
    return;
  const int channel = me.vector * kWidth;
  const Column<const T> x = columnOf(static_cast<const T*>(p.x[0]), static_cast<const T*>(p.x[1]), p.channels, t.voxels, me.batch, channel);
  float scale[kWidth], offset[kWidth];
#pragma unroll
  for (int i = 0; i < kWidth; ++i) {
    scale[i] = p.coefficients ? p.coefficients[me.batch * t.channels + channel + i].scale : 1.0f;
    offset[i] = p.coefficients ? p.coefficients[me.batch * t.channels + channel + i].offset : 0.0f;
  }
  const auto apply = [&](const uint4& raw) {
    float value[kWidth];
    unpack<T>(raw, value);
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      value[i] = scale[i] * value[i] + offset[i];
      if constexpr (kActivation == Activation::SiLU)
        value[i] = silu(value[i]);
      if constexpr (sizeof(T) == 4)
        value[i] = p.rounding == Rounding::Tf32 ? __uint_as_float(roundToTf32(value[i])) : value[i];
    }
    return pack<T>(value);
  };
  // Backwards: the ends of the runs are what the moments' pass left in the L2 cache.
  std::int64_t left = me.count(t, me.row);
  const std::int64_t last = me.begin + me.row + (left - 1) * t.rows, fromStep = t.rows * x.stride, toStep = t.rows * t.channels;
  const T* from = x.base + last * x.stride;
  T* to = static_cast<T*>(p.y) + (me.batch * t.voxels + last) * t.channels + channel;
  for (; left >= kUnroll; left -= kUnroll) {
    uint4 raw[kUnroll];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u, from -= fromStep)
      raw[u] = loadRaw(from);
#pragma unroll
    for (int u = 0; u < kUnroll; ++u, to -= toStep)
      storeRaw(to, apply(raw[u]));
  }
  for (; left > 0; --left, from -= fromStep, to -= toStep)
    storeRaw(to, apply(loadRaw(from)));
}

template <class T> void launchMoments(const ChannelMoments& p, Stream stream) {
  const ChannelTiling t = channelTiling(p.shape, kVectorWidth<T>, p.chunks);
  const LaunchShape shape{t.grid(p.shape.batch), dim3(kTilingThreads), 0, stream};
  const T* x = static_cast<const T*>(p.x);
  if (p.sum)
    launch("Summing and taking channel moments", sumMomentsKernel<T>, shape, t, x, static_cast<const T*>(p.addend), p.bias,
           static_cast<T*>(p.sum), p.moments);
  else
    launch("Taking channel moments", momentsKernel<T>, shape, t, x, p.moments);
}

template <class T> void launchApply(const ScaleShift& p, Stream stream) {
  const int chunks = momentChunks(p.shape, p.type, multiprocessors());
  const ChannelTiling t = channelTiling(p.shape, kVectorWidth<T>, chunks);
  launch("Scaling and shifting channels", p.activation == Activation::SiLU ? scaleShiftKernel<T, Activation::SiLU> : scaleShiftKernel<T, Activation::None>,
         LaunchShape{t.grid(p.shape.batch), dim3(kTilingThreads), 0, stream}, t, p);
}

} // namespace
} // namespace device

int momentChunks(const VolumeShape& shape, ElementType type, int multiprocessors) {
  constexpr int kBlocksPerMultiprocessor = 4, kVoxelsPerThread = 4;
  const device::ChannelTiling t = device::channelTiling(shape, 16 / static_cast<int>(elementBytes(type)), 1);
  const std::int64_t blocks = device::divideUp(shape.voxels(), static_cast<std::int64_t>(t.rows) * kVoxelsPerThread);
  const std::int64_t share = multiprocessors * kBlocksPerMultiprocessor / (shape.batch * t.slabs);
  return static_cast<int>(std::max<std::int64_t>(1, std::min(blocks, share)));
}

void launchChannelMoments(const ChannelMoments& p, Stream stream) {
  device::withElementType(p.type, [&](auto element) { device::launchMoments<decltype(element)>(p, stream); });
}

void launchGroupNormCoefficients(const GroupNormCoefficients& p, Stream stream) {
  device::launch("Combining channel moments", device::coefficientsKernel,
                 device::LaunchShape{dim3(static_cast<unsigned>(p.groups), static_cast<unsigned>(p.batch)), dim3(device::kCoefficientThreads), 0, stream}, p);
}

void launchScaleShift(const ScaleShift& p, Stream stream) {
  device::withElementType(p.type, [&](auto element) { device::launchApply<decltype(element)>(p, stream); });
}

} // namespace voxlab

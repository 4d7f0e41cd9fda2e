// SPDX-License-Identifier: Apache-2.0
// With dz = dy act'(scale x + offset), xhat = r (x - center), and means over the voxels and channels of a group:
//   d beta = sum dz,  d gamma = sum dz xhat,  dx = r (gamma dz - mean(gamma dz) - xhat mean(gamma dz xhat))
//           = scale dz + slope x + constant
// Two passes read dy and x; the second also writes dx: five tensors move. d shift is the sum of dx over the voxels, which
// follows from the sums of dz, dz (x - center) and x - center.
#include "core/kernels/activation.h"
#include "core/kernels/channel_tiling.h"
#include "core/kernels/group_norm.h"

namespace voxlab {
namespace device {
namespace {

constexpr int kUnroll = 2;
constexpr int kSums = 3; // of dz, dz (x - center), x - center
constexpr int kReduceThreads = 256;

// dx = scale dz + slope x + constant
struct BackwardCoefficients {
  float scale, offset, slope, constant;
};

template <class T, Activation kActivation>
__global__ void __launch_bounds__(kTilingThreads, 2) gradientSumsKernel(ChannelTiling t, ScaleShiftBackward p, float* partial) {
  constexpr int kWidth = kVectorWidth<T>;
  __shared__ float shared[kTilingThreads * kWidth];
  const TilingThread me(t);
  float sums[kSums][kWidth] = {};
  if (me.active) {
    const int channel = me.vector * kWidth;
    const Column<const T> x = columnOf(static_cast<const T*>(p.x[0]), static_cast<const T*>(p.x[1]), p.channels, t.voxels, me.batch, channel);
    const T* const dy = static_cast<const T*>(p.dy) + me.batch * t.voxels * t.channels + channel;
    float scale[kWidth], offset[kWidth], center[kWidth];
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      const ChannelCoefficients k = p.coefficients[me.batch * t.channels + channel + i];
      scale[i] = k.scale;
      offset[i] = k.offset;
      center[i] = k.center;
    }
    const auto process = [&](const uint4& rawX, const uint4& rawDy) {
      float value[kWidth], gradient[kWidth];
      unpack<T>(rawX, value);
      unpack<T>(rawDy, gradient);
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        if constexpr (kActivation == Activation::SiLU)
          gradient[i] *= siluSlope(scale[i] * value[i] + offset[i]);
        const float centred = value[i] - center[i];
        sums[0][i] += gradient[i];
        sums[1][i] += gradient[i] * centred;
        sums[2][i] += centred;
      }
    };
    std::int64_t left = me.count(t, me.row), v = me.begin + me.row;
    for (; left >= kUnroll; left -= kUnroll, v += kUnroll * t.rows) {
      uint4 rawX[kUnroll], rawDy[kUnroll];
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) {
        rawX[u] = loadRaw(x.base + (v + u * t.rows) * x.stride);
        rawDy[u] = loadRaw(dy + (v + u * t.rows) * t.channels);
      }
#pragma unroll
      for (int u = 0; u < kUnroll; ++u)
        process(rawX[u], rawDy[u]);
    }
    for (; left > 0; --left, v += t.rows)
      process(loadRaw(x.base + v * x.stride), loadRaw(dy + v * t.channels));
  }
  const int width = t.slabVectors * kWidth, within = static_cast<int>(threadIdx.x);
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.y) * width + within;
#pragma unroll
  for (int s = 0; s < kSums; ++s) {
    __syncthreads();
    if (me.row < t.rows)
#pragma unroll
      for (int i = 0; i < kWidth; ++i)
        shared[me.row * width + me.slabVector * kWidth + i] = sums[s][i];
    __syncthreads();
    if (within < width && column < t.channels) {
      float sum = 0;
#pragma unroll 8
      for (int row = 0; row < t.rows; ++row)
        sum += shared[row * width + within];
      partial[((me.batch * t.chunks + blockIdx.x) * kSums + s) * t.channels + column] = sum;
    }
  }
}

// One block a group. Its warps sum the channels over the chunks, then every thread knows the group's means.
__global__ void __launch_bounds__(kReduceThreads) gradientCoefficientsKernel(ScaleShiftBackward p, const float* partial, BackwardCoefficients* out) {
  __shared__ double means[2];
  double* const channelSums = reinterpret_cast<double*>(dynamicSharedMemory()); // kSums a channel of the group
  const int C = p.shape.channels, perGroup = C / p.groups, first = static_cast<int>(blockIdx.x) * perGroup;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const double count = static_cast<double>(p.shape.voxels()) * perGroup;
  for (std::int64_t n = 0; n < p.shape.batch; ++n) {
    for (int j = warp; j < perGroup * kSums; j += kReduceThreads / 32) {
      double sum = 0;
#pragma unroll 8
      for (int chunk = lane; chunk < p.chunks; chunk += 32)
        sum += partial[((n * p.chunks + chunk) * kSums + j % kSums) * C + first + j / kSums];
#pragma unroll
      for (int other = 16; other > 0; other /= 2)
        sum += __shfl_xor_sync(0xFFFFFFFFu, sum, other);
      if (lane == 0)
        channelSums[j] = sum;
    }
    __syncthreads();
    if (threadIdx.x < 2) {
      double mean = 0;
      for (int j = 0; j < perGroup; ++j)
        mean += p.gamma[first + j] * channelSums[j * kSums + static_cast<int>(threadIdx.x)];
      means[threadIdx.x] = mean / count;
    }
    __syncthreads();
    for (int j = static_cast<int>(threadIdx.x); j < perGroup; j += kReduceThreads) {
      const int c = first + j;
      const double* sums = channelSums + j * kSums;
      const ChannelCoefficients k = p.coefficients[n * C + c];
      const double r = k.r, slope = -r * r * r * means[1], constant = -r * means[0];
      out[n * C + c] = {k.scale, k.offset, static_cast<float>(slope), static_cast<float>(constant - slope * k.center)};
      p.dBeta[c] = static_cast<float>((n == 0 ? 0.0 : p.dBeta[c]) + sums[0]);
      p.dGamma[c] = static_cast<float>((n == 0 ? 0.0 : p.dGamma[c]) + r * sums[1]);
      if (p.dShift)
        p.dShift[n * C + c] = static_cast<float>(k.scale * sums[0] + slope * sums[2] + constant * static_cast<double>(p.shape.voxels()));
    }
    __syncthreads();
  }
}

template <class T, Activation kActivation>
__global__ void __launch_bounds__(kTilingThreads, 2) inputGradientKernel(ChannelTiling t, ScaleShiftBackward p, const BackwardCoefficients* coefficients) {
  constexpr int kWidth = kVectorWidth<T>;
  const TilingThread me(t);
  if (!me.active)
    return;
  const int channel = me.vector * kWidth;
  const Column<const T> x = columnOf(static_cast<const T*>(p.x[0]), static_cast<const T*>(p.x[1]), p.channels, t.voxels, me.batch, channel);
  const T* const dy = static_cast<const T*>(p.dy) + me.batch * t.voxels * t.channels + channel;
  const Column<T> dx = columnOf(static_cast<T*>(p.dx[0]), static_cast<T*>(p.dx[1]), p.channels, t.voxels, me.batch, channel);
  const bool adds = p.addend[channel < p.channels[0] ? 0 : 1] != nullptr;
  const Column<const T> addend = columnOf(static_cast<const T*>(p.addend[0]), static_cast<const T*>(p.addend[1]), p.channels, t.voxels, me.batch, channel);
  BackwardCoefficients k[kWidth];
#pragma unroll
  for (int i = 0; i < kWidth; ++i)
    k[i] = coefficients[me.batch * t.channels + channel + i];
  const auto process = [&](const uint4& rawX, const uint4& rawDy, const uint4& rawAddend, std::int64_t v) {
    float value[kWidth], gradient[kWidth], other[kWidth];
    unpack<T>(rawX, value);
    unpack<T>(rawDy, gradient);
    unpack<T>(rawAddend, other);
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      if constexpr (kActivation == Activation::SiLU)
        gradient[i] *= siluSlope(k[i].scale * value[i] + k[i].offset);
      value[i] = k[i].scale * gradient[i] + (k[i].slope * value[i] + k[i].constant) + other[i];
    }
    storeRaw(dx.base + v * dx.stride, pack<T>(value));
  };
  const uint4 nothing = make_uint4(0, 0, 0, 0);
  // Backwards, as in the forward pass: what the sums' pass read last is still in the L2 cache.
  std::int64_t left = me.count(t, me.row), v = me.begin + me.row + (left - 1) * t.rows;
  for (; left >= kUnroll; left -= kUnroll, v -= kUnroll * t.rows) {
    uint4 rawX[kUnroll], rawDy[kUnroll], rawAddend[kUnroll];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      rawX[u] = loadRaw(x.base + (v - u * t.rows) * x.stride);
      rawDy[u] = loadRaw(dy + (v - u * t.rows) * t.channels);
      rawAddend[u] = adds ? loadRaw(addend.base + (v - u * t.rows) * addend.stride) : nothing;
    }
#pragma unroll
    for (int u = 0; u < kUnroll; ++u)
      process(rawX[u], rawDy[u], rawAddend[u], v - u * t.rows);
  }
  for (; left > 0; --left, v -= t.rows)
    process(loadRaw(x.base + v * x.stride), loadRaw(dy + v * t.channels), adds ? loadRaw(addend.base + v * addend.stride) : nothing, v);
}

template <class T, Activation kActivation> void launchBackward(const ScaleShiftBackward& p, Stream stream) {
  auto* coefficients = reinterpret_cast<BackwardCoefficients*>(p.workspace);
  float* partial = p.workspace + 4 * p.shape.batch * p.shape.channels;
  const ChannelTiling t = channelTiling(p.shape, kVectorWidth<T>, p.chunks);
  const LaunchShape shape{t.grid(p.shape.batch), dim3(kTilingThreads), 0, stream};
  launch("Summing normalisation gradients", gradientSumsKernel<T, kActivation>, shape, t, p, partial);
  const std::size_t shared = sizeof(double) * kSums * static_cast<std::size_t>(p.shape.channels / p.groups);
  launch("Combining normalisation gradients", gradientCoefficientsKernel,
         LaunchShape{dim3(static_cast<unsigned>(p.groups)), dim3(kReduceThreads), shared, stream}, p, static_cast<const float*>(partial), coefficients);
  launch("Normalisation's input gradient", inputGradientKernel<T, kActivation>, shape, t, p, static_cast<const BackwardCoefficients*>(coefficients));
}

} // namespace
} // namespace device

void launchScaleShiftBackward(const ScaleShiftBackward& p, Stream stream) {
  device::withElementType(p.type, [&](auto element) {
    if (p.activation == Activation::SiLU)
      device::launchBackward<decltype(element), Activation::SiLU>(p, stream);
    else
      device::launchBackward<decltype(element), Activation::None>(p, stream);
  });
}

} // namespace voxlab

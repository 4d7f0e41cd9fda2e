// SPDX-License-Identifier: Apache-2.0
// Mean and sum of squared deviations of one thread's channels, by Welford's method; two of them combine exactly (Chan, Golub and
// LeVeque, "Algorithms for computing the sample variance", 1983). Included by .cu files only.
#pragma once
#include "core/kernels/intrinsics.h"

namespace voxlab::device {

template <int kWidth> struct RunningMoments {
  float mean[kWidth] = {}, squares[kWidth] = {};
  float count = 0;

  __device__ __forceinline__ void add(const float (&value)[kWidth]) {
    count += 1.0f;
    const float share = fastReciprocal(count);
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      const float difference = value[i] - mean[i];
      mean[i] += difference * share;
      squares[i] += difference * (value[i] - mean[i]);
    }
  }
  __device__ __forceinline__ void merge(float otherCount, const float (&otherMean)[kWidth], const float (&otherSquares)[kWidth]) {
    const float total = count + otherCount, share = total > 0 ? otherCount / total : 0.0f;
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      const float difference = otherMean[i] - mean[i];
      mean[i] += difference * share;
      squares[i] += otherSquares[i] + difference * difference * count * share;
    }
    count = total;
  }
  // With the lane whose number differs in this bit.
  __device__ __forceinline__ void mergeAcross(int bit) {
    float otherMean[kWidth], otherSquares[kWidth];
    const float otherCount = __shfl_xor_sync(0xFFFFFFFFu, count, bit);
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      otherMean[i] = __shfl_xor_sync(0xFFFFFFFFu, mean[i], bit);
      otherSquares[i] = __shfl_xor_sync(0xFFFFFFFFu, squares[i], bit);
    }
    merge(otherCount, otherMean, otherSquares);
  }
};

} // namespace voxlab::device

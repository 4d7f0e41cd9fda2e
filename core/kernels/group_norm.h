// SPDX-License-Identifier: Apache-2.0
// Group normalisation (Wu and He, "Group Normalization", 2018) and SiLU on channels-last volumes, taken apart so that no
// tensor is read or written more often than needed:
//
//   channelMoments           mean and squared deviation of every channel; optionally of x + addend + bias, which it writes
//   groupNormCoefficients    from the moments of one or two tensors to scale and offset of every channel; no large tensor
//   scaleShift               y = act(scale x + offset), of one tensor or of two side by side (a concatenation never written)
//   scaleShiftBackward       all gradients of the three together
//
// With e a shift of every channel that is added before the norm (time embedding and a convolution's bias; it never touches the
// large tensor), mu and sigma² mean and biased variance of a group of x + e, r = 1 / sqrt(sigma² + eps):
//   y = act(gamma r (x + e - mu) + beta) = act(scale x + offset)
//
// Statistics are FP32 (FP64 between chunks), by Welford's method in a thread and exact combination afterwards, without atomics:
// the same bits every time, and right where the mean is large beside the deviation. NaN and infinity spread over their group, as
// in ATen. Channel counts are multiples of 8.
//
// Every launch function throws std::runtime_error when a kernel cannot be started. Functions in namespace reference compute
// the same on the CPU in FP64.
#pragma once
#include "core/kernels/element_type.h"

namespace voxlab {

enum class Activation { None, SiLU };

// Into how many runs of voxels a tensor is cut so that every multiprocessor has work. Each run has one row of partial moments.
int momentChunks(const VolumeShape& shape, ElementType type, int multiprocessors);

// (N, chunks, 1 + 2 C) floats: for each run of voxels their number, then the mean of every channel, then the sum of squared
// deviations of every channel. Empty runs are allowed.
struct PartialMoments {
  const float* data = nullptr;
  int chunks = 0;
  int channels = 0;
};
constexpr std::int64_t partialMomentsSize(std::int64_t batch, int chunks, int channels) { return batch * chunks * (1 + 2 * static_cast<std::int64_t>(channels)); }

struct ChannelMoments {
  VolumeShape shape;
  ElementType type = ElementType::Unknown;
  const void* x = nullptr;      // (N, D, H, W, C)
  const void* addend = nullptr; // the same shape, or null
  const float* bias = nullptr;  // (C), or null
  void* sum = nullptr;          // x + addend + bias, or null if both are null; the moments are those of the rounded sum; may be x or addend
  float* moments = nullptr;     // see PartialMoments
  int chunks = 1;               // any number from 1 to the voxels; momentChunks() is a good one
};

// Of channel c in the batch entry: y = act(scale x + offset) and the normalised value is r (x - center).
struct ChannelCoefficients {
  float scale, offset, center, r;
};

struct GroupNormCoefficients {
  std::int64_t batch = 1;
  int groups = 32;
  float epsilon = 1e-5f;
  PartialMoments source[2];     // the second has no channels when there is one tensor
  const float* shift = nullptr; // (N, C) added before the norm, or null
  const float* bias = nullptr;  // (C) the same, or null
  const float* gamma = nullptr; // (C)
  const float* beta = nullptr;  // (C)
  ChannelCoefficients* coefficients = nullptr; // (N, C)
  constexpr int channels() const { return source[0].channels + source[1].channels; }
};

// Channels [0, channels[0]) stand in the first tensor, the rest in the second.
// Tensor cores cut FP32 operands to TF32 by dropping bits, which makes all products a little too small. Tf32: y, stored as FP32, is
// rounded to what they read, so that nothing is dropped. Other types are what they are.
enum class Rounding { None, Tf32 };

struct ScaleShift {
  VolumeShape shape; // with all channels
  ElementType type = ElementType::Unknown;
  Activation activation = Activation::SiLU;
  const void* x[2] = {};
  int channels[2] = {};
  const ChannelCoefficients* coefficients = nullptr; // (N, C); null: scale 1, offset 0
  void* y = nullptr;                                 // (N, D, H, W, C)
  Rounding rounding = Rounding::None;
};

struct ScaleShiftBackward {
  VolumeShape shape; // with all channels
  ElementType type = ElementType::Unknown;
  Activation activation = Activation::SiLU;
  int groups = 32;
  const void* x[2] = {};
  int channels[2] = {};
  const ChannelCoefficients* coefficients = nullptr; // (N, C)
  const float* gamma = nullptr;                      // (C)
  const void* dy = nullptr;                          // (N, D, H, W, C)
  const void* addend[2] = {};                        // added to dx: gradients that reach x on other ways; each shaped like its x, or null
  void* dx[2] = {};
  float* dGamma = nullptr; // (C)
  float* dBeta = nullptr;  // (C)
  float* dShift = nullptr; // (N, C), without the addend; or null
  int chunks = 1;          // as for ChannelMoments
  float* workspace = nullptr; // scaleShiftBackwardWorkspace() floats
};
constexpr std::int64_t scaleShiftBackwardWorkspace(const ScaleShiftBackward& p) {
  return p.shape.batch * p.shape.channels * (4 + 3 * static_cast<std::int64_t>(p.chunks));
}

namespace reference {
void channelMoments(const ChannelMoments& p);
void groupNormCoefficients(const GroupNormCoefficients& p);
void scaleShift(const ScaleShift& p);
void scaleShiftBackward(const ScaleShiftBackward& p);
} // namespace reference

void launchChannelMoments(const ChannelMoments& p, Stream stream);
void launchGroupNormCoefficients(const GroupNormCoefficients& p, Stream stream);
void launchScaleShift(const ScaleShift& p, Stream stream);
void launchScaleShiftBackward(const ScaleShiftBackward& p, Stream stream);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// 3³ convolutions (stride 1, padding 1) between a wide tensor and a narrow one of at most eight channels: the network's first
// and last layers. Both layers, and all their gradients, are three operations:
//
//                    first layer (narrow -> wide)   last layer (wide -> narrow)
//   narrowToWide     forward                        data gradient
//   wideToNarrow     data gradient                  forward
//   narrowTimesWide  weight gradient                weight gradient
//
// The wide tensor is stored as FP32, BF16 or FP16; the narrow one and the weights are FP32. Products are taken on the tensor
// cores of operands rounded to the storage type (for FP32 storage TF32, but narrowToWide splits them in two: FP32), sums are FP32.
// The last layer's input may be given as x with y = act(scale x + offset), see group_norm.h; then y is never written.
#pragma once
#include "core/kernels/group_norm.h"

namespace voxlab {

inline constexpr int kMostNarrowChannels = 8;

// Which layer's weight: (wide, narrow, 3, 3, 3) of the first or (narrow, wide, 3, 3, 3) of the last.
enum class NarrowLayer { Unknown, First, Last };

// Offset of the weight that joins a wide and a narrow channel; tap = (z 3 + y) 3 + x in the order of the weight's memory.
constexpr std::int64_t narrowWeightOffset(NarrowLayer layer, int wideChannels, int narrowChannels, int wide, int narrow, int tap) {
  return layer == NarrowLayer::First ? (static_cast<std::int64_t>(wide) * narrowChannels + narrow) * 27 + tap
                                     : (static_cast<std::int64_t>(narrow) * wideChannels + wide) * 27 + tap;
}

struct NarrowToWide {
  VolumeShape shape; // channels: of the wide tensor, a multiple of 32
  ElementType type = ElementType::Unknown;
  NarrowLayer layer = NarrowLayer::First;
  int narrowChannels = 0;
  const float* narrow = nullptr; // (N, D, H, W, K)
  const float* weight = nullptr;
  const float* bias = nullptr; // (C), or null
  void* wide = nullptr;        // (N, D, H, W, C)
};

struct WideToNarrow {
  VolumeShape shape;
  ElementType type = ElementType::Unknown;
  NarrowLayer layer = NarrowLayer::Last;
  int narrowChannels = 0;
  const void* wide = nullptr;
  const ChannelCoefficients* coefficients = nullptr; // (N, C): take act(scale wide + offset) instead of wide; or null
  Activation activation = Activation::None;          // with coefficients only
  const float* weight = nullptr;
  const float* bias = nullptr; // (K), or null
  float* narrow = nullptr;
};

struct NarrowTimesWide {
  VolumeShape shape;
  ElementType type = ElementType::Unknown;
  NarrowLayer layer = NarrowLayer::First;
  int narrowChannels = 0;
  const float* narrow = nullptr;
  const void* wide = nullptr;
  const ChannelCoefficients* coefficients = nullptr;
  Activation activation = Activation::None;
  float* weightGradient = nullptr; // shaped like the layer's weight
  float* wideSums = nullptr;       // (C): the first layer's bias gradient; or null
  int blocks = 1;                  // narrowTimesWideBlocks()
  float* workspace = nullptr;      // narrowTimesWideWorkspace() floats
};
int narrowTimesWideBlocks(const NarrowTimesWide& p, int multiprocessors);
std::int64_t narrowTimesWideWorkspace(const NarrowTimesWide& p);

namespace reference {
void narrowToWide(const NarrowToWide& p);
void wideToNarrow(const WideToNarrow& p);
void narrowTimesWide(const NarrowTimesWide& p);
} // namespace reference

void launchNarrowToWide(const NarrowToWide& p, Stream stream);
void launchWideToNarrow(const WideToNarrow& p, Stream stream);
void launchNarrowTimesWide(const NarrowTimesWide& p, Stream stream);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// 3³ convolutions (stride 1, padding 1) between wide tensors, channels multiples of 64, as implicit matrix products on Hopper's
// warpgroup instructions. Every input voxel is fetched once for all 27 taps; bias, a tensor to be added and the moments of the
// result cost no further pass.
#pragma once
#include "core/kernels/group_norm.h"

namespace voxlab {

// Forward: weight (Cout, Cin, 3, 3, 3). DataGradient: the same weight; x is the output's gradient (its channels are the weight's
// first index), y the input's.
enum class ConvolutionPass { Unknown, Forward, DataGradient };

// A weight of any memory order: element (o, i, tap) at o outputStride + i inputStride + tap tapStride.
struct ConvolutionWeight {
  const void* data = nullptr;
  ElementType type = ElementType::Float32;
  std::int64_t outputStride = 0, inputStride = 0, tapStride = 1;
};

// A 1³ convolution of one or two more tensors whose result is added: a residual block's way past a change of width.
struct PointwiseSum {
  const void* x[2] = {};
  int channels[2] = {};     // multiples of 64; the second may be none
  ConvolutionWeight weight; // (Cout, channels[0] + channels[1], 1, 1, 1)
};

// Keep: the workspace holds what an earlier launch with the same weights has left there.
enum class WeightPacking { Unknown, Pack, Keep };

struct WideConvolution {
  VolumeShape shape;     // of y
  int inputChannels = 0; // of x
  ElementType type = ElementType::Unknown;
  ConvolutionPass pass = ConvolutionPass::Forward;
  const void* x = nullptr;
  ConvolutionWeight weight;
  const float* bias = nullptr;  // (channels of y), or null
  const void* addend = nullptr; // shaped like y, or null: y = conv(x) + bias + addend + what comes through
  PointwiseSum through;         // without channels: nothing
  void* y = nullptr;
  float* moments = nullptr; // of y, see PartialMoments, in wideConvolutionChunks() runs; or null
  void* workspace = nullptr; // wideConvolutionWorkspace() bytes, aligned to 128: the weights as the kernel reads them
  WeightPacking packing = WeightPacking::Pack;
};

// dW[o][i][tap] = sum over voxels of dy[voxel][o] x[voxel + tap][i], for 16-bit storage.
struct WideWeightGradient {
  VolumeShape shape; // of dy
  int inputChannels = 0;
  ElementType type = ElementType::Unknown; // 16 bits
  const void* x = nullptr;
  const void* dy = nullptr;
  float* weightGradient = nullptr; // element (o, i, tap) at o outputStride + i inputStride + tap tapStride
  std::int64_t outputStride = 0, inputStride = 0, tapStride = 1;
  int blocks = 1;                  // wideWeightGradientBlocks()
  float* workspace = nullptr;      // wideWeightGradientWorkspace() floats
};
int wideWeightGradientBlocks(const WideWeightGradient& p, int multiprocessors);
std::int64_t wideWeightGradientWorkspace(const WideWeightGradient& p);

// Whether this device and these shapes are served; otherwise a caller takes LibTorch's convolution.
bool servesWideConvolution(const VolumeShape& shape, int inputChannels, int computeCapability);
int wideConvolutionChunks(const WideConvolution& p, int multiprocessors);
std::int64_t wideConvolutionWorkspace(const WideConvolution& p);

namespace reference {
void wideConvolution(const WideConvolution& p); // moments in one run
void wideWeightGradient(const WideWeightGradient& p);
} // namespace reference

void launchWideConvolution(const WideConvolution& p, Stream stream);
void launchWideWeightGradient(const WideWeightGradient& p, Stream stream);

} // namespace voxlab

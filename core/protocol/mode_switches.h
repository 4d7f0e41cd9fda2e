// SPDX-License-Identifier: Apache-2.0
// An optimisation mode is a set of switches. The worker's table of modes prints them as the details of each choice of the
// parameter "mode"; the estimates of memory and time read them back.
#pragma once
#include "core/base/json.h"
#include <vector>

namespace voxlab {

enum class Precision { Unknown, Fp32, Tf32, Bf16, Fp16 }; // of convolutions and matrix products
enum class MemoryLayout { Unknown, Contiguous, ChannelsLast };
enum class AttentionMethod { Unknown, Math, Flash, MemoryEfficient };

// When the host waits for the device: only where it reads a value (the loss, every so many steps), or after every step, as
// programs do that read the loss each time.
enum class HostSync { Unknown, WhenReading, EveryStep };

// What fusedKernels replaces; each part can be left to LibTorch alone.
enum class FusedPart { Unknown, Stem, Convolution, Residual, Attention, Upsample, Head, Optimiser, Sampler };

struct ModeSwitches {
  Precision precision = Precision::Fp32;
  // 16-bit precisions only: true keeps feature maps in FP32 between operations that want it (autocast), false stores them all in
  // 16 bits. Master weights, moments and the sampler's state are FP32 always.
  bool autocast = true;
  MemoryLayout layout = MemoryLayout::Contiguous;
  bool algorithmSearch = false; // cuDNN benchmark mode
  AttentionMethod attention = AttentionMethod::Math;
  std::vector<int> checkpointLevels; // residual blocks of these levels recompute their forward pass
  bool cudaGraphs = false;
  HostSync hostSync = HostSync::WhenReading;
  bool fusedOptimiser = false;
  bool spreadNorm = false; // GroupNorm's statistics of large volumes by all multiprocessors instead of one block a group
  bool fusedKernels = false; // own kernels: normalisation + activation, concatenation never written, up-sampling, first and last layer
  std::vector<FusedPart> unfusedParts; // with fusedKernels: left to LibTorch all the same
  bool fuses(FusedPart part) const;
};

std::string_view precisionName(Precision precision); // "fp32"
Precision precisionFromName(std::string_view name);  // Unknown for other names
bool is16Bit(Precision precision);
std::string_view fusedPartName(FusedPart part);      // "stem"
FusedPart fusedPartFromName(std::string_view name);  // Unknown for other names

Json toJson(const ModeSwitches& switches);
// Members that are missing or of unknown value keep their default: a newer worker may know more.
ModeSwitches modeSwitchesFromJson(const Json& json);

} // namespace voxlab

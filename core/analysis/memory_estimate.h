// SPDX-License-Identifier: Apache-2.0
// "Will it fit?": GPU memory of a training and of a sampling step, from the plan of the network and the mode's switches,
// before anything runs; and what would make it fit.
//
// The model counts what eager autograd keeps: a GroupNorm, an activation and a convolution each keep their input. On top
// comes a working set in units of the largest feature map. Its few constants are calibrated on peaks measured on an H200
// (memory_estimate_test.cpp lists them; the estimates meet them within 15 %).
#pragma once
#include "core/analysis/network_plan.h"
#include "core/protocol/mode_switches.h"
#include <optional>

namespace voxlab {

// What lives on the device besides feature maps.
enum class JobMemory {
  Unknown,
  Sampling,          // weights only
  BenchmarkTraining, // + gradients, Adam's moments
  Training,          // + moving average, and samples drawn in between
};

struct MemoryEstimate {
  double weights_bytes = 0; // FP32, and the 16-bit copy where the mode has one
  double gradients_bytes = 0;
  double optimiser_bytes = 0;   // two FP32 moments
  double average_bytes = 0;     // EMA
  double activations_bytes = 0; // kept for the backward pass
  double working_bytes = 0;     // gradients of feature maps, temporary tensors, cuDNN's workspace at the peak
  double sampling_bytes = 0;    // peak of the feature maps of a sampling step
  double libraries_bytes = 0;   // what cuBLAS keeps for each stream
  std::vector<double> activationsByLevel_bytes;

  double model_bytes() const { return weights_bytes + gradients_bytes + optimiser_bytes + average_bytes; }
  double training_bytes() const { return model_bytes() + activations_bytes + working_bytes + libraries_bytes; }
  double samplingPeak_bytes() const { return model_bytes() + sampling_bytes + libraries_bytes; }
  double peak_bytes() const; // the larger of the two
  bool calibrated = false;   // switches that peaks were measured with
};

MemoryEstimate estimateMemory(const NetworkPlan& plan, const ModeSwitches& mode, JobMemory job);

// The device needs more than the allocator's peak: fragmentation and the CUDA context with its libraries.
double deviceMemoryFor(double peak_bytes);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// Gradient clipping, Adam (Kingma and Ba, "Adam: a method for stochastic optimization", 2015) and the moving average of the
// weights, over all tensors of a network at once: one pass for the gradients' norm, one for everything else. All FP32. What the
// host must not wait for (norm, overflow, the count of steps, learning rate) stays in device memory.
#pragma once
#include "core/kernels/element_type.h"
#include <vector>

namespace voxlab {

enum class AverageKind { None, Copy, Decay };

struct OptimiserTensor {
  float* weight = nullptr;
  const float* gradient = nullptr;
  float* moment1 = nullptr;
  float* moment2 = nullptr;
  float* average = nullptr; // read or written only if the average is asked for
  std::int64_t size = 0;
};

// In device memory; seven floats.
struct OptimiserState {
  float learningRate; // given
  float inverseScale; // given: gradients are multiplied by it; 1 without loss scaling
  float step;         // counts the steps that were not skipped
  float norm;         // of the unscaled gradients before clipping; written
  float skipped;      // 1 where a gradient was not finite and skipping is on: then weights, moments and average stay; written
  float factor;       // of the gradients: inverseScale, times the clipping; written
  float reserved;
};

enum class OnOverflow { Unknown, Continue, Skip };

struct OptimiserStep {
  std::vector<OptimiserTensor> tensors;
  float beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f;
  float clipNorm = 0; // 0: no clipping
  OnOverflow onOverflow = OnOverflow::Continue;
  AverageKind average = AverageKind::None;
  float averageDecay = 0.995f;
  OptimiserState* state = nullptr;
  float* workspace = nullptr; // optimiserWorkspace() floats
};
std::int64_t optimiserWorkspace(const OptimiserStep& p);

namespace reference {
void optimiserStep(const OptimiserStep& p);
}
void launchOptimiserStep(const OptimiserStep& p, Stream stream);

} // namespace voxlab

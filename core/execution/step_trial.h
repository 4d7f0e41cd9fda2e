// SPDX-License-Identifier: Apache-2.0
// A mode at work on one kind of step, with input on the device: what a benchmark times, and what modes are compared by.
//   training: one micro-batch forward and backward, and Adam; no accumulation, clipping or moving average;
//   sampling: one evaluation of the network and the sampler's update.
#pragma once
#include "core/diffusion/sampler.h"
#include "core/diffusion/train_step.h"
#include "core/execution/eager_backend.h"

namespace voxlab {

// Makes the engine for parameters that placeParameters returned.
using BackendFactory = std::function<std::unique_ptr<Backend>(const NamedTensors& parameters, BackendUse use)>;

struct TrialProblem {
  NetworkSpec network;
  NamedTensors weights;                    // float32 on the CPU
  std::array<std::int64_t, 3> size{};      // (D, H, W), as the network wants it
  std::int64_t batch = 1;
  int timesteps = 250;                     // T of the noise schedule
  std::uint64_t seed = 0;                  // of images, conditions, noise and time steps: the same in every mode
  LossKind loss = LossKind::L1;
  double learningRate = 1e-5;
  SamplerSettings sampling;
  std::shared_ptr<const Sampler> sampler;
};

// The micro-batch that every trial of the problem trains on: noise for the image and for the condition.
MicroBatch trialBatch(const TrialProblem& problem, at::Device device);

class StepTrial {
public:
  virtual ~StepTrial() = default;
  // Steps until afterStep says false. It is called after each step, while the device may still be at work on it.
  virtual void run(const std::function<bool()>& afterStep) = 0;
  // Of the very first step: the loss (a scalar), or the predicted noise (N, Ci, D, H, W). On the device, float32; undefined
  // before run().
  virtual at::Tensor firstResult() const = 0;
};

// Under the caller's ModeGuard. Throw c10::Error, out of memory included.
std::unique_ptr<StepTrial> makeTrainTrial(const TrialProblem& problem, const ModeSwitches& switches, at::Device device,
                                          const BackendFactory& backend);
std::unique_ptr<StepTrial> makeSampleTrial(const TrialProblem& problem, const ModeSwitches& switches, at::Device device,
                                           const BackendFactory& backend);

} // namespace voxlab

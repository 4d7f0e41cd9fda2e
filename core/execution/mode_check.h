// SPDX-License-Identifier: Apache-2.0
// A mode against Baseline on the same inputs and weights, layer by layer: outputs, the loss and its gradients.
#pragma once
#include "core/execution/step_trial.h"
#include <functional>

namespace voxlab {

struct ComparedTensor {
  std::string name;     // a module ("output_blocks.9.0") or a parameter
  // ‖mode − baseline‖ / ‖baseline‖; infinite where the mode's holds NaN or infinity. Of gradients that are zero but for rounding (a
  // bias before a norm of single channels): relative to a tenth of the mean gradient's size.
  double relative = 0;
  double largest = 0;   // of single values
  double magnitude = 0; // root mean square of Baseline's
};

struct ModeCheck {
  std::vector<ComparedTensor> layers;    // in order of execution; those that both have
  std::vector<ComparedTensor> gradients; // by parameter
  ComparedTensor prediction;             // of a graph mode: of the replayed graph
  ComparedTensor gradient;               // all parameters together
  double loss = 0, baselineLoss = 0;
  double tolerance = 0;                  // of the prediction; layers and gradients get multiples of it
  std::vector<std::string> failures;     // a sentence each
  bool passed() const { return failures.empty(); }
};

struct CheckSettings {
  double tolerance = 0; // 0: what the mode's precision explains
  Determinism determinism = Determinism::Off;
  std::function<void()> between{}; // called before each of its four passes; what it throws ends the check
};

// Inner layers round before later ones average, and gradients have passed the network twice.
inline constexpr double kLayerFactor = 3, kGradientFactor = 5;

// Sets the global switches of both modes itself. Large layers are compared at up to four million values each, spread evenly. Throws
// c10::Error.
ModeCheck checkMode(const TrialProblem& problem, const ModeSwitches& switches, at::Device device, const CheckSettings& settings);

} // namespace voxlab

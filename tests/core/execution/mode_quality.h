// SPDX-License-Identifier: Apache-2.0
// Whether a mode is as good as another of the same precision: its predictions, its volumes at equal seeds and its training, on
// real data. Used by the program mode_quality.
#pragma once
#include "core/diffusion/dataset.h"
#include "core/diffusion/weights.h"
#include "core/execution/mode.h"
#include <vector>

namespace voxlab {

struct QualitySettings {
  std::filesystem::path weights, images, masks; // a trained network, and data of the kind that it was trained with
  int seeds = 8;                                // volumes a mode
  int samplingSteps = 0;                        // 0: all that the network was trained with
  int trainingSteps = 500;                      // 0: no training
  int trainings = 4;                            // of each mode, each with a seed of its own
  int batch = 1;                                // volumes a training step
};

// One way of training: the smoothed loss at its end, as a run shows it.
struct SmoothedLoss {
  double value = 0;
  std::int64_t skippedSteps = 0; // 16-bit gradients overflowed
};

class ModeQuality {
public:
  // Throws Failure where files cannot be used.
  ModeQuality(QualitySettings settings, c10::Device device);

  const std::string& description() const { return m_description; } // of network and data, in words
  // Predicted noise for noisy volumes at an early, a middle and a late time step: (3, C, D, H, W) on the CPU.
  at::Tensor predictions(const Mode& mode);
  // (seeds, C, D, H, W) on the CPU, ancestral sampling; seed k on mask k.
  at::Tensor volumes(const Mode& mode);
  // A fresh network, trained.
  SmoothedLoss train(const Mode& mode, std::uint64_t seed);

private:
  std::pair<at::Tensor, at::Tensor> subjects(int count); // images and conditions, on the device

  QualitySettings m_settings;
  c10::Device m_device;
  Weights m_weights;
  std::unique_ptr<Dataset> m_data;
  std::string m_description;
};

// ‖a - b‖ / ‖b‖
double relativeDifference(const at::Tensor& a, const at::Tensor& b);
// Mean over the volumes (N, …) of 10 log10(4 / mean square difference): intensities lie in [-1, 1].
double meanPsnr(const at::Tensor& volumes, const at::Tensor& reference);
double mean(const std::vector<double>& values);
// How far a value lies from the others' mean, in their standard deviations (of a sample).
double deviations(double value, const std::vector<double>& others);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// The loss between two readings: summed on the device, read back only when it is asked for.
#pragma once
#include "core/base/json.h"
#include <ATen/core/Tensor.h>

namespace voxlab {

struct LossReading {
  double loss = 0;                    // mean over the steps since the last reading
  double smoothed = 0;                // exponential average, about 50 steps long
  std::optional<double> gradientNorm; // of the newest step; none when it was skipped
  std::int64_t steps = 0;
  std::int64_t skippedSteps = 0; // 16-bit gradients overflowed
  bool finite() const;
};

class LossLog {
public:
  // lossOfStep: scalar on the device. gradientNorm, skipped: as TrainStep gives them; skipped may be undefined.
  void add(const at::Tensor& lossOfStep, const at::Tensor& gradientNorm, const at::Tensor& skipped);
  std::int64_t steps() const { return m_steps; } // since the last reading

  // Waits for the device. look() leaves the sums as they are, take() begins anew. At least one step must have been added.
  LossReading look() const;
  LossReading take();

  // Everything that resuming needs; waits for the device.
  Json state() const;
  void restore(const Json& state, at::Device device);

private:
  at::Tensor m_sum, m_norm, m_skipped; // float64 on the device; undefined when nothing was added
  std::int64_t m_steps = 0;
  double m_smoothed = 0;
  bool m_hasSmoothed = false;
};

// Tells divergence from noise: the smoothed loss far above the best it was.
class LossWatch {
public:
  // A sentence with cause and advice when training has gone wrong since the last look; empty otherwise.
  std::string look(const LossReading& reading, std::int64_t step);
  // Why the loss is not a number, and what to do.
  static std::string explainNotFinite(const LossReading& reading, std::int64_t step, const std::string& precision);

private:
  double m_best = 0;
  bool m_hasBest = false, m_saidDiverging = false;
};

} // namespace voxlab

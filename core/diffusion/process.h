// SPDX-License-Identifier: Apache-2.0
// The forward process and the training loss.
#pragma once
#include "core/diffusion/named_tensors.h"
#include "core/diffusion/schedule.h"
#include <ATen/core/Tensor.h>
#include <functional>

namespace voxlab {

enum class LossKind { Unknown, L1, L2 };

// Predicted noise (N, Ci, D, H, W), float32, for the noisy image x (N, Ci, D, H, W), condition (N, Cc, D, H, W; undefined
// without condition channels) and time steps (N), int64. All on one device; sizes as the network wants them.
using Predictor = std::function<at::Tensor(const at::Tensor& x, const at::Tensor& condition, const at::Tensor& timesteps)>;

class DiffusionProcess {
public:
  DiffusionProcess(int timesteps, at::Device device);

  const Schedule& schedule() const { return m_schedule; }
  int timesteps() const { return m_schedule.timesteps; }
  // sqrt(abar_t) x0 + sqrt(1 - abar_t) noise, t (N) int64 on the device.
  at::Tensor noised(const at::Tensor& x0, const at::Tensor& timesteps, const at::Tensor& noise) const;

private:
  Schedule m_schedule;
  at::Tensor m_signal, m_noise; // (T) float32
};

// Mean over all elements of |prediction - noise| or of its square, in float32: a scalar tensor.
at::Tensor diffusionLoss(LossKind kind, const at::Tensor& prediction, const at::Tensor& noise);

// The 13 vectors as float32 tensors on the CPU, named and ordered as in checkpoints.
NamedTensors scheduleTensors(const Schedule& schedule);

} // namespace voxlab

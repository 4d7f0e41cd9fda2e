// SPDX-License-Identifier: Apache-2.0
// Loss scaling for float16 (Micikevicius et al., "Mixed precision training", 2018): the loss is multiplied so that small
// gradients do not vanish; a step whose gradients overflowed is skipped and the scale halved. All on the device.
#pragma once
#include "core/diffusion/named_tensors.h"

namespace voxlab {

struct GradientScalerSettings {
  double initialScale = 65536;
  double growth = 2, backoff = 0.5;
  std::int64_t growthInterval = 2000; // steps without overflow before the scale grows
};

class GradientScaler {
public:
  explicit GradientScaler(at::Device device, GradientScalerSettings settings = {});

  at::Tensor scaled(const at::Tensor& loss) const; // loss · scale
  // Divides the gradients by the scale and notes whether any is infinite or NaN.
  void unscale(const std::vector<at::Tensor>& gradients);
  // For an optimiser that unscales by itself: what it found, as overflowed().
  void noteOverflow(const at::Tensor& overflowed) { m_overflowed.copy_(overflowed); }
  void update(); // after the optimiser

  const at::Tensor& overflowed() const { return m_overflowed; } // (1) float32: 1 if the step has to be skipped
  const at::Tensor& scale() const { return m_scale; }           // (1) float32
  NamedTensors state() const;                                   // "loss_scale", "growth_tracker": the tensors themselves

private:
  GradientScalerSettings m_settings;
  at::Tensor m_scale, m_growthTracker, m_overflowed;
};

} // namespace voxlab

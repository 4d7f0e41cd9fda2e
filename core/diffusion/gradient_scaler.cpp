// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/gradient_scaler.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale.h>
#include <ATen/ops/_amp_update_scale.h>
#include <ATen/ops/full.h>
#include <ATen/ops/reciprocal.h>
#include <ATen/ops/zeros.h>

namespace voxlab {

GradientScaler::GradientScaler(at::Device device, GradientScalerSettings settings)
    : m_settings(settings), m_scale(at::full({1}, settings.initialScale, at::TensorOptions(at::kFloat).device(device))),
      m_growthTracker(at::zeros({1}, at::TensorOptions(at::kInt).device(device))),
      m_overflowed(at::zeros({1}, at::TensorOptions(at::kFloat).device(device))) {}

at::Tensor GradientScaler::scaled(const at::Tensor& loss) const { return loss * m_scale; }

void GradientScaler::unscale(const std::vector<at::Tensor>& gradients) {
  m_overflowed.zero_();
  at::_amp_foreach_non_finite_check_and_unscale_(gradients, m_overflowed, m_scale.reciprocal());
}

void GradientScaler::update() {
  at::_amp_update_scale_(m_scale, m_growthTracker, m_overflowed, m_settings.growth, m_settings.backoff, m_settings.growthInterval);
}

NamedTensors GradientScaler::state() const { return {{"loss_scale", m_scale}, {"growth_tracker", m_growthTracker}}; }

} // namespace voxlab

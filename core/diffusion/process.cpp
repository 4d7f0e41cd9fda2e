// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/process.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/square.h>

namespace voxlab {
namespace {
at::Tensor floats(const std::vector<double>& values) {
  at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size())}, at::kFloat);
  float* out = tensor.mutable_data_ptr<float>();
  for (const double v : values)
    *out++ = static_cast<float>(v);
  return tensor;
}
} // namespace

DiffusionProcess::DiffusionProcess(int timesteps, at::Device device)
    : m_schedule(timesteps), m_signal(floats(m_schedule.sqrtAlphasCumprod).to(device)),
      m_noise(floats(m_schedule.sqrtOneMinusAlphasCumprod).to(device)) {}

at::Tensor DiffusionProcess::noised(const at::Tensor& x0, const at::Tensor& timesteps, const at::Tensor& noise) const {
  const auto at = [&](const at::Tensor& vector) { return at::index_select(vector, 0, timesteps).view({-1, 1, 1, 1, 1}); };
  return at(m_signal) * x0 + at(m_noise) * noise;
}

at::Tensor diffusionLoss(LossKind kind, const at::Tensor& prediction, const at::Tensor& noise) {
  TORCH_CHECK(kind == LossKind::L1 || kind == LossKind::L2, "The loss has to be l1 or l2.");
  const at::Tensor difference = noise - prediction.to(at::kFloat);
  return (kind == LossKind::L1 ? at::abs(difference) : at::square(difference)).mean();
}

NamedTensors scheduleTensors(const Schedule& schedule) {
  NamedTensors tensors;
  for (const auto& [name, values] : schedule.vectors())
    tensors.push_back({name, floats(*values)});
  return tensors;
}

} // namespace voxlab

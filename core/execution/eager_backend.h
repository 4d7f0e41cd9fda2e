// SPDX-License-Identifier: Apache-2.0
// The network operation by operation, under a mode's precision, layout, attention and recomputation. The global switches
// (TF32, algorithm search …) are ModeGuard's.
#pragma once
#include "core/diffusion/unet.h"
#include "core/execution/backend.h"
#include "core/execution/mode.h"
#include <memory>

namespace voxlab {

enum class BackendUse { Unknown, Training, Inference };

// Copies on the device, in the mode's layout, float32: what a TrainStep trains and an EagerBackend computes with.
NamedTensors placeParameters(const NamedTensors& parameters, const ModeSwitches& switches, at::Device device);

class EagerBackend : public Backend {
public:
  // parameters: as placeParameters returns them; shared with the trainer, so that its steps are seen. Inference may keep
  // 16-bit copies instead: make a new backend when the weights have changed.
  EagerBackend(const NetworkSpec& spec, const NamedTensors& parameters, const ModeSwitches& switches, BackendUse use,
               Determinism determinism = Determinism::Off);
  ~EagerBackend() override;

  std::string name() const override { return "eager"; }
  at::Tensor predict(const at::Tensor& x, const at::Tensor& condition, const at::Tensor& timesteps) override;

  const UNet& network() const { return m_network; }
  // Called with every named module's output, for comparing modes layer by layer.
  void observe(ActivationObserver observer) { m_forward.observer = std::move(observer); }

private:
  ModeSwitches m_switches;
  std::unique_ptr<BlockOps> m_ops;
  UNet m_network;
  ForwardOptions m_forward;
};

} // namespace voxlab

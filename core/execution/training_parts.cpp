// SPDX-License-Identifier: Apache-2.0
#include "core/execution/training_parts.h"
#include "core/execution/cuda_runtime.h"

namespace voxlab {

AdamKind adamKindOf(const ModeSwitches& switches) {
  if (switches.fuses(FusedPart::Optimiser))
    return AdamKind::OnePass;
  return switches.fusedOptimiser || switches.precision == Precision::Fp16 ? AdamKind::Fused : AdamKind::Lists;
}

UpdateKind updateKindOf(const ModeSwitches& switches) {
  return switches.fuses(FusedPart::Sampler) ? UpdateKind::OneKernel : UpdateKind::Operations;
}

std::unique_ptr<GradientScaler> makeGradientScaler(const ModeSwitches& switches, at::Device device) {
  return switches.precision == Precision::Fp16 ? std::make_unique<GradientScaler>(device) : nullptr;
}

void StepSync::afterStep() const {
  if (m_wait)
    synchronize(m_device);
}

} // namespace voxlab

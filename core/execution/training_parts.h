// SPDX-License-Identifier: Apache-2.0
// What a mode trains and samples with, beside the network.
#pragma once
#include "core/diffusion/sampler.h"
#include "core/diffusion/train_step.h"
#include "core/protocol/mode_switches.h"

namespace voxlab {

AdamKind adamKindOf(const ModeSwitches& switches);
UpdateKind updateKindOf(const ModeSwitches& switches); // of the sampler's state
// Null unless the precision needs one.
std::unique_ptr<GradientScaler> makeGradientScaler(const ModeSwitches& switches, at::Device device);

// The mode's host-sync policy: called after every step, it waits for the device or does nothing.
class StepSync {
public:
  StepSync(const ModeSwitches& switches, at::Device device) : m_wait(switches.hostSync == HostSync::EveryStep), m_device(device) {}
  void afterStep() const;

private:
  bool m_wait;
  at::Device m_device;
};

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// What a mode trains with, beside the network.
#pragma once
#include "core/diffusion/train_step.h"
#include "core/protocol/mode_switches.h"

namespace voxlab {

AdamKind adamKindOf(const ModeSwitches& switches);
// Null unless the precision needs one.
std::unique_ptr<GradientScaler> makeGradientScaler(const ModeSwitches& switches, at::Device device);

} // namespace voxlab

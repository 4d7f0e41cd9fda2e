// SPDX-License-Identifier: Apache-2.0
// "How long will it take?": a step's time on a known GPU, before it runs. The device's bound (roofline.h) times how far each mode
// stays from it, as measured on an H200, and never below what the host needs to launch a step's kernels.
#pragma once
#include "core/analysis/roofline.h"

namespace voxlab {

// nullopt for switches that were never measured, and for precisions that the device does not have. Within about a third of what was
// measured, from 64³ to BraTS's 192×192×144 (time_estimate_test.cpp lists the measurements).
std::optional<double> estimateStepTime_ms(const NetworkPlan& plan, StepKind step, const ModeSwitches& mode,
                                          const DevicePeaks& peaks);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/analysis/kernel_table.h"
#include "core/base/json.h"

namespace voxlab {

// A profile in a few figures, as a profile event carries it: steps, wall_ms_per_step, kernel_ms_per_step and categories_ms (categories
// and causes of idle time that took any, means over the steps; they add up to the wall time).
Json profileSummary(const Trace& trace, const KernelIndex& index);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/analysis/trace.h"

namespace voxlab {

// The profiler names no shapes of lists of more than thirty tensors, which all lists of an optimiser are. A range "optimizer" that says
// of how many parameters it is (core/diffusion/profiler_range.h) fills in for operators over lists within it: their first list stands as
// one tensor of so many elements. The host events have to be nested.
void fillListInputs(Trace& trace);

// Operators over lists of all parameters, which fillListInputs fills in: "aten::_foreach_mul_", "voxlab::optimiser_step_".
bool worksOnParameterLists(std::string_view name);

} // namespace voxlab

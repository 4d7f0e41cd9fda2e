// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/analysis/trace.h"

namespace voxlab {

// Finds the repetitions of the work and notes for every GPU event which one it belongs to. Tried in this order: ranges that mark
// steps ("ProfilerStep#3", "train_step"), other outermost ranges that repeat, launches of CUDA graphs, kernels that repeat in the
// same order, everything as one step. Needs sorted and correlated events.
void findSteps(Trace& trace);

} // namespace voxlab

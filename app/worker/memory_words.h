// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/protocol/job_spec.h"

namespace voxlab {

// A sentence that says what would make the job fit on the GPU, as far as it is estimated not to; of a benchmark, one of its modes when that
// is named. Empty when it fits, on the CPU, and where that cannot be told.
std::string howToFit(const JobSpec& spec, const std::string& mode = {});

// Throws Failure with OutOfMemory for a job on the processor that needs far more than the main memory: the system would not
// refuse it, but end the program in the middle, or others. GPUs refuse by themselves.
void refuseWhatCannotFit(const JobSpec& spec);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/protocol/job_spec.h"

namespace voxlab {

// After a job of this specification ran out of memory: a sentence, with a space before it, that says what would make it fit on the
// GPU. Empty on the CPU, and where that cannot be told.
std::string howToFit(const JobSpec& spec);

} // namespace voxlab

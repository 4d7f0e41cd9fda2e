// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/protocol/job_spec.h"

namespace voxlab {

// Fills in defaults and refuses what this build cannot do on this machine: throws Failure with NoDevice when the device is not
// there, otherwise with Usage and every problem on a line of its own, `what` ("The job") beginning the sentence.
void completeAndCheck(JobSpec& spec, const std::string& what);

} // namespace voxlab

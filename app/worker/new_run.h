// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/worker/verbs.h"
#include "core/protocol/run_directory.h"

namespace voxlab {

// Fills in defaults, makes paths absolute, checks; `what` names the job in the message. Throws Failure.
void completeSpec(JobSpec& spec, const std::string& what);
// A size as data.size takes it: "128" is "128,128,128".
std::string allSides(const std::string& size);
// The job that the options describe, with defaults filled in, checked. Throws Failure.
JobSpec newSpec(const LaunchOptions& options);
// A run folder as the options ask for it, checked. Throws Failure.
RunDirectory newRun(const LaunchOptions& options);

} // namespace voxlab

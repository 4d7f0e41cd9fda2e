// SPDX-License-Identifier: Apache-2.0
// What has to hold between the values of one job.
#pragma once
#include "core/protocol/job_spec.h"

namespace voxlab {

// Expects values of the right types (JobSpec::problems() checks those first); an absent one counts as its default.
std::vector<SpecProblem> conflictingValues(const JobSpec& spec, const Catalog& catalog);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// What a training specification says of its data, for those who look at the data before a network does.
#pragma once
#include "core/imaging/preflight.h"
#include "core/protocol/job_spec.h"
#include "core/protocol/network_spec.h"

namespace voxlab {

// Subjects that have an image for every channel, and a mask where the network wants one. masks may be empty: beside the images.
Result<DatasetIndex> trainingIndex(const JobSpec& spec, const NetworkSpec& network, const std::filesystem::path& images,
                                   const std::filesystem::path& masks);
PreflightOptions trainingPreflight(const JobSpec& spec, const NetworkSpec& network);

} // namespace voxlab

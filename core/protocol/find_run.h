// SPDX-License-Identifier: Apache-2.0
// Whether what somebody named is a run.
#pragma once
#include "core/base/result.h"
#include <filesystem>

namespace voxlab {

// Fails with Data where there is no run folder, and says what there is and what to name or do.
Status findRun(const std::filesystem::path& folder);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace voxlab {

// Replaces this process by a new one with the same command line, `more` added to it. Returns only when that fails.
void startAgain(const std::vector<std::string>& more);

} // namespace voxlab

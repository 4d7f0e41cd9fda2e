// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

namespace voxlab {

// Goes on as a background process of its own session whose stdout and stderr are appended to the file; the process that
// called ends with exit code 0. Call it before any thread is started. Throws Failure when it cannot.
void detach(const std::filesystem::path& logFile);

} // namespace voxlab

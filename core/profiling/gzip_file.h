// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/result.h"
#include <filesystem>
#include <functional>
#include <stop_token>

namespace voxlab {

struct CopyOptions {
  std::stop_token cancel;               // asked every quarter of a megabyte
  std::function<void(double)> progress; // 0…1
  int level = 6;                        // of compression, 1…9
};

// A copy of a file in bounded memory, compressed unless it is gzip already. `to` appears when it is whole. Fails with Data on what
// cannot be read or written, with Stopped when cancelled.
Status gzipFile(const std::filesystem::path& from, const std::filesystem::path& to, const CopyOptions& options = {});

} // namespace voxlab

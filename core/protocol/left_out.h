// SPDX-License-Identifier: Apache-2.0
// left_out.json of a run that was handed on: {"schema": "1.0", "files": ["checkpoints/…", "samples/…"]}, the files that were not packed
// with it, by their places in the folder. A file that is missing and does not stand there was deleted since.
#pragma once
#include "core/base/result.h"
#include <filesystem>
#include <set>
#include <string>

namespace voxlab {

inline constexpr const char* kLeftOutFile = "left_out.json";

// Empty where nothing was left out, and where the record cannot be read.
std::set<std::string> leftOutOf(const std::filesystem::path& run);
std::string leftOutText(const std::set<std::string>& files); // the file's content

} // namespace voxlab

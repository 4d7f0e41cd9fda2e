// SPDX-License-Identifier: Apache-2.0
// What tells of a machine and its people is taken out of files that are handed on: absolute paths, names of hosts and users.
#pragma once
#include "core/base/json.h"
#include <filesystem>
#include <string>

namespace voxlab {

// "/home/ann/data/x.nii: none" → "…/x.nii: none"; a home by itself becomes "…"; what is no absolute path stays.
std::string withoutPaths(const std::string& text);

// The same in every string of a document; members named host, hostname, host_name, user, username and boot_id are left out.
Json jsonWithoutPaths(const Json& json);

// A text file, plain or gzip-compressed as its name says, read in parts: of JSON (traces may be gigabytes) every string, names of hosts and
// users emptied; of other text every line. Returns the bytes, compressed where the name ends in .gz. Fails with Data.
Result<std::string> withoutPathsInFile(const std::filesystem::path& file);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// Real MRI that packages install, looked for in Debian's mricron-data, in ~/.local/share/voxlab and in the folders that
// VOXLAB_REAL_DATA names (parted by colons; packaging/real_files.sh fills one). tests/data/imaging/real.json holds what nibabel reads from them.
#pragma once
#include "core/base/json.h"
#include <filesystem>
#include <optional>
#include <vector>

namespace voxlab {

std::optional<std::filesystem::path> findRealFile(const std::string& name);

// Files of no bytes that packages hold as placeholders (python3-nipype has 158), called like volumes.
std::vector<std::filesystem::path> emptyRealFiles();

// One entry a file: package, file, size, time_points, axes ("?" where there is one slice, whose direction programs choose differently),
// places [{index, world, value}].
std::vector<Json> realFileFacts();
bool sameAxes(const std::string& codes, const Json& fact);
// "ch2_nii_gz", for the name of a test.
std::string realFileTestName(const Json& fact);

} // namespace voxlab

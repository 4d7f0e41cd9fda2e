// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/result.h"
#include <array>
#include <cstdint>
#include <filesystem>

namespace voxlab::fake {

// A ball with a darker core and a mark on its right side, sharper with rising progress (0…1) and different for every seed,
// as float32 NIfTI-1 (.nii.gz) of 2 mm voxels centred in the world.
Status writeHead(const std::filesystem::path& file, std::array<int, 3> size, std::uint64_t seed, double progress);

} // namespace voxlab::fake

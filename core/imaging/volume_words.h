// SPDX-License-Identifier: Apache-2.0
// A volume's header as a person would describe it.
#pragma once
#include "core/imaging/volume.h"
#include <string>

namespace voxlab {

const char* voxelTypeInWords(VoxelType type); // "16-bit integers"
std::string sizeInWords(const Grid& grid);    // "181 × 217 × 181"
// Several lines: format, size, spacing and extent, where the axes point, how voxels are stored, the description, and each
// note on a line of its own.
std::string headerInWords(const VolumeHeader& header);

} // namespace voxlab

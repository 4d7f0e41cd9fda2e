// SPDX-License-Identifier: Apache-2.0
// Which voxels of a whole-head MRI belong to the head: everything that is not air, with the cavities inside.
#pragma once
#include "core/imaging/volume.h"

namespace voxlab {

using VoxelMask = std::vector<std::uint8_t>; // 0 or 1, in the order of Volume::voxels

// The threshold between two classes of intensities that separates them best (Otsu 1979), over 256 bins.
float otsuThreshold(const std::vector<float>& voxels);

// The largest part that hangs together by faces; empty stays empty.
VoxelMask largestComponent(const VoxelMask& mask, const std::array<std::int64_t, 3>& size);

// Adds what is enclosed within a slice, in the slices of all three axes: a cavity that opens at the neck is filled too.
VoxelMask filledSlices(VoxelMask mask, const std::array<std::int64_t, 3>& size);

// Above half of Otsu's threshold (skin and marrow are bright, grey matter is not), the largest component, filled.
VoxelMask headMask(const Volume& volume);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// Writing NIfTI-1: the header as bytes, voxels as the type that is stored.
#pragma once
#include "core/base/result.h"
#include "core/imaging/volume_io.h"
#include <cstddef>
#include <span>

namespace voxlab {

inline constexpr std::size_t kNifti1VoxelOffset = 352;

// The bytes before the voxels of a single NIfTI-1 file, little-endian. What the header's NiftiRecord says stays where the grid is
// the record's. Else sform: always; qform: where it can express the affine to a hundredth of a voxel. Fails with Data if a side exceeds 32767, NIfTI-1's limit, or the affine is not usable.
Result<std::array<std::byte, kNifti1VoxelOffset>> encodeNifti1(const VolumeHeader& header, const NiftiStorage& storage);

std::size_t voxelBytes(VoxelType type); // 0 for Unknown
// Appends the values as they are stored, little-endian: integers are rounded to the nearest and limited to the type's range,
// NaN becomes 0.
void encodeVoxels(std::span<const float> values, const NiftiStorage& storage, std::vector<std::byte>& out);
// Whether reading what encodeVoxels makes of them gives the same values, bit for bit.
bool survive(std::span<const float> values, const NiftiStorage& storage);

} // namespace voxlab

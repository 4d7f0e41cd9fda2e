// SPDX-License-Identifier: Apache-2.0
// Reads and writes volumes of every format that importers.cpp lists; the format is told by content, then by name.
#pragma once
#include "core/base/result.h"
#include "core/imaging/volume.h"
#include <filesystem>
#include <functional>
#include <stop_token>

namespace voxlab {

enum class WhenTooLarge {
  Refuse, // fails with OutOfMemory
  Thin,   // keeps every n-th voxel along each axis, with the grid to match, and says so in the notes
};

struct ReadOptions {
  std::optional<std::int64_t> timePoint;   // of a 4D file: only this one; nullopt reads all
  std::stop_token cancel;                  // asked between blocks of at most 4 MB
  std::function<void(double)> progress;    // 0…1, called from the reading thread
  std::uint64_t memoryLimitBytes = 8ull << 30; // of the voxels in memory
  WhenTooLarge whenTooLarge = WhenTooLarge::Refuse;
};

// Fails with Data on a missing, truncated, lying or hostile file; sizes in the header are checked against the file's
// size before memory is taken. A cancelled read fails with Stopped, one beyond the memory limit with OutOfMemory.
// header.timePoints is the number of time points in `voxels`.
Result<VolumeHeader> readVolumeHeader(const std::filesystem::path& file);
Result<Volume> readVolume(const std::filesystem::path& file, const ReadOptions& options = {});
Result<PreciseVolume> readPreciseVolume(const std::filesystem::path& file, const ReadOptions& options = {});

// NIfTI-1 (.nii, .nii.gz), FP32 or the given integer type without scaling; sform and qform set (qform only where it can
// express the affine). Written beside and renamed.
Status writeNifti(const std::filesystem::path& file, const Volume& volume, VoxelType type = VoxelType::Float32);

} // namespace voxlab

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

// How the voxels of a file are stored: voxel = slope × stored + intercept.
struct NiftiStorage {
  NiftiStorage(VoxelType storedType = VoxelType::Float32, float by = 1, float plus = 0) : type(storedType), slope(by), intercept(plus) {}
  VoxelType type;
  float slope, intercept; // NIfTI-1 holds no more digits
};
// Type and scaling of the file that the volume was read from, where they give back each of its voxels to the last bit; else FP32.
NiftiStorage storageOf(const Volume& volume);
bool canStore(VoxelType type, const Volume& volume); // unscaled, without losing anything

// NIfTI-1 (.nii, .nii.gz). Integers are rounded to the nearest and limited to the type's range. A volume on the grid that it was
// read with from a NIfTI file keeps that file's codes, qform, times and intent; else sform and qform are set (qform only where it
// can express the affine). Written beside and renamed.
Status writeNifti(const std::filesystem::path& file, const Volume& volume, const NiftiStorage& storage = {});

} // namespace voxlab

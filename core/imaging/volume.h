// SPDX-License-Identifier: Apache-2.0
// A volume in memory and where it lies in the world. Voxel index (i, j, k) as stored in the file, i fastest.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace voxlab {

// Row-major 4×4; maps (i, j, k, 1) to millimetres in RAS+ (x to the right, y to anterior, z to superior). May be sheared.
using Affine = std::array<std::array<double, 4>, 4>;
inline constexpr Affine kIdentityAffine{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

struct Grid {
  std::array<std::int64_t, 3> size{}; // voxels along i, j, k
  Affine affine = kIdentityAffine;
  std::int64_t voxelCount() const { return size[0] * size[1] * size[2]; }
  bool operator==(const Grid&) const = default;
};

enum class VoxelType { Unknown, UInt8, Int8, UInt16, Int16, UInt32, Int32, UInt64, Int64, Float32, Float64 };

struct NiftiRecord;

struct VolumeHeader {
  Grid grid;
  std::int64_t timePoints = 1;
  std::int64_t components = 1;               // per voxel; RGB has 3
  VoxelType storedType = VoxelType::Unknown; // as in the file
  double slope = 1, intercept = 0;           // already applied to the voxels
  std::optional<double> timeStep_s;          // between time points, where the file says it
  std::string format;                        // "NIfTI-1", "MGH", …
  std::string description;                   // free text of the file
  std::optional<Affine> sform, qform;        // NIfTI only: what each says; grid.affine is the one in force
  std::shared_ptr<const NiftiRecord> nifti;  // of a file that was one: what else its header says
  std::vector<std::string> notes;            // oddities in words: sform/qform conflict, shear, left-handed, odd spacing
};

// Voxels as FP32 with slope and intercept applied, index i + nx·(j + ny·(k + nz·t)).
struct Volume {
  VolumeHeader header;
  std::vector<float> voxels;
  const Grid& grid() const { return header.grid; }
};

// The same with FP64 voxels, for arithmetic that has to equal the published programs' to the last digits.
struct PreciseVolume {
  VolumeHeader header;
  std::vector<double> voxels;
  const Grid& grid() const { return header.grid; }
};

} // namespace voxlab

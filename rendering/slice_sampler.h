// SPDX-License-Identifier: GPL-3.0-or-later
// A volume's values under the pixels of a slice, straight from the voxels on several cores. No copy of the volume is made,
// so a slice costs the picture's pixels, whatever the volume's size.
#pragma once
#include "core/imaging/resample.h"
#include "core/imaging/volume.h"
#include "rendering/slice_geometry.h"
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace voxlab {

// One time point of a volume that can be looked up in millimetres.
class SampledVolume {
public:
  // nullopt where the affine cannot be inverted or the voxels are missing.
  static std::optional<SampledVolume> of(std::shared_ptr<const Volume> volume, std::int64_t timePoint = 0);

  const Volume& volume() const { return *m_volume; }
  const Grid& grid() const { return m_volume->grid(); }
  Vec3d toVoxel(Vec3d world) const { return transformPoint(m_worldToVoxel, world); }
  Vec3d toWorld(Vec3d voxel) const { return transformPoint(grid().affine, voxel); }
  // Index of the voxel whose cell holds the point; nullopt outside.
  std::optional<std::array<std::int64_t, 3>> voxelAt(Vec3d world) const;
  std::optional<float> valueAt(Vec3d world) const; // nearest voxel
  // (height, width), row 0 at the top; NaN outside the volume. Linear repeats the border voxels half a voxel outwards.
  void sample(const SliceGeometry& plane, Interpolation interpolation, std::vector<float>& values) const;

private:
  std::shared_ptr<const Volume> m_volume;
  std::span<const float> m_voxels;
  Affine m_worldToVoxel = kIdentityAffine;
};

} // namespace voxlab

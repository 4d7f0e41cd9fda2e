// SPDX-License-Identifier: Apache-2.0
// Painting into a label volume, with changes that can be taken back.
#pragma once
#include "core/imaging/volume.h"
#include <vector>

namespace voxlab {

enum class BrushShape {
  Unknown,
  Ball, // all voxels whose centre lies within the radius
  Disc, // those of them that lie in one slice: within half a slice of the plane through the centre
};

struct Brush {
  BrushShape shape = BrushShape::Ball;
  std::array<double, 3> centre_mm{};
  std::array<double, 3> normal{0, 0, 1}; // unit vector; Disc only
  double thickness_mm = 1;               // of a slice; Disc only
  double radius_mm = 5;
  float value = 1; // 0 erases
};

// One voxel of time point 0 that was changed.
struct VoxelChange {
  std::int64_t index = 0;
  float before = 0, after = 0;
};
using MaskChange = std::vector<VoxelChange>;

// Sets the brush's voxels and returns those whose value changed; none where the brush lies outside or the affine cannot be
// inverted. Asks only the voxels of the brush's box.
MaskChange paint(Volume& mask, const Brush& brush);
// Along the straight line from one centre to the other, without gaps.
MaskChange paintLine(Volume& mask, Brush brush, const std::array<double, 3>& to_mm);

void undo(Volume& mask, const MaskChange& change);
void redo(Volume& mask, const MaskChange& change);

} // namespace voxlab

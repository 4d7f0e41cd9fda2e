// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/mask_edit.h"
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>

namespace voxlab {
namespace {

Volume emptyMask(std::array<double, 3> spacing = {1, 1, 1}) {
  Volume mask;
  mask.header.grid.size = {40, 40, 40};
  for (int axis = 0; axis < 3; ++axis) {
    mask.header.grid.affine[axis][axis] = (axis == 0 ? -1 : 1) * spacing[axis];
    mask.header.grid.affine[axis][3] = (axis == 0 ? 20 : -20) * spacing[axis];
  }
  mask.voxels.assign(40 * 40 * 40, 0);
  return mask;
}

auto painted(const Volume& mask) { return std::count_if(mask.voxels.begin(), mask.voxels.end(), [](float v) { return v != 0; }); }

TEST(MaskEdit, ABallHasItsVolumeInMillimetres) {
  for (const std::array<double, 3> spacing : {std::array{1.0, 1.0, 1.0}, {1.0, 2.0, 0.5}}) {
    Volume mask = emptyMask(spacing);
    const MaskChange change = paint(mask, {BrushShape::Ball, {1, 2, 3}, {}, 1, 6, 2});
    const double voxel_mm3 = spacing[0] * spacing[1] * spacing[2];
    EXPECT_NEAR(static_cast<double>(painted(mask)) * voxel_mm3, 4.0 / 3 * 3.14159265 * 216, 60);
    EXPECT_EQ(static_cast<std::ptrdiff_t>(change.size()), painted(mask));
  }
}

TEST(MaskEdit, ADiscStaysInItsSlice) {
  Volume mask = emptyMask();
  paint(mask, {BrushShape::Disc, {0, 0, 3}, {0, 0, 1}, 1, 5, 1});
  for (std::size_t i = 0; i < mask.voxels.size(); ++i)
    if (mask.voxels[i] != 0) {
      EXPECT_EQ(i / 1600, 23u);
    }
  EXPECT_NEAR(static_cast<double>(painted(mask)), 3.14159 * 25, 8);
}

TEST(MaskEdit, LinesHaveNoGaps) {
  Volume mask = emptyMask();
  paintLine(mask, {BrushShape::Ball, {-15, 0, 0}, {}, 1, 1.5, 1}, {15, 0, 0});
  for (int x = -15; x <= 15; ++x)
    EXPECT_EQ(mask.voxels[static_cast<std::size_t>((20 - x) + 40 * (20 + 40 * 20))], 1) << x;
}

TEST(MaskEdit, ChangesAreTakenBackAndMadeAgain) {
  Volume mask = emptyMask();
  const auto blank = mask.voxels;
  const MaskChange first = paint(mask, {BrushShape::Ball, {0, 0, 0}, {}, 1, 6, 1});
  const auto once = mask.voxels;
  const MaskChange second = paintLine(mask, {BrushShape::Ball, {3, 0, 0}, {}, 1, 5, 2}, {8, 0, 0});
  const auto twice = mask.voxels;
  undo(mask, second);
  EXPECT_EQ(mask.voxels, once);
  undo(mask, first);
  EXPECT_EQ(mask.voxels, blank);
  redo(mask, first);
  redo(mask, second);
  EXPECT_EQ(mask.voxels, twice);
}

TEST(MaskEdit, ErasesAndIgnoresWhatLiesOutside) {
  Volume mask = emptyMask();
  paint(mask, {BrushShape::Ball, {0, 0, 0}, {}, 1, 6, 1});
  EXPECT_TRUE(paint(mask, {BrushShape::Ball, {500, 0, 0}, {}, 1, 6, 3}).empty());
  EXPECT_FALSE(paint(mask, {BrushShape::Ball, {-19.5, 19, -20}, {}, 1, 3, 3}).empty()) << "a corner";
  paint(mask, {BrushShape::Ball, {0, 0, 0}, {}, 1, 100, 0});
  EXPECT_EQ(painted(mask), 0);
  Volume flat = emptyMask();
  flat.header.grid.affine[2] = {0, 0, 0, 0};
  EXPECT_TRUE(paint(flat, {}).empty());
}

} // namespace
} // namespace voxlab

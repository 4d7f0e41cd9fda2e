// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/cut_plane.h"
#include "tests/rendering/phantoms.h"
#include <gmock/gmock.h>

namespace voxlab {
namespace {

const Grid kCube = gridOf("LIA", {41, 41, 41}); // −20 … 20 mm whatever way its voxels run

TEST(CutPlane, OutlineIsWhereThePlaneMeetsTheBox) {
  const auto square = outlineOf({{0, 7, 0}, {0, 1, 0}}, kCube);
  ASSERT_EQ(square.size(), 4u);
  for (const Vec3d p : square) {
    EXPECT_NEAR(p.y, 7, 1e-9);
    EXPECT_NEAR(std::abs(p.x), 20, 1e-9);
    EXPECT_NEAR(std::abs(p.z), 20, 1e-9);
  }
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(length(square[(i + 1) % 4] - square[i]), 40, 1e-9) << "in order round the edge, never across";
  // The plane through a cube's middle across its diagonal is a regular hexagon of edge 40/√2.
  const double c = 1 / std::sqrt(3.0);
  const auto hexagon = outlineOf({{0, 0, 0}, {c, c, c}}, kCube);
  ASSERT_EQ(hexagon.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(length(hexagon[(i + 1) % 6] - hexagon[i]), 40 / std::sqrt(2.0), 1e-9);
  EXPECT_TRUE(outlineOf({{0, 30, 0}, {0, 1, 0}}, kCube).empty()) << "beside the box";
}

TEST(CutPlane, MiddleIsTheOutlinesMiddle) {
  EXPECT_NEAR(length(middleOf({{15, 7, -3}, {0, 1, 0}}, kCube) - Vec3d{0, 7, 0}), 0, 1e-9);
  EXPECT_EQ(middleOf({{0, 99, 0}, {0, 1, 0}}, kCube), (Vec3d{0, 99, 0}));
}

TEST(CutPlane, SliceInItHoldsItsOutline) {
  const double c = 1 / std::sqrt(3.0);
  const CutPlane plane{{2, -1, 4}, {c, -c, c}};
  const SliceGeometry slice = sliceIn(plane, kCube, 100);
  EXPECT_NEAR(dot(slice.worldAt(0, 0) - plane.point, plane.normal), 0, 1e-9);
  EXPECT_NEAR(dot(slice.worldAt(99, 30) - plane.point, plane.normal), 0, 1e-9);
  EXPECT_NEAR(length(slice.across), length(slice.down), 1e-12) << "square pixels";
  for (const Vec3d corner : outlineOf(plane, kCube)) {
    const PixelPosition at = pixelOf(slice, corner);
    EXPECT_GE(at.column, -1e-6);
    EXPECT_LE(at.column, 99 + 1e-6);
    EXPECT_GE(at.row, -1e-6);
    EXPECT_LE(at.row, 99 + 1e-6);
  }
  EXPECT_EQ(sliceIn({{0, 50, 0}, {0, 1, 0}}, kCube, 100).width, 0);
}

TEST(CutPlane, MovesAlongItsNormalAndStaysInTheBox) {
  const CutPlane plane{{1, 2, 3}, {0, 0, -1}};
  EXPECT_NEAR(moved(plane, 4, kCube).point.z, -1, 1e-9);
  const CutPlane far = moved(plane, 500, kCube);
  EXPECT_EQ(outlineOf(far, kCube).size(), 4u);
  EXPECT_LT(far.point.z, -19);
  EXPECT_NEAR(far.point.x, 1, 1e-9);
}

TEST(CutPlane, KnobFollowsThePointerOnItsHalfOfTheSphere) {
  const ViewDirections screen{{-1, 0, 0}, {0, 0, 1}, {0, 1, 0}}; // seen from the front: the patient's right at the left
  const Vec3d front = turnedNormal({0, 1, 0}, screen, 0.6, 0);
  EXPECT_NEAR(front.x, -0.6, 1e-9);
  EXPECT_NEAR(front.y, 0.8, 1e-9);
  const Vec3d back = turnedNormal({0, -1, 0}, screen, 0, 0.6);
  EXPECT_NEAR(back.z, 0.6, 1e-9);
  EXPECT_NEAR(back.y, -0.8, 1e-9);
  const Vec3d rim = turnedNormal({0, -1, 0}, screen, 3, 4);
  EXPECT_NEAR(rim.x, -0.6, 1e-5);
  EXPECT_NEAR(rim.z, 0.8, 1e-5);
  EXPECT_NEAR(length(rim), 1, 1e-12);
  EXPECT_GT(turnedNormal(rim, screen, 0, 0.5).y, 0) << "comes back over the rim at the front";
}

} // namespace
} // namespace voxlab

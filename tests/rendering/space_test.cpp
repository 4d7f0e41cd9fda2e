// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/space.h"
#include "tests/rendering/phantoms.h"
#include <gmock/gmock.h>

namespace voxlab {
namespace {

TEST(Space, InvertsAffines) {
  const Affine a{{{1.5, 0.2, -0.1, 10}, {0.1, -2, 0.3, -20}, {0, 0.4, 3, 5}, {0, 0, 0, 1}}};
  const auto inverse = inverted(a);
  ASSERT_TRUE(inverse);
  const Vec3d p{3, -4, 5}, back = transformPoint(*inverse, transformPoint(a, p));
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(back[axis], p[axis], 1e-9);
}

TEST(Space, RefusesSingularAndNotFiniteAffines) {
  EXPECT_FALSE(inverted(Affine{}));
  Affine flat = kIdentityAffine;
  flat[2][2] = 0;
  EXPECT_FALSE(inverted(flat));
  Affine broken = kIdentityAffine;
  broken[0][1] = NAN;
  EXPECT_FALSE(inverted(broken));
}

TEST(Space, NamesTheAxes) {
  for (const std::string code : {"RAS", "LAS", "LIA", "LSA", "PLS", "AIR", "SPL"})
    EXPECT_EQ(orientationCode(gridOf(code, {4, 5, 6}).affine), code);
  EXPECT_EQ(orientationCode(turned(gridOf("LPS", {4, 5, 6}), 35).affine), "LPS");
}

TEST(Space, LettersName2ndPartBeyond20Degrees) {
  EXPECT_EQ(directionLetters({1, 0, 0}), "R");
  EXPECT_EQ(directionLetters({-1, 0, 0}), "L");
  EXPECT_EQ(directionLetters({0, 0, -2}), "I");
  EXPECT_EQ(directionLetters({0.98, 0.17, 0}), "R"); // 10°
  EXPECT_EQ(directionLetters({0.82, 0.57, 0}), "RA");
  EXPECT_EQ(directionLetters({-0.5, 0.8, 0}), "AL");
}

TEST(Space, AlignedFrameIsOrthonormalAndFollowsTheGrid) {
  const Grid oblique = turned(gridOf("LIA", {10, 20, 30}, {1, 2, 3}), 35);
  const SliceFrame frame = alignedFrame(oblique);
  for (const auto& [a, b] : {std::pair{frame.right, frame.anterior}, {frame.anterior, frame.superior}, {frame.superior, frame.right}}) {
    EXPECT_NEAR(dot(a, b), 0, 1e-9);
    EXPECT_NEAR(length(a), 1, 1e-9);
  }
  EXPECT_GT(frame.right.x, 0.8);
  EXPECT_NEAR(frame.right.y, std::sin(35 * 3.14159265358979 / 180), 1e-9);
  EXPECT_NEAR(frame.step_mm.x, 1, 1e-9); // i runs to the left, 1 mm
  EXPECT_NEAR(frame.step_mm.y, 3, 1e-9); // k runs to anterior
  EXPECT_NEAR(frame.step_mm.z, 2, 1e-9);
}

TEST(Space, ShearedGridGetsTheNearestRotation) {
  Grid sheared = gridOf("RAS", {10, 10, 10});
  sheared.affine[0][1] = 0.3;
  const SliceFrame frame = alignedFrame(sheared);
  EXPECT_NEAR(dot(frame.right, frame.anterior), 0, 1e-9);
  EXPECT_NEAR(dot(cross(frame.right, frame.anterior), frame.superior), 1, 1e-9);
  EXPECT_NEAR(frame.superior.z, 1, 1e-9);
}

TEST(Space, BoundsReachTheOuterFaces) {
  const Bounds bounds = boundsIn(SliceFrame{}, gridOf("LPS", {10, 20, 30}, {2, 1, 1}));
  EXPECT_NEAR(bounds.extent().x, 20, 1e-9);
  EXPECT_NEAR(bounds.extent().y, 20, 1e-9);
  EXPECT_NEAR(bounds.extent().z, 30, 1e-9);
  EXPECT_NEAR(bounds.centre().x, 0, 1e-9);
}

TEST(Space, DegenerateGridFallsBackToTheWorldsAxes) {
  Grid grid;
  grid.size = {2, 2, 2};
  grid.affine = Affine{};
  EXPECT_EQ(alignedFrame(grid).right, (Vec3d{1, 0, 0}));
}

} // namespace
} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/ray_content.h"
#include "rendering/image_bridge.h"
#include "tests/rendering/phantoms.h"
#include <gmock/gmock.h>

namespace voxlab {
namespace {

RayContent contentOf(const Volume& volume) { return makeRenderVolume(volume, 0, histogramOf(volume.voxels), 1'000'000)->content; }

TEST(RayContent, TheSphereHoldsWhatShowsAndTheFaces) {
  // A ball aside of the middle: its far end is farther off than the faces are.
  const auto ball = volumeOf(gridOf("LIA", {60, 60, 60}), [](Vec3d p) { return length(p - Vec3d{12, 0, 0}) < 16 ? 100.0f - static_cast<float>(std::fabs(p.y)) : 0.0f; });
  const RayContent content = contentOf(*ball);
  EXPECT_NEAR(length(content.centre - Vec3d{12, 0, 0}), 0, 0.9);
  EXPECT_NEAR(content.radius_mm, 42, 1) << "to the opposite face";
  const auto corner = volumeOf(gridOf("RAS", {20, 20, 20}, {1, 1, 3}), [](Vec3d p) { return p.x * p.y * p.z > 0 ? 50.0f : 0.0f; });
  EXPECT_NEAR(contentOf(*corner).radius_mm, std::sqrt(2 * 9.5 * 9.5 + 28.5 * 28.5), 0.1) << "millimetres, not voxels";
}

TEST(RayContent, WhereNothingShowsTheWholeGridDoes) {
  const auto even = volumeOf(gridOf("RAS", {10, 10, 10}), [](Vec3d) { return 7.0f; });
  const RayContent content = contentOf(*even);
  EXPECT_NEAR(length(content.centre), 0, 1e-9);
  EXPECT_NEAR(content.radius_mm, std::sqrt(3 * 4.5 * 4.5), 1e-6);
}

// A brain's brightest voxels: 100…133 on nearly every ray.
constexpr double kBrightest = 133;

TEST(ProjectionGreys, ARangeUpToTheBrightestIsAStraightLine) {
  const ProjectionGreys greys = projectionGreys({20, 220}, kBrightest);
  EXPECT_NEAR(greys.greyOf(70), 0.25, 1e-9);
  EXPECT_NEAR(greys.greyOf(120), 0.5, 1e-9);
  EXPECT_EQ(greys.intensityOf(1), 220);
}

TEST(ProjectionGreys, WhatIsAboveTheRangeStaysToldApart) {
  const ProjectionGreys greys = projectionGreys({40, 100}, kBrightest);
  EXPECT_NEAR(greys.knee, (1 + 2 * 60.0 / 93) / 3, 1e-12);
  EXPECT_NEAR(greys.greyOf(70), greys.knee / 2, 1e-6) << "straight inside the range";
  EXPECT_NEAR(greys.greyOf(116.5), (1 + greys.knee) / 2, 1e-6) << "and above it";
  EXPECT_EQ(greys.intensityOf(1), kBrightest);
}

TEST(ProjectionGreys, LoweringTheUpperEndBrightensEveryGrey) {
  for (const double value : {30.0, 60.0, 90.0, 110.0, 125.0, 132.0}) {
    double before = 0;
    for (const double high : {400.0, 200.0, 140.0, 133.0, 130.0, 120.0, 100.0, 60.0, 25.0}) {
      const double grey = projectionGreys({20, high}, kBrightest).greyOf(value);
      EXPECT_GE(grey, before - 1e-9) << value << " in a range up to " << high;
      before = grey;
    }
  }
}

TEST(ProjectionGreys, BothWaysAgree) {
  for (const double high : {300.0, 133.0, 90.0}) {
    const ProjectionGreys greys = projectionGreys({20, high}, kBrightest);
    for (const double grey : {0.0, 0.3, 0.7, 0.95, 1.0})
      EXPECT_NEAR(greys.greyOf(greys.intensityOf(grey)), grey, 1e-9) << high;
  }
}

TEST(ProjectionGreys, AnEmptyRangeIsNoTrouble) { EXPECT_EQ(projectionGreys({5, 5}, 5).intensityOf(1), 5); }

} // namespace
} // namespace voxlab

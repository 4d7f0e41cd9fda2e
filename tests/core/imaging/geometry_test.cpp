// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/geometry.h"
#include "tests/core/imaging/processing.h"
#include "tests/core/imaging/volumes.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace voxlab;
using namespace voxlab::tests;

namespace {
const Affine kOblique{{{0.8, -0.3, 0.2, 10}, {0.4, 1.1, -0.5, -20}, {0.1, 0.4, 2.2, 5}, {0, 0, 0, 1}}};
}

TEST(Geometry, AgreesWithNibabelOnRandomAffines) {
  const Processing golden;
  for (const auto& entry : golden.facts.at("geometry")) {
    const Affine affine = affineFrom(entry.at("affine"));
    EXPECT_EQ(axisCodes(affine), entry.at("axes").get<std::string>());
    const auto spacing = entry.at("spacing").get<Vec3>();
    for (std::size_t a = 0; a < 3; ++a)
      EXPECT_NEAR(spacingOf(affine)[a], spacing[a], 1e-12);
    ASSERT_TRUE(inverse(affine));
    EXPECT_LT(largestDifference(*inverse(affine), affineFrom(entry.at("inverse"))), 1e-9);
    EXPECT_NEAR(determinant(affine), entry.at("determinant").get<double>(), 1e-9);
    const Grid grid{entry.at("size").get<std::array<std::int64_t, 3>>(), affine};
    const Grid canonical = reoriented(grid, orderTowards(affine, "RAS"));
    EXPECT_EQ(canonical.size, (entry.at("canonical_size").get<std::array<std::int64_t, 3>>()));
    EXPECT_LT(largestDifference(canonical.affine, affineFrom(entry.at("canonical_affine"))), 1e-9);
  }
}

TEST(Geometry, ReorientedVoxelsEqualNibabels) {
  const Processing golden;
  for (int n = 0; n < 8; ++n) {
    const auto& entry = golden.facts.at("geometry").at(static_cast<std::size_t>(n));
    Volume volume;
    volume.header.grid = {entry.at("size").get<std::array<std::int64_t, 3>>(), affineFrom(entry.at("affine"))};
    volume.voxels = golden.floats("geometry." + std::to_string(n) + ".voxels");
    const Volume canonical = reoriented(volume, orderTowards(volume.grid().affine, "RAS"));
    EXPECT_EQ(canonical.voxels, golden.floats("geometry." + std::to_string(n) + ".canonical"));
  }
}

TEST(Geometry, EveryOrientationThereAndBackKeepsEveryVoxelInPlace) {
  Volume volume = makeVolume({3, 4, 5}, kOblique, [](auto i, auto j, auto k) { return i + 10 * j + 100 * k; });
  volume.header.timePoints = 2;
  for (std::size_t n = 0; n < 60; ++n)
    volume.voxels.push_back(-volume.voxels[n]);
  const std::string stored = axisCodes(kOblique);
  for (const char* codes : {"RAS", "LPS", "LIA", "PSR", "SLA", "IPL", "ASR"}) {
    const Volume turned = reoriented(volume, orderTowards(kOblique, codes));
    EXPECT_EQ(axisCodes(turned.grid().affine), codes);
    for (const auto& [from, to] : {std::pair(&volume, &turned)}) { // the same value at the same place
      const auto toIndex = *inverse(to->grid().affine);
      for (std::int64_t k = 0; k < 5; ++k)
        for (std::int64_t i = 0; i < 3; ++i) {
          const Vec3 p = applyAffine(toIndex, applyAffine(from->grid().affine, {static_cast<double>(i), 2, static_cast<double>(k)}));
          const auto at = std::llround(p[0]) + to->grid().size[0] * (std::llround(p[1]) + to->grid().size[1] * std::llround(p[2]));
          EXPECT_EQ(to->voxels[static_cast<std::size_t>(at)], static_cast<float>(i + 20 + 100 * k));
        }
    }
    const Volume back = reoriented(turned, orderTowards(turned.grid().affine, stored));
    EXPECT_EQ(back.voxels, volume.voxels);
    EXPECT_LT(largestDifference(back.grid().affine, kOblique), 1e-12);
  }
}

TEST(Geometry, LpsAndRasDifferInTwoSigns) {
  EXPECT_EQ(axisCodes(rasFromLps(kIdentityAffine)), "LPS");
  EXPECT_EQ(rasFromLps(rasFromLps(kOblique)), kOblique);
}

TEST(Geometry, UnusableAffinesAreToldApart) {
  EXPECT_TRUE(isUsable(kOblique));
  Affine bad = kOblique;
  bad[1][2] = NAN;
  EXPECT_FALSE(isUsable(bad));
  bad = kOblique;
  bad[0][2] = bad[1][2] = bad[2][2] = 0;
  EXPECT_FALSE(isUsable(bad));
  for (std::size_t w = 0; w < 3; ++w)
    bad[w][2] = 2 * bad[w][0] - bad[w][1];
  EXPECT_FALSE(isUsable(bad));
  EXPECT_FALSE(inverse(bad));
  bad = kOblique;
  bad[3][3] = 2;
  EXPECT_FALSE(isUsable(bad));
  Affine tiny = kIdentityAffine;
  tiny[0][0] = tiny[1][1] = tiny[2][2] = 1e-6; // metres of a microscope
  EXPECT_TRUE(isUsable(tiny));
}

TEST(Geometry, ShearAndHandedness) {
  Affine a = kIdentityAffine;
  EXPECT_EQ(shearDegrees(a), 0);
  EXPECT_FALSE(isLeftHanded(a));
  a[0][1] = std::tan(3.14159265358979 / 18); // j leans by 10°
  EXPECT_NEAR(shearDegrees(a), 10, 1e-6);
  a[0][0] = -1;
  EXPECT_TRUE(isLeftHanded(a));
}

TEST(Geometry, TheClosestRotationOfARotationIsItself) {
  Affine a = kIdentityAffine;
  const double c = std::cos(0.6), s = std::sin(0.6);
  a[0] = {2 * c, -3 * s, 0, 1};
  a[1] = {2 * s, 3 * c, 0, 2};
  a[2] = {0, 0, -0.5, 3};
  const auto r = closestRotation(a);
  EXPECT_NEAR(r[0][0], c, 1e-14);
  EXPECT_NEAR(r[0][1], -s, 1e-14);
  EXPECT_NEAR(r[2][2], -1, 1e-14);
}

TEST(Geometry, ScaledGridKeepsTheOuterFaces) {
  const Grid grid{{12, 9, 7}, kOblique};
  const Grid scaled = scaledGrid(grid, {5, 18, 7});
  for (const double side : {0.0, 1.0}) {
    Vec3 a, b;
    for (std::size_t n = 0; n < 3; ++n) {
      a[n] = side * static_cast<double>(grid.size[n]) - 0.5;
      b[n] = side * static_cast<double>(scaled.size[n]) - 0.5;
    }
    for (std::size_t n = 0; n < 3; ++n)
      EXPECT_NEAR(applyAffine(grid.affine, a)[n], applyAffine(scaled.affine, b)[n], 1e-12);
  }
}

TEST(Geometry, SameGridHasATolerance) {
  const Grid grid{{10, 10, 10}, kIdentityAffine};
  Grid moved = grid;
  moved.affine[0][3] = 0.005;
  EXPECT_TRUE(sameGrid(grid, moved));
  EXPECT_FALSE(sameGrid(grid, moved, 0.001));
  moved.affine[0][0] = 1.01; // a small step that adds up at the far corner
  EXPECT_FALSE(sameGrid(grid, moved));
  EXPECT_NEAR(cornerDistance(grid, moved).value(), 0.095, 1e-12);
  moved.size[0] = 11;
  EXPECT_FALSE(cornerDistance(grid, moved));
}

TEST(Geometry, OddGridsAreNamed) {
  using testing::HasSubstr;
  EXPECT_TRUE(geometryNotes({{4, 4, 4}, kIdentityAffine}).empty());
  Affine odd = kIdentityAffine;
  odd[0][0] = -0.005;
  odd[0][1] = 0.2;
  EXPECT_THAT(geometryNotes({{4, 4, 4}, odd}), testing::ElementsAre(HasSubstr("left-handed"), HasSubstr("sheared"), HasSubstr("uneven"), HasSubstr("unlikely")));
}

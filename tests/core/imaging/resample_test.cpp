// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/geometry.h"
#include "core/imaging/resample.h"
#include "tests/core/imaging/processing.h"
#include "tests/core/imaging/volumes.h"
#include <gtest/gtest.h>

using namespace voxlab;
using namespace voxlab::tests;

TEST(Resample, ByWorldPositionAsScipyDoes) {
  const Processing golden;
  const auto& facts = golden.facts.at("resample");
  Volume source;
  source.header.grid = {facts.at("source_size").get<GridSize>(), affineFrom(facts.at("source_affine"))};
  source.voxels = golden.floats("resample.source");
  const Grid target{facts.at("target_size").get<GridSize>(), affineFrom(facts.at("target_affine"))};
  const auto outside = facts.at("outside").get<float>();
  const Volume linear = resampled(source, target, Interpolation::Linear, outside);
  EXPECT_LT(largestDifference(linear.voxels, golden.floats("resample.linear")), 2e-6);
  EXPECT_EQ(linear.grid().size, target.size);
  EXPECT_EQ(resampled(source, target, Interpolation::Nearest, outside).voxels, golden.floats("resample.nearest"));
}

TEST(Resample, OntoItsOwnGridNothingChanges) {
  Volume volume = ramp({5, 6, 7}, {{{-1, 0.2, 0, 4}, {0, 1.5, 0.3, -2}, {0.1, 0, 2, 1}, {0, 0, 0, 1}}});
  volume.voxels[17] = NAN; // stays where it is
  const Volume same = resampled(volume, volume.grid(), Interpolation::Nearest, 0);
  for (std::size_t n = 0; n < volume.voxels.size(); ++n)
    EXPECT_TRUE(same.voxels[n] == volume.voxels[n] || n == 17);
  EXPECT_TRUE(std::isnan(same.voxels[17]));
}

TEST(Resample, EveryTimePoint) {
  Volume volume = ramp({3, 3, 3});
  volume.header.timePoints = 2;
  for (std::size_t n = 0; n < 27; ++n)
    volume.voxels.push_back(volume.voxels[n] + 100);
  const Volume out = resampled(volume, scaledGrid(volume.grid(), {2, 2, 2}), Interpolation::Linear, 0);
  ASSERT_EQ(out.voxels.size(), 16u);
  for (std::size_t n = 0; n < 8; ++n)
    EXPECT_NEAR(out.voxels[n + 8], out.voxels[n] + 100, 1e-4);
}

TEST(Resize, AxisByAxisAsNumpyAndPillowDo) {
  const Processing golden;
  const auto from = golden.facts.at("resize").at("from").get<GridSize>();
  const auto source = golden.doubles("resize.source");
  int n = 0;
  for (const auto& size : golden.facts.at("resize").at("sizes")) {
    const auto to = size.get<GridSize>();
    const std::string name = "resize." + std::to_string(n++) + ".";
    EXPECT_LT(largestDifference(resizedVoxels<double>(source, from, to, AxisFilter::Linear), golden.doubles(name + "linear")), 1e-12);
    EXPECT_LT(largestDifference(resizedVoxels<double>(source, from, to, AxisFilter::Triangle), golden.doubles(name + "triangle")), 2e-6); // Pillow counts in FP32
    EXPECT_EQ(resizedVoxels<double>(source, from, to, AxisFilter::Nearest), golden.doubles(name + "nearest"));
  }
}

TEST(Resize, AConstantStaysConstantAndLabelsStayLabels) {
  const std::vector<float> constant(5 * 6 * 7, 3.25f);
  for (const auto filter : {AxisFilter::Nearest, AxisFilter::Linear, AxisFilter::Triangle})
    for (const float v : resizedVoxels<float>(constant, {5, 6, 7}, {3, 11, 2}, filter))
      EXPECT_FLOAT_EQ(v, 3.25f);
  const Volume mask = labels({9, 8, 7}, kIdentityAffine, 5);
  const Volume small = resizedToSize(mask, {4, 5, 13}, AxisFilter::Nearest);
  for (const float v : small.voxels)
    EXPECT_EQ(v, std::floor(v));
  EXPECT_EQ(small.grid().size, (GridSize{4, 5, 13}));
}

TEST(CropPad, VoxelsKeepTheirPlace) {
  const Affine affine{{{-1, 0.2, 0, 4}, {0, 1.5, 0.3, -2}, {0.1, 0, 2, 1}, {0, 0, 0, 1}}};
  const Volume volume = makeVolume({7, 4, 5}, affine, [](auto i, auto j, auto k) { return 1 + i + 10 * j + 100 * k; });
  const Volume out = croppedOrPadded(volume, {4, 9, 5}, -1);
  EXPECT_EQ(out.grid().size, (GridSize{4, 9, 5}));
  // 3 too many along i: 2 go at the low side; 5 too few along j: 3 come at the low side.
  EXPECT_EQ(out.voxels[0], -1);
  const auto at = [&](std::int64_t i, std::int64_t j, std::int64_t k) { return out.voxels[static_cast<std::size_t>(i + 4 * (j + 9 * k))]; };
  EXPECT_EQ(at(0, 3, 0), 1 + 2);
  EXPECT_EQ(at(3, 6, 4), 1 + 5 + 30 + 400);
  EXPECT_EQ(at(0, 7, 0), -1);
  const Vec3 before = applyAffine(volume.grid().affine, {2, 0, 0}), after = applyAffine(out.grid().affine, {0, 3, 0});
  for (std::size_t a = 0; a < 3; ++a)
    EXPECT_NEAR(before[a], after[a], 1e-12);
  // Back to where it came from: what was cut is gone, the rest is in place.
  const Volume back = croppedOrPadded(out, {7, 4, 5}, -1);
  EXPECT_TRUE(sameGrid(back.grid(), volume.grid()));
  EXPECT_EQ(back.voxels[2], volume.voxels[2]);
  EXPECT_EQ(back.voxels[0], -1);
}

// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/display_range.h"
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>

namespace voxlab {
namespace {

Volume cube(std::int64_t edge, const std::function<float(std::int64_t)>& value) {
  Volume volume;
  volume.header.grid.size = {edge, edge, edge};
  for (std::int64_t i = 0; i < edge * edge * edge; ++i)
    volume.voxels.push_back(value(i));
  return volume;
}

TEST(DisplayRange, PercentilesOfAUniformRamp) {
  std::vector<float> voxels(100001);
  std::iota(voxels.begin(), voxels.end(), 0.0f);
  const Histogram histogram = histogramOf(voxels);
  EXPECT_EQ(histogram.minimum, 0);
  EXPECT_EQ(histogram.maximum, 100000);
  EXPECT_NEAR(histogram.percentile(0.5), 50000, 300);
  EXPECT_NEAR(histogram.percentile(0.995), 99500, 300);
  EXPECT_EQ(std::accumulate(histogram.counts.begin(), histogram.counts.end(), std::int64_t{0}), 100001);
}

TEST(DisplayRange, BackgroundAndOutliersDoNotCount) {
  std::vector<float> voxels(100000, 0.0f);
  for (int i = 0; i < 20000; ++i)
    voxels[static_cast<std::size_t>(i)] = 100.0f + static_cast<float>(i % 100);
  voxels[0] = 5000;
  const DisplayRange range = robustRange(histogramOf(voxels));
  EXPECT_NEAR(range.low, 100, 15);
  EXPECT_NEAR(range.high, 200, 15);
}

TEST(DisplayRange, NoiseGetsASymmetricRange) {
  std::vector<float> voxels;
  for (int i = 0; i < 10000; ++i)
    voxels.push_back(static_cast<float>(std::sin(i) * 2));
  const DisplayRange range = robustRange(histogramOf(voxels));
  EXPECT_EQ(range.low, -range.high);
}

// Normally distributed (Box and Muller), the same numbers every time.
float bell(int i) {
  const double share = (i + 0.5) / 60000, turn = std::fmod(i * 0.6180339887498949, 1.0);
  return static_cast<float>(std::sqrt(-2 * std::log(share)) * std::cos(2 * 3.14159265358979 * turn));
}

TEST(DisplayRange, TellsSignedMapsFromImages) {
  const auto isSigned = [](auto&& value) {
    std::vector<float> voxels;
    for (int i = 0; i < 60000; ++i)
      voxels.push_back(value(i));
    const Histogram histogram = histogramOf(voxels);
    const DisplayRange range = robustRange(histogram);
    EXPECT_TRUE(!isSignedMap(histogram) || range.low == -range.high);
    return isSignedMap(histogram);
  };
  EXPECT_TRUE(isSigned([](int i) { return bell(i); })) << "noise";
  EXPECT_TRUE(isSigned([](int i) { return i % 3 ? 0.0f : bell(i); })) << "a z-map inside a mask";
  EXPECT_TRUE(isSigned([](int i) { return i % 3 ? 0.0f : -std::abs(bell(i)); })) << "losses only";
  EXPECT_TRUE(isSigned([](int i) { return std::round(20 * bell(i)); })) << "a difference of whole numbers";
  EXPECT_TRUE(isSigned([](int i) { return static_cast<float>(i % 50 == 0) - static_cast<float>(i % 50 == 1); })) << "gains and losses";
  EXPECT_FALSE(isSigned([](int i) { return i % 3 ? 0.0f : std::abs(bell(i)); })) << "no negative value";
  EXPECT_FALSE(isSigned([](int i) { return i % 3 ? -1.0f : std::clamp(bell(i) / 4, -1.0f, 1.0f); })) << "an image in [-1, 1]";
  EXPECT_FALSE(isSigned([](int i) { return i % 3 ? -1000.0f : 40 + 20 * bell(i); })) << "Hounsfield units";
  EXPECT_FALSE(isSigned([](int i) { return i % 3 ? -4 + bell(i) : 180 + 10 * bell(i); })) << "undershoots below the background";
  EXPECT_FALSE(isSigned([](int) { return -5.0f; }));
  EXPECT_FALSE(isSigned([](int i) { return i == 7 ? -1.0f : 0.0f; })) << "next to nothing";
}

TEST(DisplayRange, ConstantEmptyAndNotFinite) {
  const std::vector<float> constant(100, 7.0f);
  EXPECT_EQ(robustRange(histogramOf(constant)), (DisplayRange{0, 7}));
  EXPECT_EQ(robustRange(histogramOf(std::vector<float>(10, -3.0f))), (DisplayRange{-3, 0}));
  EXPECT_EQ(robustRange(histogramOf(std::vector<float>(10, 0.0f))), (DisplayRange{0, 1}));
  const std::vector<float> nothing{NAN, INFINITY, -INFINITY};
  EXPECT_EQ(histogramOf(nothing).finiteCount, 0);
  EXPECT_EQ(histogramOf(nothing).otherCount, 3);
  EXPECT_LT(robustRange(histogramOf(nothing)).low, robustRange(histogramOf(nothing)).high);
  EXPECT_EQ(histogramOf({}).finiteCount, 0);
}

TEST(DisplayRange, CountsLabels) {
  const std::vector<float> voxels{0, 0, 2, 2, 2, 7, 0};
  EXPECT_THAT(countLabels(voxels), testing::ElementsAre(testing::Pair(0, 3), testing::Pair(2, 3), testing::Pair(7, 1)));
  const std::vector<float> fractions{0, 0.5f}, notANumber{0, NAN};
  EXPECT_TRUE(countLabels(fractions).empty());
  EXPECT_TRUE(countLabels(notANumber).empty());
  EXPECT_TRUE(countLabels(voxels, 2).empty()) << "more values than asked for";
}

TEST(DisplayRange, TellsLabelsFromImages) {
  EXPECT_TRUE(looksLikeLabels(cube(16, [](std::int64_t i) { return i / 512 % 3 == 0 ? 0.0f : static_cast<float>(i / 512); })));
  EXPECT_FALSE(looksLikeLabels(cube(16, [](std::int64_t i) { return static_cast<float>(i * 7919 % 251); }))) << "integers, but no regions";
  EXPECT_FALSE(looksLikeLabels(cube(16, [](std::int64_t i) { return static_cast<float>(i) * 0.5f; })));
  const auto inside = [](std::int64_t i) { return i % 16 < 13; };
  EXPECT_FALSE(looksLikeLabels(cube(16, [&](std::int64_t i) { return inside(i) ? 5.0f : static_cast<float>(i * 7919 % 251); }))) << "a background of another number";
  EXPECT_TRUE(looksLikeLabels(cube(16, [&](std::int64_t i) { return inside(i) ? 5.0f : 6.0f; }))) << "two regions that fill the volume";
  EXPECT_TRUE(looksLikeLabels(cube(16, [&](std::int64_t i) { return inside(i) ? 5.0f : 0.0f; }))) << "a mask that reaches the corner";
  EXPECT_FALSE(looksLikeLabels(cube(4, [](std::int64_t) { return 0.0f; })));
  EXPECT_FALSE(looksLikeLabels(cube(8, [](std::int64_t i) { return i < 200 ? -1.0f : 1.0f; }))) << "labels are not negative";
}

TEST(CommonScale, IsOfAllVoxelsAndFollowsTheirScale) {
  std::vector<float> masked, scaled;
  for (int i = 0; i < 3000000; ++i) {
    const float value = i % 5 ? 0.0f : static_cast<float>((static_cast<std::int64_t>(i) * 7919) % 1000);
    masked.push_back(value);
    scaled.push_back(value / 128 - 1); // powers of two: exact
  }
  const DisplayRange a = commonScaleOf(masked), b = commonScaleOf(scaled);
  EXPECT_EQ(a.low, 0) << "the background counts";
  EXPECT_NEAR(a.high, 975, 10) << "the 99.5th of all is the 97.5th of the fifth";
  EXPECT_NEAR(b.low, a.low / 128 - 1, 1e-6);
  EXPECT_NEAR(b.high, a.high / 128 - 1, 1e-6);
  std::vector<float> few{3, 1, 2, NAN, 4, 5};
  EXPECT_NEAR(commonScaleOf(few).low, 1.02, 1e-6);
  EXPECT_NEAR(commonScaleOf(few).high, 4.98, 1e-6);
  EXPECT_EQ(commonScaleOf({}), (DisplayRange{0, 0})) << "nothing";
}

} // namespace
} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/series.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace voxlab;

namespace {
Series ramp(std::size_t n) {
  Series s;
  for (std::size_t i = 0; i < n; ++i)
    s.append(static_cast<double>(i), std::sin(0.001 * static_cast<double>(i)));
  return s;
}
} // namespace

TEST(Series, AxisNeverGoesBack) {
  Series s;
  EXPECT_TRUE(s.append(1, 10.0));
  EXPECT_TRUE(s.append(2, 20.0));
  EXPECT_FALSE(s.append(1.5, 15.0));
  EXPECT_FALSE(s.append(std::nan(""), 15.0));
  EXPECT_TRUE(s.append(2, 21.0)) << "the same x again replaces";
  EXPECT_EQ(s.size(), 2u);
  EXPECT_EQ(s.last(), 21.0);
}

TEST(Series, UnknownIsAGapAndNotZero) {
  Series s;
  s.append(1, std::nullopt);
  EXPECT_EQ(s.last(), std::nullopt);
  s.append(2, 5.0);
  s.append(3, std::numeric_limits<double>::infinity());
  s.append(4, std::nullopt);
  EXPECT_TRUE(std::isnan(s.y()[0]));
  EXPECT_TRUE(std::isnan(s.y()[2]));
  EXPECT_EQ(s.last(), 5.0);
  EXPECT_EQ(s.median(4), 5.0);
  EXPECT_EQ(s.median(2), std::nullopt);
}

TEST(Series, LargestLeavesOutWhatIsUnknown) {
  Series series;
  EXPECT_FALSE(series.largest());
  for (const std::optional<double> y : {std::optional(2.0), std::optional<double>(), std::optional(7.0), std::optional(3.0)})
    series.append(static_cast<double>(series.size()), y);
  EXPECT_EQ(series.largest(), 7.0);
}

TEST(Series, DropsWhatALaterStartOverrules) {
  Series s = ramp(10);
  s.dropAfter(4);
  EXPECT_EQ(s.size(), 5u);
  EXPECT_EQ(s.x().back(), 4);
  s.dropAfter(-1);
  EXPECT_TRUE(s.empty());
}

TEST(Series, ThinningKeepsSpikes) {
  Series s;
  for (int i = 0; i < 100000; ++i)
    s.append(i, i == 77777 ? 1000.0 : i == 12345 ? -1000.0 : 0.5);
  for (const std::size_t points : {4u, 10u, 101u, 2000u}) {
    const Series thin = s.thinned(points);
    EXPECT_LE(thin.size(), points);
    EXPECT_EQ(*std::max_element(thin.y().begin(), thin.y().end()), 1000.0);
    EXPECT_EQ(*std::min_element(thin.y().begin(), thin.y().end()), -1000.0);
    EXPECT_TRUE(std::is_sorted(thin.x().begin(), thin.x().end()));
  }
  EXPECT_EQ(ramp(50).thinned(50).size(), 50u);
  EXPECT_TRUE(Series().thinned(10).empty());
}

TEST(Series, ThinningKeepsGaps) {
  Series s;
  for (int i = 0; i < 10000; ++i)
    s.append(i, i >= 4000 && i < 6000 ? std::nullopt : std::optional(1.0));
  const Series thin = s.thinned(100);
  EXPECT_LE(thin.size(), 100u);
  std::size_t gaps = 0;
  for (std::size_t i = 0; i < thin.size(); ++i) {
    const bool gap = std::isnan(thin.y()[i]);
    gaps += gap;
    EXPECT_TRUE(!gap || (thin.x()[i] >= 4000 && thin.x()[i] < 6000));
  }
  EXPECT_GE(gaps, 3u);
}

TEST(Series, BetweenHasANeighbourOnEachSide) {
  const Series part = ramp(10).between(3.5, 5.5);
  EXPECT_EQ(part.x().front(), 3);
  EXPECT_EQ(part.x().back(), 6);
  EXPECT_EQ(ramp(10).between(-5, 100).size(), 10u);
  EXPECT_EQ(ramp(10).between(20, 30).size(), 1u);
  EXPECT_TRUE(Series().between(0, 1).empty());
}

TEST(Series, SmoothingByHand) {
  Series s;
  s.append(1, 4.0);
  s.append(2, 8.0);
  s.append(3, std::nullopt);
  s.append(4, 2.0);
  const Series smooth = s.smoothed(0.5);
  // m: 2, 5, -, 3.5;  1 - 0.5^n: 0.5, 0.75, -, 0.875
  EXPECT_DOUBLE_EQ(smooth.y()[0], 4.0);
  EXPECT_DOUBLE_EQ(smooth.y()[1], 5 / 0.75);
  EXPECT_TRUE(std::isnan(smooth.y()[2]));
  EXPECT_DOUBLE_EQ(smooth.y()[3], 4.0);
  EXPECT_EQ(s.smoothed(0).y()[1], 8.0);
}

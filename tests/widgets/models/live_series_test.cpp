// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/live_series.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
Series curve(std::size_t count, double offset = 0) {
  Series series;
  for (std::size_t i = 0; i < count; ++i)
    series.append(static_cast<double>(i), i % 7 == 3 ? std::nullopt : std::optional(offset + std::sin(static_cast<double>(i))));
  return series;
}

void expectEqual(const Series& a, const Series& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a.x()[i], b.x()[i]);
    if (std::isnan(b.y()[i]))
      EXPECT_TRUE(std::isnan(a.y()[i]));
    else
      EXPECT_NEAR(a.y()[i], b.y()[i], 1e-12);
  }
}
} // namespace

TEST(LiveSeries, GrowingInPiecesEqualsSmoothingTheWhole) {
  LiveSeries live(0.9);
  for (const std::size_t count : {1u, 2u, 10u, 11u, 200u})
    live.follow(curve(count));
  expectEqual(live.smoothed(), curve(200).smoothed(0.9));
}

TEST(LiveSeries, StartsAnewWhenTheRunWentBack) {
  LiveSeries live(0.5);
  live.follow(curve(50));
  Series shorter = curve(50);
  shorter.dropAfter(20);
  live.follow(shorter);
  expectEqual(live.smoothed(), shorter.smoothed(0.5));
}

TEST(LiveSeries, StartsAnewWithAnotherRunOfTheSameLength) {
  LiveSeries live(0.5);
  live.follow(curve(50));
  live.follow(curve(50, 3));
  expectEqual(live.smoothed(), curve(50, 3).smoothed(0.5));
}

TEST(LiveSeries, AnotherWeightSmoothsEverythingAnew) {
  LiveSeries live(0.5);
  live.follow(curve(50));
  live.setWeight(0);
  live.follow(curve(50));
  expectEqual(live.smoothed(), curve(50).smoothed(0));
}

TEST(LiveSeries, AnEmptySeriesIsEmpty) {
  LiveSeries live(0.9);
  live.follow(Series());
  EXPECT_TRUE(live.smoothed().empty());
}

// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace voxlab;

TEST(Statistics, ByHand) {
  const Spread s = spreadOf({4, 1, NAN, 3, 2});
  EXPECT_EQ(s.count, 4u);
  EXPECT_DOUBLE_EQ(s.median, 2.5);
  EXPECT_DOUBLE_EQ(s.lowerQuartile, 1.75);
  EXPECT_DOUBLE_EQ(s.upperQuartile, 3.25);
  EXPECT_DOUBLE_EQ(s.mean, 2.5);
  EXPECT_DOUBLE_EQ(*s.standardDeviation, std::sqrt(5.0 / 3));
  EXPECT_EQ(spreadOf({7}).standardDeviation, std::nullopt);
  EXPECT_EQ(spreadOf({}).count, 0u);
}

TEST(Statistics, OverlappingIntervalsCountOnce) {
  EXPECT_DOUBLE_EQ(unionLength({}), 0);
  EXPECT_DOUBLE_EQ(unionLength({{1, 3}}), 2);
  EXPECT_DOUBLE_EQ(unionLength({{5, 6}, {1, 3}, {2, 4}, {2.5, 3.5}}), 4);
  EXPECT_DOUBLE_EQ(unionLength({{0, 1}, {1, 2}}), 2);
}

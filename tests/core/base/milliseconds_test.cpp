// SPDX-License-Identifier: Apache-2.0
#include "core/base/milliseconds.h"
#include <gtest/gtest.h>
#include <limits>

using namespace voxlab;

TEST(Milliseconds, StepsAreToldApart) {
  EXPECT_EQ(formatMilliseconds(0), "0");
  EXPECT_EQ(formatMilliseconds(0.012345), "0.0123");
  EXPECT_EQ(formatMilliseconds(34.187), "34.2");
  EXPECT_EQ(formatMilliseconds(99.94), "99.9");
  EXPECT_EQ(formatMilliseconds(99.96), "100.0");
  EXPECT_EQ(formatMilliseconds(226.68), "226.7");
  EXPECT_EQ(formatMilliseconds(1218.34), "1\u202f218.3");
  EXPECT_EQ(formatMilliseconds(1223.8), "1\u202f223.8");
  EXPECT_EQ(formatMilliseconds(9999.94), "9\u202f999.9");
  EXPECT_EQ(formatMilliseconds(9999.96), "10\u202f000");
  EXPECT_EQ(formatMilliseconds(12345.6), "12\u202f346");
}

TEST(Milliseconds, SignsAndWhatIsNoNumber) {
  EXPECT_EQ(formatMilliseconds(-1218.34), "-1\u202f218.3");
  EXPECT_EQ(formatMilliseconds(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(formatMilliseconds(std::numeric_limits<double>::infinity()), "∞");
  EXPECT_FALSE(formatMilliseconds(1e300).empty());
}

// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/axis_ticks.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace voxlab;

TEST(AxisTicks, SeparateThousandsAndShowNoMoreDigitsThanTheStepNeeds) {
  EXPECT_EQ(tickText(12400, 200), "12\u202f400");
  EXPECT_EQ(tickText(0.30000000000000004, 0.1), "0.3");
  EXPECT_EQ(tickText(0.5, 0.25), "0.50");
  EXPECT_EQ(tickText(-1500, 500), "−1\u202f500");
  EXPECT_EQ(tickText(1e-17, 0.1), "0.0");
  EXPECT_EQ(tickText(2e12, 1e12), "2·10¹²");
  EXPECT_EQ(tickText(3e-7, 1e-7), "3·10⁻⁷");
}

TEST(AxisTicks, LogarithmicOnesAreDecadesAndMoreWhenThereAreFew) {
  EXPECT_EQ(logTicks(1, 1e6), (std::vector<double>{1, 10, 100, 1000, 1e4, 1e5, 1e6}));
  const auto few = logTicks(0.03, 0.3);
  ASSERT_EQ(few.size(), 3u);
  EXPECT_DOUBLE_EQ(few[0], 0.05);
  EXPECT_DOUBLE_EQ(few[1], 0.1);
  EXPECT_DOUBLE_EQ(few[2], 0.2);
  EXPECT_TRUE(logTicks(0, 1).empty());
  EXPECT_EQ(logTicks(5.9e10, 2e15, 1), (std::vector<double>{1e11, 1e13, 1e15})) << "three, however little room there is";
  for (double first = 1.1; first < 1e3; first *= 1.7)
    for (double length = 1.6; length < 1e14; length *= 2.3)
      for (const int most : {1, 2, 4, 8}) {
        const auto ticks = logTicks(first, first * length, most);
        ASSERT_GE(ticks.size(), length > 10 ? 3u : 0u) << first << " × " << length << " with " << most;
        if (ticks.empty())
          continue;
        EXPECT_LE(ticks.size(), 10u) << first << " × " << length << " with " << most;
        EXPECT_GE(ticks.front(), first * 0.999);
        EXPECT_LE(ticks.back(), first * length * 1.001);
      }
  EXPECT_LE(logTicks(1e-30, 1e30).size(), 10u);
  EXPECT_EQ(logTickText(0.05), "0.05");
  EXPECT_EQ(logTickText(1e-6), "10⁻⁶");
}

// Structural similarities of equal seeds lie between 0.999 99 and 1.
TEST(AxisTicks, NeighboursNearOneDoNotReadAlike) {
  EXPECT_EQ(tickText(0.999998, 1e-6), "0.999998");
  EXPECT_EQ(tickText(1, 1e-6), "1.000000");
  EXPECT_EQ(tickText(0.0009999, 1e-9), "0.000999900");
  EXPECT_EQ(tickText(1e9 + 1e6, 1e6), "1\u202f001\u202f000\u202f000");
  EXPECT_EQ(tickText(9.999e-7, 1e-8), "10⁻⁶") << "not 10·10⁻⁷";
  EXPECT_EQ(tickText(2e18, 1e12), "2·10¹⁸");
}

TEST(AxisTicks, WithinADecadeThereAreRoundOnesAllTheSame) {
  for (const auto& [first, last] : std::vector<std::pair<double, double>>{{2.1, 4.9}, {0.98, 1.03}, {13, 48}, {0.61, 0.95}, {1.01, 9.9}}) {
    const auto ticks = logTicks(first, last);
    ASSERT_GE(ticks.size(), 2u) << first;
    EXPECT_LE(ticks.size(), 8u) << first;
    for (const double tick : ticks) {
      EXPECT_TRUE(tick >= first && tick <= last) << tick;
      EXPECT_NEAR(std::stod(logTickText(tick)), tick, 1e-9) << "what it says is where it stands";
    }
  }
  EXPECT_EQ(logTicks(13, 48), (std::vector<double>{20, 30, 40}));
  EXPECT_EQ(logTickText(2.5), "2.5");
}

TEST(AxisTicks, LinearOnesAreRoundAndFew) {
  EXPECT_EQ(evenTicks(-1.2, 2.9), (std::vector<double>{-1, 0, 1, 2}));
  EXPECT_EQ(evenTicks(0, 100), (std::vector<double>{0, 20, 40, 60, 80, 100}));
  for (double first = -3.3; first < 1e3; first += 7.7)
    for (double length = 1e-6; length < 1e7; length *= 1.7) {
      const auto ticks = evenTicks(first, first + length);
      EXPECT_GE(ticks.size(), 3u) << first << " + " << length;
      EXPECT_LE(ticks.size(), 8u) << first << " + " << length;
    }
  EXPECT_TRUE(evenTicks(1, 1).empty());
  EXPECT_TRUE(evenTicks(0, INFINITY).empty());
}

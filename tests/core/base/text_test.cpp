// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace voxlab;

TEST(Text, ThreeSignificantDigits) {
  EXPECT_EQ(formatSignificant(0.012345), "0.0123");
  EXPECT_EQ(formatSignificant(1.005), "1.00");
  EXPECT_EQ(formatSignificant(12.349), "12.3");
  EXPECT_EQ(formatSignificant(99.96), "100");
  EXPECT_EQ(formatSignificant(12345), "12\u202f300");
  EXPECT_EQ(formatSignificant(-0.5), "-0.500");
  EXPECT_EQ(formatSignificant(0), "0");
  EXPECT_EQ(formatSignificant(NAN), "NaN");
  EXPECT_EQ(formatSignificant(1e-9), "1.00e-09");
}

TEST(Text, QuantitiesCarryPrefixes) {
  EXPECT_EQ(formatQuantity(7.16e13, "FLOP/s"), "71.6 TFLOP/s");
  EXPECT_EQ(formatQuantity(0.0042, "s"), "4.20 ms");
  EXPECT_EQ(formatBytes(0), "0 B");
  EXPECT_EQ(formatBytes(141e9), "141 GB");
  EXPECT_EQ(formatQuantity(999.9, "B"), "1.00 kB");
}

TEST(Text, DurationsReadAsClocks) {
  EXPECT_EQ(formatDuration(0.0456), "45.6 ms");
  EXPECT_EQ(formatDuration(12.34), "12.3 s");
  EXPECT_EQ(formatDuration(59.97), "0:01:00");
  EXPECT_EQ(formatDuration(3723), "1:02:03");
  EXPECT_EQ(formatDuration(INFINITY), "–");
}

TEST(Text, UnknownIsNotZero) {
  EXPECT_EQ(orUnknown(std::optional<double>{}, [](double v) { return formatBytes(v); }), "–");
  EXPECT_EQ(orUnknown(std::optional<double>{5e9}, [](double v) { return formatBytes(v); }), "5.00 GB");
}

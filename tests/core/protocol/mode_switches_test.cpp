// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/mode_switches.h"
#include <gtest/gtest.h>

using namespace voxlab;

TEST(ModeSwitches, RoundTrip) {
  ModeSwitches s;
  s.precision = Precision::Bf16;
  s.autocast = false;
  s.layout = MemoryLayout::ChannelsLast;
  s.algorithmSearch = true;
  s.attention = AttentionMethod::MemoryEfficient;
  s.checkpointLevels = {0, 2};
  s.hostSync = HostSync::EveryStep;
  s.cudaGraphs = s.fusedOptimiser = s.fusedKernels = true;
  EXPECT_EQ(toJson(modeSwitchesFromJson(toJson(s))), toJson(s));
  EXPECT_EQ(modeSwitchesFromJson(toJson(s)).hostSync, HostSync::EveryStep);
  EXPECT_EQ(toJson(s).at("precision"), "bf16");
}

TEST(ModeSwitches, WhatIsMissingOrFromTheFutureKeepsItsDefault) {
  const auto s = modeSwitchesFromJson({{"precision", "fp4"}, {"layout", 3}, {"checkpoint_levels", {0, "x"}}, {"new", true}});
  EXPECT_EQ(s.precision, Precision::Fp32);
  EXPECT_EQ(s.layout, MemoryLayout::Contiguous);
  EXPECT_EQ(s.checkpointLevels, std::vector<int>{0});
  EXPECT_EQ(toJson(modeSwitchesFromJson(nullptr)), toJson(ModeSwitches()));
  EXPECT_EQ(precisionFromName("fp8"), Precision::Unknown);
  EXPECT_EQ(precisionName(Precision::Unknown), "unknown");
}

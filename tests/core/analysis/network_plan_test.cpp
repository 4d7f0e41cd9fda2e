// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/network_plan.h"
#include <gtest/gtest.h>

using namespace voxlab;

TEST(NetworkPlan, WholeHead) {
  const auto plan = planNetwork({}, {128, 128, 128}, 1).value();
  EXPECT_EQ(plan.parameters(), 40226433);
  EXPECT_EQ(plan.macs(), 2768331571200);
  EXPECT_DOUBLE_EQ(plan.flops(StepKind::Sample), 2 * 2768331571200.0);
  // Backward: twice the forward products; attention blocks compute their forward pass again.
  EXPECT_DOUBLE_EQ(plan.flops(StepKind::Train), 6 * 2768331571200.0 + 2 * (1459617792.0 + 19461570560.0 + 486539264.0));
  const PlannedLayer* conv = plan.find("output_blocks.8.0.in_layers.2");
  ASSERT_NE(conv, nullptr);
  EXPECT_EQ(conv->in, (std::vector<std::int64_t>{1, 128, 128, 128, 128}));
  EXPECT_EQ(conv->parameters, 128 * 64 * 27 + 64);
  EXPECT_EQ(conv->level, 0);
  EXPECT_EQ(conv->block, "output_blocks.8.0");
  EXPECT_EQ(plan.find("output_blocks.8.0.in_layers.0")->storedElements, 64 * 128 * 128 * 128);
  EXPECT_EQ(plan.find("nothing"), nullptr);
}

TEST(NetworkPlan, BatchMultipliesWorkNotParameters) {
  const auto one = planNetwork({}, {32, 32, 32}, 1).value(), three = planNetwork({}, {32, 32, 32}, 3).value();
  EXPECT_EQ(three.macs(), 3 * one.macs());
  EXPECT_EQ(three.parameters(), one.parameters());
}

TEST(NetworkPlan, OddSizesArePadded) {
  const auto plan = planNetwork({}, {100, 17, 1}, 1).value();
  EXPECT_EQ(plan.size, (std::array<std::int64_t, 3>{112, 32, 16}));
}

TEST(NetworkPlan, ImpossibleNetworksAreRefused) {
  EXPECT_EQ(planNetwork({}, {0, 16, 16}, 1).error().code, ExitCode::Usage);
  EXPECT_EQ(planNetwork({}, {16, 16, 16}, 0).error().code, ExitCode::Usage);
  EXPECT_EQ(planNetwork({}, {100000, 100000, 100000}, 1).error().code, ExitCode::Usage);
  NetworkSpec none;
  none.multipliers.clear();
  EXPECT_FALSE(planNetwork(none, {16, 16, 16}, 1));
  NetworkSpec everywhere;
  everywhere.attentionFactors = {1};
  EXPECT_NE(planNetwork(everywhere, {512, 512, 512}, 1).error().message.find("Attention"), std::string::npos);
}

// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/network_spec.h"
#include <gtest/gtest.h>

namespace voxlab {
namespace {

TEST(NetworkSpec, DefaultsAreThePublishedWholeHeadNetwork) {
  const auto spec = networkSpecFromJson(Json::object());
  ASSERT_TRUE(spec);
  EXPECT_EQ(toJson(*spec), toJson(NetworkSpec()));
  EXPECT_EQ(spec->inputChannels(), 3);
  EXPECT_EQ(spec->width(4), 256);
  EXPECT_EQ(spec->sizeMultiple(), 16);
}

TEST(NetworkSpec, RoundTripsThroughJsonAndJob) {
  NetworkSpec spec;
  spec.imageChannels = 4;
  spec.conditionChannels = 0;
  spec.multipliers = {0.5, 1, 2};
  spec.residualBlocks = 2;
  spec.attentionFactors = {};
  JobSpec job("train");
  storeNetworkSpec(spec, job);
  const auto again = networkSpecFrom(job);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(toJson(*again), toJson(spec));
  EXPECT_EQ(toJson(spec)["multipliers"].dump(), "[0.5,1,2]");
}

TEST(NetworkSpec, RefusesWhatCannotBeBuilt) {
  const Json bad[] = {{{"base_channels", 48}},
                      {{"base_channels", 0}},
                      {{"base_channels", "64"}},
                      {{"base_channels", 64.5}},
                      {{"multipliers", Json::array()}},
                      {{"multipliers", {1, 0.3}}},
                      {{"multipliers", {1, -1}}},
                      {{"multipliers", {1, 1, 1, 1, 1, 1, 1, 1, 1}}},
                      {{"multipliers", 2}},
                      {{"multipliers", {"1"}}},
                      {{"multipliers", {1e30}}},
                      {{"image_channels", 0}},
                      {{"condition_channels", -1}},
                      {{"residual_blocks", 0}},
                      {{"attention_factors", {0}}},
                      {{"attention_factors", {1.5}}},
                      Json::array(),
                      Json("x")};
  for (const Json& json : bad) {
    const auto spec = networkSpecFromJson(json);
    ASSERT_FALSE(spec) << json.dump();
    EXPECT_EQ(spec.error().code, ExitCode::Usage) << json.dump();
    EXPECT_TRUE(spec.error().message.ends_with(".")) << spec.error().message;
  }
}

TEST(NetworkSpec, PadsToTheLevelMultiple) {
  const NetworkSpec spec;
  EXPECT_EQ(paddedSize(spec, {128, 128, 128}), (std::array<std::int64_t, 3>{128, 128, 128}));
  EXPECT_EQ(paddedSize(spec, {1, 17, 155}), (std::array<std::int64_t, 3>{16, 32, 160}));
  EXPECT_EQ(paddedSize(spec, {0, 16, 15}), (std::array<std::int64_t, 3>{16, 16, 16}));
}

} // namespace
} // namespace voxlab

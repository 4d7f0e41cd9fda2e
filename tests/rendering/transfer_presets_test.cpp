// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/transfer_presets.h"
#include <gmock/gmock.h>

namespace voxlab {
namespace {

TEST(TransferPresets, SurviveAFile) {
  for (const auto& preset : transferPresets()) {
    auto back = transferFromJson(transferToJson(preset), "preset.json");
    ASSERT_TRUE(back) << back.error().message;
    back->key = preset.key;
    EXPECT_EQ(*back, preset);
  }
}

TEST(TransferPresets, PositionsAscendFromClearToOpaque) {
  for (const auto& preset : transferPresets()) {
    EXPECT_EQ(opacityAt(preset, preset.key == "signed" ? 0.5 : 0), 0) << preset.title; // zero is in the middle of a signed map's range
    EXPECT_GT(opacityAt(preset, 1), 0.5) << preset.title;
    for (std::size_t i = 1; i < preset.opacity.size(); ++i)
      EXPECT_GE(preset.opacity[i].position, preset.opacity[i - 1].position);
  }
}

TEST(TransferPresets, BadFilesGiveASentence) {
  for (const char* text : {"", "[]", "{}", R"({"opacity":[[0,0]],"colours":[[0,0,0,0],[1,1,1,1]]})",
                           R"({"opacity":[[0,"x"],[1,1]],"colours":[[0,0,0,0],[1,1,1,1]]})", R"({"opacity":[[0,0],[1,1]],"colours":[[0,0],[1,1]]})",
                           R"({"opacity":[[0,0],[1,1]],"colours":7})"}) {
    const auto result = transferFromJson(text, "mine.json");
    ASSERT_FALSE(result) << text;
    EXPECT_THAT(result.error().message, testing::HasSubstr("mine.json"));
  }
}

TEST(TransferPresets, PointsAreSortedAndClamped) {
  const auto result = transferFromJson(R"({"opacity":[[1,2],[0,-1]],"colours":[[1,300,0,0],[0,0,-5,0]],"ambient":9})", "x");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->opacity.front().position, 0);
  EXPECT_EQ(result->opacity.back().opacity, 1);
  EXPECT_EQ(result->colours.back().colour.r, 255);
  EXPECT_EQ(result->ambient, 1);
}

} // namespace
} // namespace voxlab

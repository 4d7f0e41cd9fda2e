// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/breakdown_card.h"
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
Event light(int step, const Json& categories) {
  return {std::string(event::kProfile), step * 0.5, {{"path", ""}, {"step", step}, {"what", "live"}, {"categories_ms", categories}, {"every_steps", 68}, {"overhead_percent", 0.42}}};
}

std::shared_ptr<RunState> trained() {
  auto state = std::make_shared<RunState>();
  EXPECT_TRUE(state->apply({std::string(event::kHello), 0, {{"major", 1}, {"minor", 0}, {"start", 1}, {"resume_step", 0}, {"wall_time", "2026-01-31T12:00:00Z"}}}));
  return state;
}
} // namespace

TEST(BreakdownCard, CategoriesOverStepsWithIdleTimeLast) {
  const auto state = trained();
  EXPECT_FALSE(BreakdownCard::hasFigures(*state));
  EXPECT_TRUE(state->apply(light(20, {{"idle_host", 1.0}, {"convolution_forward", 20.0}})));
  EXPECT_TRUE(state->apply(light(90, {{"convolution_forward", 22.0}, {"copy", 0.5}})));
  EXPECT_TRUE(state->apply({std::string(event::kProfile), 60, {{"path", "profiles/step_00000100.json.gz"}, {"step", 100}, {"categories_ms", {{"copy", 99.0}}}}}));
  EXPECT_TRUE(BreakdownCard::hasFigures(*state));
  const auto categories = categoriesOverTime(*state);
  ASSERT_EQ(categories.size(), 3u);
  EXPECT_EQ(categories[0].name, "convolution_forward");
  EXPECT_EQ(categories[1].name, "copy");
  EXPECT_EQ(categories[2].name, "idle_host");
  ASSERT_EQ(categories[1].ms.size(), 2u) << "a recording with a file is none of them";
  EXPECT_EQ(categories[1].ms.y()[0], 0);
  EXPECT_EQ(categories[1].ms.y()[1], 0.5);
  EXPECT_EQ(categories[2].ms.x()[1], 90);
}

TEST(BreakdownCard, IsDrawnAgainWhenThereIsMore) {
  const auto state = trained();
  BreakdownCard card;
  card.setRun(state);
  card.resize(900, 240);
  card.show();
  card.refresh();
  const QImage empty = card.grab().toImage();
  EXPECT_TRUE(state->apply(light(20, {{"convolution_forward", 20.0}, {"idle_host", 1.0}, {"copy", 0.001}})));
  card.refresh();
  EXPECT_NE(card.grab().toImage(), empty);
}

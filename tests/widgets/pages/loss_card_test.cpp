// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/loss_card.h"
#include "core/base/text.h"
#include <QLabel>
#include <QSlider>
#include <gtest/gtest.h>

namespace voxlab {
namespace {

// The header, the list and the reports tell the worker's smoothed loss; so does the card, however its line is smoothed.
TEST(LossCard, FigureIsTheWorkersSmoothedLoss) {
  auto state = std::make_shared<RunState>();
  ASSERT_TRUE(state->apply({std::string(event::kHello), 0, {{"major", 1}, {"minor", 0}, {"start", 1}, {"resume_step", 0}, {"kind", "train"}}}));
  for (const auto& [step, loss, smoothed] : {std::tuple{1, 0.9, 0.9}, {2, 0.5, 0.8125}, {3, 0.1, 0.6125}})
    ASSERT_TRUE(state->apply({std::string(event::kStep), static_cast<double>(step), {{"step", step}, {"loss", loss}, {"loss_smoothed", smoothed}}}));
  LossCard card;
  card.setRun(state);
  const auto shows = [&](double value) {
    for (const QLabel* label : card.findChildren<QLabel*>())
      if (label->text() == QString::fromStdString(formatSignificant(value)))
        return true;
    return false;
  };
  EXPECT_TRUE(shows(0.6125));
  card.findChild<QSlider*>()->setValue(90);
  EXPECT_TRUE(shows(0.6125));
}

} // namespace
} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/loss_log.h"
#include <ATen/ops/tensor.h>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace voxlab {
namespace {
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
at::Tensor scalar(float value) {
  return at::tensor(value);
}

void add(LossLog& log, float loss, float norm = 1) {
  log.add(scalar(loss), scalar(norm), at::Tensor());
}

LossReading reading(double smoothed) {
  return {smoothed, smoothed, 1.0, 1, 0};
}
} // namespace

TEST(LossLog, MeansOverTheStepsSinceTheLastReading) {
  LossLog log;
  add(log, 1);
  add(log, 3, 7);
  const LossReading first = log.take();
  EXPECT_EQ(first.loss, 2);
  EXPECT_EQ(first.smoothed, 2);
  EXPECT_EQ(first.gradientNorm, 7);
  EXPECT_EQ(first.steps, 2);
  add(log, 5);
  EXPECT_EQ(log.take().loss, 5);
}

TEST(LossLog, SmoothingDoesNotDependOnHowOftenItIsRead) {
  LossLog often, seldom;
  for (LossLog* log : {&often, &seldom}) {
    add(*log, 1);
    log->take();
  }
  for (int i = 0; i < 10; ++i) {
    add(often, 2);
    often.take();
    add(seldom, 2);
  }
  add(often, 2);
  add(seldom, 2);
  EXPECT_NEAR(often.take().smoothed, seldom.take().smoothed, 1e-12);
}

TEST(LossLog, LookingTakesNothing) {
  LossLog log;
  add(log, 1);
  log.look();
  add(log, 3);
  EXPECT_EQ(log.take().loss, 2);
}

TEST(LossLog, GoesOnFromItsStateBitForBit) {
  LossLog log;
  add(log, 0.1f);
  log.take();
  add(log, 0.3f);
  add(log, 0.7f);
  const auto text = compactJson(log.state()); // through a file
  LossLog resumed;
  resumed.restore(parseJson(text, "state").value(), at::kCPU);
  add(log, 0.9f);
  add(resumed, 0.9f);
  const LossReading a = log.take(), b = resumed.take();
  EXPECT_EQ(a.loss, b.loss);
  EXPECT_EQ(a.smoothed, b.smoothed);
  EXPECT_EQ(a.steps, b.steps);
  LossLog empty;
  empty.restore(LossLog().state(), at::kCPU);
  EXPECT_EQ(empty.steps(), 0);
}

TEST(LossLog, WhatIsNoNumberIsSeen) {
  LossLog loss, norm, skipped;
  add(loss, kNaN);
  EXPECT_FALSE(loss.take().finite());
  add(norm, 1, std::numeric_limits<float>::infinity());
  EXPECT_FALSE(norm.take().finite());
  // A step of 16-bit training that overflowed was skipped, and is no reason to stop.
  skipped.add(scalar(1), scalar(std::numeric_limits<float>::infinity()), at::tensor({1.f}));
  const LossReading reading = skipped.take();
  EXPECT_TRUE(reading.finite());
  EXPECT_EQ(reading.skippedSteps, 1);
}

TEST(LossWatch, SaysOnceThatTheLossGrows) {
  LossWatch watch;
  EXPECT_EQ(watch.look(reading(0.8), 1), "");
  EXPECT_EQ(watch.look(reading(0.4), 2), "");
  EXPECT_EQ(watch.look(reading(0.9), 3), ""); // more than twice, but no worse than a fresh network
  const std::string said = watch.look(reading(3), 4);
  EXPECT_NE(said.find("learning rate"), std::string::npos);
  EXPECT_EQ(watch.look(reading(4), 5), "");
  EXPECT_EQ(watch.look(reading(0.5), 6), "");
  EXPECT_NE(watch.look(reading(5), 7), "");
}

TEST(LossWatch, AdviceFollowsThePrecision) {
  EXPECT_NE(LossWatch::explainNotFinite(reading(kNaN), 3, "fp16").find("BF16"), std::string::npos);
  EXPECT_NE(LossWatch::explainNotFinite(reading(kNaN), 3, "fp32").find("train.clip_norm"), std::string::npos);
}

} // namespace voxlab

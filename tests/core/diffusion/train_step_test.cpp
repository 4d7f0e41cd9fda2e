// SPDX-License-Identifier: Apache-2.0
// The arithmetic of one step on a network of one weight, against plain numbers; resuming; scaling.
#include "core/diffusion/train_step.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace voxlab {
namespace {

// prediction = weight[0] + weight[1] · x: gradients are easy to write down.
struct Line {
  explicit Line(TrainSettings settings, std::unique_ptr<GradientScaler> scaler = nullptr)
      : step({{"w", at::tensor({0.5f, -0.25f})}}, {{"w", at::tensor({0.5f, -0.25f})}}, process,
             [this](const at::Tensor& x, const at::Tensor&, const at::Tensor&) { return (weight()[0] + weight()[1] * x) * gain; }, settings,
             std::move(scaler)) {}
  const at::Tensor& weight() const { return step.parameters()[0].tensor; }
  double value(int i) const { return weight()[i].item<double>(); }
  double average(int i) const { return step.average()[0].tensor[i].item<double>(); }

  DiffusionProcess process{10, at::kCPU};
  double gain = 1;
  TrainStep step;
};

MicroBatch batchOf(float image, float noise, std::int64_t volumes = 1) {
  MicroBatch batch;
  batch.image = at::full({volumes, 1, 2, 2, 2}, image);
  batch.noise = at::full({volumes, 1, 2, 2, 2}, noise);
  batch.timesteps = at::zeros({volumes}, at::kLong);
  return batch;
}

TrainSettings plainSettings() {
  TrainSettings s;
  s.accumulate = 1;
  s.learningRate = 0.1;
  s.emaEvery = 1;
  s.emaStart = 2;
  s.emaDecay = 0.75;
  return s;
}

// Adam in double precision.
struct ReferenceAdam {
  double w, m = 0, v = 0;
  int t = 0;
  void step(double g, double lr) {
    ++t;
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    w -= lr * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
  }
};

class AdamKinds : public testing::TestWithParam<AdamKind> {};
INSTANTIATE_TEST_SUITE_P(TrainStep, AdamKinds, testing::Values(AdamKind::Lists, AdamKind::Fused, AdamKind::OnePass));

TEST_P(AdamKinds, StepsAndAverageAreTheTextbooks) {
  TrainSettings settings = plainSettings();
  settings.loss = LossKind::L2;
  settings.adam = GetParam();
  Line line(settings);
  ReferenceAdam a{0.5}, b{-0.25};
  double average = 0.5;
  for (int i = 0; i < 6; ++i) {
    const double image = 0.2 * i, noise = 0.4 - 0.1 * i;
    const double x = line.process.schedule().sqrtAlphasCumprod[0] * image + line.process.schedule().sqrtOneMinusAlphasCumprod[0] * noise;
    const double residual = a.w + b.w * x - noise;
    const double loss = line.step.accumulate(batchOf(static_cast<float>(image), static_cast<float>(noise))).item<double>();
    EXPECT_NEAR(loss, residual * residual, 1e-6);
    const StepOutcome outcome = line.step.update();
    const double ga = 2 * residual, gb = 2 * residual * x;
    EXPECT_NEAR(outcome.gradientNorm.item<double>(), std::hypot(ga, gb), 1e-5);
    EXPECT_FALSE(outcome.skipped.defined());
    a.step(ga, 0.1);
    b.step(gb, 0.1);
    average = i < 2 ? a.w : 0.75 * average + 0.25 * a.w;
    EXPECT_NEAR(line.value(0), a.w, 2e-6);
    EXPECT_NEAR(line.value(1), b.w, 2e-6);
    EXPECT_NEAR(line.average(0), average, 2e-6);
  }
  EXPECT_EQ(line.step.step(), 6);
}

TEST(TrainStep, AccumulationIsTheMeanAndDivisionByTheBatchShows) {
  TrainSettings settings = plainSettings();
  settings.loss = LossKind::L2;
  settings.accumulate = 2;
  Line mean(settings);
  mean.step.accumulate(batchOf(0, 1));
  mean.step.accumulate(batchOf(0, -1));
  const double both = mean.step.update().gradientNorm.item<double>();
  settings.lossScaling = LossScaling::DividedByBatch;
  settings.batchSize = 4;
  Line divided(settings);
  divided.step.accumulate(batchOf(0, 1, 4));
  divided.step.accumulate(batchOf(0, -1, 4));
  EXPECT_NEAR(divided.step.update().gradientNorm.item<double>(), both / 4, 1e-6);
}

TEST_P(AdamKinds, ClippingLimitsTheNormAndReportsTheOneBefore) {
  TrainSettings settings = plainSettings();
  settings.adam = GetParam();
  settings.loss = LossKind::L2;
  settings.clipNorm = 1e-3;
  Line line(settings);
  line.step.accumulate(batchOf(1, 3));
  EXPECT_GT(line.step.update().gradientNorm.item<double>(), 1.0);
  const NamedTensors state = line.step.optimizerState();
  const double clipped = findTensor(state, "exp_avg.w")->norm().item<double>() / 0.1;
  EXPECT_NEAR(clipped, 1e-3, 1e-6);
}

TEST(TrainStep, WarmUpRaisesTheRate) {
  TrainSettings settings = plainSettings();
  settings.warmupSteps = 4;
  Line line(settings);
  for (const double expected : {0.025, 0.05, 0.075, 0.1, 0.1}) {
    EXPECT_NEAR(line.step.learningRate(), expected, 1e-12);
    const double before = line.value(0);
    line.step.accumulate(batchOf(0, 5));
    line.step.update();
    EXPECT_NEAR(std::abs(line.value(0) - before), expected, expected * 0.01) << "L1's gradient is constant, so Adam moves by the rate";
  }
}

TEST(TrainStep, ResumesBitForBit) {
  TrainSettings settings = plainSettings();
  Line whole(settings);
  const auto iterate = [](Line& line, int from, int to) {
    for (int i = from; i < to; ++i) {
      MicroBatch batch = batchOf(0.1f * static_cast<float>(i), 0);
      drawNoise(batch, 99, i, 0, 10);
      line.step.accumulate(batch);
      line.step.update();
    }
  };
  iterate(whole, 0, 7);
  Line first(settings);
  iterate(first, 0, 4);
  Line second(settings);
  copyValues(first.step.parameters(), second.step.parameters());
  copyValues(first.step.average(), second.step.average());
  second.step.restore(copyOf(first.step.optimizerState()), first.step.step());
  iterate(second, 4, 7);
  EXPECT_TRUE(at::equal(whole.weight(), second.weight()));
  EXPECT_TRUE(at::equal(whole.step.average()[0].tensor, second.step.average()[0].tensor));
  EXPECT_EQ(second.step.step(), 7);
}

TEST(TrainStep, RestoreNamesWhatIsMissing) {
  Line line(plainSettings());
  EXPECT_THROW(line.step.restore({{"adam_step", at::zeros({1})}}, 3), c10::Error);
  EXPECT_THROW(line.step.update(), c10::Error) << "no gradients yet";
}

TEST(TrainStep, NoiseAndTimesDependOnSeedStepAndVolumeOnly) {
  MicroBatch two = batchOf(0, 0, 2), one = batchOf(0, 0, 1);
  drawNoise(two, 5, 17, 4, 1000);
  drawNoise(one, 5, 17, 5, 1000);
  EXPECT_TRUE(at::equal(two.noise[1], one.noise[0]));
  EXPECT_TRUE(at::equal(two.timesteps[1], one.timesteps[0]));
  drawNoise(one, 5, 18, 5, 1000);
  EXPECT_FALSE(at::equal(two.noise[1], one.noise[0]));
}

TEST(GradientScaler, ScalesWithoutChangingTheStep) {
  Line plain(plainSettings()), scaled(plainSettings(), std::make_unique<GradientScaler>(at::kCPU));
  for (Line* line : {&plain, &scaled}) {
    line->step.accumulate(batchOf(0.3f, 0.7f));
    const StepOutcome outcome = line->step.update();
    if (line == &scaled) {
      EXPECT_EQ(outcome.skipped.item<float>(), 0.0f);
    }
  }
  EXPECT_TRUE(at::equal(plain.weight(), scaled.weight())) << "a power of two is exact";
}

class ScaledAdamKinds : public testing::TestWithParam<AdamKind> {};
INSTANTIATE_TEST_SUITE_P(GradientScaler, ScaledAdamKinds, testing::Values(AdamKind::Fused, AdamKind::OnePass));

TEST_P(ScaledAdamKinds, AnOverflowSkipsTheStepAndHalvesTheScale) {
  TrainSettings settings = plainSettings();
  settings.adam = GetParam();
  Line line(settings, std::make_unique<GradientScaler>(at::kCPU));
  line.step.accumulate(batchOf(0.3f, 0.7f));
  line.step.update();
  const at::Tensor before = line.weight().detach().clone();
  const NamedTensors state = copyOf(line.step.optimizerState());
  line.gain = std::numeric_limits<double>::infinity();
  line.step.accumulate(batchOf(0.3f, 0.7f));
  EXPECT_EQ(line.step.update().skipped.item<float>(), 1.0f);
  EXPECT_TRUE(at::equal(line.weight(), before));
  EXPECT_EQ(line.step.scaler()->scale().item<float>(), 32768.0f);
  EXPECT_TRUE(at::equal(*findTensor(line.step.optimizerState(), "adam_step"), *findTensor(state, "adam_step")));
  EXPECT_TRUE(at::equal(*findTensor(line.step.optimizerState(), "exp_avg.w"), *findTensor(state, "exp_avg.w")));
  line.gain = 1;
  line.step.accumulate(batchOf(0.3f, 0.7f));
  EXPECT_EQ(line.step.update().skipped.item<float>(), 0.0f);
  EXPECT_FALSE(at::equal(line.weight(), before));
}

TEST(GradientScaler, GrowsAfterItsInterval) {
  GradientScalerSettings settings;
  settings.growthInterval = 2;
  GradientScaler scaler(at::kCPU, settings);
  for (const float expected : {65536.0f, 131072.0f, 131072.0f, 262144.0f}) {
    scaler.unscale({at::ones({2})});
    scaler.update();
    EXPECT_EQ(scaler.scale().item<float>(), expected);
  }
}

TEST(GradientScaler, StateIsRestoredAcrossPrecisions) {
  Line scaled(plainSettings(), std::make_unique<GradientScaler>(at::kCPU));
  scaled.gain = std::numeric_limits<double>::infinity();
  scaled.step.accumulate(batchOf(1, 1));
  scaled.step.update();
  Line again(plainSettings(), std::make_unique<GradientScaler>(at::kCPU)), without(plainSettings());
  again.step.restore(copyOf(scaled.step.optimizerState()), 1);
  EXPECT_EQ(again.step.scaler()->scale().item<float>(), 32768.0f);
  without.step.restore(copyOf(scaled.step.optimizerState()), 1);
  again.step.restore(copyOf(without.step.optimizerState()), 1);
  EXPECT_THROW(
      {
        TrainSettings lists = plainSettings();
        lists.adam = AdamKind::Lists;
        Line refused(lists, std::make_unique<GradientScaler>(at::kCPU));
      },
      c10::Error);
}

} // namespace
} // namespace voxlab

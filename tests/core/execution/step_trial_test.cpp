// SPDX-License-Identifier: Apache-2.0
#include "core/execution/step_trial.h"
#include "core/diffusion/parameter_layout.h"
#include "core/execution/make_backend.h"
#include "core/execution/mode_check.h"
#include "core/execution/step_clock.h"
#include "tests/support/tiny_network.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <gmock/gmock.h>
#include <limits>

using namespace voxlab;
using testing::HasSubstr;

namespace {
TrialProblem tinyProblem() {
  TrialProblem p;
  p.network = tinyNetwork();
  p.weights = randomWeights(p.network, 3);
  p.size = {8, 8, 8};
  p.batch = 2;
  p.timesteps = 5; // fewer than the steps taken: the sampler starts anew
  p.seed = 3;
  p.sampler = makeDdpmSampler();
  return p;
}

BackendFactory factory(const TrialProblem& p, const ModeSwitches& switches) {
  return [&p, &switches](const NamedTensors& parameters, BackendUse use) {
    return makeEagerBackend(p.network, parameters, switches, use, Determinism::Off);
  };
}

at::Tensor firstOf(const TrialProblem& p, const std::string& mode, bool train, int steps) {
  const ModeSwitches switches = parseMode(mode)->switches;
  const ModeGuard guard(switches, Determinism::Off);
  const auto make = train ? makeTrainTrial : makeSampleTrial;
  const auto trial = make(p, switches, at::kCPU, factory(p, switches));
  int done = 0;
  trial->run([&] { return ++done < steps; });
  EXPECT_EQ(done, steps);
  return trial->firstResult();
}

double relative(const at::Tensor& a, const at::Tensor& b) {
  return (at::linalg_vector_norm(a - b) / at::linalg_vector_norm(b)).item<double>();
}
} // namespace

TEST(StepTrial, StepsAsOftenAsAskedAndKeepsTheFirstResult) {
  const TrialProblem p = tinyProblem();
  const at::Tensor loss = firstOf(p, "baseline", true, 3), noise = firstOf(p, "baseline", false, 8);
  EXPECT_EQ(loss.dim(), 0);
  EXPECT_EQ(noise.sizes(), (at::IntArrayRef{2, 1, 8, 8, 8}));
  EXPECT_EQ(loss.item<double>(), firstOf(p, "baseline", true, 1).item<double>()); // training has not changed it
}

TEST(StepTrial, EqualSeedsAreEqualInputsInEveryMode) {
  const TrialProblem p = tinyProblem();
  for (const bool train : {true, false}) {
    const at::Tensor baseline = firstOf(p, "baseline", train, 1);
    EXPECT_LT(relative(firstOf(p, "opt2", train, 1), baseline), 1e-5);
    EXPECT_LT(relative(firstOf(p, "bf16", train, 1), baseline), 0.04);
    EXPECT_LT(relative(firstOf(p, "baseline+host_sync", train, 1), baseline), 1e-7);
  }
}

TEST(StepClock, TimesEveryStepOnTheHostsClock) {
  StepClock clock(c10::kCPU);
  clock.begin();
  for (int i = 0; i < 4; ++i)
    clock.mark();
  const auto times = clock.finish();
  ASSERT_EQ(times.size(), 4u);
  for (const StepTime& time : times) {
    EXPECT_GE(time.wall_ms, 0);
    EXPECT_FALSE(time.device_ms);
  }
  clock.begin();
  EXPECT_TRUE(clock.finish().empty());
}

TEST(ModeCheck, BaselineIsItself) {
  const ModeCheck check = checkMode(tinyProblem(), parseMode("baseline")->switches, at::kCPU, {});
  EXPECT_TRUE(check.passed());
  EXPECT_EQ(check.prediction.relative, 0);
  EXPECT_EQ(check.loss, check.baselineLoss);
  EXPECT_GT(check.layers.size(), 8u);
  EXPECT_EQ(check.gradients.size(), tinyProblem().weights.size());
}

TEST(ModeCheck, EveryPrecisionPassesItsOwnTolerance) {
  for (const char* mode : {"opt2", "bf16", "fp16", "bf16_stored", "bf16_channels_last", "fused_bf16", "fused_fp16"}) {
    const ModeCheck check = checkMode(tinyProblem(), parseMode(mode)->switches, at::kCPU, {});
    EXPECT_TRUE(check.passed()) << mode << ": " << testing::PrintToString(check.failures);
    EXPECT_GT(check.prediction.relative, 0) << mode;
  }
}

TEST(ModeCheck, SaysWhatDiffersTooMuch) {
  CheckSettings strict;
  strict.tolerance = 1e-7;
  const ModeCheck check = checkMode(tinyProblem(), parseMode("bf16")->switches, at::kCPU, strict);
  EXPECT_FALSE(check.passed());
  EXPECT_THAT(check.failures, testing::Contains(HasSubstr("The prediction differs by")));
  EXPECT_THAT(check.failures, testing::Contains(HasSubstr("output_blocks")));
}

TEST(ModeCheck, NumbersThatAreNoneFail) {
  TrialProblem p = tinyProblem();
  p.weights.front().tensor.fill_(1e30); // beyond float16
  const ModeCheck check = checkMode(p, parseMode("fp16")->switches, at::kCPU, {});
  EXPECT_FALSE(check.passed());
  EXPECT_THAT(check.failures.front(), HasSubstr("no numbers"));
}

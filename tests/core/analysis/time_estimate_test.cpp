// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/time_estimate.h"
#include <gtest/gtest.h>

using namespace voxlab;

// Milliseconds a training and a sampling step of the published code on an H200, batch 1.
TEST(TimeEstimate, WithinAThirdOfWhatWasMeasured) {
  NetworkSpec head, brats;
  brats.imageChannels = brats.conditionChannels = 4;
  brats.residualBlocks = 2;
  brats.attentionFactors = {};
  struct Row {
    const NetworkSpec* network;
    std::array<std::int64_t, 3> size;
    Precision precision;
    MemoryLayout layout;
    double train_ms, sample_ms;
  };
  const auto flat = MemoryLayout::Contiguous, last = MemoryLayout::ChannelsLast;
  const std::array<std::int64_t, 3> s64{64, 64, 64}, s96{96, 96, 96}, s128{128, 128, 128}, s160{160, 160, 160},
      sBrats{144, 192, 192};
  const Row rows[] = {
      {&head, s64, Precision::Fp32, flat, 171, 34},       {&head, s96, Precision::Fp32, flat, 554, 90},
      {&head, s128, Precision::Fp32, flat, 1218, 197},    {&head, s160, Precision::Fp32, flat, 2444, 381},
      {&brats, sBrats, Precision::Fp32, flat, 4834, 719}, {&head, s64, Precision::Tf32, flat, 52, 24},
      {&head, s96, Precision::Tf32, flat, 108, 44},       {&head, s128, Precision::Tf32, flat, 230, 89},
      {&head, s160, Precision::Tf32, flat, 438, 175},     {&brats, sBrats, Precision::Tf32, flat, 824, 339},
      {&head, s64, Precision::Tf32, last, 57, 24},        {&head, s96, Precision::Tf32, last, 139, 54},
      {&head, s128, Precision::Tf32, last, 339, 129},     {&head, s160, Precision::Tf32, last, 643, 250},
      {&brats, sBrats, Precision::Tf32, last, 1133, 461}, {&head, s128, Precision::Fp32, last, 1368, 258},
      {&head, s64, Precision::Bf16, flat, 66, 24},        {&head, s96, Precision::Bf16, flat, 86, 38},
      {&head, s128, Precision::Bf16, flat, 175, 76},      {&head, s160, Precision::Bf16, flat, 341, 148},
      {&brats, sBrats, Precision::Bf16, flat, 705, 284},  {&head, s128, Precision::Fp16, flat, 151, 75},
      {&head, s128, Precision::Bf16, last, 280, 118},
  };
  for (const auto& row : rows) {
    ModeSwitches mode;
    mode.precision = row.precision;
    mode.layout = row.layout;
    const auto plan = planNetwork(*row.network, row.size, 1).value();
    const auto train = estimateStepTime_ms(plan, StepKind::Train, mode, *devicePeaks("NVIDIA H200"));
    const auto sample = estimateStepTime_ms(plan, StepKind::Sample, mode, *devicePeaks("NVIDIA H200"));
    ASSERT_TRUE(train && sample);
    SCOPED_TRACE(std::string(precisionName(row.precision)) + " " + std::to_string(row.size[2]) +
                 (row.layout == last ? " channels-last" : ""));
    EXPECT_NEAR(*train, row.train_ms, row.train_ms / 3);
    EXPECT_NEAR(*sample, row.sample_ms, row.sample_ms / 3);
  }
}

TEST(TimeEstimate, SaysNothingOfWhatWasNeverMeasured) {
  const auto plan = planNetwork({}, {128, 128, 128}, 1).value();
  ModeSwitches mode;
  mode.fusedKernels = true;
  EXPECT_FALSE(estimateStepTime_ms(plan, StepKind::Train, mode, *devicePeaks("NVIDIA H200")));
  mode = {};
  mode.precision = Precision::Tf32;
  EXPECT_FALSE(estimateStepTime_ms(plan, StepKind::Train, mode, *devicePeaks("Tesla V100-SXM2-16GB")));
}

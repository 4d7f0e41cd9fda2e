// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/job_memory.h"
#include "core/protocol/run_directory.h"
#include "tests/support/paths.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
NetworkSpec bratsNetwork() {
  NetworkSpec n;
  n.imageChannels = 4;
  n.conditionChannels = 4;
  n.residualBlocks = 2;
  n.attentionFactors = {};
  return n;
}

ModeSwitches mode(Precision precision, MemoryLayout layout = MemoryLayout::Contiguous, bool search = false) {
  ModeSwitches m;
  m.precision = precision;
  m.layout = layout;
  m.algorithmSearch = search;
  m.spreadNorm = is16Bit(precision);
  return m;
}

// As the rows of the worker's table.
ModeSwitches lean(Precision precision) {
  ModeSwitches m = mode(precision, MemoryLayout::Contiguous, true);
  m.autocast = false;
  m.attention = AttentionMethod::Flash;
  m.fusedOptimiser = m.spreadNorm = true;
  return m;
}
ModeSwitches fused(Precision precision) {
  ModeSwitches m = lean(precision);
  m.layout = MemoryLayout::ChannelsLast;
  m.fusedKernels = true;
  return m;
}
ModeSwitches graph(ModeSwitches m) {
  m.cudaGraphs = true;
  return m;
}
} // namespace

// Peaks of allocated bytes on an H200 with LibTorch 2.11 and cuDNN 9.19 (one training step with Adam, no moving average; one sampling
// step, network and update), batch 1. This program's, measured on 2026-11-30 (core/execution/BENCHMARKS.md), but for the rows "published":
// those are the published Python code's.
TEST(MemoryEstimate, WithinFifteenPercentOfMeasuredPeaks) {
  struct Row {
    const char* name;
    NetworkSpec network;
    std::array<std::int64_t, 3> size;
    ModeSwitches mode;
    double train_GB, sample_GB; // 0: not measured
  };
  using P = Precision;
  const auto cl = MemoryLayout::ChannelsLast;
  const NetworkSpec head, brats = bratsNetwork();
  const std::array<std::int64_t, 3> cube{128, 128, 128}, half{64, 64, 64}, large{144, 192, 192};
  ModeSwitches plainBf16 = mode(P::Bf16);
  plainBf16.spreadNorm = false;
  const Row rows[] = {
      {"baseline", head, cube, mode(P::Fp32), 20.61, 5.10},
      {"opt1", head, cube, mode(P::Tf32), 20.62, 5.63},
      {"opt2", head, cube, mode(P::Fp32, cl), 23.72, 7.25},
      {"opt12", head, cube, mode(P::Tf32, cl), 23.20, 5.64},
      {"bf16", head, cube, mode(P::Bf16), 10.93, 3.14},
      {"fp16", head, cube, mode(P::Fp16), 10.93, 3.14},
      {"bf16_channels_last", head, cube, mode(P::Bf16, cl, true), 11.20, 0},
      {"bf16_stored", head, cube, lean(P::Bf16), 10.79, 0},
      {"tf32_graph", head, cube, graph(lean(P::Tf32)), 20.88, 5.70},
      {"bf16_graph", head, cube, graph(lean(P::Bf16)), 10.99, 3.16},
      {"fused_tf32_graph", head, cube, graph(fused(P::Tf32)), 10.00, 4.63},
      {"fused_bf16_graph", head, cube, graph(fused(P::Bf16)), 5.30, 1.85},
      {"fused_fp16_graph", head, cube, graph(fused(P::Fp16)), 5.30, 1.85},
      {"baseline, 64³", head, half, mode(P::Fp32), 3.05, 0.809},
      {"opt1, 64³", head, half, mode(P::Tf32), 3.05, 0.877},
      {"bf16, 64³", head, half, mode(P::Bf16), 1.92, 0.494},
      {"tf32_graph, 64³", head, half, graph(lean(P::Tf32)), 3.28, 0.916},
      {"bf16_graph, 64³", head, half, graph(lean(P::Bf16)), 2.05, 0.497},
      {"fused_tf32_graph, 64³", head, half, graph(fused(P::Tf32)), 1.87, 0.761},
      {"fused_bf16, 64³", head, half, fused(P::Bf16), 1.13, 0.338},
      {"fused_bf16_graph, 64³", head, half, graph(fused(P::Bf16)), 1.37, 0.377},
      {"bf16 without spread norms, published", head, cube, plainBf16, 15.3, 3.6},
      {"BraTS baseline, published", brats, large, mode(P::Fp32), 75, 0},
      {"BraTS opt1, published", brats, large, mode(P::Tf32), 75, 0},
      {"BraTS opt12, published", brats, large, mode(P::Tf32, cl), 85, 0},
      {"BraTS bf16 without spread norms, published", brats, large, plainBf16, 55, 0},
      {"BraTS fused_bf16_graph", brats, large, graph(fused(P::Bf16)), 16.20, 5.71},
      {"BraTS fused_tf32_graph", brats, large, graph(fused(P::Tf32)), 30.63, 0},
  };
  for (const auto& row : rows) {
    const auto plan = planNetwork(row.network, row.size, 1).value();
    const auto train = estimateMemory(plan, row.mode, JobMemory::BenchmarkTraining);
    const auto sample = estimateMemory(plan, row.mode, JobMemory::Sampling);
    std::cout << row.name << ": train " << train.training_bytes() / 1e9 << " GB (measured " << row.train_GB << "), sample "
              << sample.samplingPeak_bytes() / 1e9 << " GB (measured " << row.sample_GB << ")\n";
    EXPECT_NEAR(train.training_bytes() / 1e9, row.train_GB, 0.15 * row.train_GB) << row.name;
    if (row.sample_GB > 0) {
      EXPECT_NEAR(sample.samplingPeak_bytes() / 1e9, row.sample_GB, 0.15 * row.sample_GB) << row.name;
    }
    EXPECT_TRUE(train.calibrated) << row.name;
  }
}

// Every row of the benchmarks that come with the program, from what the runs say of themselves.
TEST(MemoryEstimate, WithinFifteenPercentOfTheRecordedBenchmarks) {
  int rows = 0;
  for (const char* name : {"benchmark_modes_128", "benchmark_modes_64", "benchmark_brats"}) {
    const RunDirectory run(sourceFolder() / "resources" / "examples" / name);
    const Json summary = readJsonFile(run.summaryFile()).value();
    const auto switchesOf = [&](const std::string& mode) { return std::optional(modeSwitchesFromJson(summary.at("switches").at(mode).at("asked"))); };
    const auto modes = memoryOf(run.spec().value(), switchesOf).value();
    for (const Json& row : summary.at("rows")) {
      const auto mode = std::find_if(modes.begin(), modes.end(), [&](const ModeMemory& m) { return m.mode == row.at("mode"); });
      if (!row.contains("peak_allocated_bytes"))
        continue;
      const MemoryRequest& request = mode->request;
      const auto plan = planNetwork(request.network, request.size, request.batch).value();
      const bool trains = row.at("what") == "train";
      const auto estimate = estimateMemory(plan, request.mode, trains ? JobMemory::BenchmarkTraining : JobMemory::Sampling);
      const double bytes = trains ? estimate.training_bytes() : estimate.samplingPeak_bytes(), measured = row.at("peak_allocated_bytes");
      EXPECT_NEAR(bytes / measured, 1, 0.15) << name << ", " << row.at("mode") << ", " << row.at("what") << ": " << bytes / 1e9 << " GB for " << measured / 1e9;
      ++rows;
    }
  }
  EXPECT_GE(rows, 30);
}

TEST(MemoryEstimate, PartsByHand) {
  NetworkSpec n; // two levels of 32 channels, one block each, no attention but the middle's
  n.baseChannels = 32;
  n.multipliers = {1, 1};
  n.attentionFactors = {};
  const auto plan = planNetwork(n, {8, 8, 8}, 2).value();
  const auto estimate = estimateMemory(plan, mode(Precision::Fp32), JobMemory::Training);
  const double parameters = static_cast<double>(plan.parameters());
  EXPECT_DOUBLE_EQ(estimate.model_bytes(), parameters * (4 + 4 + 8 + 4));
  // Maps of 32 channels × 8³ × batch 2 × 4 B at level 0: the stem's input (3 of 32 channels), input block 1: three halves
  // (norm, activation, convolution) of 1 and of 1; its output for the down-sampling; decoder: up-sampled 1; two blocks with
  // concatenations: 3 × 2 + 3 × 1 each; head: norm, activation, convolution. Four activations of the time embedding (128 values).
  const double map = 32.0 * 512 * 2 * 4, embedding = 128.0 * 2 * 4;
  EXPECT_DOUBLE_EQ(estimate.activationsByLevel_bytes[0], map * (3.0 / 32 + 6 + 1 + 1 + 2 * 9 + 3) + 4 * embedding);
  // Level 1: input block 3: 6; middle: two blocks of 6 and the attention's input; decoder: two blocks of 9. In eighths.
  EXPECT_DOUBLE_EQ(estimate.activationsByLevel_bytes[1], map / 8 * (6 + 12 + 1 + 18) + 5 * embedding);
}

TEST(MemoryEstimate, CheckpointingTradesKeptMapsForOneBlock) {
  const auto plan = planNetwork({}, {128, 128, 128}, 1).value();
  auto m = mode(Precision::Bf16);
  double before = estimateMemory(plan, m, JobMemory::Training).peak_bytes();
  for (int level = 0; level < 5; ++level) {
    m.checkpointLevels.push_back(level);
    const auto estimate = estimateMemory(plan, m, JobMemory::Training);
    EXPECT_LT(estimate.peak_bytes(), before) << level;
    EXPECT_FALSE(estimate.calibrated);
    before = estimate.peak_bytes();
  }
}

TEST(MemoryEstimate, GrowsWithBatchAndAttention) {
  const auto one = planNetwork({}, {64, 64, 64}, 1).value(), four = planNetwork({}, {64, 64, 64}, 4).value();
  const auto m = mode(Precision::Tf32);
  EXPECT_NEAR(estimateMemory(four, m, JobMemory::Training).activations_bytes,
              4 * estimateMemory(one, m, JobMemory::Training).activations_bytes, 1);
  NetworkSpec early;
  early.attentionFactors = {2}; // 32³ tokens: scores and weights of 2 × 4 B × 32768² = 8.6 GB
  const auto heavy = planNetwork(early, {64, 64, 64}, 1).value();
  EXPECT_GT(estimateMemory(heavy, m, JobMemory::Sampling).peak_bytes(), 8.6e9);
  auto flash = m;
  flash.attention = AttentionMethod::Flash;
  EXPECT_LT(estimateMemory(heavy, flash, JobMemory::Sampling).peak_bytes(), 2e9);
}

TEST(MemoryAdvice, InTheUsersWords) {
  MemoryRequest request;
  request.mode = mode(Precision::Tf32);
  const auto roomy = memoryAdvice(request, 141e9).value();
  EXPECT_TRUE(roomy.fits);
  EXPECT_TRUE(roomy.options.empty());
  EXPECT_EQ(roomy.sentence, "The GPU has 141 GB; this needs about 23 GB.");
  const auto tight = memoryAdvice(request, 20e9).value();
  EXPECT_FALSE(tight.fits);
  ASSERT_GE(tight.options.size(), 2u);
  EXPECT_EQ(tight.options[0].words, "BF16");
  EXPECT_EQ(tight.options[0].request.mode.precision, Precision::Bf16);
  EXPECT_EQ(tight.options[1].words, "checkpoint level 0");
  for (const auto& option : tight.options)
    EXPECT_LE(option.device_bytes, 20e9);
  std::cout << tight.sentence << "\n";
}

TEST(MemoryAdvice, CombinesThenShrinksThenGivesUp) {
  MemoryRequest request;
  request.mode = mode(Precision::Fp32);
  request.batch = 4;
  for (const double device : {60e9, 24e9, 12e9, 8e9, 4e9, 1e9}) {
    const auto advice = memoryAdvice(request, device).value();
    std::cout << advice.sentence << "\n";
    EXPECT_FALSE(advice.fits);
    for (const auto& option : advice.options)
      EXPECT_LE(option.device_bytes, device);
  }
  EXPECT_EQ(memoryAdvice(request, 24e9)->options.at(0).words, "batch 1");
  EXPECT_EQ(memoryAdvice(request, 9e9)->options.at(0).words, "BF16, batch 1 and a volume of 96×96×96");
  EXPECT_NE(memoryAdvice(request, 1e9)->sentence.find("No setting"), std::string::npos);
  request.size = {0, 1, 1};
  EXPECT_EQ(memoryAdvice(request, 1e9).error().code, ExitCode::Usage);
}

// SPDX-License-Identifier: Apache-2.0
// The runs that come with the program are read as any other, and say what resources/examples/CLAIMS.md says of them.
#include "core/analysis/breakdown.h"
#include "core/analysis/experiment_report.h"
#include "core/analysis/profile.h"
#include "core/analysis/roofline.h"
#include "core/analysis/run_history.h"
#include "core/analysis/run_profile.h"
#include "core/protocol/run_bundle.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include <chrono>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
Json reportOf(const std::string& name) {
  const auto report = runProfileReport(RunDirectory(sourceFolder() / "resources" / "examples" / name));
  EXPECT_TRUE(report) << report.error().message;
  return report ? report->data : Json::object();
}
} // namespace

TEST(Examples, CategoriesAddUpAndKernelsAgreeWithTheHostsClock) {
  for (const char* name : {"baseline", "opt1", "opt2", "opt12", "fused_bf16", "fused_bf16_graph"}) {
    const Json report = reportOf(name);
    double sum = 0;
    for (const auto& [category, ms] : report.at("categories_ms").items())
      sum += ms.get<double>();
    const double wall_ms = report.at("wall_ms_per_step").get<double>(), kernel_ms = report.at("kernel_ms_per_step").get<double>();
    EXPECT_NEAR(sum, wall_ms, 1e-6) << name;
    EXPECT_LT(report.at("categories_ms").value("other", 0.0), 0.02 * wall_ms) << name;
    EXPECT_EQ(report.at("device"), "NVIDIA H200");
    EXPECT_EQ(report.at("others").size(), 1u) << "a sampling step";
    EXPECT_GE(report.at("modules").size(), 30u) << name;
    if (std::string(name) != "fused_bf16") { // which waits for the host
      EXPECT_NEAR(kernel_ms, wall_ms, 0.03 * wall_ms) << name;
    }
  }
}

// Kernel time against a step's time by the host's clock, without the profiler, as the runs recorded both.
TEST(Examples, KernelsAgreeWithUnprofiledStepsWithinThreePercent) {
  for (const char* name : {"baseline", "opt1", "opt2", "opt12", "fused_bf16_graph"}) {
    const auto lines = LineReader(sourceFolder() / "resources" / "examples" / name / "events.jsonl").poll();
    ASSERT_TRUE(lines) << name;
    int compared = 0;
    for (const Json& line : *lines)
      if (line.contains("measured_ms_per_step")) {
        const double measured_ms = line.at("measured_ms_per_step").get<double>();
        EXPECT_NEAR(line.at("kernel_ms_per_step").get<double>(), measured_ms, 0.03 * measured_ms) << name << ", " << line.at("what");
        ++compared;
      }
    EXPECT_EQ(compared, 2) << name << ": training and sampling";
  }
}

// A training step of fused_bf16 took 40.274 ms by the host's clock and 45.592 ms while it was recorded, 8.12 ms of them idle: 45.592 − 40.274 =
// 5.318 ms of those are the recording's, 8.12 − 5.32 = 2.80 ms are left. A step of baseline was not slowed.
TEST(Examples, WhatRecordingCostsIsNotShownAsIdle) {
  const auto fused = runProfileReport(RunDirectory(sourceFolder() / "resources" / "examples" / "fused_bf16"));
  ASSERT_TRUE(fused) << fused.error().message;
  EXPECT_DOUBLE_EQ(fused->data.at("unprofiled_ms_per_step").get<double>(), 40.273902);
  EXPECT_NEAR(fused->data.at("wall_ms_per_step").get<double>(), 45.592, 1e-3);
  EXPECT_NEAR(fused->data.at("others").at(0).at("unprofiled_ms_per_step").get<double>(), 13.59, 0.01);
  for (const auto format : {ReportFormat::PlainText, ReportFormat::HtmlPage}) {
    const std::string text = writeReport(*fused, format);
    EXPECT_NE(text.find("45.6 ms wall time (40.3 ms without the profiler), 37.4 ms of kernels"), std::string::npos) << text.substr(0, 900);
    EXPECT_NE(text.find("Recording slowed the step from 40.3 to 45.6 ms: of the 8.12 ms idle, 5.32 ms are the recording's; without it about 2.80 ms are left."), std::string::npos) << text.substr(0, 900);
  }
  EXPECT_DOUBLE_EQ(profileSourcesOf(RunDirectory(sourceFolder() / "resources" / "examples" / "fused_bf16")).front().unprofiled_ms.value_or(0), 40.273902) << "for the window, too";
  EXPECT_EQ(writeReport(*runProfileReport(RunDirectory(sourceFolder() / "resources" / "examples" / "baseline")), ReportFormat::PlainText).find("Recording slowed"), std::string::npos);
}

// Steps of 100 ms, 70 of them busy: 5 % more than 95.3 ms are no slowing worth a word, 20 % more than 83 ms are.
TEST(Examples, SlowingByRecordingIsSaidBeyondFivePercent) {
  StepBreakdown step;
  step.wall_ms = 100;
  step.busy_ms = 70;
  EXPECT_EQ(recordingWords(step, std::nullopt), "");
  EXPECT_EQ(recordingWords(step, 95.3), "");
  EXPECT_EQ(recordingWords(step, 104.0), "");
  EXPECT_EQ(recordingWords(step, 83.0), "Recording slowed the step from 83.0 to 100.0 ms: of the 30.0 ms idle, 17.0 ms are the recording's; without it about 13.0 ms are left.");
}

TEST(Examples, LightRecordingsCostWhatTheySayTheyDo) {
  const auto state = readRunState(RunDirectory(sourceFolder() / "resources" / "examples" / "training_live_breakdown_64"));
  ASSERT_TRUE(state) << state.error().message;
  EXPECT_EQ(state->profiles().size(), 29u);
  for (const ProfileRecord& record : state->profiles()) {
    EXPECT_EQ(record.path, "");
    EXPECT_EQ(record.everySteps, 50) << "as was asked for, whatever it costs";
    EXPECT_GE(record.categories_ms.size(), 8u);
  }
}

TEST(Examples, WhatTheModesDo) {
  const Json baseline = reportOf("baseline"), tf32 = reportOf("opt1"), last = reportOf("opt2"), both = reportOf("opt12");
  const auto tensorShare = [](const Json& report) {
    return report.at("precision").at("tensor_cores_ms").get<double>() / report.at("precision").at("products_ms").get<double>();
  };
  EXPECT_EQ(tensorShare(baseline), 0);
  EXPECT_GT(tensorShare(tf32), 0.98);
  EXPECT_NEAR(baseline.at("kernel_ms_per_step").get<double>(), 1219.0, 0.1);
  EXPECT_NEAR(last.at("categories_ms").at("layout_conversion").get<double>(), 126.25, 0.05);
  EXPECT_NEAR(both.at("categories_ms").at("layout_conversion").get<double>(), 108.48, 0.05);
}

// The figures of a profiling study need counters of every mode, and of enough of its step that the sums are not partial.
TEST(Examples, CountersCoverEveryModesStep) {
  std::map<std::string, Json> counters;
  for (const char* name : {"baseline", "opt1", "opt2", "opt12", "fused_bf16", "fused_bf16_graph"}) {
    counters[name] = reportOf(name).at("counters");
    EXPECT_GE(counters[name].at("coverage").get<double>(), 0.9) << name;
    EXPECT_EQ(counters[name].at("partial"), false) << name;
    EXPECT_GT(counters[name].at("sm_cycles").get<double>(), 1e6) << name;
  }
  EXPECT_EQ(counters["baseline"].at("tensor_instructions"), 0) << "FP32 uses no tensor cores";
  EXPECT_GT(counters["opt1"].at("tensor_pipe_percent").get<double>(), 10);
  EXPECT_LT(counters["opt1"].at("instructions").get<double>(), 0.2 * counters["baseline"].at("instructions").get<double>());
}

// The counters and shapes that were recorded are there for comparing, too.
TEST(Examples, SidesCarryStallsAndRoofline) {
  const auto sides = comparedRuns(RunDirectory(sourceFolder() / "resources" / "examples" / "opt12"));
  ASSERT_TRUE(sides) << sides.error().message;
  ASSERT_EQ(sides->size(), 2u);
  const ComparedRun& training = sides->front();
  ASSERT_GE(training.stalls.size(), 5u);
  EXPECT_GE(training.stalls[0].perIssue, training.stalls[1].perIssue);
  ASSERT_GE(training.roofline.size(), 10u);
  EXPECT_GE(training.roofline[0].time_ms, training.roofline[1].time_ms);
  EXPECT_TRUE(sides->back().stalls.empty()); // its sampling step has no counters
  EXPECT_FALSE(sides->back().roofline.empty());
}

// The arithmetic of replayed steps is that of the step before the graphs were recorded, operator by operator, and the products' that of an eager run of
// the same kernels; a bound is known for nearly all of their time.
TEST(Examples, ReplaysHaveTheArithmeticOfTheStepsWithoutGraphs) {
  const auto examples = sourceFolder() / "resources" / "examples", profiles = examples / "fused_bf16_graph" / "profiles";
  struct Sum {
    std::uint64_t calls = 0;
    double flops = 0;
    bool operator==(const Sum&) const = default;
  };
  using Sums = std::map<std::string, Sum>; // by operator
  const auto sumsOf = [](const Roofline& roof, bool productsOnly) {
    Sums sums;
    for (const RooflinePoint& point : roof.points)
      if (!productsOnly || point.arithmetic != KernelArithmetic::Unknown) {
        sums[point.operatorName].calls += point.calls;
        sums[point.operatorName].flops += point.flops;
      }
    return sums;
  };
  const auto roofOf = [](const Trace& trace) { return roofline(trace, KernelIndex(trace), *devicePeaks("NVIDIA H200")); };
  for (const char* file : {"01_train.json.gz", "02_sample.json.gz"}) {
    const Trace trace = readProfile(profiles / file).value();
    EXPECT_EQ(trace.steps.size(), 4u) << file;
    const Roofline replayed = roofOf(trace), before = roofOf(readTrace(profiles / "eager" / file).value()), eager = roofOf(readTrace(examples / "fused_bf16" / "profiles" / file).value());
    EXPECT_TRUE(sumsOf(replayed, false) == sumsOf(before, false)) << file;
    EXPECT_TRUE(sumsOf(replayed, true) == sumsOf(eager, true)) << file;
    EXPECT_GE(sumsOf(replayed, true).size(), 5u) << file;
    EXPECT_GT(replayed.attributed_ms, 0.995 * replayed.total_ms) << file;
  }
}

// 40 226 433 parameters: gradients read for their norm, then weights, gradients and two moments read, all but the gradients written: 32 B each.
TEST(Examples, TheOptimiserIsHeldAgainstItsTraffic) {
  const Json report = reportOf("fused_bf16_graph");
  int found = 0;
  for (const Json& point : report.at("roofline"))
    if (point.at("operator") == "voxlab::optimiser_step_") {
      EXPECT_EQ(point.at("bytes"), 32 * 40226433.0);
      EXPECT_NEAR(point.at("bound_ms").get<double>(), 32 * 40226433.0 / 4.3e12 * 1e3, 1e-9);
      EXPECT_LT(point.at("bound_ms").get<double>(), point.at("ms").get<double>());
      ++found;
    }
  EXPECT_EQ(found, 1);
}

// By hand, from kernels' names, launches and durations in the traces alone: copies between layouts take 9.79 ms of Baseline's step and
// 126.25 ms of OPT2's; SiLU's gradient and additions on strided tensors cost 20.91 ms more; weight gradients take 754.9 and 759.8 ms. The
// fused mode's take 7.60 ms (own 6.343 + 0.124, cuDNN's 0.507, of the first and last layer 0.627), its data gradients 8.19 ms (the second
// half of the own 3³ convolutions 7.474, cuDNN's 0.603, the last layer's 0.116) of 223.77, its forward convolutions 9.01 ms (8.005, 0.613,
// first and last layer 0.158 and 0.237) of 143.78. Of the sampling step: layouts +58.31, up-sampling +3.25; forward convolutions −134.58, GroupNorm
// 38.38 → 1.95. Times of a step are medians of benchmark_modes_128's duration_ms: training 1250.66, 1390.85 (× 1.112) and 39.206 (÷ 31.9); sampling
// 197.375, 254.697 (× 1.290) and 11.277 (÷ 17.5).
TEST(Examples, WhyIsRight) {
  const auto examples = sourceFolder() / "resources" / "examples";
  const auto begin = std::chrono::steady_clock::now();
  const ComparisonSet set = gatherComparison({examples / "baseline", examples / "opt1", examples / "opt2", examples / "opt12", examples / "fused_bf16_graph",
                                              examples / "benchmark_modes_128"});
  RecordProperty("gathered_ms", static_cast<int>(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count()));
  const auto differenceOf = [](const std::vector<ComparedRun>& sides, const std::string& name) {
    const auto comparison = compareRuns(sides, "baseline").value();
    for (const RunDifference& d : comparison.differences)
      if (d.other == name)
        return d;
    ADD_FAILURE() << name << " was not recorded";
    return RunDifference();
  };
  const RunDifference last = differenceOf(set.training, "opt2"), fused = differenceOf(set.training, "fused_bf16_graph");
  EXPECT_EQ(last.sentence, "opt2 takes 1.11 times as long as baseline (1\u202f250 → 1\u202f390 ms a step). In their profiles: +116 ms layout copies, +20.9 ms elementwise work; weight gradients unchanged.");
  EXPECT_EQ(fused.sentence, "fused_bf16_graph is 32 times as fast as baseline (1\u202f250 → 39.2 ms a step). In their profiles: −747 ms weight gradients, −216 ms data gradients, −135 ms forward convolutions.");
  EXPECT_EQ(differenceOf(set.sampling, "opt2").sentence, "opt2 takes 1.29 times as long as baseline (197 → 255 ms a step). In their profiles: +58.3 ms layout copies, +3.25 ms up-sampling; forward convolutions unchanged.");
  EXPECT_EQ(differenceOf(set.sampling, "fused_bf16_graph").sentence, "fused_bf16_graph is 18 times as fast as baseline (197 → 11.3 ms a step). In their profiles: −135 ms forward convolutions, −36.4 ms GroupNorm, −10.1 ms elementwise work.");
  const auto category = [](const RunDifference& d, KernelCategory wanted) {
    for (const CategoryDifference& c : d.categories)
      if (c.category == wanted)
        return c;
    return CategoryDifference();
  };
  EXPECT_NEAR(category(last, KernelCategory::LayoutConversion).baseline_ms, 9.79, 0.1);
  EXPECT_NEAR(category(last, KernelCategory::LayoutConversion).other_ms, 126.25, 0.05);
  EXPECT_NEAR(category(last, KernelCategory::ConvolutionWeightGradient).other_ms, 759.80, 0.05);
  EXPECT_NEAR(category(fused, KernelCategory::ConvolutionWeightGradient).other_ms, 7.602, 0.01);
  EXPECT_NEAR(category(fused, KernelCategory::ConvolutionDataGradient).baseline_ms, 223.77, 0.05);
  EXPECT_NEAR(category(fused, KernelCategory::ConvolutionDataGradient).other_ms, 8.193, 0.01);
  EXPECT_NEAR(category(fused, KernelCategory::ConvolutionForward).other_ms, 9.013, 0.01);
}

// The whole experiment that one command ran on an H200: eight modes, three ways of sampling, as a bundle.
TEST(Examples, TheExperimentOpensWhole) {
  const TemporaryFolder folder;
  const auto unpacked = unpackRuns(sourceFolder() / "resources/examples/experiment.voxrun", folder.path());
  ASSERT_TRUE(unpacked) << unpacked.error().message;
  const ComparisonSet set = gatherComparison(unpacked->runs);
  EXPECT_TRUE(set.notes.empty()) << set.notes.front();
  EXPECT_EQ(set.training.size(), 8u);
  EXPECT_EQ(set.sampling.size(), 8u);
  ASSERT_EQ(set.points.size(), 24u);
  std::size_t volumes = 0;
  for (const VolumePoint& point : set.points) {
    EXPECT_EQ(point.volume_ms.size(), 1u) << point.name(); // of two, the first is left out
    EXPECT_EQ(point.size, "64 × 64 × 64") << point.name();
    EXPECT_TRUE(point.step_ms) << point.name(); // of the full-size network at 128³
    EXPECT_GE(point.quality.size(), 14u) << point.name();
    volumes += point.samples.size();
  }
  EXPECT_EQ(volumes, 3u); // the others were left out
  const auto front = qualityFront(set.points, "ssim");
  ASSERT_TRUE(front);
  EXPECT_EQ(front->entries.size(), 24u);
  EXPECT_EQ(set.points[front->entries.front().point].name(), "fused_bf16_graph · dpm_solver 20"); // the fastest
}

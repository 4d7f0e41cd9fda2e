// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/comparison.h"
#include "tests/core/analysis/trace_text.h"
#include <gtest/gtest.h>

using namespace voxlab;
using C = KernelCategory;

namespace {
ComparedRun run(const std::string& name, std::vector<ComparedWork> work, double idle_ms = 0) {
  ComparedRun r;
  r.name = name;
  r.work = std::move(work);
  r.idle_ms[static_cast<std::size_t>(IdleCause::Host)] = idle_ms;
  r.wall_ms = idle_ms;
  for (const auto& w : r.work)
    r.wall_ms += w.time_ms;
  return r;
}

ComparedRun recordedRun(const std::string& mode) {
  const Trace trace = readTrace(recorded("trace_" + mode + "_128.json.gz")).value();
  return comparedProfile(mode, trace, KernelIndex(trace));
}

double sumOfDifferences(const RunDifference& d) {
  double sum = 0;
  for (const auto& category : d.categories)
    sum += category.delta_ms();
  return sum;
}
} // namespace

// The figures of the published code on an H200: channels-last alone makes a step 12 % slower, by layout copies.
TEST(Comparison, WhyChannelsLastIsSlower) {
  const ComparedRun baseline =
      run("Baseline",
          {{C::ConvolutionForward, "xmma fprop FP32", "a", "aten::cudnn_convolution", "", Phase::Forward, 144, 70},
           {C::ConvolutionWeightGradient, "xmma wgrad FP32", "b", "aten::convolution_backward", "", Phase::Backward, 990, 60},
           {C::NormalisationForward, "GroupNorm statistics", "c", "aten::native_group_norm", "", Phase::Forward, 34, 43},
           {C::LayoutConversion, "NCHW → NHWC", "d", "aten::convolution_backward", "", Phase::Backward, 10, 120}},
          40);
  ComparedRun opt2 = baseline;
  opt2.name = "OPT2";
  opt2.work[3].time_ms = 10;
  opt2.work.push_back({C::LayoutConversion, "strided copy", "e", "aten::contiguous", "", Phase::Forward, 110, 200});
  opt2.work[0].time_ms = 184;
  opt2.wall_ms += 110 + 40;
  const RunDifference d = whyFaster(baseline, opt2);
  EXPECT_EQ(d.sentence, "OPT2 takes 1.12 times as long as Baseline (1\u202f220 → 1\u202f370 ms a step): +110 ms layout copies, +40.0 ms "
                        "forward convolutions; weight gradients unchanged.");
  EXPECT_NEAR(sumOfDifferences(d), 150, 1e-9);
  ASSERT_FALSE(d.categories.empty());
  EXPECT_EQ(d.categories[0].category, C::LayoutConversion);
  EXPECT_EQ(d.categories[0].change, Change::Grew);
  EXPECT_EQ(d.categories[0].families[0].what, "strided copy");
  EXPECT_EQ(d.categories[0].families[0].change, Change::Appeared);
  EXPECT_EQ(d.categories[0].families[1].change, Change::Same);
  EXPECT_EQ(d.operators[0].what, "aten::contiguous (forward)");
  EXPECT_NE(whyFaster(opt2, baseline).sentence.find("Baseline is 1.12 times as fast as OPT2"), std::string::npos);
}

TEST(Comparison, OperatorsMatchAlthoughKernelsChangeTheirNames) {
  const auto before =
      run("a", {{C::ConvolutionForward, "xmma fprop FP32", "old kernel", "aten::conv3d", "block.1", Phase::Forward, 10, 1}});
  const auto after =
      run("b", {{C::ConvolutionForward, "xmma fprop BF16", "new kernel", "aten::conv3d", "block.1", Phase::Forward, 3, 1}});
  const RunDifference d = whyFaster(before, after);
  ASSERT_EQ(d.operators.size(), 1u);
  EXPECT_EQ(d.operators[0].what, "aten::conv3d in block.1 (forward)");
  EXPECT_EQ(d.operators[0].change, Change::Shrank);
  EXPECT_EQ(d.operators[0].baselineKernels, "old kernel");
  EXPECT_EQ(d.operators[0].otherKernels, "new kernel");
  EXPECT_EQ(d.categories[0].families.size(), 2u);
  EXPECT_NE(d.sentence.find("b is 3.3 times as fast as a"), std::string::npos) << d.sentence;
}

// Sums of the recorded kernels by category: weight gradients 751.67 → 66.88 ms, data gradients 225.07 → 21.22 ms, forward
// convolutions 143.96 → 30.97 ms; GroupNorm's forward pass 38.50 ms in both.
TEST(Comparison, RecordedTraces) {
  const ComparedRun baseline = recordedRun("baseline"), opt1 = recordedRun("opt1");
  const RunDifference d = whyFaster(baseline, opt1);
  EXPECT_EQ(d.sentence,
            "opt1 is 5.2 times as fast as baseline (1\u202f220 → 235 ms a step): −685 ms weight gradients, −204 ms data gradients, "
            "−113 ms forward convolutions; GroupNorm unchanged.");
  EXPECT_NEAR(sumOfDifferences(d), d.other_ms - d.baseline_ms, 1e-6);
  EXPECT_NEAR(d.categories[0].baseline_ms, 751.67, 0.01);
  EXPECT_NEAR(d.categories[0].other_ms, 66.88, 0.01);
  EXPECT_EQ(d.operators[0].what, "aten::convolution_backward (backward)");
  double work = 0;
  for (const auto& w : baseline.work)
    work += w.time_ms;
  for (const double idle : baseline.idle_ms)
    work += idle;
  EXPECT_NEAR(work, baseline.wall_ms, 1e-6 * baseline.wall_ms);
}

TEST(Comparison, EqualRunsSayso) {
  const auto a = run("a", {{C::Elementwise, "add", "k", "aten::add", "", Phase::Forward, 10, 1}});
  auto b = a;
  b.name = "b";
  EXPECT_EQ(whyFaster(a, b).sentence, "b is as fast as a (10.0 → 10.0 ms a step): elementwise work unchanged.");
}

TEST(Comparison, MeasuresAreNormalisedToTheBaseline) {
  auto a = run("a", {}), b = run("b", {}), c = run("c", {});
  a.measures = {{"wall_ms", "Wall time", "ms", Direction::LowerIsBetter, spreadOf({9, 10, 11})},
                {"energy_j", "Energy", "J", Direction::LowerIsBetter, spreadOf({0})}};
  b.measures = {{"wall_ms", "Wall time", "ms", Direction::LowerIsBetter, spreadOf({4, 5, 6})},
                {"energy_j", "Energy", "J", Direction::LowerIsBetter, spreadOf({7})}};
  c.measures = {{"memory_bytes", "Memory", "B", Direction::LowerIsBetter, spreadOf({8})}};
  const auto comparison = compareRuns({b, a, c}, "a").value();
  EXPECT_EQ(comparison.baseline, 1u);
  ASSERT_EQ(comparison.measures.size(), 3u);
  EXPECT_EQ(comparison.measures[0].normalised, (std::vector<std::optional<double>>{0.5, 1.0, std::nullopt}));
  EXPECT_EQ(comparison.measures[1].normalised[0], std::nullopt) << "nothing is a multiple of zero";
  EXPECT_EQ(comparison.measures[2].values[0].has_value(), false);
  EXPECT_TRUE(comparison.differences.empty()) << "nothing was profiled";
  EXPECT_EQ(compareRuns({a}, "z").error().code, ExitCode::Usage);
  EXPECT_EQ(compareRuns({}, "a").error().code, ExitCode::Usage);
}

TEST(Comparison, BenchmarksBecomeRuns) {
  RunState state;
  const auto bench = [&](const char* mode, const char* what, int repetition, double ms, double joule) {
    const Event e{"bench",
                  1,
                  {{"mode", mode},
                   {"what", what},
                   {"repetition", repetition},
                   {"duration_ms", ms},
                   {"energy_j", joule},
                   {"peak_allocated_bytes", 5e9},
                   {"flops_per_s", 1e13}}};
    EXPECT_TRUE(state.apply(e));
  };
  bench("baseline", "train", 0, 1218, 700);
  bench("opt1", "train", 0, 230, 130);
  bench("baseline", "train", 1, 1220, 702);
  bench("opt1", "train", 1, 232, 131);
  const auto runs = comparedBench(state, "NVIDIA H200");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].name, "baseline · train");
  const ComparedMeasure* duration = runs[1].measure("duration_ms");
  ASSERT_NE(duration, nullptr);
  EXPECT_EQ(duration->spread.count, 2u);
  EXPECT_EQ(duration->spread.median, 231);
  EXPECT_EQ(duration->title, "Time a step");
  EXPECT_EQ(duration->direction, Direction::LowerIsBetter);
  EXPECT_EQ(runs[0].measure("flops_per_s")->direction, Direction::HigherIsBetter);
  EXPECT_EQ(runs[0].measure("peak_allocated_bytes")->unit, "B");
  EXPECT_EQ(runs[0].measure("repetition"), nullptr);
}

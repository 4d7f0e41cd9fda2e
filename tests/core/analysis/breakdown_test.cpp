// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/breakdown.h"
#include "tests/core/analysis/trace_text.h"
#include <gtest/gtest.h>
#include <numeric>

using namespace voxlab;
using C = KernelCategory;

namespace {
Breakdown of(const Trace& trace) {
  return breakDown(trace, KernelIndex(trace));
}

double sumOf(const StepBreakdown& step) {
  return std::accumulate(step.category_ms.begin(), step.category_ms.end(), 0.0) +
         std::accumulate(step.idle_ms.begin(), step.idle_ms.end(), 0.0);
}

double family_ms(const std::vector<KernelRow>& rows, const std::string& family) {
  for (const auto& row : rows)
    if (row.key == family)
      return row.total_ms;
  return 0;
}
} // namespace

TEST(Breakdown, IdleTimeByCause) {
  const Trace t = TraceText()
                      .range("train_step", 0, 10000)
                      .kernel("gemm", 0, 10, 90)    // 10…100
                      .kernel("gemm", 50, 104, 96)  // queued early: 4 µs until it starts are the launch's
                      .kernel("gemm", 230, 238, 62) // 200…230 the host was late; 230…238 launch
                      .range("data", 300, 100)      // 300…400 data
                      .kernel("gemm", 410, 420, 80) // 400…410 host; 410…420 launch
                      .host("cuda_runtime", "cudaStreamSynchronize", 1, 420, 85) // until 505
                      .kernel("gemm", 520, 530, 70)                              // 500…520 after waiting; 520…530 launch
                      .host("overhead", "Activity Buffer Request", 1, 600, 50)
                      .kernel("gemm", 660, 670, 30) // 600…650 profiler; 650…660 host; 660…670 launch
                      .read();
  const StepBreakdown step = of(t).mean;
  const auto idle_us = [&](IdleCause cause) { return step.idle_ms[static_cast<std::size_t>(cause)] * 1000; };
  EXPECT_NEAR(idle_us(IdleCause::Launch), 4 + 8 + 10 + 10 + 10, 1e-6);
  EXPECT_NEAR(idle_us(IdleCause::Host), 30 + 10 + 10, 1e-6);
  EXPECT_NEAR(idle_us(IdleCause::Data), 100, 1e-6);
  EXPECT_NEAR(idle_us(IdleCause::Sync), 20, 1e-6);
  EXPECT_NEAR(idle_us(IdleCause::Profiler), 50, 1e-6);
  EXPECT_NEAR(step.wall_ms, 0.690, 1e-9); // 10…700
  EXPECT_NEAR(step.busy_ms, 0.090 + 0.096 + 0.062 + 0.080 + 0.070 + 0.030, 1e-9);
  EXPECT_NEAR(sumOf(step), step.wall_ms, 1e-9);
  EXPECT_EQ(step.launches, 6u);
}

TEST(Breakdown, OverlappingStreamsAddUpToTheWallClock) {
  const Trace t = TraceText()
                      .range("train_step", 0, 1000)
                      .kernel("xmma_fprop", 0, 10, 100, 1, 7) // 10…110
                      .kernel("silu", 1, 50, 100, 1, 8)       // 50…150: 40 µs of its own
                      .kernel("silu", 2, 60, 10, 1, 9)        // hidden
                      .read();
  const StepBreakdown step = of(t).mean;
  EXPECT_NEAR(step.category_ms[static_cast<std::size_t>(C::ConvolutionForward)], 0.1, 1e-9);
  EXPECT_NEAR(step.category_ms[static_cast<std::size_t>(C::Elementwise)], 0.04, 1e-9);
  EXPECT_NEAR(step.wall_ms, 0.14, 1e-9);
  EXPECT_NEAR(step.kernel_ms, 0.21, 1e-9);
}

TEST(Breakdown, ExternalEventsWithoutALaunchAreUnknownIdle) {
  const Trace t =
      TraceText()
          .event(R"("ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":0,"dur":10,"args":{"device":0,"stream":7})")
          .event(R"("ph":"X","cat":"kernel","name":"b","pid":0,"tid":7,"ts":15,"dur":10,"args":{"device":0,"stream":7})")
          .read();
  EXPECT_NEAR(of(t).idle(IdleCause::Unknown), 0.005, 1e-9);
}

TEST(Breakdown, SpreadOverSteps) {
  TraceText text;
  const double lengths[] = {10, 20, 30, 40};
  for (int i = 0; i < 4; ++i)
    text.range("train_step", 100 * i, 99).kernel("gemm", 100 * i, 100 * i + 5, lengths[i]);
  const Breakdown b = of(text.read());
  EXPECT_NEAR(b.kernel_ms.median, 0.025, 1e-9);
  EXPECT_NEAR(b.kernel_ms.mean, 0.025, 1e-9);
  EXPECT_NEAR(b.kernel_ms.minimum, 0.010, 1e-9);
  EXPECT_NEAR(*b.kernel_ms.standardDeviation, 0.0129099444874, 1e-9); // sqrt((225 + 25 + 25 + 225) / 3) µs
  EXPECT_NEAR(b.wall_ms.maximum, 0.1, 1e-9);
}

// Figures of the recordings: sums of the durations in the files, divided by their two steps.
TEST(Breakdown, RecordedTraces) {
  struct Recorded {
    const char* file;
    double kernel_ms, statistics_ms;
  };
  for (const Recorded& r :
       {Recorded{"trace_baseline_128.json.gz", 1218.34, 34.2}, Recorded{"trace_opt1_128.json.gz", 226.68, 34.2}}) {
    SCOPED_TRACE(r.file);
    const Trace t = readTrace(recorded(r.file)).value();
    const KernelIndex index(t);
    const Breakdown b = breakDown(t, index);
    ASSERT_EQ(b.steps.size(), 2u);
    EXPECT_NEAR(b.mean.kernel_ms, r.kernel_ms, 0.001 * r.kernel_ms);
    for (const auto& step : b.steps) {
      EXPECT_NEAR(sumOf(step), step.wall_ms, 1e-6 * step.wall_ms);
      EXPECT_LT(step.category_ms[static_cast<std::size_t>(C::Other)], 0.02 * step.busy_ms);
      EXPECT_LT(step.idle_ms[static_cast<std::size_t>(IdleCause::Unknown)], 0.001 * step.wall_ms);
    }
    const auto families = kernelRows(t, index, KernelGrouping::Family);
    EXPECT_NEAR(family_ms(families, "GroupNorm statistics") / 2, r.statistics_ms, 0.1);
    if (std::string(r.file).find("baseline") != std::string::npos)
      EXPECT_NEAR(family_ms(families, "xmma wgrad FP32") / 2, 705.5, 0.1);
    else
      EXPECT_EQ(family_ms(families, "xmma wgrad FP32"), 0);
  }
}

TEST(KernelTable, GroupsAndFilters) {
  const Trace t = TraceText()
                      .range("train_step", 0, 100)
                      .range("forward", 0, 50)
                      .range("a.b", 0, 20)
                      .op("aten::bmm", 1, 15)
                      .kernel("sgemm_1", 2, 30, 10)
                      .kernel("sgemm_1", 4, 40, 20)
                      .range("a.bc", 22, 20)
                      .op("aten::silu", 23, 15)
                      .kernel("silu", 24, 60, 5)
                      .read();
  const KernelIndex index(t);
  const auto kernels = kernelRows(t, index, KernelGrouping::Kernel);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].calls, 2u);
  EXPECT_NEAR(kernels[0].total_ms, 0.030, 1e-12);
  EXPECT_NEAR(kernels[0].mean_ms(), 0.015, 1e-12);
  EXPECT_NEAR(kernels[0].minimum_ms, 0.010, 1e-12);
  EXPECT_NEAR(kernels[0].maximum_ms, 0.020, 1e-12);
  EXPECT_NEAR(kernels[0].share, 30.0 / 35, 1e-12);
  EXPECT_EQ(kernels[0].operatorName, "aten::bmm");
  EXPECT_EQ(kernels[0].shape->block[0], 128u);
  EXPECT_EQ(t.gpu[kernels[0].example].duration_ns, 20000);
  EXPECT_EQ(kernelRows(t, index, KernelGrouping::Module).at(0).key, "a.b");
  EXPECT_EQ(kernelRows(t, index, KernelGrouping::Phase).at(0).key, "forward");
  const auto calls = [&](EventFilter filter) {
    std::uint64_t sum = 0;
    for (const auto& row : kernelRows(t, index, KernelGrouping::Category, filter))
      sum += row.calls;
    return sum;
  };
  EventFilter filter;
  filter.module = "a.b";
  EXPECT_EQ(calls(filter), 2u) << "a.bc is not below a.b";
  filter.module = "a";
  EXPECT_EQ(calls(filter), 3u);
  filter = {};
  filter.text = "SILU";
  EXPECT_EQ(calls(filter), 1u);
  filter = {};
  filter.categories = {C::MatrixProduct};
  EXPECT_EQ(calls(filter), 2u);
  filter = {};
  filter.time_ns = {{0, 35000}};
  EXPECT_EQ(calls(filter), 1u);
  filter = {};
  filter.phase = Phase::Backward;
  EXPECT_EQ(calls(filter), 0u);
  filter = {};
  filter.step = 1;
  EXPECT_EQ(calls(filter), 0u);
}

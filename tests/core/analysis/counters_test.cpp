// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/counters.h"
#include "core/analysis/profile.h"
#include "core/base/json.h"
#include "tests/core/analysis/trace_text.h"
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
NcuReport recordedReport() {
  return readNcuReport({recorded("ncu_raw_opt1_128.csv.gz"), recorded("ncu_details_opt1_128.csv.gz")}).value();
}

const char* kSmall = R"csv("ID","Kernel Name","Block Size","Grid Size","gpu__time_duration.sum","smsp__inst_executed.sum","lts__t_sector_hit_rate.pct","smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio","launch__occupancy_limit_registers","launch__occupancy_limit_warps","launch__occupancy_limit_blocks"
"","","","","us","inst","%","inst","block","block","block"
"0","void at::<unnamed>::RowwiseMomentsCUDAKernel<float>(long)","(128, 1, 1)","(4, 2, 1)","10","1,000","20","3","4","8","32"
"1","silu_kernel","(128, 1, 1)","(4, 2, 1)","30","3,000","60","1","16","8","32"
)csv";

NcuReport small() {
  NcuReport report;
  auto source = byteSourceFromText(kSmall, "small");
  EXPECT_TRUE(addNcuPage(report, *source));
  return report;
}
} // namespace

TEST(Counters, SumsAndWeightedRatesByHand) {
  const auto a = aggregateCounters(small());
  EXPECT_DOUBLE_EQ(*a[Counter::Duration], 40e-6);
  EXPECT_DOUBLE_EQ(*a[Counter::Instructions], 4000);
  EXPECT_DOUBLE_EQ(*a[Counter::L2Hit], (20.0 * 10 + 60.0 * 30) / 40);
  EXPECT_EQ(a[Counter::DramRead], std::nullopt);
  ASSERT_EQ(a.stalls.size(), 1u);
  EXPECT_DOUBLE_EQ(a.stalls[0].perIssue, (3.0 * 1000 + 1.0 * 3000) / 4000);
  EXPECT_EQ(a.coverage, std::nullopt);
}

TEST(Counters, TheLimiterIsTheSmallestLimit) {
  const NcuReport report = small();
  EXPECT_EQ(occupancyLimiter(report, report.launches[0]), "registers");
  EXPECT_EQ(occupancyLimiter(report, report.launches[1]), "warps");
}

// Kineto's 0 is its "I could not tell", and what it does tell is no theory: counters of the kernel know both.
TEST(Counters, OccupancyIsMeasuredOrEstimatedOrUnknown) {
  TraceText text;
  text.range("train_step", 0, 1000);
  for (const auto& [correlation, estimate] : {std::pair(70, "0"), std::pair(71, "6")}) {
    const std::string number = std::to_string(correlation);
    text.host("cuda_runtime", "cudaLaunchKernel", 1, correlation, 1, R"("correlation":)" + number);
    text.event(R"("ph":"X","cat":"kernel","name":"kernel)" + number + R"(","pid":0,"tid":7,"ts":)" + number + R"(0,"dur":5,"args":{"device":0,"stream":7,"grid":[4,2,1],"block":[128,1,1],"est. achieved occupancy %":)" + estimate + R"(,"correlation":)" + number + "}");
  }
  const Trace trace = text.read();
  ASSERT_EQ(trace.gpu.size(), 2u);
  EXPECT_EQ(trace.launchShapes[trace.gpu[0].shape].occupancy_percent, -1);
  EXPECT_EQ(trace.launchShapes[trace.gpu[1].shape].occupancy_percent, 6);
  NcuReport report;
  NcuLaunch launch;
  launch.kernel = "kernel71";
  launch.values = {{report.metrics.intern("gpu__time_duration.sum"), 5e-6}, {report.metrics.intern("sm__maximum_warps_per_active_cycle_pct"), 100.0}, {report.metrics.intern("sm__warps_active.avg.pct_of_peak_sustained_active"), 25.0}};
  report.launches.push_back(launch);
  auto rows = kernelRows(trace, KernelIndex(trace), KernelGrouping::Kernel);
  std::vector<KernelRow*> pointers;
  for (KernelRow& row : rows)
    pointers.push_back(&row);
  addOccupancy(pointers, report);
  for (const KernelRow& row : rows) {
    EXPECT_EQ(row.achievedOccupancy_percent.value_or(-1), row.key == "kernel71" ? 25 : -1) << row.key;
    EXPECT_EQ(row.theoreticalOccupancy_percent.value_or(-1), row.key == "kernel71" ? 100 : -1) << row.key;
  }
}

// Two steps; a step launches the norm twice (100 µs each in the trace) and another kernel, which has no counters, once.
TEST(Counters, OverAStepOfATrace) {
  TraceText text;
  for (int step = 0; step < 2; ++step) {
    const double t = 1000 * step;
    text.range("train_step", t, 900);
    text.kernel("void at::native::(anonymous namespace)::RowwiseMomentsCUDAKernel<float>(long, float)", t, t + 10, 100);
    text.kernel("void at::native::(anonymous namespace)::RowwiseMomentsCUDAKernel<float>(long, float)", t + 2, t + 110, 100);
    text.kernel("sgemm_nn", t + 4, t + 210, 50);
  }
  const Trace trace = text.read();
  const auto a = aggregateCounters(small(), trace, KernelIndex(trace));
  EXPECT_DOUBLE_EQ(*a[Counter::Instructions], 2 * 1000);
  EXPECT_DOUBLE_EQ(*a[Counter::L2Hit], 20);
  EXPECT_EQ(a.launches, 2u);
  EXPECT_EQ(a.collected, 1u);
  EXPECT_DOUBLE_EQ(*a.coverage, 200.0 / 250);
  EXPECT_TRUE(a.partial());
}

// One grid for work of any size: launches of 10 and 30 µs, and counters of one that took 10 µs. They amount to four of those.
// A range takes one of two launches and a half of the other: one and a half launches' instructions.
TEST(Counters, ATimeRangeCutsALaunchWithItsCounters) {
  TraceText text;
  text.range("train_step", 0, 900);
  for (const double start : {10, 110})
    text.kernel("void at::native::(anonymous namespace)::RowwiseMomentsCUDAKernel<float>(long, float)", start / 10, start, 100);
  const Trace trace = text.read();
  EventFilter range;
  range.time_ns = {trace.gpu[0].start_ns + 50'000, trace.gpu[1].end_ns()};
  const auto a = aggregateCounters(small(), trace, KernelIndex(trace), range);
  EXPECT_DOUBLE_EQ(*a[Counter::Instructions], 1.5 * 1000);
  EXPECT_EQ(a.launches, 2u) << "that reach into it";
}

TEST(Counters, LaunchesOfDifferentLengthCountByTheirTime) {
  TraceText text;
  text.range("train_step", 0, 900);
  text.kernel("void at::native::(anonymous namespace)::RowwiseMomentsCUDAKernel<float>(long, float)", 0, 10, 10);
  text.kernel("void at::native::(anonymous namespace)::RowwiseMomentsCUDAKernel<float>(long, float)", 20, 30, 30);
  const Trace trace = text.read();
  const auto a = aggregateCounters(small(), trace, KernelIndex(trace));
  EXPECT_DOUBLE_EQ(*a[Counter::Instructions], 4 * 1000);
  EXPECT_NEAR(*a[Counter::Duration], 40e-6, 1e-12);
  EXPECT_EQ(a.launches, 2u);
}

// Two launches of one kernel and grid were counted, of 10 and 30 µs, with 20 and 60 % L2 hits: rates count by their own time.
TEST(Counters, SeveralCountedLaunchesOfAGridCountByTheirOwnTime) {
  NcuReport report = small();
  report.launches[1].kernel = report.launches[0].kernel;
  TraceText text;
  text.range("train_step", 0, 900);
  for (const double start : {10.0, 40.0})
    text.kernel("void at::native::(anonymous namespace)::RowwiseMomentsCUDAKernel<float>(long, float)", start - 5, start, 20);
  const Trace trace = text.read();
  const auto a = aggregateCounters(report, trace, KernelIndex(trace));
  EXPECT_DOUBLE_EQ(*a[Counter::L2Hit], (20.0 * 10 + 60.0 * 30) / 40);
  EXPECT_NEAR(*a[Counter::Duration], 40e-6, 1e-12);
}

TEST(Counters, TheRecordedCountersLastAsLongAsTheKernelsThatTheyStandFor) {
  const auto profile = loadProfile(profileSourcesOf(RunDirectory(sourceFolder() / "resources" / "examples" / "opt12")).front());
  ASSERT_TRUE(profile) << profile.error().message;
  const auto a = aggregateCounters((*profile)->counters, (*profile)->trace, (*profile)->index);
  EXPECT_NEAR(*a[Counter::Duration] * 1e3, *a.coverage * (*profile)->breakdown.mean.kernel_ms, 0.01 * (*profile)->breakdown.mean.kernel_ms);
}

TEST(Counters, KeysIgnoreSpelling) {
  EXPECT_EQ(kernelKey("void at::<unnamed>::RowwiseMomentsCUDAKernel<float>(long, T1, const T1 *)"),
            kernelKey("void at::native::(anonymous namespace)::RowwiseMomentsCUDAKernel<float>(long, float, float const*)"));
  EXPECT_EQ(kernelKey("void at::vectorized_elementwise_kernel<4, at::CUDAFunctor_add<float>, std::array<char *, 3>>(int, T2, T3)"),
            kernelKey("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, "
                      "3ul> >(int, at::native::CUDAFunctor_add<float>)"));
  EXPECT_NE(kernelKey("void at::elementwise_kernel<128, 2, at::CUDAFunctor_add<float>>(int)"),
            kernelKey("void at::vectorized_elementwise_kernel<4, at::CUDAFunctor_add<float>>(int)"));
}

// Against sums and weighted means that reference_counters.py takes from the same files.
TEST(Counters, RecordedAggregates) {
  const auto reference = readJsonFile(recorded("ncu_reference.json")).value();
  const auto a = aggregateCounters(recordedReport());
  EXPECT_EQ(a.launches, reference.at("launches"));
  std::size_t checked = 0;
  for (const char* kind : {"sums", "rates"}) {
    for (const auto& [metric, value] : reference.at(kind).items()) {
      for (const auto& row : counterTable()) {
        if (row.metric != metric)
          continue;
        ASSERT_TRUE(a[row.counter]) << metric;
        EXPECT_NEAR(*a[row.counter], value.get<double>(), 1e-9 * value.get<double>()) << metric;
        ++checked;
      }
    }
  }
  EXPECT_EQ(checked, reference.at("sums").size() + reference.at("rates").size());
}

// Launches 72, 84 and 92 are one kernel (xmma fprop TF32 64x128x32): 57.440, 94.784 and 22.592 µs, L2 hits 92.952587, 94.010585 and
// 63.224678 %, 9 403 726, 17 205 226 and 2 312 220 instructions.
TEST(Counters, OneKernelOfTheRecordingByHand) {
  NcuReport report = recordedReport();
  std::erase_if(report.launches, [](const NcuLaunch& l) { return l.id != 72 && l.id != 84 && l.id != 92; });
  const auto a = aggregateCounters(report);
  EXPECT_NEAR(*a[Counter::Duration], 174.816e-6, 1e-12);
  EXPECT_DOUBLE_EQ(*a[Counter::Instructions], 9403726 + 17205226 + 2312220);
  EXPECT_NEAR(*a[Counter::L2Hit], (57.440 * 92.952587 + 94.784 * 94.010585 + 22.592 * 63.224678) / 174.816, 1e-9);
  EXPECT_EQ(occupancyLimiter(report, report.launches[0]), "registers");
  EXPECT_DOUBLE_EQ(*a[Counter::TheoreticalOccupancy], 18.75);
}

// The raw page says 18 985 408 359 FP16 thread instructions and 593 295 940 warp instructions of the tensor pipe: 32 × 593 295 940 =
// 18 985 470 080. In no kernel are there more FP16's than 32 times those of the tensor pipe: none are left, as is right of a TF32 mode. Of the pipe's,
// 545 937 152 are of kernels that compute products (reference_counters.py).
TEST(Counters, TensorInstructionsAreNoFp16Instructions) {
  const NcuReport report = recordedReport();
  double raw = 0;
  for (const auto& launch : report.launches)
    raw += report.value(launch, counterInfo(Counter::InstructionsFp16).metric).value_or(0);
  EXPECT_DOUBLE_EQ(raw, 18'985'408'359.0);
  const auto a = aggregateCounters(report);
  EXPECT_DOUBLE_EQ(*a[Counter::TensorInstructions], 545'937'152.0);
  EXPECT_DOUBLE_EQ(*a[Counter::InstructionsTensor], 32 * 545'937'152.0);
  EXPECT_DOUBLE_EQ(*a[Counter::InstructionsFp16], 0);
}

// The recording's launch 17 adds two tensors: 4 194 304 of its instructions run in the tensor pipe, which is busy for 2.17 % of its time, and none
// is a product. Launch 72 is a convolution.
TEST(Counters, WithoutProductsNothingIsATensorInstruction) {
  const NcuReport report = recordedReport();
  const NcuLaunch &add = *report.find(17), &convolution = *report.find(72);
  EXPECT_EQ(report.value(add, "smsp__inst_executed_pipe_tensor.sum"), 4194304.0);
  EXPECT_EQ(counterValue(report, add, Counter::TensorInstructions), 0.0);
  EXPECT_EQ(counterValue(report, add, Counter::InstructionsTensor), 0.0);
  EXPECT_EQ(counterValue(report, add, Counter::InstructionsFp16), 0.0);
  EXPECT_EQ(counterValue(report, add, Counter::TensorPipe), 0.0);
  EXPECT_EQ(counterValue(report, convolution, Counter::TensorInstructions), report.value(convolution, "smsp__inst_executed_pipe_tensor.sum"));
}

// 10 000 FP16 and tensor thread instructions with 100 tensor warp instructions: 10 000 − 32 × 100 = 6 800 are FP16's own.
TEST(Counters, Fp16IsWhatIsLeftOfTensorInstructions) {
  NcuReport report;
  NcuLaunch launch;
  launch.values.emplace_back(report.metrics.intern("smsp__sass_thread_inst_executed_op_fp16_pred_on.sum"), 10000.0);
  EXPECT_EQ(counterValue(report, launch, Counter::InstructionsFp16), std::nullopt) << "nothing says what of it is the tensor pipe's";
  launch.values.emplace_back(report.metrics.intern("smsp__inst_executed_pipe_tensor.sum"), 100.0);
  EXPECT_EQ(counterValue(report, launch, Counter::InstructionsFp16), 6800.0);
  EXPECT_EQ(counterValue(report, launch, Counter::InstructionsTensor), 3200.0);
}

TEST(Counters, EveryCounterHasARow) {
  EXPECT_EQ(counterTable().size() + 1, static_cast<std::size_t>(Counter::Count));
  for (const auto& row : counterTable())
    EXPECT_EQ(counterInfo(row.counter).name, row.name);
}

// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/device_peaks.h"
#include "core/analysis/precision_audit.h"
#include "core/analysis/priority.h"
#include "core/analysis/profile.h"
#include "core/base/json.h"
#include "tests/core/analysis/trace_text.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <map>

using namespace voxlab;

namespace {
NcuReport recordedReport() {
  return readNcuReport({recorded("ncu_raw_opt1_128.csv.gz"), recorded("ncu_details_opt1_128.csv.gz")}).value();
}

std::vector<PriorityItem> rankOnH200(const Trace& trace, const NcuReport* report = nullptr) {
  const KernelIndex index(trace);
  const OperatorBounds bounds(trace, index, *devicePeaks("NVIDIA H200"));
  return rankPriorities(trace, index, &bounds, report);
}

// Of several with this short name the one with the highest score.
const PriorityItem* find(const std::vector<PriorityItem>& items, const std::string& title) {
  for (const auto& item : items)
    if (item.title == title || item.title.starts_with(title + " · ") || item.title.starts_with(title + " #"))
      return &item;
  return nullptr;
}
} // namespace

// Against reference_counters.py.
TEST(Priority, TheTenHighestOfTheRecording) {
  const auto reference = readJsonFile(recorded("ncu_reference.json")).value().at("priorities");
  const auto items = rankPriorities(recordedReport());
  ASSERT_GE(items.size(), reference.size());
  for (std::size_t i = 0; i < reference.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(items[i].key, reference[i].at("kernel"));
    EXPECT_EQ(items[i].launches, reference[i].at("launches"));
    EXPECT_NEAR(items[i].time_ms, reference[i].at("time_ms"), 1e-9);
    EXPECT_NEAR(items[i].share, reference[i].at("share"), 1e-9);
    EXPECT_NEAR(items[i].saving, reference[i].at("saving"), 1e-9);
    EXPECT_NEAR(items[i].score(), reference[i].at("score"), 1e-9);
    EXPECT_FALSE(items[i].reason.empty());
    EXPECT_EQ(items[i].source, PrioritySource::Counters);
  }
}

// Launches 72, 84 and 92: 57.440, 94.784 and 22.592 µs of 21.01024 ms. Largest global estimates: 47.99 %
// (TheoreticalOccupancy), 33.18 % (CPIStall), 66.81 % (TheoreticalOccupancy). Saved: 27.565 + 31.449 + 15.094 = 74.108 µs.
TEST(Priority, OneKernelByHand) {
  const auto items = rankPriorities(recordedReport());
  const PriorityItem* item = find(items, "xmma fprop TF32 64x128x32 nhwc");
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->launches, 3u);
  const double saved_us = 57.440 * 0.4799 + 94.784 * 0.3318 + 22.592 * 0.6681;
  EXPECT_NEAR(item->saved_ms() * 1e3, saved_us, 1e-6);
  EXPECT_NEAR(item->saving, saved_us / 174.816, 1e-9);
  EXPECT_NEAR(item->share, 0.174816 / 21.01024, 1e-9);
  EXPECT_NEAR(item->score(), saved_us / 21010.24, 1e-9);
}

// A large product on an H200 in FP32: 2 × 4096³ = 137.4 GFLOP at 67 TFLOP/s are 2.0513 ms; it takes 4 ms, so 48.7 % could be saved.
TEST(Priority, WithoutCountersTheBoundDecides) {
  TraceText text;
  text.event(R"("ph":"M","name":"none","pid":0,"tid":0,"args":{})");
  text.range("train_step", 0, 10000)
      .op("aten::mm", 0, 50, 1,
          R"("Input Dims":[[4096,4096],[4096,4096]],"Input type":["float","float"],"Concrete Inputs":["",""])");
  text.kernel("cutlass_80_simt_sgemm_256x128_8x4_nn_align1", 1, 10, 4000)
      .kernel("nchwToNhwcKernel<float>", 3, 4010, 1000)
      .kernel("mystery", 200, 5010, 1000);
  const Trace trace = text.read();
  const auto items = rankOnH200(trace);
  const PriorityItem* gemm = find(items, "CUTLASS gemm FP32 256x128_8x4_nn_align1");
  ASSERT_NE(gemm, nullptr);
  const double bound_ms = 2 * 4096.0 * 4096 * 4096 / 67e12 * 1e3;
  EXPECT_NEAR(gemm->saving, 1 - bound_ms / 4, 1e-9) << "the conversion within the operator is held against nothing but itself";
  EXPECT_NEAR(gemm->share, 4.0 / 6, 1e-9) << "of the step, which runs from 10 µs to the last kernel's end at 6010 µs";
  EXPECT_EQ(gemm->source, PrioritySource::Analytic);
  EXPECT_NE(gemm->reason.find("tensor cores"), std::string::npos) << gemm->reason;
  const PriorityItem* conversion = find(items, "NCHW → NHWC fp32");
  ASSERT_NE(conversion, nullptr);
  EXPECT_EQ(conversion->saving, 1);
  const PriorityItem* mystery = find(items, "mystery");
  ASSERT_NE(mystery, nullptr);
  EXPECT_EQ(mystery->saving, 0);
  EXPECT_EQ(mystery->source, PrioritySource::Unknown);
}

// One denominator: a step of 100 µs from its first kernel to the next step's first, in which a conversion takes 20 µs and a product 40. The
// conversion, of which everything could go, is 20 % of the step and scores 0.2 (of the kernels' time it would be 33 %); the audit says the same.
TEST(Priority, SharesAreOfTheStepsWallTime) {
  TraceText text;
  for (const double t : {0.0, 100.0})
    text.range("train_step", t, 90).kernel("nchwToNhwcKernel<float>", t + 1, t + 10, 20).kernel("sgemm", t + 3, t + 30, 40).kernel("mystery", t + 50, t + 109, 1);
  Trace trace = text.read();
  ASSERT_EQ(trace.steps.size(), 2u);
  EXPECT_EQ(trace.steps[0].duration_ns(), 100'000);
  EXPECT_EQ(trace.steps[1].duration_ns(), 100'000);
  const auto items = rankOnH200(trace);
  EXPECT_EQ(items[0].category, KernelCategory::LayoutConversion);
  EXPECT_NEAR(items[0].share, 0.2, 1e-9);
  EXPECT_NEAR(items[0].score(), 0.2, 1e-9);
  EXPECT_NEAR(auditPrecision(trace, KernelIndex(trace), Precision::Fp32).layout.share, 0.2, 1e-9);
}

// fused_bf16, as recorded: its longest kernel takes 14.98 ms of a step of 45.59 ms.
TEST(Priority, OfTheFusedExample) {
  const auto profile = loadProfile(profileSourcesOf(RunDirectory(sourceFolder() / "resources" / "examples" / "fused_bf16")).front());
  ASSERT_TRUE(profile) << profile.error().message;
  const auto& p = **profile;
  const auto items = rankPriorities(p.trace, p.index, &*p.bounds, nullptr);
  const auto longest = std::max_element(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.time_ms < b.time_ms; });
  EXPECT_TRUE(longest->title.starts_with("Voxlab convolution")) << longest->title;
  EXPECT_NEAR(longest->share, longest->time_ms / 45.592, 1e-4);
  EXPECT_NEAR(longest->share, 14.98 / 45.592, 2e-4);
}

TEST(Priority, RecordedTraceRanksGroupNormStatisticsFirst) {
  const Trace trace = readTrace(recorded("trace_opt1_128.json.gz")).value();
  const auto analytic = rankOnH200(trace);
  EXPECT_EQ(analytic[0].title, "GroupNorm statistics fp32");
  // A step takes 235.29 ms of wall time: 34.187 ms are 14.5 % of it.
  EXPECT_NEAR(analytic[0].share, 34.187 / stepWall_ms({}, trace), 1e-5);
  const NcuReport report = recordedReport();
  const auto counted = rankOnH200(trace, &report);
  EXPECT_EQ(counted[0].title, "GroupNorm statistics fp32");
  EXPECT_EQ(counted[0].source, PrioritySource::Counters);
}

// 64 → 64 channels, 3³, at 128³: 463.9 GFLOP for either gradient. Its data gradient takes 18.39 ms in the recording, its weight gradient 58.78 ms.
// No shape has half of the time: the words tell of all shapes together, which come near those of this one.
TEST(Priority, EitherGradientOfAConvolutionIsHeldAgainstItsOwnTime) {
  const Trace trace = readTrace(recorded("trace_baseline_128.json.gz")).value();
  const auto items = rankOnH200(trace);
  ASSERT_GE(items.size(), 2u);
  EXPECT_EQ(items[0].title, "xmma wgrad FP32 32x32x8 nhwc");
  EXPECT_NE(items[0].reason.find("The weight gradient of aten::convolution_backward reaches 13 % of the vendor's FP32 arithmetic (8.46 TFLOP/s"), std::string::npos) << items[0].reason;
  EXPECT_EQ(items[1].title, "xmma dgrad FP32 32x32x8 nchw");
  EXPECT_NE(items[1].reason.find("The data gradient of aten::convolution_backward reaches 37 % of the vendor's FP32 arithmetic (24.9 TFLOP/s"), std::string::npos) << items[1].reason;
  EXPECT_NEAR(463.9e9 / 18.39e-3 / 1e12, 25.2, 0.05);
  EXPECT_NEAR(463.9e9 / 58.78e-3 / 1e12, 7.89, 0.01);
}

// A kernel that serves operators of many shapes has the reason of those that take most of its time, and says how much that is.
TEST(Priority, TheReasonIsThatOfMostOfTheTime) {
  const Trace trace = readTrace(recorded("trace_baseline_128.json.gz")).value();
  const auto items = rankOnH200(trace);
  ASSERT_GE(items.size(), 3u);
  EXPECT_NE(items[0].title.find("wgrad"), std::string::npos);
  EXPECT_EQ(items[0].reason.find("reaches 1.5 %"), std::string::npos) << items[0].reason;
  for (const PriorityItem& item : items) {
    if (item.title.find("xmma fprop FP32 256x64x8") == std::string::npos || item.share < 0.05)
      continue;
    EXPECT_NE(item.reason.find("FP32 arithmetic"), std::string::npos) << item.reason; // most of it is bound by arithmetic, at 65 %
    EXPECT_NE(item.reason.find("That holds for"), std::string::npos) << item.reason;
  }
}

// Sampling's fp32 silu of OPT12: nearly all its time runs at the memory's speed. A small tensor far from it, whose saving is the largest, is no headline.
TEST(Priority, ASliverOfTheTimeIsNoHeadline) {
  for (const char* name : {"baseline", "opt1", "opt2", "opt12", "fused_bf16"}) {
    for (const auto& source : profileSourcesOf(RunDirectory(sourceFolder() / "resources" / "examples" / name))) {
      const auto profile = loadProfile(source);
      ASSERT_TRUE(profile) << profile.error().message;
      const auto& p = **profile;
      for (const PriorityItem& item : rankPriorities(p.trace, p.index, &*p.bounds, nullptr)) {
        const auto at = item.reason.find("That holds for ");
        if (at == std::string::npos || item.saving == 0)
          continue;
        EXPECT_TRUE(std::stod(item.reason.substr(at + 15)) >= 50 || item.reason.starts_with("No one reason")) << name << ": " << item.title << ": " << item.reason;
      }
      const auto items = rankPriorities(p.trace, p.index, &*p.bounds, nullptr);
      for (const PriorityItem& item : items) {
        EXPECT_FALSE(item.title.starts_with("silu fp32") && item.time_ms > 1 && item.reason.find("too little work") != std::string::npos) << item.reason;
      }
    }
  }
}

// One kernel, three shapes of one operator of 3, 3 and 4 µs: none has half the time. Together they move 3 × 8000 B in 10 µs.
TEST(Priority, ShapesThatShareTheTimeAreToldOfTogether) {
  TraceText text;
  text.range("train_step", 0, 10000);
  const auto inputs = [](int count) { return R"("Input Dims":[[)" + std::to_string(count) + R"(],[]],"Input type":["float","Scalar"],"Concrete Inputs":["","2"])"; };
  text.op("aten::mul", 0, 50, 1, inputs(1'000'000)).kernel("mul_elementwise_kernel", 1, 10, 3);
  text.op("aten::mul", 60, 50, 1, inputs(1'000'001)).kernel("mul_elementwise_kernel", 61, 70, 3);
  text.op("aten::mul", 120, 50, 1, inputs(1'000'002)).kernel("mul_elementwise_kernel", 121, 130, 4);
  const auto items = rankOnH200(text.read());
  ASSERT_EQ(items.size(), 1u);
  EXPECT_TRUE(items[0].reason.starts_with("Over 3 shapes: aten::mul reaches 56 % of the measured memory bandwidth (2.40 TB/s of 4.30 TB/s).")) << items[0].reason;
  EXPECT_NEAR(items[0].saving, 1 - 24.000024e6 / 4.3e12 / 10e-6, 1e-6);
}

// GroupNorm of 64 channels at 128³, five times a step: x is 64 × 128³ × 4 B = 536.87 MB. The statistics read x: 5 × 536.87 MB in 16.424 ms, 163 GB/s.
// Applying them reads x and writes y: 10 × 536.87 MB in 2.0133 ms, 2.67 TB/s. The H200's memory does 4.3 TB/s: 3.8 % and 62 %.
// No shape has half of the time: the words tell of all shapes together, which come near those of this one.
TEST(Priority, EitherPassOfGroupNormIsHeldAgainstItsOwnTime) {
  const Trace trace = readTrace(recorded("trace_opt1_128.json.gz")).value();
  const auto items = rankOnH200(trace);
  const double x_bytes = 64.0 * 128 * 128 * 128 * 4;
  EXPECT_NEAR(5 * x_bytes / 16.424e-3, 163e9, 0.5e9);
  EXPECT_NEAR(10 * x_bytes / 2.0133e-3, 2.67e12, 0.005e12);
  const PriorityItem* statistics = find(items, "GroupNorm statistics fp32");
  ASSERT_NE(statistics, nullptr);
  EXPECT_NE(statistics->reason.find("The statistics pass of aten::native_group_norm reaches 3.8 % of the measured memory bandwidth (164 GB/s of"), std::string::npos) << statistics->reason;
  EXPECT_NEAR(statistics->saving, 1 - 163.5e9 / 4.3e12, 0.002);
  const PriorityItem* apply = find(items, "GroupNorm apply fp32");
  ASSERT_NE(apply, nullptr);
  EXPECT_NE(apply->reason.find("The apply pass of aten::native_group_norm reaches 62 % of the measured memory bandwidth (2.65 TB/s of"), std::string::npos) << apply->reason;
  EXPECT_NEAR(apply->saving, 1 - 2.667e12 / 4.3e12, 0.03) << "smaller tensors have rates of their own";
}

// Backward, the same tensors: the sums read x and dy (10 × 536.87 MB in 8.705 ms, 617 GB/s, 14 %), the input's gradient reads both and is written
// (15 × 536.87 MB in 2.5435 ms and 7 µs of a small kernel of the same name, 3.16 TB/s, 73 %).
TEST(Priority, EitherPassOfGroupNormBackwardIsHeldAgainstItsOwnTime) {
  const Trace trace = readTrace(recorded("trace_opt1_128.json.gz")).value();
  const auto items = rankOnH200(trace);
  const double x_bytes = 64.0 * 128 * 128 * 128 * 4;
  EXPECT_NEAR(10 * x_bytes / 8.705e-3, 617e9, 0.5e9);
  EXPECT_NEAR(15 * x_bytes / (2.5435e-3 + 7e-6), 3.16e12, 0.005e12);
  const PriorityItem* sums = find(items, "GroupNorm gradient sums fp32");
  ASSERT_NE(sums, nullptr);
  EXPECT_NE(sums->reason.find("The gradient-sum pass of aten::native_group_norm_backward reaches 14 % of the measured memory bandwidth (617 GB/s of"), std::string::npos) << sums->reason;
  const PriorityItem* gradient = find(items, "GroupNorm input gradient fp32");
  ASSERT_NE(gradient, nullptr);
  EXPECT_NE(gradient->reason.find("The input-gradient pass of aten::native_group_norm_backward reaches 73 % of the measured memory bandwidth"), std::string::npos) << gradient->reason;
  const PriorityItem* coefficients = find(items, "GroupNorm coefficients fp32");
  ASSERT_NE(coefficients, nullptr);
  EXPECT_EQ(coefficients->saving, 0);
  EXPECT_EQ(coefficients->reason, "Works on a value or two a channel, too little to be held against a bound.");
}

// Three launches of one kernel, 74, 20 and 6 µs: no rule estimates anything for the first, "A" 30 % of the second, "B" 90 % of the third.
// Saved: 6.0 µs by A, 5.4 µs by B, 11.4 of 100 µs. A gives most of it, for 20 % of the time.
TEST(Priority, TheReasonIsThatOfTheLaunchesThatGiveTheSaving) {
  NcuReport report;
  const NameId duration = report.metrics.intern("gpu__time_duration.sum");
  const auto add = [&](double duration_us, const std::string& rule, double speedup_percent) {
    NcuLaunch launch;
    launch.kernel = "someKernel";
    launch.values.emplace_back(duration, duration_us / 1e6);
    if (!rule.empty())
      launch.rules.push_back({"Section", rule, "OPT", "Advice " + rule + ".", "global", speedup_percent});
    report.launches.push_back(launch);
  };
  add(74, "", 0);
  add(20, "A", 30);
  add(6, "B", 90);
  auto items = rankPriorities(report);
  ASSERT_EQ(items.size(), 1u);
  EXPECT_NEAR(items[0].saving, 0.114, 1e-9);
  EXPECT_EQ(items[0].reason, "Advice A. That holds for 20 % of its time; for 74 % no rule estimates a speed-up.");
  report.launches.resize(1);
  items = rankPriorities(report);
  EXPECT_EQ(items[0].saving, 0);
  EXPECT_EQ(items[0].reason, "No rule estimates a speed-up.");
}

// The raw page has no rules. Memory at 62.5 % of its peak and the SM at 10 %: 37.5 % of the time could go at best.
TEST(Priority, WithoutRulesTheBusierOfSmAndMemoryTells) {
  NcuReport report;
  NcuLaunch launch;
  launch.kernel = "someKernel";
  for (const auto& [metric, value] : {std::pair("gpu__time_duration.sum", 1e-3), {"sm__throughput.avg.pct_of_peak_sustained_elapsed", 10.0}, {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", 62.5}})
    launch.values.emplace_back(report.metrics.intern(metric), value);
  report.launches.push_back(launch);
  auto items = rankPriorities(report);
  ASSERT_EQ(items.size(), 1u);
  EXPECT_DOUBLE_EQ(items[0].saving, 0.375);
  EXPECT_EQ(items[0].source, PrioritySource::Counters);
  EXPECT_EQ(items[0].reason, "Memory works at 63 % of its peak, the SM at 10 %. No rule was read that says what holds it up; they stand in the details page.");
  EXPECT_EQ(gainful(items), 1u);
  report.launches[0].values.resize(1);
  items = rankPriorities(report);
  EXPECT_EQ(items[0].reason, "No rule estimates a speed-up.");
  EXPECT_EQ(gainful(items), 0u);
}

TEST(Priority, AReasonNeverDeniesASaving) {
  const Trace trace = readTrace(recorded("trace_opt1_128.json.gz")).value();
  const NcuReport report = recordedReport();
  for (const auto& items : {rankPriorities(report), rankOnH200(trace, &report), rankOnH200(trace)})
    for (const PriorityItem& item : items)
      EXPECT_FALSE(item.saving > 0 && (item.reason.starts_with("No rule") || item.reason.ends_with("is not known to this program."))) << item.title << ": " << item.reason;
}

// One kernel of this program convolves forward (6 µs) and, in a fused layer's backward function, for the data gradient (4 µs): the item is called by
// what takes most of its time. Calls of a few microseconds far from their bound are told to be too short: 2 µs for 2 × 4 × 1000 B, whose bound is 1.9 ns.
TEST(Priority, NamedByMostOfTheTimeAndShortCallsAreToldOf) {
  const std::string inputs = R"("Input Dims":[[1,64,4,4,4],[64,64,3,3,3]],"Input type":["c10::BFloat16","float"],"Concrete Inputs":["",""])";
  TraceText text;
  text.range("train_step", 0, 10000);
  text.op("voxlab::wide_convolution", 0, 50, 1, inputs).kernel("voxlab::device::wideConvolutionKernel<voxlab::BFloat16>", 1, 10, 6);
  text.op("autograd::engine::evaluate_function: torch::autograd::CppNode<voxlab::fused::ConvolveFunction>", 60, 90)
      .op("voxlab::wide_convolution", 61, 50, 1, inputs)
      .kernel("voxlab::device::wideConvolutionKernel<voxlab::BFloat16>", 62, 70, 4);
  text.op("aten::mul", 200, 50, 1, R"("Input Dims":[[1000],[]],"Input type":["float","Scalar"],"Concrete Inputs":["","2"])").kernel("mul_elementwise_kernel", 201, 210, 2);
  const auto items = rankOnH200(text.read());
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0].title, "Voxlab convolution BF16");
  EXPECT_EQ(items[0].category, KernelCategory::ConvolutionForward);
  EXPECT_EQ(items[0].launches, 2u);
  EXPECT_DOUBLE_EQ(items[0].time_ms, 0.010);
  EXPECT_EQ(items[1].operatorName, "aten::mul");
  EXPECT_NEAR(items[1].saving, 1 - 8000 / 4.3e12 / 2e-6, 1e-9);
  EXPECT_NE(items[1].reason.find("A call takes 2.00 µs, too little work to fill the GPU"), std::string::npos) << items[1].reason;
}

// What crosses the bus is not held against the GPU's memory: 4 MB in 80 µs are 50 GB/s, as much as PCIe gives.
TEST(Priority, CopiesFromTheHostAreNotHeldAgainstTheGpusMemory) {
  TraceText text;
  text.range("train_step", 0, 10000);
  text.op("aten::copy_", 0, 50, 1, R"("Input Dims":[[1000000],[1000000]],"Input type":["float","float"],"Concrete Inputs":["",""])");
  text.host("cuda_runtime", "cudaMemcpyAsync", 1, 1, 2, R"("correlation":77)");
  text.event(R"x("ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pinned -> Device)","pid":0,"tid":7,"ts":10,"dur":80,"args":{"device":0,"stream":7,"correlation":77,"bytes":4000000})x");
  const Trace trace = text.read();
  const auto items = rankOnH200(trace);
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(items[0].saving, 0);
  EXPECT_EQ(items[0].source, PrioritySource::Unknown);
  EXPECT_NE(items[0].reason.find("the bus"), std::string::npos) << items[0].reason;
  EXPECT_TRUE(roofline(trace, KernelIndex(trace), *devicePeaks("NVIDIA H200")).points.empty());
}

// What is missing is said of each kernel: the device's ceilings, an operator, its shapes, or what the operator costs.
TEST(Priority, SaysOfEachKernelWithoutAnEstimateWhatIsMissing) {
  TraceText text;
  text.range("train_step", 0, 1000).op("aten::mm", 1, 10).kernel("sgemm", 2, 10, 30);
  text.op("my::operator", 20, 10, 1, R"("Input Dims":[[4,4]],"Input type":["float"],"Concrete Inputs":[""])").kernel("mine", 21, 40, 20).kernel("alone", 100, 110, 10);
  Trace trace = text.read();
  const KernelIndex index(trace);
  const OperatorBounds bounds(trace, index, *devicePeaks("NVIDIA H200"));
  std::map<std::string, std::string> reasons;
  for (const auto& item : rankPriorities(trace, index, &bounds, nullptr))
    reasons[item.key] = item.reason;
  EXPECT_EQ(reasons["sgemm"], "The shapes of what aten::mm works on were not recorded (record_shapes).");
  EXPECT_EQ(reasons["mine"], "How much my::operator has to compute and to move is not known to this program.");
  EXPECT_EQ(reasons["alone"], "No operator was recorded for it, which would say how much it has to compute and to move.");
  const NcuReport ofOthers;
  for (const auto& item : rankPriorities(trace, index, nullptr, &ofOthers))
    EXPECT_EQ(item.reason, "What this GPU can do at best is not known to this program. No counters were collected for it.");
}

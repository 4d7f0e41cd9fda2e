// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/device_peaks.h"
#include "core/analysis/priority.h"
#include "core/base/json.h"
#include "tests/core/analysis/trace_text.h"
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
NcuReport recordedReport() {
  return readNcuReport({recorded("ncu_raw_opt1_128.csv.gz"), recorded("ncu_details_opt1_128.csv.gz")}).value();
}

const PriorityItem* find(const std::vector<PriorityItem>& items, const std::string& title) {
  for (const auto& item : items)
    if (item.title == title)
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
  const auto items = rankPriorities(trace, KernelIndex(trace), devicePeaks("NVIDIA H200"), nullptr);
  const PriorityItem* gemm = find(items, "CUTLASS gemm FP32 256x128_8x4_nn_align1");
  ASSERT_NE(gemm, nullptr);
  const double bound_ms = 2 * 4096.0 * 4096 * 4096 / 67e12 * 1e3;
  EXPECT_NEAR(gemm->saving, 1 - bound_ms / 5, 1e-9) << "the operator's 5 ms hold the conversion too";
  EXPECT_NEAR(gemm->share, 4.0 / 6, 1e-9);
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

TEST(Priority, RecordedTraceRanksGroupNormStatisticsFirst) {
  const Trace trace = readTrace(recorded("trace_opt1_128.json.gz")).value();
  const KernelIndex index(trace);
  const auto analytic = rankPriorities(trace, index, devicePeaks("NVIDIA H200"), nullptr);
  EXPECT_EQ(analytic[0].title, "GroupNorm statistics fp32");
  EXPECT_NEAR(analytic[0].share, 34.187 / 228.02, 0.001);
  const NcuReport report = recordedReport();
  const auto counted = rankPriorities(trace, index, devicePeaks("NVIDIA H200"), &report);
  EXPECT_EQ(counted[0].title, "GroupNorm statistics fp32");
  EXPECT_EQ(counted[0].source, PrioritySource::Counters);
}

// 64 → 64 channels, 3³, at 128³: 463.9 GFLOP for either gradient. Its data gradient takes 18.39 ms in the recording, its weight gradient 58.78 ms.
TEST(Priority, EitherGradientOfAConvolutionIsHeldAgainstItsOwnTime) {
  const Trace trace = readTrace(recorded("trace_baseline_128.json.gz")).value();
  const auto items = rankPriorities(trace, KernelIndex(trace), devicePeaks("NVIDIA H200"), nullptr);
  ASSERT_GE(items.size(), 2u);
  EXPECT_EQ(items[0].title, "xmma wgrad FP32 32x32x8 nhwc");
  EXPECT_NE(items[0].reason.find("The weight gradient of aten::convolution_backward reaches 12 % of the vendor's FP32 arithmetic (7.89 TFLOP/s"), std::string::npos) << items[0].reason;
  EXPECT_EQ(items[1].title, "xmma dgrad FP32 32x32x8 nchw");
  EXPECT_NE(items[1].reason.find("The data gradient of aten::convolution_backward reaches 38 % of the vendor's FP32 arithmetic (25.2 TFLOP/s"), std::string::npos) << items[1].reason;
  EXPECT_NEAR(463.9e9 / 18.39e-3 / 1e12, 25.2, 0.05);
  EXPECT_NEAR(463.9e9 / 58.78e-3 / 1e12, 7.89, 0.01);
}

// A kernel that serves operators of many shapes has the reason of those that take most of its time, and says how much that is.
TEST(Priority, TheReasonIsThatOfMostOfTheTime) {
  const Trace trace = readTrace(recorded("trace_baseline_128.json.gz")).value();
  const auto items = rankPriorities(trace, KernelIndex(trace), devicePeaks("NVIDIA H200", 0), nullptr);
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

// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/precision_audit.h"
#include "core/analysis/priority.h"
#include "core/analysis/roofline.h"
#include "core/analysis/run_profile.h"
#include "core/analysis/trace_adoption.h"
#include "tests/core/analysis/trace_text.h"
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
std::string replayed(const std::vector<std::string>& kernels) {
  TraceText text;
  text.host("cuda_runtime", "cudaGraphLaunch", 1, 0, 10, R"("correlation":9)");
  double time = 20;
  for (const auto& name : kernels)
    text.event(R"("ph":"X","cat":"kernel","name":")" + name + R"(","pid":0,"tid":7,"ts":)" + std::to_string(time += 10) +
               R"(,"dur":8,"args":{"device":0,"stream":7,"correlation":9})");
  return text.text();
}
} // namespace

TEST(TraceAdoption, FollowsTheOrderOfKernels) {
  TraceText text;
  text.range("train_step", 0, 1000).range("forward", 1, 900);
  const char* names[] = {"conv", "norm", "silu", "conv", "norm", "silu"};
  for (int i = 0; i < 6; ++i)
    text.range("block." + std::to_string(i), 10 + 100 * i, 50)
        .op("aten::" + std::string(names[i]), 11 + 100 * i, 40)
        .kernel(names[i], 12 + 100 * i, 50 + 100 * i, 5);
  const Trace eager = text.read();
  // The replay has one kernel more (a fill) and lacks one (the second norm).
  const std::string whole = replayed({"conv", "fill", "norm", "silu", "conv", "silu"});
  auto source = byteSourceFromText(whole, "replay");
  Trace replay = readTrace(*source).value();
  EXPECT_EQ(adoptAttribution(replay, eager), 5u);
  const auto module = [&](std::size_t i) { return replay.name(replay.gpu[i].module); };
  EXPECT_EQ(module(0), "block.0");
  EXPECT_EQ(module(1), "");
  EXPECT_EQ(module(2), "block.1");
  EXPECT_EQ(module(3), "block.2");
  EXPECT_EQ(module(4), "block.3");
  EXPECT_EQ(module(5), "block.5");
  EXPECT_EQ(replay.name(replay.gpu[5].opName), "aten::silu");
  EXPECT_EQ(replay.gpu[5].phase, Phase::Forward);
  EXPECT_EQ(adoptAttribution(replay, eager), 0u) << "what has an operator is left alone";
}

TEST(TraceAdoption, FillsOfAReplayBelongToTheirOperators) {
  TraceText text;
  text.range("train_step", 0, 1000).range("conv", 10, 100).op("aten::cudnn_convolution", 11, 90);
  text.host("cuda_runtime", "cudaMemsetAsync", 1, 12, 2, R"("correlation":77)");
  text.event(R"x("ph":"X","cat":"gpu_memset","name":"Memset (Device)","pid":0,"tid":7,"ts":20,"dur":2,"args":{"device":0,"stream":7,"correlation":77,"bytes":4096})x");
  text.kernel("conv", 30, 40, 5);
  const Trace eager = text.read();
  TraceText graph;
  graph.host("cuda_runtime", "cudaGraphLaunch", 1, 0, 10, R"("correlation":9)");
  graph.event(R"x("ph":"X","cat":"gpu_memset","name":"Memset (Device)","pid":0,"tid":7,"ts":20,"dur":2,"args":{"device":0,"stream":7,"correlation":9,"bytes":4096})x");
  graph.event(R"("ph":"X","cat":"kernel","name":"conv","pid":0,"tid":7,"ts":30,"dur":8,"args":{"device":0,"stream":7,"correlation":9})");
  Trace replay = graph.read();
  EXPECT_EQ(adoptAttribution(replay, eager), 2u);
  EXPECT_EQ(replay.name(replay.gpu[0].opName), "aten::cudnn_convolution");
  EXPECT_EQ(operatorCallOf(replay.gpu[0]), operatorCallOf(replay.gpu[1]));
}

namespace {
// Of each step two kernels of one convolution, a copy into another layout and the product, and one of a SiLU twice as long in the second step.
constexpr const char *kCopy = "nchwToNhwcKernel<float, float>", *kProduct = "sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x128",
                     *kSilu = "silu_kernel";

Trace eagerStep() {
  TraceText text;
  text.range("train_step", 0, 400).range("forward", 1, 398);
  text.range("conv", 2, 100).op("aten::cudnn_convolution", 3, 90, 1, R"("Input Dims":[[1,32,8,8,8],[64,32,3,3,3],[],[],[]],"Input type":["float","float","ScalarList","ScalarList","ScalarList"],"Concrete Inputs":["","","[1, 1, 1]","[1, 1, 1]","[1, 1, 1]"])");
  text.kernel(kCopy, 4, 20, 10).kernel(kProduct, 8, 31, 40);
  text.range("silu", 103, 100).op("aten::silu", 104, 90, 1, R"("Input Dims":[[1,64,8,8,8]],"Input type":["float"],"Concrete Inputs":[""])");
  text.kernel(kSilu, 105, 110, 5);
  return text.read();
}

// Two steps of replays, 10 + 40 + 5 µs and 10 + 40 + 10 µs.
Trace twoReplays() {
  TraceText text;
  for (int step = 0; step < 2; ++step) {
    const double at = 1000 * step;
    text.range("train_step", at, 900);
    text.host("cuda_runtime", "cudaGraphLaunch", 1, at + 1, 10, R"("correlation":)" + std::to_string(9 + step));
    const auto kernel = [&](const char* name, double start, double duration) {
      text.event(R"("ph":"X","cat":"kernel","name":")" + std::string(name) + R"(","pid":0,"tid":7,"ts":)" + std::to_string(at + start) + R"(,"dur":)" + std::to_string(duration) +
                 R"(,"args":{"device":0,"stream":7,"grid":[4,2,1],"block":[128,1,1],"correlation":)" + std::to_string(9 + step) + "}");
    };
    kernel(kCopy, 20, 10);
    kernel(kProduct, 31, 40);
    kernel(kSilu, 72, step == 0 ? 5 : 10);
  }
  return text.read();
}
} // namespace

TEST(TraceAdoption, ReplaysKnowWhatTheirOperatorsHadToDo) {
  Trace replay = twoReplays();
  const std::size_t hostEvents = replay.host.size();
  ASSERT_EQ(replay.steps.size(), 2u);
  EXPECT_EQ(adoptAttribution(replay, eagerStep()), 6u);
  EXPECT_EQ(replay.host.size(), hostEvents) << "nothing was called";
  EXPECT_EQ(replay.adoptedInputs.size(), 2u) << "of a step, however many steps there are";
  // Two kernels of one call have one identity, in each step another.
  EXPECT_EQ(operatorCallOf(replay.gpu[0]), operatorCallOf(replay.gpu[1]));
  EXPECT_NE(operatorCallOf(replay.gpu[0]), operatorCallOf(replay.gpu[2]));
  EXPECT_NE(operatorCallOf(replay.gpu[0]), operatorCallOf(replay.gpu[3]));
  EXPECT_EQ(operatorInputsOf(replay, replay.gpu[0]), operatorInputsOf(replay, replay.gpu[4]));

  const KernelIndex index(replay);
  const DevicePeaks& h200 = *devicePeaks("NVIDIA H200");
  const Roofline roof = roofline(replay, index, h200);
  ASSERT_EQ(roof.points.size(), 2u);
  const RooflinePoint &convolution = roof.points[0], &silu = roof.points[1];
  EXPECT_EQ(convolution.operatorName, "aten::cudnn_convolution");
  EXPECT_EQ(convolution.shapes, "1×32×8×8×8 · 64×32×3×3×3");
  EXPECT_EQ(convolution.calls, 1u) << "a step";
  EXPECT_DOUBLE_EQ(convolution.time_ms, 0.040) << "the product alone: 10 of the operator's 50 µs convert its layout";
  EXPECT_DOUBLE_EQ(convolution.flops, 2.0 * 512 * 64 * 32 * 27);
  EXPECT_DOUBLE_EQ(convolution.bytes, 4.0 * (32 * 512 + 64 * 32 * 27 + 64 * 512));
  EXPECT_EQ(convolution.arithmetic, KernelArithmetic::Tf32);
  EXPECT_EQ(silu.calls, 1u);
  EXPECT_DOUBLE_EQ(silu.time_ms, (0.005 + 0.010) / 2);
  EXPECT_DOUBLE_EQ(silu.flops, 5.0 * 64 * 512);
  EXPECT_DOUBLE_EQ(silu.bytes, 4.0 * 2 * 64 * 512);
  EXPECT_DOUBLE_EQ(silu.bound_ms, 4.0 * 2 * 64 * 512 / 4.3e12 * 1e3);
  EXPECT_DOUBLE_EQ(roof.attributed_ms, roof.total_ms);

  const OperatorBounds bounds(replay, index, h200);
  const auto priorities = rankPriorities(replay, index, &bounds, nullptr);
  ASSERT_EQ(priorities.size(), 3u);
  for (const PriorityItem& item : priorities) {
    EXPECT_EQ(item.source, PrioritySource::Analytic) << item.title;
    EXPECT_EQ(item.launches, 1u) << item.title;
    if (item.key == kSilu) {
      EXPECT_DOUBLE_EQ(item.saving, 1 - silu.bound_ms / 0.0075);
    }
  }

  const PrecisionAudit audit = auditPrecision(replay, index, Precision::Tf32);
  ASSERT_EQ(audit.rows.size(), 1u);
  EXPECT_EQ(audit.rows[0].shapes, convolution.shapes);
  EXPECT_EQ(audit.rows[0].match, PrecisionMatch::AsAsked);
  EXPECT_EQ(audit.rows[0].calls, 1u);
  EXPECT_DOUBLE_EQ(audit.layout.time_ms, 0.010);
  EXPECT_DOUBLE_EQ(audit.layout.bytes, 2 * 4.0 * 64 * 32 * 27) << "the operator's largest tensor, read and written";
}

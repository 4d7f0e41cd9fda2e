// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/breakdown.h"
#include "core/analysis/kernel_table.h"
#include "core/analysis/module_tree.h"
#include "core/analysis/priority.h"
#include "core/analysis/trace_events.h"
#include "tests/core/analysis/trace_text.h"
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
Result<Trace> read(const std::string& text, const TraceOptions& options = {}) {
  auto source = byteSourceFromText(text, "the text");
  return readTrace(*source, options);
}
} // namespace

TEST(TraceReader, TimesAreExactNanoseconds) {
  EXPECT_EQ(microsecondsToNanoseconds("5104078021071.043"), 5104078021071043);
  EXPECT_EQ(microsecondsToNanoseconds("1790857026000123.456"), 1790857026000123456) << "more digits than a double holds";
  EXPECT_EQ(microsecondsToNanoseconds("12"), 12000);
  EXPECT_EQ(microsecondsToNanoseconds("-0.5"), -500);
  EXPECT_EQ(microsecondsToNanoseconds("0.0006"), 1);
  EXPECT_EQ(microsecondsToNanoseconds("0.0004"), 0);
  EXPECT_EQ(microsecondsToNanoseconds("1e3"), 1000000);
  EXPECT_EQ(microsecondsToNanoseconds("1e300"), std::nullopt);
  EXPECT_EQ(microsecondsToNanoseconds("1e999"), std::nullopt);
  EXPECT_EQ(microsecondsToNanoseconds("12 s"), std::nullopt);
  EXPECT_EQ(microsecondsToNanoseconds(""), std::nullopt);
}

TEST(TraceReader, KernelsFindTheirOperatorModulePhaseAndStep) {
  const Trace t =
      TraceText()
          .range("train_step", 0, 100)
          .range("forward", 1, 40)
          .range("input_blocks.0.0", 2, 10)
          .op("aten::conv3d", 3, 8)
          .op("aten::cudnn_convolution", 4, 6, 1,
              R"("Input Dims":[[1,64,8,8,8],[],[[2,3],[4]]],"Input type":["float","Scalar","TensorList"],"Concrete Inputs":["","1",""])")
          .kernel("first", 5, 20, 10)
          .range("train_step", 100, 100)
          .kernel("second", 110, 130, 5)
          .read();
  ASSERT_EQ(t.gpu.size(), 2u);
  const GpuEvent& first = t.gpu[0];
  EXPECT_EQ(t.name(first.name), "first");
  EXPECT_EQ(first.start_ns, 20000);
  EXPECT_EQ(first.duration_ns, 10000);
  EXPECT_EQ(t.name(first.opName), "aten::cudnn_convolution");
  EXPECT_EQ(t.name(t.host[t.host[first.op].parent].name), "aten::conv3d");
  EXPECT_EQ(t.name(first.module), "input_blocks.0.0");
  EXPECT_EQ(first.phase, Phase::Forward);
  EXPECT_EQ(first.step, 0u);
  EXPECT_EQ(t.gpu[1].step, 1u);
  EXPECT_EQ(t.gpu[1].phase, Phase::Unknown);
  EXPECT_EQ(t.name(t.gpu[1].opName), "");
  ASSERT_EQ(t.steps.size(), 2u);
  EXPECT_EQ(t.steps[0].start_ns, 20000) << "a step begins with its first kernel";
  EXPECT_EQ(t.steps[0].end_ns, 130000) << "…and ends with the next step's first";
  EXPECT_EQ(t.steps[1].end_ns, 135000);
  EXPECT_EQ(t.launchShapes[first.shape].grid[1], 2u);
  EXPECT_EQ(t.launchShapes.size(), 1u);
  const auto inputs = operatorInputs(t.name(t.host[first.op].inputs));
  ASSERT_EQ(inputs.size(), 3u);
  EXPECT_EQ(inputs[0].shape(), (std::vector<std::int64_t>{1, 64, 8, 8, 8}));
  EXPECT_EQ(inputs[0].type, "float");
  EXPECT_TRUE(inputs[1].tensors.empty());
  EXPECT_EQ(inputs[1].concrete, "1");
  EXPECT_EQ(inputs[2].tensors, (std::vector<std::vector<std::int64_t>>{{2, 3}, {4}}));
}

TEST(TraceReader, BackwardKernelsBelongToTheForwardOperatorsModule) {
  const auto flow = [](const char* phase, int thread, double time) {
    return std::string(R"("ph":")") + phase + R"(","id":5,"pid":1,"tid":)" + std::to_string(thread) + R"(,"ts":)" +
           std::to_string(time) + R"(,"cat":"fwdbwd","name":"fwdbwd","bp":"e")";
  };
  TraceText text;
  text.range("train_step", 0, 100).range("forward", 1, 20).range("out.2", 2, 10).op("aten::conv3d", 3, 5).range("backward", 30, 60);
  text.op("autograd::engine::evaluate_function: ConvolutionBackward0", 40, 20, 2)
      .op("aten::convolution_backward", 45, 10, 2)
      .kernel("dgrad", 46, 60, 5, 2);
  text.event(flow("s", 1, 3)).event(flow("f", 2, 40));
  const Trace t = text.read();
  ASSERT_EQ(t.gpu.size(), 1u);
  EXPECT_EQ(t.name(t.gpu[0].module), "out.2");
  EXPECT_EQ(t.gpu[0].phase, Phase::Backward);
  EXPECT_EQ(t.name(t.gpu[0].opName), "aten::convolution_backward");
}

TEST(TraceReader, WithoutArrowsTheSequenceNumberLinks) {
  const Trace t =
      TraceText()
          .range("decoder", 1, 10)
          .op("aten::silu", 3, 5, 1, R"("Sequence number":17,"Fwd thread id":0)")
          .op("autograd::engine::evaluate_function: SiluBackward0", 40, 20, 2, R"("Sequence number":17,"Fwd thread id":1)")
          .kernel("silu_backward", 46, 60, 5, 2)
          .read();
  EXPECT_EQ(t.name(t.gpu[0].module), "decoder");
}

TEST(TraceReader, PythonModulesNestToAPath) {
  const Trace t = TraceText()
                      .host("python_function", "nn.Module: UNet_0", 1, 0, 50)
                      .host("python_function", "train.py(10): forward", 1, 1, 40)
                      .host("python_function", "nn.Module: Conv3d_2", 1, 2, 30)
                      .op("aten::conv3d", 3, 8)
                      .kernel("k", 5, 20, 10)
                      .read();
  EXPECT_EQ(t.name(t.gpu[0].module), "UNet_0.Conv3d_2");
}

// LibTorch from C++ files pushed ranges under cpu_op.
TEST(TraceReader, RangesAmongTheOperators) {
  const Trace t = TraceText()
                      .op("train_step", 0, 100)
                      .op("forward", 1, 50)
                      .op("input_blocks.3.0", 2, 40)
                      .op("input_blocks.3.0.in_layers.2", 3, 30)
                      .op("aten::conv3d", 4, 20)
                      .kernel("k", 5, 20, 10)
                      .read();
  EXPECT_EQ(t.name(t.gpu[0].module), "input_blocks.3.0.in_layers.2");
  EXPECT_EQ(t.name(t.gpu[0].opName), "aten::conv3d");
  EXPECT_EQ(t.gpu[0].phase, Phase::Forward);
  EXPECT_EQ(t.steps.at(0).name, "train_step");
}

TEST(TraceReader, PhaseOfAnotherThreadCountsWhileItWaits) {
  const Trace t = TraceText().range("backward", 0, 100, 1).kernel("k", 50, 60, 5, 9).kernel("late", 150, 160, 5, 9).read();
  EXPECT_EQ(t.gpu[0].phase, Phase::Backward);
  EXPECT_EQ(t.gpu[1].phase, Phase::Unknown);
}

TEST(TraceReader, StepsWithoutMarks) {
  TraceText repeated;
  for (int i = 0; i < 23; ++i) // period of five; the last repetition is cut off
    repeated.kernel("k" + std::to_string(i % 5), 10 * i, 10 * i + 5, 4);
  const Trace t = repeated.read();
  EXPECT_EQ(t.steps.size(), 4u);
  EXPECT_EQ(t.steps[0].duration_ns(), 50000);
  EXPECT_EQ(t.gpu[22].step, kNoIndex);

  const Trace once = TraceText().kernel("a", 0, 5, 4).kernel("b", 10, 15, 4).kernel("c", 20, 25, 4).read();
  EXPECT_EQ(once.steps.size(), 1u);
  EXPECT_FALSE(once.notes.empty());

  const Trace ranges = TraceText().range("work", 0, 10).kernel("a", 1, 5, 4).range("work", 20, 10).kernel("b", 21, 25, 4).read();
  EXPECT_EQ(ranges.steps.size(), 2u);
}

TEST(TraceReader, GraphReplaysAreSteps) {
  TraceText text;
  for (int i = 0; i < 3; ++i) {
    const std::string correlation = R"("correlation":)" + std::to_string(100 + i);
    text.host("cuda_runtime", "cudaGraphLaunch", 1, 100 * i, 10, correlation);
    for (int k = 0; k < 4; ++k)
      text.event(R"("ph":"X","cat":"kernel","name":"k)" + std::to_string(k) + R"(","pid":0,"tid":7,"ts":)" +
                 std::to_string(100 * i + 20 + 10 * k) + R"(,"dur":8,"args":{"device":0,"stream":7,)" + correlation + "}");
  }
  const Trace t = text.read();
  ASSERT_EQ(t.steps.size(), 3u);
  EXPECT_EQ(t.steps[1].start_ns, 120000);
  EXPECT_EQ(t.gpu[4].step, 1u);
}

TEST(TraceReader, BareArrayBracketsAndMetadata) {
  const Trace t = read(R"([{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"worker"}},
    {"ph":"B","name":"outer","pid":1,"tid":2,"ts":0},{"ph":"B","name":"inner","pid":1,"tid":2,"ts":"1.5"},
    {"ph":"E","pid":1,"tid":2,"ts":3},{"ph":"E","pid":1,"tid":2,"ts":10},{"ph":"E","pid":1,"tid":2,"ts":11},
    {"ph":"B","name":"never ended","pid":1,"tid":2,"ts":12}])")
                      .value();
  ASSERT_EQ(t.host.size(), 2u);
  EXPECT_EQ(t.name(t.host[1].name), "inner");
  EXPECT_EQ(t.host[1].parent, 0u);
  EXPECT_EQ(t.host[1].duration_ns, 1500);
  EXPECT_EQ(t.threads[t.host[0].thread].name, "worker");
  EXPECT_EQ(t.notes.size(), 2u) << "an end without a begin, and a begin without an end";
}

TEST(TraceReader, OperatorsStandInWhereThereIsNoGpu) {
  const Trace t = TraceText()
                      .range("train_step", 0, 100)
                      .op("aten::conv3d", 10, 30)
                      .op("aten::mkldnn_convolution", 15, 20)
                      .op("aten::silu", 50, 5)
                      .read();
  EXPECT_FALSE(t.hasGpu());
  ASSERT_EQ(t.gpu.size(), 4u); // conv3d before and after its child, the child, silu
  EXPECT_EQ(t.name(t.gpu[0].name), "aten::conv3d");
  EXPECT_EQ(t.gpu[0].duration_ns, 5000);
  EXPECT_EQ(t.name(t.gpu[1].name), "aten::mkldnn_convolution");
  EXPECT_EQ(t.gpu[1].duration_ns, 20000);
  EXPECT_EQ(t.gpu[2].duration_ns, 5000);
  EXPECT_EQ(t.name(t.gpu[3].name), "aten::silu");
  EXPECT_EQ(t.steps.size(), 1u);
}

// One call of 100 µs calls two others of 20 and 30 µs: three stretches of its own, 10 + 20 + 20 = 50 µs. A second call, of 10 µs, calls
// nothing. Two calls take 60 µs, 30 µs each in the mean; the shorter 10, the longer 50 µs.
TEST(TraceReader, StretchesOfAnOperatorAreOneCall) {
  const Trace t = TraceText()
                      .range("train_step", 0, 300)
                      .op("aten::convolution_backward", 10, 100)
                      .op("aten::sum", 20, 20)
                      .op("aten::sum", 60, 30)
                      .op("aten::convolution_backward", 200, 10)
                      .read();
  ASSERT_EQ(t.gpu.size(), 6u);
  const KernelIndex index(t);
  for (const auto grouping : {KernelGrouping::Kernel, KernelGrouping::Operator}) {
    const auto rows = kernelRows(t, index, grouping);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].calls, 2u);
    EXPECT_NEAR(rows[0].total_ms, 0.060, 1e-12);
    EXPECT_NEAR(rows[0].mean_ms(), 0.030, 1e-12);
    EXPECT_NEAR(rows[0].minimum_ms, 0.010, 1e-12);
    EXPECT_NEAR(rows[0].maximum_ms, 0.050, 1e-12);
    EXPECT_EQ(rows[1].calls, 2u);
  }
  EXPECT_EQ(breakDown(t, index).mean.launches, 4u);
  EXPECT_EQ(moduleTree(t, index).calls, 4u);
  EXPECT_EQ(operatorTree(t, index).calls, 4u);
  EXPECT_EQ(rankPriorities(t, index, nullptr, nullptr)[0].launches, 2u);
}

// As its kernels are on a GPU, an operator on a list of tensors is the optimiser's, whatever it calls for each of them.
TEST(TraceReader, OperatorsOnListsStandForWhatTheyCall) {
  const Trace t = TraceText()
                      .range("train_step", 0, 100)
                      .op("aten::_foreach_sqrt", 10, 50)
                      .op("aten::sqrt", 15, 10)
                      .op("aten::empty", 16, 2)
                      .op("aten::sqrt", 30, 10)
                      .op("aten::linalg_vector_norm", 70, 5)
                      .read();
  ASSERT_EQ(t.gpu.size(), 2u);
  EXPECT_EQ(t.name(t.gpu[0].name), "aten::_foreach_sqrt");
  EXPECT_EQ(t.gpu[0].duration_ns, 50000);
  const KernelIndex index(t);
  EXPECT_EQ(index.of(t.gpu[0]).category, KernelCategory::Optimiser);
  EXPECT_EQ(index.of(t.gpu[1]).category, KernelCategory::Reduction);
}

TEST(TraceReader, WhatIsNoTraceIsRefusedInWords) {
  EXPECT_NE(read("{}").error().message.find("not a trace"), std::string::npos);
  EXPECT_NE(read(R"({"traceEvents": []})").error().message.find("nothing was recorded"), std::string::npos);
  EXPECT_NE(read("[1, 2]").error().message.find("nothing was recorded"), std::string::npos);
  EXPECT_EQ(read(R"({"traceEvents": [{"ph":"X","ts":1,)").error().code, ExitCode::Data);
  EXPECT_NE(read(R"({"traceEvents": [{"ph":"X","ts":1,)").error().message.find("at byte"), std::string::npos);
  EXPECT_EQ(readTrace(std::filesystem::path("/no/such/file")).error().code, ExitCode::Data);
}

TEST(TraceReader, TracesOfNothingButBadEventsSaySo) {
  EXPECT_EQ(read(R"({"traceEvents": [{"ph":"X","cat":"kernel","name":"a","ts":100}]})").error().message.substr(read("{}").error().message.find(" is ")),
            " is a trace without anything usable: its only event was skipped, as it has no usable time (ts) or duration (dur).");
  EXPECT_NE(read(R"([{"ph":"X","cat":"kernel","name":"a","ts":NaN,"dur":Infinity},{"ph":"X","cat":"kernel","name":"b","dur":1}])").error().message.find("all of its 2 events were skipped"),
            std::string::npos);
}

TEST(TraceReader, OneBadByteCostsNoMoreThanItself) {
  const Trace t = read("[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"a\xff\",\"ts\":1,\"dur\":2}]").value();
  ASSERT_EQ(t.gpu.size(), 1u);
  EXPECT_EQ(t.name(t.gpu[0].name), "a\xef\xbf\xbd");
  EXPECT_EQ(t.notes.at(0), "1 character is no valid UTF-8 and shown as \xef\xbf\xbd.");
}

TEST(TraceReader, BadEventsAreCountedAndSkipped) {
  const Trace t =
      read(
          R"({"traceEvents": [{"ph":"X","name":"a","ts":1,"dur":-5}, {"ph":"X","name":"b","ts":1e300,"dur":1}, {"ph":"X","name":"c","dur":1},
     {"ph":"X","name":"d","cat":"cpu_op","ts":1,"dur":2,"args":{"Sequence number":1e99,"Input Dims":"x"}}, 7, [[]], {"ph":5}]})")
          .value();
  EXPECT_EQ(t.host.size(), 1u);
  EXPECT_NE(t.notes.at(0).find("3 events"), std::string::npos);
}

TEST(TraceReader, RangesThatEndBeforeTheyBeginAreCounted) {
  const Trace t = read(R"([{"ph":"X","name":"d","cat":"cpu_op","pid":1,"tid":1,"ts":1,"dur":2},
    {"ph":"B","name":"r","pid":1,"tid":1,"ts":50}, {"ph":"E","name":"r","pid":1,"tid":1,"ts":40}, {"ph":"B","cat":"Trace","name":"r","pid":1,"tid":1}])").value();
  EXPECT_EQ(t.host.size(), 1u);
  ASSERT_FALSE(t.notes.empty());
  EXPECT_EQ(t.notes[0], "1 event has no usable time or duration and was skipped.");
}

TEST(TraceReader, MemoryLimitCancelAndProgress) {
  std::string text = R"({"traceEvents": [)";
  for (int i = 0; i < 20000; ++i)
    text += (i ? "," : "") + std::string(R"({"ph":"X","name":"a","cat":"cpu_op","pid":1,"tid":1,"ts":)") + std::to_string(10 * i) +
            R"(,"dur":1})";
  text += "]}";
  TraceOptions small;
  small.memoryLimitBytes = 100000;
  EXPECT_NE(read(text, small).error().message.find("more events than fit"), std::string::npos);
  std::stop_source stop;
  TraceOptions options;
  double last = 0;
  options.cancel = stop.get_token();
  options.progress = [&](double fraction) {
    EXPECT_GE(fraction, last);
    last = fraction;
  };
  EXPECT_TRUE(read(text, options));
  EXPECT_EQ(last, 1);
  options.progress = [&](double fraction) {
    if (fraction > 0.1)
      stop.request_stop();
  };
  EXPECT_EQ(read(text, options).error().code, ExitCode::Stopped);
}

TEST(TraceReader, RecordedTraces) {
  const Trace t = readTrace(recorded("trace_opt1_128.json.gz")).value();
  EXPECT_EQ(t.gpu.size(), 3124u + 46 + 154);
  EXPECT_EQ(t.steps.size(), 2u);
  ASSERT_EQ(t.devices.size(), 1u);
  EXPECT_EQ(t.devices[0].name, "NVIDIA H200");
  EXPECT_EQ(t.devices[0].multiprocessors, 132);
  EXPECT_EQ(t.producer, "Kineto");
  for (const auto& e : t.gpu) {
    EXPECT_NE(e.op, kNoIndex);
    EXPECT_NE(e.phase, Phase::Unknown);
    EXPECT_NE(e.step, kNoIndex);
  }
}

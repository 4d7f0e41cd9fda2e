// SPDX-License-Identifier: Apache-2.0
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

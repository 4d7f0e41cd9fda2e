// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/job_memory.h"
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
std::optional<ModeSwitches> switchesOf(const std::string& name) {
  ModeSwitches s;
  if (name == "bf16_graph") {
    s.precision = Precision::Bf16;
    s.autocast = false;
    s.cudaGraphs = true;
  } else if (name == "opt2") {
    s.layout = MemoryLayout::ChannelsLast;
  } else if (name != "baseline") {
    return std::nullopt;
  }
  return s;
}

JobSpec bench(const std::vector<std::string>& modes, const std::vector<std::string>& what = {"train", "sample"}) {
  JobSpec spec("bench");
  spec.set("bench.modes", modes);
  spec.set("bench.what", what);
  return spec;
}

double needed(const JobSpec& spec) { return memoryAdvice(spec, switchesOf, 141e9)->needed_bytes; }
} // namespace

TEST(JobMemory, ABenchmarkNeedsWhatItsLargestModeNeeds) {
  const double baseline = needed(bench({"baseline"})), opt2 = needed(bench({"opt2"})), bf16 = needed(bench({"bf16_graph"}));
  EXPECT_GT(opt2, baseline);
  EXPECT_LT(bf16, 0.7 * baseline);
  EXPECT_EQ(needed(bench({"bf16_graph", "opt2", "baseline"})), opt2);
  EXPECT_EQ(needed(bench({"bf16_graph", "unknown"})), bf16) << "of what is not known nothing is said";
  EXPECT_LT(needed(bench({"opt2"}, {"sample"})), 0.5 * opt2) << "sampling alone";
}

TEST(JobMemory, EachKindOfJobAsksForItsOwn) {
  JobSpec train("train"), verify("verify"), sample("sample");
  train.set("mode", "bf16_graph");
  verify.set("mode", "bf16_graph");
  EXPECT_EQ(memoryOf(train, switchesOf)->at(0).request.job, JobMemory::Training);
  ASSERT_EQ(memoryOf(verify, switchesOf)->size(), 2u) << "the mode and Baseline";
  EXPECT_EQ(needed(verify), needed(bench({"baseline"})));
  EXPECT_TRUE(memoryOf(sample, switchesOf)->empty());
  EXPECT_EQ(memoryAdvice(sample, switchesOf, 1e9).error().code, ExitCode::Usage);
  train.set("data.size", Json::array({64, 64}));
  EXPECT_EQ(memoryOf(train, switchesOf).error().code, ExitCode::Usage);
}

TEST(JobMemory, TellsWhichModesOfABenchmarkAreLeftOut) {
  const auto advice = memoryAdvice(bench({"baseline", "bf16_graph", "opt2"}), switchesOf, 16e9).value();
  EXPECT_FALSE(advice.fits);
  EXPECT_NE(advice.sentence.find("The GPU has 16 GB; baseline and opt2 need up to 2"), std::string::npos) << advice.sentence;
  EXPECT_NE(advice.sentence.find("the other modes run"), std::string::npos) << advice.sentence;
  const auto none = memoryAdvice(bench({"baseline", "opt2"}), switchesOf, 8e9).value();
  EXPECT_NE(none.sentence.find("choose a smaller volume"), std::string::npos) << none.sentence;
  EXPECT_TRUE(memoryAdvice(bench({"baseline", "opt2"}), switchesOf, 80e9)->fits);
}

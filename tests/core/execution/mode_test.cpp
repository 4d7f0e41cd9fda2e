// SPDX-License-Identifier: Apache-2.0
#include "core/execution/mode.h"
#include "core/execution/training_parts.h"
#include <ATen/Context.h>
#include <gtest/gtest.h>
#include <set>

namespace voxlab {
namespace {

TEST(Mode, TableHasDistinctNamesAndExplanations) {
  std::set<std::string> names, switches;
  for (const Mode& mode : modeTable()) {
    EXPECT_TRUE(names.insert(mode.name).second) << mode.name;
    EXPECT_TRUE(switches.insert(toJson(mode.switches).dump()).second) << mode.name << " equals another mode";
    EXPECT_FALSE(mode.title.empty());
    EXPECT_FALSE(mode.explanation.empty());
  }
  for (const char* paper : {"baseline", "opt1", "opt2", "opt12", "bf16", "fp16", "bf16_channels_last"})
    EXPECT_TRUE(names.count(paper)) << paper;
}

TEST(Mode, PaperModesAreWhatThePaperSays) {
  const auto baseline = parseMode("baseline")->switches, opt12 = parseMode("opt12")->switches;
  EXPECT_EQ(baseline.precision, Precision::Fp32);
  EXPECT_EQ(baseline.layout, MemoryLayout::Contiguous);
  EXPECT_EQ(opt12.precision, Precision::Tf32);
  EXPECT_EQ(opt12.layout, MemoryLayout::ChannelsLast);
}

TEST(Mode, SwitchesAreAdded) {
  const auto mode = parseMode("baseline + channels_last+bf16+checkpoint_2+checkpoint_0+checkpoint_2");
  ASSERT_TRUE(mode) << mode.error().message;
  EXPECT_EQ(mode->name, "baseline+channels_last+bf16+checkpoint_2+checkpoint_0+checkpoint_2");
  EXPECT_EQ(mode->switches.precision, Precision::Bf16);
  EXPECT_EQ(mode->switches.layout, MemoryLayout::ChannelsLast);
  EXPECT_EQ(mode->switches.checkpointLevels, (std::vector<int>{0, 2}));
  for (const std::string& name : modeSwitchNames())
    EXPECT_TRUE(parseMode("opt1+" + name)) << name;
  EXPECT_EQ(parseMode("opt1+host_sync")->switches.hostSync, HostSync::EveryStep);
  EXPECT_TRUE(parseMode("baseline+fp16")->switches.fusedOptimiser) << "only the fused optimiser can skip a step";
}

TEST(Mode, AGraphRowIsItsRowWithRecordedSteps) {
  for (const std::string name : {"fused_tf32", "fused_bf16", "fused_fp16"}) {
    const auto row = parseMode(name + "_graph"), combined = parseMode(name + "+graph");
    ASSERT_TRUE(row && combined) << name;
    EXPECT_EQ(toJson(row->switches), toJson(combined->switches)) << name;
  }
}

TEST(Mode, UnknownNamesAreUsageErrorsThatListWhatThereIs) {
  for (const char* text : {"", "+", "warp", "baseline+", "baseline+warp", "baseline+checkpoint_9", "baseline+checkpoint_", "bf16+opt1"}) {
    const auto mode = parseMode(text);
    ASSERT_FALSE(mode) << text;
    EXPECT_EQ(mode.error().code, ExitCode::Usage);
    EXPECT_NE(mode.error().message.find(text[0] == 'b' ? "channels_last" : "baseline"), std::string::npos) << mode.error().message;
  }
}

TEST(Mode, FusedModesTrainWithTheOwnOptimiserUnlessItIsTurnedOff) {
  EXPECT_EQ(adamKindOf(parseMode("fused_bf16")->switches), AdamKind::OnePass);
  EXPECT_EQ(adamKindOf(parseMode("fused_bf16+unfused_optimiser")->switches), AdamKind::Fused);
  EXPECT_EQ(adamKindOf(parseMode("baseline")->switches), AdamKind::Lists);
  EXPECT_EQ(makeGradientScaler(parseMode("fused_bf16")->switches, at::kCPU), nullptr);
  EXPECT_NE(makeGradientScaler(parseMode("fused_fp16")->switches, at::kCPU), nullptr);
}

TEST(Mode, CpuRunsWhatNeedsNoGpu) {
  const c10::Device cpu(c10::kCPU);
  for (const char* name : {"baseline", "opt2", "bf16", "fp16", "bf16_channels_last"})
    EXPECT_EQ(unavailableReason(parseMode(name)->switches, cpu), "") << name;
  EXPECT_NE(unavailableReason(parseMode("opt1")->switches, cpu), "");
  ModeSwitches graphs;
  graphs.cudaGraphs = true;
  EXPECT_NE(unavailableReason(graphs, cpu), "");
  const auto choices = modeChoices(cpu);
  ASSERT_EQ(choices.size(), modeTable().size());
  EXPECT_EQ(modeSwitchesFromJson(choices[1].details).precision, modeTable()[1].switches.precision);
}

TEST(ModeGuard, SetsAndRestoresTheGlobalSwitches) {
  const Json before = effectiveState();
  {
    const ModeGuard guard(parseMode("baseline")->switches, Determinism::Off);
    EXPECT_FALSE(at::globalContext().allowTF32CuDNN()) << "LibTorch allows it by default";
    EXPECT_FALSE(at::globalContext().allowTF32CuBLAS());
    EXPECT_FALSE(at::globalContext().benchmarkCuDNN());
    {
      const ModeGuard inner(parseMode("opt1+search+flash_attention")->switches, Determinism::Off);
      EXPECT_TRUE(at::globalContext().allowTF32CuDNN());
      EXPECT_TRUE(at::globalContext().allowTF32CuBLAS());
      EXPECT_TRUE(at::globalContext().benchmarkCuDNN());
      EXPECT_TRUE(at::globalContext().userEnabledFlashSDP());
      EXPECT_FALSE(at::globalContext().userEnabledMemEfficientSDP());
    }
    EXPECT_FALSE(at::globalContext().allowTF32CuDNN());
    EXPECT_FALSE(at::globalContext().benchmarkCuDNN());
  }
  EXPECT_EQ(effectiveState(), before);
}

TEST(ModeGuard, DeterminismForbidsSearchAndFastAttention) {
  const Json before = effectiveState();
  {
    const ModeGuard guard(parseMode("bf16+search+flash_attention")->switches, Determinism::On);
    const Json state = effectiveState();
    EXPECT_EQ(state["deterministic_algorithms"], true);
    EXPECT_EQ(state["cudnn_deterministic"], true);
    EXPECT_EQ(state["cudnn_benchmark"], false);
    EXPECT_EQ(state["attention_flash"], false);
  }
  EXPECT_EQ(effectiveState(), before);
}

TEST(ModeGuard, RestoresWhenAnExceptionPasses) {
  const Json before = effectiveState();
  try {
    const ModeGuard guard(parseMode("opt1")->switches, Determinism::On);
    throw std::runtime_error("out of memory");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(effectiveState(), before);
}

} // namespace
} // namespace voxlab

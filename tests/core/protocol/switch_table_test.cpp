// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/switch_table.h"
#include <gtest/gtest.h>
#include <set>

using namespace voxlab;

TEST(SwitchTable, EverySwitchHasANameOfItsOwnAndChangesSomething) {
  std::set<std::string> names;
  for (const NamedSwitch& s : switchTable()) {
    EXPECT_TRUE(names.insert(s.name).second) << s.name;
    EXPECT_FALSE(s.title.empty() || s.explanation.empty()) << s.name;
    ModeSwitches other; // as far from the defaults as the switch may have to bring it
    other.precision = s.name == "bf16" ? Precision::Fp32 : Precision::Bf16;
    other.layout = s.name == "channels_last" ? MemoryLayout::Contiguous : MemoryLayout::ChannelsLast;
    other.attention = s.name == "flash_attention" ? AttentionMethod::Math : AttentionMethod::Flash;
    other.spreadNorm = s.name == "plain_norm";
    const Json before = toJson(other);
    EXPECT_TRUE(applySwitch(s.name, other)) << s.name;
    EXPECT_NE(toJson(other), before) << s.name;
    const Json once = toJson(other);
    applySwitch(s.name, other);
    EXPECT_EQ(toJson(other), once) << s.name << " twice is once";
  }
  ModeSwitches untouched;
  for (const char* name : {"", "warp", "checkpoint_", "checkpoint_8", "unfused_", "unfused_warp"})
    EXPECT_FALSE(applySwitch(name, untouched)) << name;
  EXPECT_EQ(toJson(untouched), toJson(ModeSwitches()));
}

TEST(SwitchTable, AFormKeepsApartWhatAJobNamesWhole) {
  JobSpec spec("train");
  spec.set("mode", "opt1 + graph+checkpoint_0");
  separateModeSwitches(spec);
  EXPECT_EQ(spec.get<std::string>("mode"), "opt1");
  EXPECT_EQ(spec.get<std::vector<std::string>>(kModeSwitchesKey), (std::vector<std::string>{"graph", "checkpoint_0"}));
  joinModeSwitches(spec);
  EXPECT_EQ(spec.get<std::string>("mode"), "opt1+graph+checkpoint_0");
  EXPECT_TRUE(spec.get<std::vector<std::string>>(kModeSwitchesKey).empty());
  joinModeSwitches(spec);
  EXPECT_EQ(spec.get<std::string>("mode"), "opt1+graph+checkpoint_0") << "joined once";
  JobSpec plain("train");
  separateModeSwitches(plain);
  EXPECT_FALSE(plain.has(kModeSwitchesKey));
  EXPECT_FALSE(plain.has("mode"));
}

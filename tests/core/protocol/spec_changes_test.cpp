// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/spec_changes.h"
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
Catalog catalogOf(const std::vector<std::pair<std::string, Json>>& defaults) {
  Catalog catalog;
  for (const auto& [key, value] : defaults) {
    Parameter parameter;
    parameter.key = key;
    parameter.type = value.is_boolean() ? ParameterType::Boolean : ParameterType::Integer;
    parameter.defaultValue = value;
    parameter.kinds = {"bench"};
    catalog.parameters.push_back(parameter);
  }
  return catalog;
}

JobSpec specOf(const Json& json) { return JobSpec::fromJson(json).value(); }
} // namespace

TEST(SpecChanges, TellWhichSettingDiffersAndHowToBringItBack) {
  const Catalog known = catalogOf({{"seed", 0}, {"bench.steps", 20}, {"bench.turns", 2}, {"bench.warmup", 3}, {"deterministic", false}});
  const JobSpec then = specOf({{"schema", "1.0"}, {"kind", "bench"}, {"seed", 0}, {"bench", {{"steps", 20}}}});
  JobSpec now = then;
  EXPECT_TRUE(specChanges(then, now, known).empty());
  now.set("seed", 3);
  now.set("bench.steps", 50);
  const auto changes = specChanges(then, now, known);
  EXPECT_EQ(changeWords(changes), "seed was 0 and is 3 now; bench.steps was 20 and is 50 now");
  EXPECT_EQ(settingsOfThen(changes), "--set seed=0 --set bench.steps=20");
  now.set("bench.turns", 5);
  now.set("bench.warmup", 0);
  EXPECT_TRUE(changeWords(specChanges(then, now, known)).ends_with("bench.turns was 2 and is 5 now; and 1 more"));
}

TEST(SpecChanges, WhatAnOlderProgramDidNotKnowIsItsDefault) {
  const Catalog known = catalogOf({{"seed", 0}, {"deterministic", false}});
  const JobSpec then = specOf({{"schema", "1.0"}, {"kind", "bench"}, {"seed", 0}, {"gone", 7}});
  JobSpec now = specOf({{"schema", "1.0"}, {"kind", "bench"}, {"seed", 0}, {"deterministic", false}});
  EXPECT_TRUE(specChanges(then, now, known).empty());
  now.set("deterministic", true);
  EXPECT_EQ(changeWords(specChanges(then, now, known)), "deterministic was false and is true now");
  EXPECT_FALSE(specChanges(specOf({{"schema", "1.0"}, {"kind", "train"}}), now, known).empty());
}

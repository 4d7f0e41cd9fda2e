// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/run_again.h"
#include "core/protocol/experiment_plan.h"
#include "core/protocol/job_parameters.h"
#include <gmock/gmock.h>

namespace voxlab {
namespace {
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The runs of a plan, as a folder of them is read; defaults filled in.
std::vector<ComparisonInput> runsOf(const ExperimentPlan& plan, const std::filesystem::path& folder, const std::vector<std::string>& assignments = {}) {
  Catalog known;
  known.parameters = jobParameters({});
  const auto jobs = plannedJobs(plan, folder);
  std::vector<ComparisonInput> inputs;
  for (const PlannedJob& job : jobs.value()) {
    JobSpec spec = job.spec;
    for (const std::string& assignment : assignments)
      if (spec.applyAssignment(assignment, known) && !spec.problems(known).empty())
        spec = job.spec; // not for this kind
    spec.fillDefaults(known);
    ComparisonInput input;
    input.id = job.name;
    input.kind = spec.kind();
    input.folder = folder / job.name;
    input.spec = spec.toJson();
    inputs.push_back(std::move(input));
  }
  return inputs;
}

ExperimentPlan smallPlan() {
  ExperimentPlan plan;
  plan.modes = {"baseline", "opt1+graph"};
  plan.samplings = {{"ddim", 50, 0.5}, {"ddpm", 0, {}}};
  plan.devices = {"cpu", "cuda:0"};
  plan.size = {128, 128, 96};
  plan.checkpoint = "/home/ann/w.safetensors";
  plan.masks = "/data/masks";
  plan.real = "…/images";
  plan.seed = 4;
  return plan;
}

TEST(RunAgain, AnExperimentIsOneCommandWhateverTheOrderOfItsRuns) {
  ExperimentPlan plan = smallPlan();
  plan.devices = {"cpu"};
  auto inputs = runsOf(plan, "/home/ann/e/runs", {"deterministic=true"});
  std::reverse(inputs.begin(), inputs.end());
  const RunAgain again = runAgain(inputs, "", "/home/ann");
  EXPECT_THAT(again.commands, ElementsAre("voxlab-worker experiment -o e_again --modes baseline,opt1+graph --devices cpu --size 128,128,96 --steps 9 --profile-steps 1 --samplers ddpm:0,ddim:50:0.5 "
                                          "--checkpoint \"$HOME/w.safetensors\" --masks /data/masks --real '…/images' --seed 4 --set deterministic=true"));
  EXPECT_THAT(again.sentences.back(), HasSubstr("packed"));
}

// The studio gives its runs other names, and brings the paths among them up to date.
TEST(RunAgain, AnExperimentOfTheStudioIsFoundBySpecificationsAlone) {
  auto inputs = runsOf(smallPlan(), "/data/mine");
  for (ComparisonInput& input : inputs) {
    input.id = "2026_" + input.id;
    input.folder = input.folder.parent_path() / input.id;
    for (const char* key : {"synthetic", "reference"})
      if (input.kind == "quality")
        input.spec["quality"][key] = "/data/mine/2026_" + std::filesystem::path(input.spec["quality"][key].get<std::string>()).filename().string();
  }
  EXPECT_THAT(runAgain(inputs, "", "").commands, ElementsAre(HasSubstr("experiment -o experiment_again")));
  inputs.erase(inputs.begin() + 3); // names do not tell that it was to be made
  EXPECT_EQ(runAgain(inputs, "", "").commands.size(), inputs.size() + 1);
}

// Unpacked into one folder.
TEST(RunAgain, TheSameExperimentOfTwoMachinesIsOneCommand) {
  auto inputs = runsOf(smallPlan(), "/runs");
  for (ComparisonInput input : runsOf(smallPlan(), "/runs")) {
    input.id += "_2";
    input.folder += "_2";
    if (input.kind == "quality")
      for (const char* key : {"synthetic", "reference"})
        input.spec["quality"][key] = input.spec["quality"][key].get<std::string>() + "_2";
    inputs.push_back(std::move(input));
  }
  EXPECT_THAT(runAgain(inputs, "", "").commands, ElementsAre(HasSubstr("voxlab-worker experiment")));
}

TEST(RunAgain, WhatNoExperimentMakesIsToldRunByRun) {
  auto inputs = runsOf(smallPlan(), "/e/runs");
  inputs[0].spec["bench"]["warmup"] = 7; // of one device's benchmark alone
  EXPECT_EQ(runAgain(inputs, "", "").commands.size(), inputs.size() + 1);
  EXPECT_THAT(runAgain(inputs, "opt1", "").commands.back(), HasSubstr("--baseline opt1"));
  ComparisonInput odd;
  odd.id = "x";
  odd.kind = "bench";
  EXPECT_THAT(runAgain({odd}, "", "").commands.front(), HasSubstr("bench --spec x/spec.json"));
}

TEST(RunAgain, OtherRunsStandBesideTheExperiment) {
  auto inputs = runsOf(smallPlan(), "/e/runs");
  ExperimentPlan other;
  other.modes = {"bf16"};
  other.profileSteps = 0;
  for (auto& input : runsOf(other, "/elsewhere"))
    inputs.push_back(std::move(input));
  const auto again = runAgain(inputs, "", "");
  ASSERT_EQ(again.commands.size(), 3u);
  EXPECT_THAT(again.commands[0], HasSubstr("experiment"));
  EXPECT_THAT(again.commands[1], HasSubstr("voxlab-worker bench --set bench.modes=bf16"));
  EXPECT_THAT(again.commands[2], HasSubstr("compare speed_128_cpu"));
}

TEST(RunAgain, PathsBelowTheHomeNameNobody) {
  const std::vector<std::string> words{"x", "/home/ann/a b", "k=/home/ann/$c", "/home/annette", "it's", "/home/ann"};
  EXPECT_EQ(shellCommandBelowHome(words, "/home/ann"), "x \"$HOME/a b\" \"k=$HOME/\\$c\" /home/annette 'it'\\''s' /home/ann");
  EXPECT_EQ(shellCommandBelowHome({"/a"}, "/"), "/a");
  EXPECT_EQ(shellCommandBelowHome({"/a"}, ""), "/a");
}

} // namespace
} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/experiment_plan.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace voxlab;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
ExperimentPlan smallPlan() {
  ExperimentPlan plan;
  plan.modes = {"baseline", "opt1+graph"};
  plan.samplings = {{"ddpm", 0, {}}, {"ddim", 50, 0.0}, {"dpm_solver", 20, {}}};
  plan.checkpoint = "head.safetensors";
  plan.masks = "masks";
  plan.real = "images";
  return plan;
}
std::vector<std::string> namesOf(const std::vector<PlannedJob>& jobs) {
  std::vector<std::string> names;
  for (const PlannedJob& job : jobs)
    names.push_back(job.name);
  return names;
}
const PlannedJob& named(const std::vector<PlannedJob>& jobs, const std::string& name) {
  return *std::find_if(jobs.begin(), jobs.end(), [&](const PlannedJob& job) { return job.name == name; });
}
} // namespace

TEST(ExperimentPlan, TellsMostFirst) {
  const auto jobs = plannedJobs(smallPlan(), "runs").value();
  EXPECT_THAT(namesOf(jobs), ElementsAre("speed_128", "sample_dpm_solver_20_baseline", "quality_dpm_solver_20_baseline", "sample_dpm_solver_20_opt1+graph",
                                         "quality_dpm_solver_20_opt1+graph", "sample_ddim_50_eta0_baseline", "quality_ddim_50_eta0_baseline",
                                         "sample_ddim_50_eta0_opt1+graph", "quality_ddim_50_eta0_opt1+graph", "sample_ddpm_0_baseline", "quality_ddpm_0_baseline",
                                         "sample_ddpm_0_opt1+graph", "quality_ddpm_0_opt1+graph", "profile_128_baseline", "profile_128_opt1+graph"));
}

TEST(ExperimentPlan, JobsSayWhatTheyDo) {
  ExperimentPlan plan = smallPlan();
  plan.seed = 7;
  plan.training = "all";
  const auto jobs = plannedJobs(plan, "/tmp/e/runs").value();
  const PlannedJob& volumes = named(jobs, "sample_ddim_50_eta0_opt1+graph");
  EXPECT_EQ(volumes.spec.kind(), "sample");
  EXPECT_EQ(volumes.title, "opt1+graph, ddim, 50 steps, η 0");
  EXPECT_EQ(volumes.spec.get<std::string>("mode"), "opt1+graph");
  EXPECT_EQ(volumes.spec.get<double>("sample.eta", -1), 0);
  EXPECT_EQ(volumes.spec.get<int>("seed"), 7); // the same in every mode
  EXPECT_FALSE(named(jobs, "sample_ddpm_0_baseline").spec.has("sample.eta"));
  const PlannedJob& quality = named(jobs, "quality_ddim_50_eta0_opt1+graph");
  EXPECT_EQ(quality.after, volumes.name);
  EXPECT_EQ(quality.spec.get<std::string>("quality.synthetic"), "/tmp/e/runs/sample_ddim_50_eta0_opt1+graph");
  EXPECT_EQ(quality.spec.get<std::string>("quality.real"), "images");
  EXPECT_EQ(quality.spec.get<std::string>("quality.training"), "all");
  EXPECT_THAT(named(jobs, "speed_128").spec.get<std::vector<std::string>>("bench.modes"), ElementsAre("baseline", "opt1+graph"));
}

TEST(ExperimentPlan, VolumesAreComparedWithWhatBaselineDrewBefore) {
  ExperimentPlan plan = smallPlan();
  plan.modes = {"bf16", "baseline"};
  plan.samplings.resize(1);
  plan.devices = {"cpu", "cuda:0"};
  plan.benchmarkSteps = plan.profileSteps = 0;
  auto jobs = plannedJobs(plan, "runs").value();
  ASSERT_EQ(jobs.size(), 8u);
  EXPECT_EQ(jobs[0].name, "sample_ddpm_0_baseline_cpu");
  for (const char* mode : {"bf16", "baseline"}) {
    const PlannedJob& quality = named(jobs, std::string("quality_ddpm_0_") + mode + "_cuda0");
    EXPECT_EQ(quality.reference, "sample_ddpm_0_baseline_cuda0"); // of the same device, and Baseline itself: where a plot begins
    EXPECT_EQ(quality.spec.get<std::string>("quality.reference"), "runs/sample_ddpm_0_baseline_cuda0");
    EXPECT_FALSE(quality.spec.has("quality.measures"));
  }
  plan.real.clear(); // which equal seeds do not need
  jobs = plannedJobs(plan, "runs").value();
  EXPECT_EQ(jobs.size(), 8u);
  EXPECT_THAT(named(jobs, "quality_ddpm_0_bf16_cpu").spec.get<std::vector<std::string>>("quality.measures"), ElementsAre("equal_seeds", "fidelity"));
  plan.equalSeeds = false;
  EXPECT_EQ(plannedJobs(plan, "runs").value().size(), 4u);
}

TEST(ExperimentPlan, DoesNoMoreThanIsAskedFor) {
  ExperimentPlan plan = smallPlan();
  plan.real.clear();
  plan.profileSteps = 0;
  plan.modes = {"bf16"};
  plan.samplings.resize(1);
  EXPECT_THAT(namesOf(plannedJobs(plan, "runs").value()), ElementsAre("speed_128", "sample_ddpm_0_bf16"));
  plan.checkpoint.clear();
  EXPECT_THAT(namesOf(plannedJobs(plan, "runs").value()), ElementsAre("speed_128"));
  plan.benchmarkSteps = 0;
  EXPECT_THAT(plannedJobs(plan, "runs").error().message, HasSubstr("nothing to do"));
}

TEST(ExperimentPlan, SeveralDevicesAreNamed) {
  ExperimentPlan plan = smallPlan();
  plan.devices = {"cpu", "cuda:1"};
  plan.modes = {"bf16"};
  plan.checkpoint.clear();
  const auto jobs = plannedJobs(plan, "runs").value();
  EXPECT_THAT(namesOf(jobs), ElementsAre("speed_128_cpu", "speed_128_cuda1", "profile_128_bf16_cpu", "profile_128_bf16_cuda1"));
  EXPECT_EQ(jobs.back().spec.get<std::string>("device"), "cuda:1");
}

TEST(ExperimentPlan, RefusesOneThingTwice) {
  ExperimentPlan plan = smallPlan();
  plan.modes.push_back("baseline");
  EXPECT_EQ(plannedJobs(plan, "runs").error().code, ExitCode::Usage);
}

TEST(ExperimentPlan, ReadsWaysOfSampling) {
  const auto ddim = plannedSamplingFrom("ddim:50:0.5").value();
  EXPECT_EQ(ddim.sampler, "ddim");
  EXPECT_EQ(ddim.steps, 50);
  EXPECT_EQ(ddim.eta, 0.5);
  EXPECT_FALSE(plannedSamplingFrom("ddpm:250").value().eta);
  for (const char* wrong : {"", "ddim", "ddim:", ":5", "ddim:five", "ddim:-1", "ddim:5:", "ddim:5:x", "ddim:5:0:1"})
    EXPECT_EQ(plannedSamplingFrom(wrong).error().code, ExitCode::Usage) << wrong;
}

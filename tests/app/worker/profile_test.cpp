// SPDX-License-Identifier: Apache-2.0
// Recordings by the worker: of their own, of a running training, and of other programs.
#include "core/analysis/run_profile.h"
#include "tests/app/worker/worker_fixture.h"
#include <algorithm>
#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <set>
#include <sstream>

using namespace voxlab;
using testing::HasSubstr;

namespace {
class ProfileTest : public WorkerTest {
protected:
  static std::filesystem::path recording(const std::string& name) { return testData() / "profiles" / name; }
  static Json reportOf(const std::filesystem::path& run) {
    const ProcessEnd end = worker({"report", run.string(), "--format", "json"});
    EXPECT_EQ(end.exitCode, 0) << end.errors;
    return parseJson(end.output, "report").value_or(Json::object());
  }
  std::vector<std::string> profileCommand(const std::string& name, const std::string& what, const Settings& more = {}) const {
    std::vector<std::string> words{"profile", "--mode", "baseline", "--steps", "2", "--what", what, "--size", "8",
                                   "--run-dir", (m_folder / name).string()};
    for (const std::string& setting : Settings{"model.base_channels=32", "model.multipliers=1,2", "model.attention_factors=2", "device=cpu",
                                               "threads=1", "bench.warmup=1", "diffusion.timesteps=20"} + more) {
      words.push_back("--set");
      words.push_back(setting);
    }
    return words;
  }
  // What the import printed: the runs' folders.
  std::vector<std::filesystem::path> imported(const std::vector<std::string>& files) const {
    std::vector<std::string> words{"import", "--runs", (m_folder / "runs").string()};
    words.insert(words.end(), files.begin(), files.end());
    const ProcessEnd end = worker(words);
    EXPECT_EQ(end.exitCode, 0) << end.errors;
    std::vector<std::filesystem::path> folders;
    std::istringstream lines(end.output);
    for (std::string line; std::getline(lines, line);)
      folders.emplace_back(line);
    return folders;
  }
};

double sumOf(const Json& categories) {
  double sum = 0;
  for (const auto& [name, ms] : categories.items())
    sum += ms.get<double>();
  return sum;
}

std::vector<std::string> namesOf(const Json& rows) {
  std::vector<std::string> names;
  for (const Json& row : rows)
    names.push_back(row.at("name").get<std::string>());
  return names;
}
} // namespace

TEST_F(ProfileTest, RecordsTrainingAndSamplingStepsWithModulesAndPhases) {
  const ProcessEnd end = worker(profileCommand("run", "train,sample"));
  ASSERT_EQ(end.exitCode, 0) << end.errors;
  const auto events = eventsOf(run("run"), event::kProfile);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].fields["path"], "profiles/01_train.json.gz");
  EXPECT_EQ(events[1].fields["path"], "profiles/02_sample.json.gz");
  for (const Event& e : events) {
    EXPECT_EQ(e.fields["steps"], 2);
    EXPECT_EQ(e.fields["mode"], "baseline");
    EXPECT_GT(e.fields["measured_ms_per_step"].get<double>(), 0);
    EXPECT_NEAR(sumOf(e.fields["categories_ms"]), e.fields["wall_ms_per_step"].get<double>(), 1e-6);
  }
  EXPECT_GT(events[0].fields["categories_ms"]["convolution_backward"].get<double>(), 0);
  EXPECT_FALSE(events[1].fields["categories_ms"].contains("convolution_backward"));
  const Json report = reportOf(run("run").path());
  EXPECT_EQ(report["file"], "01_train.json.gz");
  EXPECT_EQ(report["steps"], 2);
  for (const char* phase : {"forward", "backward", "optimizer"})
    EXPECT_GT(report["phases_ms"].value(phase, 0.0), 0) << phase;
  EXPECT_THAT(namesOf(report["modules"]), testing::IsSupersetOf({"input_blocks.0.0", "input_blocks.1.0", "middle_block.1", "out", "time_embed"}));
  EXPECT_GT(report["others"][0]["phases_ms"].value("sampling", 0.0), 0);
  EXPECT_EQ(report["runs"][0]["profile"]["kernel_ms_per_step"], report["kernel_ms_per_step"]);
}

// Shapes of long lists are not recorded; the optimiser's range says how many parameters they hold: as many as gradients are accumulated.
TEST_F(ProfileTest, OptimisersKnowHowMuchTheyWorkOn) {
  ASSERT_EQ(worker(profileCommand("run", "train")).exitCode, 0);
  const Trace trace = readProfile(run("run").path() / "profiles" / "01_train.json.gz").value();
  std::int64_t accumulated = 0;
  std::set<std::vector<std::int64_t>> lists;
  for (const HostEvent& e : trace.host) {
    const auto inputs = operatorInputs(trace.name(e.inputs));
    if (trace.name(e.name) == "torch::autograd::AccumulateGrad" && !inputs.empty()) {
      std::int64_t elements = 1;
      for (const std::int64_t side : inputs[0].shape())
        elements *= side;
      accumulated += elements;
    }
    if (trace.name(e.name) == "aten::_foreach_addcmul_")
      lists.insert(inputs.at(0).shape());
  }
  EXPECT_GT(accumulated, 0);
  EXPECT_EQ(lists, (std::set<std::vector<std::int64_t>>{{accumulated / 2}})) << "in two steps";
}

TEST_F(ProfileTest, ReportsInEveryFormat) {
  ASSERT_EQ(worker(profileCommand("run", "train")).exitCode, 0);
  const std::string folder = run("run").path().string();
  EXPECT_THAT(worker({"report", folder}).output, HasSubstr("Categories; they add up to the wall time"));
  EXPECT_THAT(worker({"report", folder, "--format", "csv"}).output, HasSubstr("Convolution, forward"));
  const std::string page = worker({"report", folder, "--format", "html"}).output;
  EXPECT_THAT(page, HasSubstr("<svg viewBox=\"0 0 1000 40\""));
  EXPECT_EQ(page.find("<!DOCTYPE", 1), std::string::npos) << "one page";
}

TEST_F(ProfileTest, CountersWithoutAGpuAreASentenceAndTheRecordingStands) {
  const ProcessEnd end = worker(profileCommand("run", "sample", {"profile.counters=true"}));
  EXPECT_EQ(end.exitCode, 0) << end.errors;
  const auto warnings = eventsOf(run("run"), event::kWarning);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0].fields["message"].get<std::string>(), HasSubstr("need a GPU"));
  EXPECT_EQ(eventsOf(run("run"), event::kProfile).size(), 1u);
}

TEST_F(ProfileTest, UnderAnotherProfilerTheJobSaysSo) {
  const ProcessEnd end = runProcess(program("voxlab-worker"), profileCommand("run", "sample"), {{"NVTX_INJECTION64_PATH", "/opt/tool.so"}});
  EXPECT_EQ(end.exitCode, 2);
  EXPECT_THAT(end.errors, HasSubstr("Another profiler"));
}

TEST_F(ProfileTest, ARunningTrainingRecordsTheNextStepsWhenAsked) {
  Process process(program("voxlab-worker"), trainCommand("run", tinyTraining(1000000) + Settings{"train.checkpoint_every=1000000", "train.sample_every=0"}));
  ASSERT_TRUE(waitFor(process, run("run"), 1, [](const Event& e) { return e.type == event::kStep; }));
  ASSERT_TRUE(run("run").request(command::kProfileNext, {{"steps", 3}}));
  ASSERT_TRUE(waitFor(process, run("run"), 1, [](const Event& e) { return e.type == event::kAck; })) << process.wait().errors;
  ASSERT_TRUE(run("run").request(command::kProfileNext, {{"steps", 2}})); // while the first is recorded, or after it: a recording of its own
  ASSERT_TRUE(waitFor(process, run("run"), 1, [](const Event& e) { return e.type == event::kProfile && e.fields["steps"] == 2; })) << process.wait().errors;
  process.send(SIGTERM);
  EXPECT_EQ(process.wait().exitCode, 6);
  const auto profiles = eventsOf(run("run"), event::kProfile);
  ASSERT_EQ(profiles.size(), 2u);
  EXPECT_EQ(profiles[0].fields["steps"], 3);
  EXPECT_EQ(profiles[1].fields["steps"], 2);
  EXPECT_THAT(profiles[0].fields["path"].get<std::string>(), testing::StartsWith("profiles/step_"));
  const Trace trace = readProfile(run("run").path() / profiles[0].fields["path"].get<std::string>()).value();
  EXPECT_EQ(trace.steps.size(), 3u);
  EXPECT_EQ(trace.steps[0].name, "train_step");
}

TEST_F(ProfileTest, LightStepsShowTheCategoriesOverTimeAndChangeNoResult) {
  const Settings settings = tinyTraining(24) + Settings{"train.checkpoint_every=24", "train.sample_every=0"};
  const RunDirectory plain = trained("plain", settings);
  const RunDirectory watched = trained("watched", settings + Settings{"train.live_breakdown=true", "train.live_breakdown_every=4"});
  const auto live = eventsOf(watched, event::kProfile);
  ASSERT_EQ(live.size(), 4u); // after ten steps every fourth: 11, 15, 19, 23
  for (const Event& e : live) {
    EXPECT_EQ(e.fields["path"], "");
    EXPECT_EQ(e.fields["steps"], 1);
    EXPECT_GT(e.fields["overhead_percent"].get<double>(), 0);
    EXPECT_GT(e.fields["cost_ms"].get<double>(), 0);
    EXPECT_EQ(e.fields["every_steps"], 4);
    EXPECT_NEAR(sumOf(e.fields["categories_ms"]), e.fields["wall_ms_per_step"].get<double>(), 1e-6);
  }
  EXPECT_EQ(readJsonFile(watched.summaryFile()).value()["live_breakdowns"], 4);
  EXPECT_TRUE(profileFilesOf(watched).traces.empty());
  EXPECT_EQ(contentsOf(plain.checkpoint(24) / "model.safetensors"), contentsOf(watched.checkpoint(24) / "model.safetensors"));
}

TEST_F(ProfileTest, ASignalStopsBetweenSteps) {
  auto words = profileCommand("run", "train");
  *std::find(words.begin(), words.end(), "2") = "10000"; // steps
  Process process(program("voxlab-worker"), words);
  ASSERT_TRUE(waitFor(process, run("run"), 1, [](const Event& e) { return e.type == event::kProgress; }));
  process.send(SIGTERM);
  const ProcessEnd end = process.wait();
  EXPECT_EQ(end.exitCode, 6) << end.errors;
  EXPECT_EQ(run("run").outcome(), RunOutcome::Stopped);
}

TEST_F(ProfileTest, TracesAndCountersAreInspected) {
  EXPECT_THAT(worker({"inspect", recording("trace_opt1_128.json.gz").string()}).output, AllOf(HasSubstr("kind: trace"), HasSubstr("steps: 2"), HasSubstr("NVIDIA H200")));
  EXPECT_THAT(worker({"inspect", recording("ncu_raw_opt1_128.csv.gz").string()}).output, HasSubstr("kind: counters"));
}

TEST_F(ProfileTest, ATraceOfAnotherProgramBecomesARun) {
  const auto runs = imported({recording("trace_opt1_128.json.gz").string()});
  ASSERT_EQ(runs.size(), 1u);
  const RunDirectory made(runs[0]);
  EXPECT_EQ(made.outcome(), RunOutcome::Finished);
  EXPECT_EQ(made.info()->title, "trace_opt1_128.json.gz");
  const Json report = reportOf(runs[0]);
  EXPECT_NEAR(report["kernel_ms_per_step"].get<double>(), 226.68, 0.23);
  EXPECT_EQ(report["steps"], 2);
  EXPECT_NEAR(sumOf(report["categories_ms"]), report["wall_ms_per_step"].get<double>(), 1e-6);
  const auto events = eventsOf(made, event::kProfile);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].fields["path"], "profiles/trace_opt1_128.json.gz");
  EXPECT_EQ(report["device"], "NVIDIA H200");
}

TEST_F(ProfileTest, CounterPagesJoinTheTraceTheyCameWithOrEachOther) {
  const std::string raw = recording("ncu_raw_opt1_128.csv.gz").string(), details = recording("ncu_details_opt1_128.csv.gz").string();
  const auto together = imported({recording("trace_opt1_128.json.gz").string(), raw, details});
  ASSERT_EQ(together.size(), 1u);
  const Json both = reportOf(together[0]);
  EXPECT_TRUE(both["counters"].contains("coverage"));
  const auto alone = imported({raw, details});
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_EQ(profileFilesOf(RunDirectory(alone[0])).counterPages.size(), 2u);
  EXPECT_GT(reportOf(alone[0])["counters"]["instructions"].get<double>(), 0);
}

TEST_F(ProfileTest, ABrokenTraceKeepsNoOtherOut) {
  const auto broken = m_folder / "cut.json";
  std::ofstream(broken) << R"({"traceEvents": [)";
  const std::string good = (testData() / "profiles" / "trace_opt1_128.json.gz").string();
  const ProcessEnd end = worker({"import", "--runs", (m_folder / "runs").string(), broken.string(), "/nonexistent.json", good});
  EXPECT_EQ(end.exitCode, 4);
  EXPECT_THAT(end.errors, AllOf(HasSubstr("cut.json is broken"), HasSubstr("/nonexistent.json")));
  const std::string folder = end.output.substr(0, end.output.find('\n'));
  EXPECT_EQ(RunDirectory(folder).outcome(), RunOutcome::Finished) << end.output << end.errors;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(m_folder / "runs"), {}), 1) << "of the broken one nothing is left";
}

TEST_F(ProfileTest, ABrokenTraceIsNamedWithThePlaceAndLeavesNoRun) {
  const auto file = m_folder / "cut.json";
  std::ofstream(file) << R"({"traceEvents": [{"ph": "X", "name": "a", "ts": 1, )";
  const ProcessEnd end = worker({"import", file.string(), "--runs", (m_folder / "runs").string()});
  EXPECT_EQ(end.exitCode, 4);
  EXPECT_THAT(end.errors, HasSubstr("cut.json is broken at byte"));
  EXPECT_EQ(end.output, "");
  EXPECT_TRUE(std::filesystem::is_empty(m_folder / "runs"));
  const auto page = m_folder / "cut.csv";
  std::ofstream(page) << "\"ID\",\"Kernel Name\"\n\"0\",\"never clo";
  EXPECT_EQ(worker({"import", page.string(), "--runs", (m_folder / "runs").string()}).exitCode, 4);
  EXPECT_TRUE(std::filesystem::is_empty(m_folder / "runs"));
  EXPECT_EQ(worker({"import", "/nonexistent.json"}).exitCode, 4);
}

TEST_F(ProfileTest, WhatWasSkippedIsSaidAndOddNamesStay) {
  const auto file = m_folder / "odd.json";
  std::ofstream(file) << R"([{"ph":"X","cat":"kernel","name":"<script>alert(1)</script>","pid":0,"tid":7,"ts":20,"dur":100},
    {"ph":"X","cat":"kernel","name":"=1+1","pid":0,"tid":7,"ts":130,"dur":50}, {"ph":"X","cat":"kernel","name":"a","ts":1,"dur":-5},
    {"ph":"X","cat":"kernel","name":"b","ts":"soon","dur":5}])";
  const ProcessEnd end = worker({"import", file.string(), "--runs", (m_folder / "runs").string()});
  ASSERT_EQ(end.exitCode, 0) << end.errors;
  EXPECT_THAT(end.errors, HasSubstr("2 events have no usable time or duration and were skipped."));
  const std::string folder = end.output.substr(0, end.output.find('\n'));
  EXPECT_THAT(worker({"report", folder}).output, AllOf(HasSubstr("2 events have no usable time"), HasSubstr("  <script>alert(1)</script> "), HasSubstr("  =1+1 ")));
  EXPECT_THAT(worker({"report", folder, "--format", "html"}).output, AllOf(HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"), Not(HasSubstr("<script>"))));
}

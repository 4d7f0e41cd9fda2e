// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/run_history.h"
#include "core/analysis/run_profile.h"
#include "core/base/files.h"
#include "tests/core/analysis/trace_text.h"
#include "tests/support/temporary_folder.h"
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
RunDirectory makeRun(const TemporaryFolder& folder, const std::string& mode) {
  RunInfo info;
  info.kind = "profile";
  info.mode = mode;
  info.title = "A profile";
  return RunDirectory::createAt(folder / mode, JobSpec("profile"), info).value();
}

void put(const std::string& recordedName, const RunDirectory& run) {
  std::filesystem::create_directories(run.profiles());
  std::filesystem::copy_file(recorded(recordedName), run.profiles() / recordedName);
}
} // namespace

TEST(RunProfile, ReportOfARunFolder) {
  TemporaryFolder folder;
  const RunDirectory run = makeRun(folder, "opt1");
  EXPECT_EQ(runProfileReport(run).error().code, ExitCode::Data) << "no profile yet";
  put("trace_opt1_128.json.gz", run);
  put("ncu_raw_opt1_128.csv.gz", run);
  put("ncu_details_opt1_128.csv.gz", run);
  ASSERT_TRUE(writeFileAtomically(run.environmentFile(), R"({"switches": {"precision": "tf32"}})"
                                                         "\n"));
  EXPECT_EQ(askedPrecision(run), Precision::Tf32);
  const auto report = runProfileReport(run);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->title, "A profile");
  EXPECT_NEAR(report->data.at("kernel_ms_per_step").get<double>(), 226.68, 0.23);
  EXPECT_EQ(report->data.at("precision").at("asked"), "tf32");
  EXPECT_TRUE(report->data.contains("counters"));
  EXPECT_FALSE(report->data.contains("others"));
  put("trace_baseline_128.json.gz", run);
  const auto both = runProfileReport(run);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->data.at("others").size(), 1u);
  EXPECT_EQ(both->data.at("file"), "trace_baseline_128.json.gz") << "by name";
}

TEST(RunProfile, ABrokenFileIsNamed) {
  TemporaryFolder folder;
  const RunDirectory run = makeRun(folder, "broken");
  ASSERT_TRUE(writeFileAtomically(run.profiles() / "bad.json", "{\"traceEvents\": ["));
  const auto report = runProfileReport(run);
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("bad.json is broken at byte"), std::string::npos) << report.error().message;
}

TEST(RunProfile, SidesOfAComparison) {
  TemporaryFolder folder;
  std::vector<ComparedRun> sides;
  for (const char* mode : {"baseline", "opt1"}) {
    const RunDirectory run = makeRun(folder, mode);
    EXPECT_EQ(comparedRuns(run).error().code, ExitCode::Data);
    put(std::string("trace_") + mode + "_128.json.gz", run);
    auto found = comparedRuns(run);
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(found->size(), 1u);
    sides.push_back(std::move(found->front()));
  }
  ASSERT_EQ(sides.size(), 2u);
  EXPECT_EQ(sides[1].name, "opt1");
  EXPECT_EQ(sides[1].device, "NVIDIA H200");
  const auto comparison = compareRuns(sides, "baseline");
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->differences.size(), 1u);
}

TEST(RunProfile, SidesOfABenchmark) {
  TemporaryFolder folder;
  const RunDirectory run = makeRun(folder, "bench");
  auto events = LineWriter::open(run.eventsFile()).value();
  ASSERT_TRUE(
      events.append(toJson(Event{"hello", 0, {{"major", 1}, {"minor", 0}, {"start", 1}, {"resume_step", 0}, {"wall_time", ""}}})));
  for (const char* mode : {"baseline", "opt1"})
    ASSERT_TRUE(events.append(toJson(Event{"bench", 1, {{"mode", mode}, {"what", "train"}, {"duration_ms", 10}}})));
  const auto sides = comparedRuns(run);
  ASSERT_TRUE(sides) << sides.error().message;
  ASSERT_EQ(sides->size(), 2u);
  EXPECT_EQ((*sides)[1].name, "opt1 · train");
}

TEST(RunHistory, ReadsAWholeFileAndAnAbsentOne) {
  TemporaryFolder folder;
  const RunDirectory run = makeRun(folder, "train");
  EXPECT_EQ(readRunState(run)->outcome(), RunOutcome::Waiting);
  auto events = LineWriter::open(run.eventsFile()).value();
  ASSERT_TRUE(events.append(toJson(
      Event{"hello", 0, {{"major", 1}, {"minor", 0}, {"start", 1}, {"resume_step", 0}, {"wall_time", ""}, {"total_steps", 5}}})));
  ASSERT_TRUE(events.append(toJson(Event{"step", 1, {{"step", 3}, {"loss", 0.5}}})));
  const auto state = readRunState(run);
  ASSERT_TRUE(state);
  EXPECT_EQ(state->step(), 3);
  EXPECT_EQ(state->series(Measure::Loss).last(), 0.5);
  ASSERT_TRUE(
      events.append(toJson(Event{"hello", 0, {{"major", 9}, {"minor", 0}, {"start", 2}, {"resume_step", 3}, {"wall_time", ""}}})));
  EXPECT_NE(readRunState(run).error().message.find("events.jsonl"), std::string::npos);
}

TEST(RunProfile, AReplayTakesModulesFromItsEagerCounterpart) {
  TemporaryFolder folder;
  TraceText eager, replay;
  eager.range("train_step", 0, 100).range("input_blocks.0.0", 5, 50).op("aten::conv", 10, 20).kernel("conv", 12, 30, 40);
  replay.range("train_step", 0, 100).kernel("conv", 12, 30, 40); // launched by no operator
  const auto file = folder / "profiles" / "01_train.json";
  ASSERT_TRUE(writeFileAtomically(file, replay.text()));
  const Trace alone = readProfile(file).value();
  EXPECT_EQ(alone.name(alone.gpu.at(0).module), "");
  ASSERT_TRUE(writeFileAtomically(eagerCounterpart(file), eager.text()));
  const Trace joined = readProfile(file).value();
  EXPECT_EQ(joined.name(joined.gpu.at(0).module), "input_blocks.0.0");
  EXPECT_EQ(joined.name(joined.gpu.at(0).opName), "aten::conv");
  EXPECT_EQ(joined.notes.size(), alone.notes.size() + 1);
}

TEST(RunProfile, FilesThatAreNotFinishedAreNoProfiles) {
  TemporaryFolder folder;
  const RunDirectory run = makeRun(folder, "writing");
  ASSERT_TRUE(writeFileAtomically(run.profiles() / ".live.json", "{"));
  EXPECT_TRUE(profileFilesOf(run).traces.empty());
}

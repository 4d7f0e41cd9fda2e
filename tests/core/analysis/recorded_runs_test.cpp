// SPDX-License-Identifier: Apache-2.0
// The recorded benchmarks and trainings that ship under resources/examples: each opens whole, and says what the studio shows of it.
#include "core/analysis/bench_report.h"
#include "core/analysis/run_history.h"
#include "core/analysis/run_profile.h"
#include "tests/support/paths.h"
#include <gtest/gtest.h>
#include <map>

using namespace voxlab;
namespace fs = std::filesystem;

namespace {
std::vector<RunDirectory> examples() {
  std::vector<RunDirectory> runs;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(sourceFolder() / "resources" / "examples", ec))
    if (RunDirectory::looksLikeRun(entry.path()))
      runs.emplace_back(entry.path());
  return runs;
}

void expectFiles(const RunDirectory& run, const RunState& state) {
  for (const SampleRecord& sample : state.samples())
    EXPECT_TRUE(fs::exists(run.path() / sample.path)) << sample.path;
}

void expectBenchmark(const RunDirectory& run, const RunState& state) {
  const auto rows = benchRows(state);
  EXPECT_GT(rows.size(), 1u);
  for (const BenchRow& row : rows)
    EXPECT_TRUE(row.measured() || !row.unavailable.empty()) << row.mode;
  const auto report = benchRunReport(run);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_FALSE(writeReport(*report, ReportFormat::HtmlPage).empty());
  EXPECT_TRUE(comparedRuns(run)) << "it stands beside other runs";
}

void expectTraining(const RunState& state) {
  EXPECT_GT(state.step(), 0);
  EXPECT_GT(state.series(Measure::Loss).size(), 1u);
  EXPECT_TRUE(state.series(Measure::StepTime).last());
  EXPECT_TRUE(state.series(Measure::GpuPower).last()) << "recorded on a GPU";
}
} // namespace

TEST(RecordedRuns, OpenWhole) {
  std::map<std::string, int> kinds;
  for (const RunDirectory& run : examples()) {
    SCOPED_TRACE(run.id());
    const auto info = run.info();
    ASSERT_TRUE(info) << info.error().message;
    if (info->kind != "bench" && info->kind != "train")
      continue;
    ++kinds[info->kind];
    EXPECT_TRUE(run.outcome() == RunOutcome::Finished || run.outcome() == RunOutcome::Stopped) << nameOf(run.outcome());
    EXPECT_TRUE(run.spec());
    const auto state = readRunState(run);
    ASSERT_TRUE(state) << state.error().message;
    EXPECT_TRUE(state->unknownTypes().empty());
    EXPECT_EQ(state->incompleteEvents(), 0u);
    expectFiles(run, *state);
    if (info->kind == "bench")
      expectBenchmark(run, *state);
    if (info->kind == "train")
      expectTraining(*state);
  }
  EXPECT_GE(kinds["bench"], 1);
  EXPECT_GE(kinds["train"], 1);
}

// SPDX-License-Identifier: Apache-2.0
// bench and verify, by the real worker at a tiny size.
#include "core/analysis/bench_report.h"
#include "core/analysis/run_history.h"
#include "tests/app/worker/worker_fixture.h"
#include <algorithm>
#include <csignal>
#include <gmock/gmock.h>

using namespace voxlab;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
class BenchTest : public WorkerTest {
protected:
  std::vector<std::string> command(const std::string& verb, const std::string& name, const std::vector<std::string>& more) const {
    std::vector<std::string> words{verb,    "--run-dir",   (m_folder / name).string(),   "--size", "8",     "--device",
                                   "cpu",   "--set",       "model.base_channels=32",     "--set",  "model.multipliers=1",
                                   "--set", "model.attention_factors=", "--set", "threads=1"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

std::vector<std::string> sequence(const std::vector<Event>& events) { // which mode's steps came when
  std::vector<std::string> turns;
  for (const Event& e : events)
    if (e.fields.contains("duration_ms"))
      if (const auto mode = e.fields["mode"].get<std::string>(); turns.empty() || turns.back() != mode)
        turns.push_back(mode);
  return turns;
}
} // namespace

TEST_F(BenchTest, MeasuresModesInTurnsAndTellsWhatCannotRun) {
  const ProcessEnd end = worker(command("bench", "run", {"--modes", "baseline,opt1,bf16,opt2+checkpoint_0", "--what", "train", "--steps", "5", "--set",
                                                         "bench.turns=2", "--set", "bench.warmup=1", "--format", "json"}));
  ASSERT_EQ(end.exitCode, 0) << end.errors;
  const Json document = parseJson(end.output, "the output").value();
  ASSERT_EQ(document["rows"].size(), 4u);
  const Json &baseline = document["rows"][0], &refused = document["rows"][1], &bf16 = document["rows"][2];
  EXPECT_EQ(baseline["mode"], "baseline");
  EXPECT_EQ(baseline["wall_ms"]["count"], 5);
  EXPECT_GT(baseline["wall_ms"]["median"], 0);
  EXPECT_EQ(baseline["loss_difference"], 0);
  EXPECT_GT(baseline["flops_per_s"], 0);
  EXPECT_FALSE(baseline.contains("energy_j")); // unknown is not zero
  EXPECT_FALSE(baseline.contains("bound_percent"));
  EXPECT_THAT(refused["unavailable"].get<std::string>(), HasSubstr("TF32 needs an NVIDIA GPU"));
  EXPECT_FALSE(refused.contains("wall_ms"));
  EXPECT_GT(bf16["loss_difference"], 0);
  EXPECT_LT(bf16["loss_difference"], 0.01);
  EXPECT_EQ(document["environment"]["device"], "cpu");
  const auto events = eventsOf(run("run"), event::kBench);
  EXPECT_THAT(sequence(events), ElementsAre("baseline", "bf16", "opt2+checkpoint_0", "bf16", "baseline")); // the second turn backwards
  const Json summary = readJsonFile(run("run").summaryFile()).value();
  EXPECT_EQ(summary["rows"], document["rows"]);
  EXPECT_EQ(summary["switches"]["bf16"]["asked"]["precision"], "bf16");
  EXPECT_EQ(summary["switches"]["baseline"]["effective"]["tf32_cudnn"], false);
  EXPECT_EQ(eventsOf(run("run")).back().fields["message"], "Measured 3 of 4 rows.");
}

TEST_F(BenchTest, PrintsATableACsvAndMarkdownOfTheSameFigures) {
  ASSERT_EQ(worker(command("bench", "run", {"--modes", "opt2,bf16", "--what", "sample", "--steps", "2"})).exitCode, 0);
  const auto state = readRunState(run("run"));
  ASSERT_TRUE(state);
  const auto rows = benchRows(*state);
  ASSERT_EQ(rows.size(), 2u); // Baseline is run for the differences alone
  EXPECT_LT(rows[0].outputDifference.value(), 1e-4);
  EXPECT_GT(rows[1].outputDifference.value(), 1e-4);
  EXPECT_LT(rows[1].outputDifference.value(), 0.04);
  EXPECT_THAT(worker({"report", run("run").path().string()}).output, HasSubstr("Sampling step"));
  EXPECT_THAT(worker({"report", run("run").path().string(), "--format", "html"}).output, HasSubstr("Sampling step"));
  const ReportDocument report = benchRunReport(run("run")).value();
  EXPECT_THAT(writeReport(report, ReportFormat::CsvTables), HasSubstr("table,Sampling step\nmode,"));
  EXPECT_THAT(writeReport(report, ReportFormat::MarkdownText), HasSubstr("| mode | wall, median (quartiles), ms |"));
  EXPECT_THAT(writeReport(report, ReportFormat::PlainText), HasSubstr("8 × 8 × 8 voxels"));
}

TEST_F(BenchTest, TellsWhatItMeasuredWhenItIsStopped) {
  Process process(program("voxlab-worker"), command("bench", "run", {"--modes", "opt2,bf16", "--what", "sample", "--steps", "10000", "--set", "bench.turns=100",
                                                                     "--set", "bench.warmup=1"}));
  ASSERT_TRUE(waitFor(process, run("run"), 1, [](const Event& e) { return e.type == event::kBench && e.fields["mode"] == "bf16" && e.fields.contains("duration_ms"); }));
  process.send(SIGTERM);
  EXPECT_EQ(process.wait().exitCode, 6);
  const Json summary = readJsonFile(run("run").summaryFile()).value();
  ASSERT_EQ(summary["rows"].size(), 2u);
  for (const Json& row : summary["rows"]) {
    EXPECT_GE(row["wall_ms"]["count"], 100) << row["mode"];
    EXPECT_GT(row["flops_per_s"], 0) << row["mode"];
    EXPECT_TRUE(row.contains("output_difference")) << row["mode"];
  }
  EXPECT_GT(summary["rows"][1]["output_difference"], 1e-4);
  EXPECT_EQ(run("run").outcome(), RunOutcome::Stopped);
}

TEST_F(BenchTest, FailsWhenNoModeCanRunAndOnModesThatAreNone) {
  const ProcessEnd none = worker(command("bench", "none", {"--modes", "opt1,tf32_graph", "--steps", "1"}));
  EXPECT_EQ(none.exitCode, 2);
  EXPECT_THAT(none.errors, HasSubstr("No mode could be measured"));
  const ProcessEnd unknown = worker(command("bench", "unknown", {"--modes", "baseline,warp"}));
  EXPECT_EQ(unknown.exitCode, 2);
  EXPECT_THAT(unknown.errors, HasSubstr("warp"));
  EXPECT_FALSE(std::filesystem::exists(m_folder / "unknown"));
}

TEST_F(BenchTest, VerifyPassesWithinThePrecisionAndFailsBeyondTheTolerance) {
  const ProcessEnd good = worker(command("verify", "good", {"--mode", "bf16", "--format", "json"}));
  ASSERT_EQ(good.exitCode, 0) << good.errors;
  const Json summary = parseJson(good.output, "the output").value();
  EXPECT_EQ(summary["passed"], true);
  EXPECT_GT(summary["layers"].size(), 5u);
  EXPECT_GT(summary["prediction"]["relative"], 1e-4);
  const ProcessEnd bad = worker(command("verify", "bad", {"--mode", "bf16", "--tolerance", "1e-6"}));
  EXPECT_EQ(bad.exitCode, 7);
  EXPECT_THAT(bad.output, AllOf(HasSubstr("FAILED"), HasSubstr("Layers"), HasSubstr("output_blocks")));
  EXPECT_EQ(run("bad").outcome(), RunOutcome::Finished); // it did its work
}

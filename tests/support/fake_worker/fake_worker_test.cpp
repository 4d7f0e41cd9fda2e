// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/run_history.h"
#include "core/protocol/event_reader.h"
#include "tests/support/paths.h"
#include "tests/support/process.h"
#include "tests/support/temporary_folder.h"
#include <csignal>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
const auto kFake = [] { return program("voxlab-fake-worker"); };

class FakeWorker : public testing::Test {
protected:
  std::vector<std::string> train() const {
    return {"train",
            "--set",
            "data.images=i",
            "--set",
            "data.masks=m",
            "--set",
            "train.steps=12",
            "--set",
            "train.log_every=1",
            "--set",
            "train.checkpoint_every=5",
            "--set",
            "train.sample_every=5",
            "--set",
            "data.size=8,8,8",
            "--run-dir",
            (m_folder / "run").string()};
  }
  std::map<std::string, std::string> quick(std::map<std::string, std::string> more = {}) const {
    more.try_emplace("VOXLAB_FAKE_STEP_MS", "0");
    return more;
  }
  RunState state() const { return readRunState(run()).value(); }
  RunDirectory run() const { return RunDirectory(m_folder / "run"); }

  TemporaryFolder m_folder;
};
} // namespace

TEST_F(FakeWorker, DescribesARealCatalog) {
  const auto end = runProcess(kFake(), {"describe"});
  ASSERT_EQ(end.exitCode, 0);
  const auto catalog = catalogFromJson(parseJson(end.output, "describe").value());
  ASSERT_TRUE(catalog);
  EXPECT_NE(catalog->find("train.steps"), nullptr);
}

TEST_F(FakeWorker, Trains) {
  const auto end = runProcess(kFake(), train(), quick());
  ASSERT_EQ(end.exitCode, 0) << end.errors;
  EXPECT_EQ(end.output, (m_folder / "run").string() + "\n");
  EXPECT_EQ(run().outcome(), RunOutcome::Finished);
  EXPECT_EQ(state().step(), 12);
  EXPECT_EQ(state().samples().size(), 2u);
  EXPECT_EQ(run().finishedCheckpoints().size(), 3u);
}

TEST_F(FakeWorker, IsLostWhenKilledAndGoesOnWhereTheCheckpointWas) {
  EXPECT_EQ(runProcess(kFake(), train(), quick({{"VOXLAB_FAKE_KILL_AT", "8"}})).signal, SIGKILL);
  EXPECT_EQ(run().outcome(), RunOutcome::Lost);
  EXPECT_EQ(runProcess(kFake(), {"run", run().path().string(), "--resume"}, quick()).exitCode, 0);
  EXPECT_EQ(state().starts().back().resumeStep, 5);
  EXPECT_EQ(state().step(), 12);
}

TEST_F(FakeWorker, FailsWithTheCodeItWasTold) {
  EXPECT_EQ(runProcess(kFake(), train(), quick({{"VOXLAB_FAKE_FAIL_AT", "3"}, {"VOXLAB_FAKE_EXIT_CODE", "5"}})).exitCode, 5);
  EXPECT_EQ(run().outcome(), RunOutcome::Failed);
  EXPECT_EQ(state().exitCode(), ExitCode::OutOfMemory);
}

TEST_F(FakeWorker, TornAndUnknownLinesLoseNothing) {
  EXPECT_EQ(runProcess(kFake(), train(), quick({{"VOXLAB_FAKE_TORN", "1"}, {"VOXLAB_FAKE_UNKNOWN", "1"}})).exitCode, 0);
  EventReader reader(run().eventsFile());
  ASSERT_TRUE(reader.poll());
  EXPECT_EQ(reader.skippedLines(), 0u);
  EXPECT_EQ(reader.unknownEvents(), 12u);
  EXPECT_EQ(state().step(), 12);
}

TEST_F(FakeWorker, StopsOnRequest) {
  auto endless = train();
  endless.insert(endless.end(), {"--set", "train.steps=10000000"});
  Process worker(kFake(), endless, quick({{"VOXLAB_FAKE_STEP_MS", "1"}}));
  while (worker.running() && run().outcome() != RunOutcome::Running) {
  }
  ASSERT_TRUE(run().request(command::kStop));
  EXPECT_EQ(worker.wait().exitCode, 6);
  EXPECT_EQ(run().outcome(), RunOutcome::Stopped);
  EXPECT_TRUE(run().newestCheckpoint());
}

TEST_F(FakeWorker, BadCommandLinesAreUsageErrors) {
  EXPECT_EQ(runProcess(kFake(), {}).exitCode, 2);
  EXPECT_EQ(runProcess(kFake(), {"juggle"}).exitCode, 2);
  EXPECT_EQ(runProcess(kFake(), {"train", "--set", "train.stepz=1"}).exitCode, 2);
  EXPECT_EQ(runProcess(kFake(), {"run", (m_folder / "none").string()}).exitCode, 2);
}

// SPDX-License-Identifier: Apache-2.0
// Requests, signals, the lock, and starting again.
#include "core/base/files.h"
#include "tests/app/worker/worker_fixture.h"
#include <csignal>
#include <gmock/gmock.h>

using namespace voxlab;
using testing::HasSubstr;

namespace {
class SteeringTest : public WorkerTest {
protected:
  static Settings endless() { return tinyTraining(1000000) + Settings{"train.checkpoint_every=1000000", "train.sample_every=0"}; }
  std::unique_ptr<Process> started(const std::string& name, const Settings& settings) const {
    auto process = std::make_unique<Process>(program("voxlab-worker"), trainCommand(name, settings));
    EXPECT_TRUE(waitFor(*process, run(name), 1, [](const Event& e) { return e.type == event::kStep; })) << process->wait().errors;
    return process;
  }
  static bool waitForAck(Process& process, const RunDirectory& run, const std::string& request) {
    return waitFor(process, run, 1, [&](const Event& e) { return e.type == event::kAck && e.fields["request"] == request; });
  }
  static bool waitForState(Process& process, const RunDirectory& run, const std::string& state) {
    return waitFor(process, run, 1, [&](const Event& e) { return e.type == event::kState && e.fields["state"] == state; });
  }
};
} // namespace

TEST_F(SteeringTest, PauseCheckpointSampleResumeStop) {
  const auto process = started("run", endless());
  const auto pause = run("run").request(command::kPause);
  ASSERT_TRUE(waitForAck(*process, run("run"), *pause));
  ASSERT_TRUE(waitForState(*process, run("run"), "paused"));
  const auto checkpoint = run("run").request(command::kCheckpointNow), sample = run("run").request(command::kSampleNow);
  ASSERT_TRUE(waitForAck(*process, run("run"), *sample));
  ASSERT_TRUE(waitFor(*process, run("run"), 1, [](const Event& e) { return e.type == event::kSample; }));
  const auto unknown = run("run").request("dance");
  ASSERT_TRUE(waitForAck(*process, run("run"), *unknown));
  const auto resume = run("run").request(command::kResume);
  ASSERT_TRUE(waitForAck(*process, run("run"), *resume));
  const auto stop = run("run").request(command::kStop);
  const ProcessEnd end = process->wait();
  EXPECT_EQ(end.exitCode, 6) << end.errors;
  EXPECT_EQ(run("run").outcome(), RunOutcome::Stopped);
  for (const Event& ack : eventsOf(run("run"), event::kAck))
    EXPECT_EQ(ack.fields["accepted"], ack.fields["command"] != "dance");
  EXPECT_EQ(eventsOf(run("run"), event::kAck).size(), 6u);
  EXPECT_EQ(eventsOf(run("run"), event::kCheckpoint).size(), 2u); // asked for, and on stop
  EXPECT_TRUE(run("run").newestCheckpoint());
  EXPECT_EQ(readJsonFile(run("run").finishedFile()).value()["exit_code"], 6);
}

TEST_F(SteeringTest, ASignalStopsWithTheStateSavedAndTheRunGoesOnAsIfNothingHadBeen) {
  const Settings settings = tinyTraining(12) + Settings{"train.checkpoint_every=4", "train.keep_checkpoints=1",
                                                        "train.sample_every=12", "train.log_every=5"};
  const RunDirectory undisturbed = trained("undisturbed", settings);
  const auto process = started("stopped", settings);
  process->send(SIGTERM);
  ASSERT_EQ(process->wait().exitCode, 6);
  const ProcessEnd end = worker({"run", run("stopped").path().string(), "--resume"});
  ASSERT_EQ(end.exitCode, 0) << end.errors;
  const auto step = undisturbed.checkpoint(12);
  for (const char* file : {"model.safetensors", "ema.safetensors", "optimizer.safetensors", "state.json"})
    EXPECT_TRUE(contentsOf(step / file) == contentsOf(run("stopped").checkpoint(12) / file)) << file;
  EXPECT_EQ(contentsOf(undisturbed.samples(12) / "case_2_seed0.nii.gz"),
            contentsOf(run("stopped").samples(12) / "case_2_seed0.nii.gz"));
}

TEST_F(SteeringTest, ARunHasOneWorkerAndTheSecondLeavesItAlone) {
  const auto process = started("run", endless());
  const ProcessEnd second = worker({"run", run("run").path().string(), "--resume"});
  EXPECT_EQ(second.exitCode, 2);
  EXPECT_THAT(second.errors, HasSubstr(std::to_string(process->pid())));
  EXPECT_EQ(run("run").outcome(), RunOutcome::Running);
  process->send(SIGINT);
  EXPECT_EQ(process->wait().exitCode, 6);
}

TEST_F(SteeringTest, AFreshStartOfAStartedRunIsRefused) {
  const RunDirectory done = trained("run", tinyTraining(1) + Settings{"train.sample_every=0"});
  const ProcessEnd again = worker({"run", done.path().string()});
  EXPECT_EQ(again.exitCode, 2);
  EXPECT_THAT(again.errors, HasSubstr("--resume"));
  EXPECT_EQ(done.outcome(), RunOutcome::Finished);
  EXPECT_EQ(worker({"run", done.path().string(), "--resume"}).exitCode, 0); // nothing is left to do
}

TEST_F(SteeringTest, RequestsOfAnEarlierTimeAreIgnored) {
  ASSERT_EQ(worker(trainCommand("run", tinyTraining(2) + Settings{"train.sample_every=0"})).exitCode, 0);
  ASSERT_TRUE(LineWriter::open(run("run").controlFile())
                  ->append({{"id", "old"}, {"command", "stop"}, {"wall_time", "2001-01-01T00:00:00.000Z"}}));
  EXPECT_EQ(worker({"run", run("run").path().string(), "--resume"}).exitCode, 0);
  EXPECT_TRUE(eventsOf(run("run"), event::kAck).empty());
}

TEST_F(SteeringTest, OnlySoManyCheckpointsAreKept) {
  const RunDirectory done =
      trained("run", tinyTraining(7) + Settings{"train.checkpoint_every=1", "train.keep_checkpoints=2", "train.sample_every=0"});
  ASSERT_EQ(done.finishedCheckpoints().size(), 2u);
  EXPECT_EQ(done.newestCheckpoint(), done.checkpoint(7));
}

TEST_F(SteeringTest, DetachedItGoesOnAndLogsToItsFile) {
  auto command = trainCommand("run", tinyTraining(2) + Settings{"train.sample_every=0"});
  command.push_back("--detach");
  const ProcessEnd end = worker(command);
  EXPECT_EQ(end.exitCode, 0);
  EXPECT_EQ(end.output, run("run").path().string() + "\n");
  const auto lock = [&] { return RunLock::take(run("run").lockFile()); };
  while (run("run").outcome() != RunOutcome::Finished && run("run").outcome() != RunOutcome::Failed) {
  }
  EXPECT_TRUE(lock());
  EXPECT_EQ(run("run").outcome(), RunOutcome::Finished);
  EXPECT_THAT(run("run").logTail(), HasSubstr("Trained 2 steps"));
}

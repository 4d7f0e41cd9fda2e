// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/jobs/jobs_fixture.h"
#include <fstream>
#include <unistd.h>

using namespace voxlab;

TEST_F(Jobs, ALaunchedJobRunsToItsEndAndIsListed) {
  QSignalSpy ended(&m_store, &RunStore::ended);
  m_controller.launch(train(5), QStringLiteral("Five steps"));
  EXPECT_SOON(ended.count() == 1);
  ASSERT_TRUE(isOnly(RunOutcome::Finished));
  EXPECT_EQ(only()->info.title, "Five steps");
  EXPECT_EQ(only()->step, 5);
  EXPECT_TRUE(only()->hasCheckpoint());
}

TEST_F(Jobs, AWorkerHasASessionOfItsOwn) {
  m_controller.launch(train(100000), {});
  ASSERT_SOON(isOnly(RunOutcome::Running));
  const auto holder = RunDirectory(only()->path).lockHolder();
  ASSERT_TRUE(holder);
  const auto pid = static_cast<pid_t>(holder->pid);
  EXPECT_NE(::getsid(pid), ::getsid(0)); // a signal to the studio's terminal or group does not reach it
  EXPECT_NE(::getpgid(pid), ::getpgid(0));
}

TEST_F(Jobs, TheWorkersWordsGoToItsLog) {
  m_controller.launch(train(2), {});
  ASSERT_SOON(isOnly(RunOutcome::Finished));
  EXPECT_NE(RunDirectory(only()->path).logTail().find("fake worker begins at step 0"), std::string::npos);
}

TEST_F(Jobs, AKilledWorkerIsLostWithTheTailOfItsLog) {
  tell("VOXLAB_FAKE_KILL_AT", "3");
  m_controller.launch(train(100), {});
  ASSERT_SOON(isOnly(RunOutcome::Lost));
  EXPECT_NE(only()->message.find("The fake worker begins"), std::string::npos);
}

TEST_F(Jobs, AFailureIsListedWithItsReason) {
  tell("VOXLAB_FAKE_FAIL_AT", "2");
  m_controller.launch(train(100), {});
  ASSERT_SOON(isOnly(RunOutcome::Failed));
  EXPECT_NE(only()->message.find("told to fail at step 2"), std::string::npos);
}

TEST_F(Jobs, ALostRunGoesOnFromItsCheckpoint) {
  tell("VOXLAB_FAKE_KILL_AT", "7");
  JobSpec spec = train(12);
  spec.set("train.checkpoint_every", 5);
  m_controller.launch(spec, {});
  ASSERT_SOON(isOnly(RunOutcome::Lost));
  qunsetenv("VOXLAB_FAKE_KILL_AT");
  m_controller.start(RunDirectory(only()->path), StartFrom::Checkpoint);
  ASSERT_SOON(isOnly(RunOutcome::Finished));
  EXPECT_EQ(only()->step, 12);
}

TEST_F(Jobs, NoWorkerProgramIsSaidInWords) {
  JobController controller(makeTarget(QStringLiteral("local"), QStringLiteral("/no/such/worker")), m_store);
  QSignalSpy failed(&controller, &JobController::startFailed);
  controller.launch(train(1), {});
  ASSERT_SOON(failed.count() == 1);
  EXPECT_TRUE(failed[0][1].toString().contains(QStringLiteral("/no/such/worker")));
}

TEST_F(Jobs, AWorkerThatDiesBeforeItTakesTheRunIsReported) {
  const auto script = m_folder / "broken-worker";
  std::ofstream(script) << "#!/bin/sh\necho 'libcudart.so.13: cannot open shared object file' >&2\nexit 127\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  JobController controller(makeTarget(QStringLiteral("local"), QString::fromStdString(script.string())), m_store);
  QSignalSpy failed(&controller, &JobController::startFailed);
  controller.launch(train(1), {});
  ASSERT_SOON(failed.count() == 1);
  EXPECT_TRUE(failed[0][1].toString().contains(QStringLiteral("libcudart.so.13")));
}

TEST_F(Jobs, RunsThatCannotBeMadeAreReported) {
  QSignalSpy failed(&m_controller, &JobController::failed);
  std::ofstream(m_folder / "file") << "not a folder";
  m_store.setFolder(m_folder / "file");
  m_controller.launch(train(1), {});
  ASSERT_SOON(failed.count() == 1);
  EXPECT_FALSE(failed[0][0].toString().isEmpty());
  m_store.setFolder(m_folder.path());
}

TEST_F(Jobs, BrokenFoldersAreNoRuns) {
  std::filesystem::create_directories(m_folder / "2026_not_a_run");
  std::filesystem::create_directories(m_folder / "half");
  std::ofstream(m_folder / "half" / "run.json") << "{\"id\": ";
  QSignalSpy scanned(&m_store, &RunStore::scanned);
  ASSERT_SOON(scanned.count() > 0);
  EXPECT_TRUE(m_store.runs().empty());
}

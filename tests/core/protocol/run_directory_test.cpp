// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/protocol/run_directory.h"
#include "tests/support/temporary_folder.h"
#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace voxlab;
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::MatchesRegex;

namespace {
JobSpec trainSpec() {
  JobSpec spec("train");
  spec.set("mode", "opt12");
  return spec;
}

void finishCheckpoint(const RunDirectory& run, std::int64_t step) {
  ASSERT_TRUE(writeFileAtomically(run.checkpoint(step) / "DONE", ""));
}

// A child process that takes the lock, says so, and waits to be killed.
class LockingProcess {
public:
  explicit LockingProcess(const fs::path& lockFile) {
    int ready[2];
    if (::pipe(ready) != 0)
      return;
    m_pid = ::fork();
    if (m_pid == 0) {
      const auto lock = RunLock::take(lockFile);
      const char answer = lock ? 'y' : 'n';
      if (::write(ready[1], &answer, 1) != 1)
        ::_exit(1);
      for (;;)
        ::pause();
    }
    char answer = 'n';
    m_holds = ::read(ready[0], &answer, 1) == 1 && answer == 'y';
    ::close(ready[0]);
    ::close(ready[1]);
  }
  ~LockingProcess() { kill(); }
  void kill() {
    if (m_pid > 0) {
      ::kill(m_pid, SIGKILL);
      ::waitpid(m_pid, nullptr, 0);
    }
    m_pid = 0;
  }
  bool holds() const { return m_holds; }
  pid_t pid() const { return m_pid; }

private:
  pid_t m_pid = 0;
  bool m_holds = false;
};
} // namespace

TEST(RunDirectory, CreateMakesANamedFolderWithBothDocuments) {
  TemporaryFolder folder;
  const auto run = RunDirectory::create(folder / "runs", trainSpec(), {});
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_THAT(run->id(), MatchesRegex("[0-9]+-[0-9]+-[0-9]+_[0-9]+_train_opt12_[a-z0-9]+"));
  EXPECT_TRUE(RunDirectory::looksLikeRun(run->path()));
  EXPECT_EQ(run->info()->kind, "train");
  EXPECT_EQ(run->info()->mode, "opt12");
  EXPECT_EQ(run->info()->id, run->id());
  EXPECT_EQ(run->info()->target, "local");
  EXPECT_EQ(run->spec()->kind(), "train");
  EXPECT_EQ(run->outcome(), RunOutcome::Waiting);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "runs"), {}), 1);
}

TEST(RunDirectory, CreateAtWantsAnEmptyFolder) {
  TemporaryFolder folder;
  fs::create_directory(folder / "empty");
  ASSERT_TRUE(RunDirectory::createAt(folder / "empty", trainSpec(), {}));
  const auto again = RunDirectory::createAt(folder / "empty", trainSpec(), {});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ExitCode::Usage);
  EXPECT_THAT(again.error().message, HasSubstr("not empty"));
}

TEST(RunDirectory, NamesFromAHostileModeStayInsideTheFolder) {
  TemporaryFolder folder;
  JobSpec spec("train");
  spec.set("mode", "../../x y");
  const auto run = RunDirectory::create(folder.path(), spec, {});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->path().parent_path(), folder.path());
}

TEST(RunDirectory, NewestFinishedCheckpoint) {
  TemporaryFolder folder;
  const auto run = RunDirectory::create(folder.path(), trainSpec(), {}).value();
  EXPECT_EQ(run.newestCheckpoint(), std::nullopt);
  EXPECT_EQ(run.checkpoint(1000).filename(), "step_00001000");
  finishCheckpoint(run, 20);
  finishCheckpoint(run, 1000);
  fs::create_directories(run.checkpoint(2000)); // no DONE
  fs::create_directories(run.checkpoints() / "step_00003000.tmp-1");
  std::ofstream(run.checkpoints() / "step_00003000.tmp-1" / "DONE");
  finishCheckpoint(run, 123456789); // more digits than the name is padded to
  EXPECT_EQ(run.newestCheckpoint(), run.checkpoint(123456789));
  EXPECT_EQ(run.finishedCheckpoints().size(), 3u);
}

TEST(RunDirectory, NewerRunFileIsRefusedWithBothVersions) {
  TemporaryFolder folder;
  const auto run = RunDirectory::create(folder.path(), trainSpec(), {}).value();
  ASSERT_TRUE(writeFileAtomically(run.runFile(), R"({"schema": "9.1", "kind": "train"})"));
  ASSERT_FALSE(run.info());
  EXPECT_THAT(run.info().error().message, AllOf(HasSubstr("9.1"), HasSubstr(schemaVersion())));
}

TEST(RunDirectory, OutcomeFollowsLockAndFinishedFile) {
  TemporaryFolder folder;
  const auto run = RunDirectory::create(folder.path(), trainSpec(), {}).value();
  {
    LockingProcess worker(run.lockFile());
    ASSERT_TRUE(worker.holds());
    EXPECT_EQ(run.outcome(), RunOutcome::Running);
    ASSERT_TRUE(run.lockHolder());
    EXPECT_EQ(run.lockHolder()->pid, worker.pid());
  }
  EXPECT_EQ(run.outcome(), RunOutcome::Lost);
  const std::pair<ExitCode, RunOutcome> cases[] = {{ExitCode::Finished, RunOutcome::Finished},
                                                   {ExitCode::Stopped, RunOutcome::Stopped},
                                                   {ExitCode::OutOfMemory, RunOutcome::Failed}};
  for (const auto& [code, outcome] : cases) {
    ASSERT_TRUE(writeJsonFile(run.finishedFile(), {{"exit_code", static_cast<int>(code)}}));
    EXPECT_EQ(run.outcome(), outcome);
  }
  EXPECT_EQ(RunDirectory(folder / "none").outcome(), RunOutcome::Unknown);
}

TEST(RunDirectory, RequestsHaveDifferentIdsAndTheirTime) {
  TemporaryFolder folder;
  const auto run = RunDirectory::create(folder.path(), trainSpec(), {}).value();
  const auto first = run.request(command::kPause);
  const auto second = run.request(command::kProfileNext, {{"steps", 5}});
  ASSERT_TRUE(first && second);
  EXPECT_NE(*first, *second);
  const auto lines = LineReader(run.controlFile()).poll();
  ASSERT_EQ(lines->size(), 2u);
  EXPECT_EQ(controlRequestFromJson(lines->back())->fields["steps"], 5);
  EXPECT_THAT(controlRequestFromJson(lines->back())->wall_time,
              MatchesRegex("[0-9]+-[0-9]+-[0-9]+T[0-9]+:[0-9]+:[0-9]+\\.[0-9][0-9][0-9]Z"));
}

TEST(RunDirectory, LogTailBeginsWithAWholeLine) {
  TemporaryFolder folder;
  const auto run = RunDirectory::create(folder.path(), trainSpec(), {}).value();
  EXPECT_EQ(run.logTail(), "");
  ASSERT_TRUE(writeFileAtomically(run.logFile(), "first line\nsecond line\nthird\n"));
  EXPECT_EQ(run.logTail(), "first line\nsecond line\nthird\n");
  EXPECT_EQ(run.logTail(15), "third\n");
}

TEST(RunLock, SecondTakerIsRefusedNamingTheHolder) {
  TemporaryFolder folder;
  LockingProcess worker(folder / "worker.lock");
  ASSERT_TRUE(worker.holds());
  const auto second = RunLock::take(folder / "worker.lock");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ExitCode::Usage);
  EXPECT_THAT(second.error().message, AllOf(HasSubstr(std::to_string(worker.pid())), HasSubstr(thisProcess().host)));
}

TEST(RunLock, KernelLetsGoWhenTheHolderIsKilled) {
  TemporaryFolder folder;
  LockingProcess worker(folder / "worker.lock");
  ASSERT_TRUE(isLocked(folder / "worker.lock"));
  worker.kill();
  EXPECT_FALSE(isLocked(folder / "worker.lock"));
  EXPECT_TRUE(RunLock::take(folder / "worker.lock"));
}

// Between making the file and locking it a run would look lost.
TEST(RunLock, TheFileAppearsLocked) {
  TemporaryFolder folder;
  for (int i = 0; i < 100; ++i) {
    const fs::path file = folder / ("worker" + std::to_string(i) + ".lock");
    bool wasLocked = true;
    std::jthread looking([&] {
      while (!fs::exists(file)) {
      }
      wasLocked = isLocked(file);
    });
    const LockingProcess worker(file);
    ASSERT_TRUE(worker.holds());
    looking.join();
    ASSERT_TRUE(wasLocked);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 100); // nothing is left beside them
}

TEST(RunLock, AnotherProcessWithTheSamePidIsNotTheHolder) {
  LockHolder self = thisProcess();
  EXPECT_EQ(isAlive(self), true);
  LockHolder reused = self;
  reused.startTicks -= 1;
  EXPECT_EQ(isAlive(reused), false);
  LockHolder beforeReboot = self;
  beforeReboot.bootId = "another";
  EXPECT_EQ(isAlive(beforeReboot), false);
  LockHolder elsewhere = self;
  elsewhere.host = "elsewhere";
  EXPECT_EQ(isAlive(elsewhere), std::nullopt);
}

TEST(RunLock, AFileThatNamesALivingProcessIsNoLock) {
  TemporaryFolder folder;
  const LockHolder self = thisProcess();
  ASSERT_TRUE(writeJsonFile(folder / "worker.lock",
                            {{"host", self.host}, {"pid", self.pid}, {"boot_id", self.bootId}, {"start_ticks", self.startTicks}}));
  EXPECT_FALSE(isLocked(folder / "worker.lock"));
  EXPECT_EQ(lastHolder(folder / "worker.lock")->pid, self.pid);
  EXPECT_TRUE(RunLock::take(folder / "worker.lock"));
}

TEST(RunLock, NoFolderGivesASentence) {
  const auto lock = RunLock::take("/nonexistent-folder/worker.lock");
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().code, ExitCode::Data);
}

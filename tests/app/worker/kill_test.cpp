// SPDX-License-Identifier: Apache-2.0
// A worker that is killed at any moment and started again comes to the same weights, averages, optimiser, samples and events
// as one that was left alone.
#include "tests/app/worker/worker_fixture.h"
#include <csignal>
#include <gmock/gmock.h>

using namespace voxlab;
namespace fs = std::filesystem;

namespace {
class KillTest : public WorkerTest {
protected:
  static Settings settings() {
    return tinyTraining(18) + Settings{"train.checkpoint_every=2", "train.keep_checkpoints=0", "train.sample_every=6",
                                       "train.sample_count=2",     "train.log_every=3",        "data.augment_flip=true",
                                       "data.augment_shift=1",     "data.augment_contrast=0.2"};
  }
  std::unique_ptr<Process> start(const std::string& name, bool first) const {
    const auto command =
        first ? trainCommand(name, settings()) : std::vector<std::string>{"run", run(name).path().string(), "--resume"};
    return std::make_unique<Process>(program("voxlab-worker"), command);
  }
  void finish(const std::string& name) const {
    const ProcessEnd end = worker({"run", run(name).path().string(), "--resume"});
    EXPECT_EQ(end.exitCode, 0) << end.errors;
    EXPECT_EQ(run(name).outcome(), RunOutcome::Finished);
  }
};

// Waits for the n-th change in a checkpoint that is being written (its temporary folder), any checkpoint after the first `skip`.
bool waitInsideCheckpoint(Process& process, const RunDirectory& run, int changes) {
  FolderWatch watch;
  if (!watchRun(watch, process, run))
    return false;
  std::error_code ec;
  if (fs::is_directory(run.checkpoints(), ec))
    watch.add(run.checkpoints());
  for (int seen = 0; seen < changes;) {
    const auto news = watch.wait(process.pid());
    if (news.empty())
      return false;
    for (const FolderChange& change : news) {
      if (change.file == run.checkpoints())
        watch.add(run.checkpoints());
      const bool temporary = change.file.string().find(".tmp-") != std::string::npos;
      if (temporary && change.file.parent_path() == run.checkpoints() && change.kind == FolderChange::Kind::Created)
        watch.add(change.file);
      seen += temporary || change.file.parent_path().parent_path() == run.checkpoints() ? 1 : 0;
    }
  }
  return true;
}
} // namespace

TEST_F(KillTest, AfterAnyNumberOfEvents) {
  const RunDirectory undisturbed = trained("undisturbed", settings());
  std::int64_t number = 0;
  int killed = 0;
  for (const int count : {2, 5, 1, 9, 14, 3, 22, 7, 11, 17}) {
    const auto process = start("killed", ++number == 1);
    int seen = 0;
    if (!waitFor(*process, run("killed"), number, [&](const Event&) { return ++seen == count; }))
      break; // every start comes a little further: on a quick machine it came to its end before
    process->send(SIGKILL);
    if (process->wait().signal != SIGKILL)
      break;
    ++killed;
    EXPECT_EQ(run("killed").outcome(), RunOutcome::Lost);
  }
  EXPECT_GE(killed, 4);
  finish("killed");
  expectSameResults(undisturbed, run("killed"));
}

TEST_F(KillTest, WhileACheckpointIsWritten) {
  const RunDirectory undisturbed = trained("undisturbed", settings());
  bool first = true;
  int killed = 0;
  for (const int changes : {1, 2, 3, 5, 8, 11, 14, 17, 20, 30, 40}) {
    const auto process = start("killed", first);
    if (!waitInsideCheckpoint(*process, run("killed"), changes))
      break; // it came to its end before
    process->send(SIGKILL);
    killed += process->wait().signal == SIGKILL ? 1 : 0;
    first = false;
  }
  EXPECT_GE(killed, 5);
  finish("killed");
  expectSameResults(undisturbed, run("killed"));
  for (const auto& entry : fs::directory_iterator(run("killed").checkpoints()))
    EXPECT_THAT(entry.path().string(), testing::Not(testing::HasSubstr(".tmp-")));
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/experiment_book.h"
#include "core/base/files.h"
#include "tests/app/jobs/jobs_fixture.h"

using namespace voxlab;

namespace {
class Experiment : public Jobs {
protected:
  Experiment() { restart(); }
  void restart() { // the studio closes and opens again
    m_book.reset();
    m_queue.reset();
    m_queue = std::make_unique<JobQueue>(m_controller, m_store);
    m_book = std::make_unique<ExperimentBook>(m_controller, *m_queue, m_store);
    m_queue->open();
    m_book->open();
  }
  static PlannedJob job(const char* name, const char* kind, const char* after = "") {
    JobSpec spec(kind);
    if (std::string(kind) == "train")
      spec = train(3);
    PlannedJob planned;
    planned.name = name;
    planned.title = std::string("Job ") + name;
    planned.spec = spec;
    planned.after = after;
    return planned;
  }
  PlannedJob longJob() {
    PlannedJob planned = job("long", "train");
    planned.spec = train(1000000);
    return planned;
  }
  std::optional<ExperimentStanding> standing() const {
    const auto all = m_book->standings();
    return all.isEmpty() ? std::nullopt : std::optional(all.first());
  }
  const RunListing* runOf(const char* title) const {
    for (const RunListing& run : m_store.runs())
      if (run.info.title == title)
        return &run;
    return nullptr;
  }
  bool is(const char* title, RunOutcome outcome) const { return runOf(title) && runOf(title)->outcome == outcome; }

  std::unique_ptr<JobQueue> m_queue;
  std::unique_ptr<ExperimentBook> m_book;
};
} // namespace

TEST_F(Experiment, RunsItsJobsInTheirOrderAndTellsHowFarItIs) {
  m_book->start("Two of a kind", {job("a", "train"), job("b", "train")}, Catalog());
  ASSERT_SOON(standing() && standing()->total == 2);
  EXPECT_EQ(standing()->title, "Two of a kind");
  ASSERT_SOON(standing()->isOver);
  EXPECT_EQ(standing()->done, 2);
  EXPECT_EQ(standing()->failed, 0);
  EXPECT_LT(runOf("Job a")->info.created, runOf("Job b")->info.created);
}

TEST_F(Experiment, AJobIsToldWhereTheResultsLieThatItReads) {
  PlannedJob quality = job("q", "quality", "s");
  quality.reference = "b";
  m_book->start("Quality", {longJob(), job("b", "sample"), job("s", "sample"), quality}, Catalog());
  ASSERT_SOON(runOf("Job q") && runOf("Job s") && runOf("Job b"));
  EXPECT_EQ(runOf("Job q")->spec.get<std::string>("quality.reference"), runOf("Job b")->path.string());
  EXPECT_EQ(runOf("Job q")->spec.get<std::string>("quality.synthetic"), runOf("Job s")->path.string());
}

TEST_F(Experiment, WhatVanishedIsTakenUpAgainAfterARestartButOnlyOnce) {
  m_book->start("Night", {longJob(), job("last", "train")}, Catalog());
  ASSERT_SOON(is("Job long", RunOutcome::Running));
  const auto kill = [&] { ::kill(static_cast<pid_t>(RunDirectory(runOf("Job long")->path).lockHolder()->pid), SIGKILL); };
  restart();
  EXPECT_EQ(m_book->records().size(), 1);
  const auto starts = [&] { return readTextFile(RunDirectory(runOf("Job long")->path).environmentFile()).value_or(""); };
  const std::string before = starts();
  kill();
  ASSERT_SOON(starts().size() > before.size() && is("Job long", RunOutcome::Running)); // a second start
  EXPECT_TRUE(is("Job last", RunOutcome::Waiting));
  kill();
  ASSERT_SOON(is("Job long", RunOutcome::Lost) && is("Job last", RunOutcome::Finished)); // not a third time
  EXPECT_EQ(standing()->failed, 1);
  EXPECT_TRUE(standing()->isOver);
}

TEST_F(Experiment, WhatTheQueuesFileForgotWaitsAgain) {
  m_book->start("Night", {longJob(), job("last", "train")}, Catalog());
  ASSERT_SOON(is("Job long", RunOutcome::Running) && is("Job last", RunOutcome::Waiting));
  m_book.reset();
  m_queue.reset();
  ASSERT_TRUE(writeJsonFile(m_folder / "queue.json", {{"schema", "1.0"}, {"waiting", Json::array()}}));
  restart();
  m_store.scanSoon();
  EXPECT_SOON(m_queue->ids() == QStringList{QString::fromStdString(runOf("Job last")->id)});
}

TEST_F(Experiment, StoppedItLeavesWhatRunsAlone) {
  m_book->start("Night", {longJob(), job("last", "train")}, Catalog());
  ASSERT_SOON(is("Job long", RunOutcome::Running) && m_queue->ids().size() == 1);
  m_book->stop(m_book->records().first().id);
  EXPECT_SOON(!runOf("Job last"));
  EXPECT_TRUE(m_queue->ids().isEmpty());
  EXPECT_TRUE(is("Job long", RunOutcome::Running));
  restart();
  EXPECT_TRUE(m_book->records().first().isStopped);
}

TEST_F(Experiment, AFolderThatNobodyMayWriteToLeavesNothing) {
  ASSERT_TRUE(writeFileAtomically(m_folder / "file", ""));
  m_store.setFolder(m_folder / "file" / "runs"); // cannot be made
  QSignalSpy failed(m_book.get(), &ExperimentBook::failed);
  m_book->start("Nowhere", {job("a", "train")}, Catalog());
  ASSERT_SOON(failed.size() == 1);
  EXPECT_TRUE(m_book->records().isEmpty());
}

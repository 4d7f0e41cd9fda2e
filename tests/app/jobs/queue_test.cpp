// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "tests/app/jobs/jobs_fixture.h"
#include <fstream>

using namespace voxlab;

namespace {
class Queue : public Jobs {
protected:
  Queue() : m_queue(std::make_unique<JobQueue>(m_controller, m_store)) { m_queue->open(); }

  void fill(const QStringList& titles) {
    const auto wanted = m_queue->ids().size() + titles.size();
    for (const QString& title : titles) {
      const auto before = m_queue->ids().size();
      m_queue->add(train(2), title);
      ASSERT_SOON(m_queue->ids().size() > before);
    }
    ASSERT_EQ(m_queue->ids().size(), wanted);
  }
  QStringList titles() const {
    QStringList out;
    for (const QString& id : m_queue->ids())
      out << QString::fromStdString(RunDirectory(m_folder / id.toStdString()).info()->title);
    return out;
  }
  bool allFinished(std::size_t count) const {
    const auto& runs = m_store.runs();
    return runs.size() == count && std::all_of(runs.begin(), runs.end(), [](const RunListing& run) { return run.outcome == RunOutcome::Finished; });
  }
  void holdBack() { // a long job keeps the queue waiting
    m_controller.launch(train(1000000), QStringLiteral("blocker"));
    ASSERT_SOON(!m_store.runs().empty() && m_store.runs().front().outcome == RunOutcome::Running);
  }

  std::unique_ptr<JobQueue> m_queue;
};
} // namespace

TEST_F(Queue, JobsRunOneAfterAnother) {
  bool together = false;
  QObject::connect(&m_store, &RunStore::scanned, [&] {
    together = together || std::count_if(m_store.runs().begin(), m_store.runs().end(), [](const RunListing& run) { return run.outcome == RunOutcome::Running; }) > 1;
  });
  for (int i = 0; i < 3; ++i)
    m_queue->add(train(3), QString::number(i));
  EXPECT_SOON(allFinished(3));
  EXPECT_FALSE(together);
  EXPECT_TRUE(m_queue->ids().isEmpty());
}

TEST_F(Queue, KeepsItsOrderAcrossARestart) {
  holdBack();
  fill({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
  m_queue->reorder({m_queue->ids()[2], m_queue->ids()[0], m_queue->ids()[1]});
  EXPECT_EQ(titles(), (QStringList{"c", "a", "b"}));
  m_queue.reset(); // the studio closes …
  m_queue = std::make_unique<JobQueue>(m_controller, m_store);
  m_queue->open(); // … and opens again
  EXPECT_EQ(titles(), (QStringList{"c", "a", "b"}));
  EXPECT_TRUE(m_queue->isServedHere());
}

TEST_F(Queue, ARemovedJobLeavesNothingBehind) {
  holdBack();
  fill({QStringLiteral("a"), QStringLiteral("b")});
  const auto folder = m_folder / m_queue->ids().first().toStdString();
  m_queue->remove(m_queue->ids().first());
  EXPECT_EQ(titles(), QStringList{"b"});
  EXPECT_SOON(!std::filesystem::exists(folder));
}

TEST_F(Queue, AJobThatCannotStartIsSkippedAndCanBeTriedAgain) {
  m_controller.setTarget(makeTarget(QStringLiteral("local"), QStringLiteral("/no/such/worker")));
  m_queue->add(train(2), QStringLiteral("a"));
  ASSERT_SOON(m_queue->ids().size() == 1 && !m_queue->problem(m_queue->ids().first()).isEmpty());
  m_controller.setTarget(m_target);
  m_queue->retry(m_queue->ids().first());
  EXPECT_SOON(allFinished(1));
}

TEST_F(Queue, OneOfTwoStudiosServesIt) {
  JobQueue second(m_controller, m_store);
  second.open();
  EXPECT_TRUE(m_queue->isServedHere());
  EXPECT_FALSE(second.isServedHere());
}

TEST_F(Queue, ADamagedFileIsReportedAndNotOverwrittenByReading) {
  std::ofstream(m_folder / "queue.json") << "{\"waiting\": [";
  QSignalSpy failed(m_queue.get(), &JobQueue::failed);
  m_queue->open();
  EXPECT_EQ(failed.count(), 1);
  EXPECT_TRUE(m_queue->ids().isEmpty());
  EXPECT_EQ(readTextFile(m_folder / "queue.json").value(), "{\"waiting\": [");
}

TEST_F(Queue, JobsThatVanishedAreForgotten) {
  holdBack();
  fill({QStringLiteral("a"), QStringLiteral("b")});
  std::filesystem::remove_all(m_folder / m_queue->ids().first().toStdString());
  ASSERT_SOON(m_queue->ids().size() == 1);
  EXPECT_EQ(titles(), QStringList{"b"});
}

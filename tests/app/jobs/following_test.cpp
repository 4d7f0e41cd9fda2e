// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/jobs/jobs_fixture.h"
#include <fstream>

using namespace voxlab;

namespace {
class Following : public Jobs {
protected:
  void launchAndFollow(std::int64_t steps) {
    m_controller.launch(train(steps), {});
    EXPECT_SOON(only() != nullptr && only()->outcome != RunOutcome::Waiting);
    m_run = std::make_unique<RunDirectory>(only()->path);
    m_follower.follow(*m_run);
    QObject::connect(&m_follower, &EventFollower::grew, [this] { m_controller.noteAcks(id(), *m_follower.state()); });
    QObject::connect(&m_follower, &EventFollower::opened, [this] { m_controller.noteAcks(id(), *m_follower.state()); });
  }
  QString id() const { return QString::fromStdString(m_run->id()); }
  bool isPhase(RunPhase phase) const { return m_follower.state() && m_follower.state()->phase() == phase; }

  EventFollower m_follower;
  std::unique_ptr<RunDirectory> m_run;
};
} // namespace

TEST_F(Following, SeesALiveRunToItsEnd) {
  launchAndFollow(30);
  EXPECT_SOON(m_follower.state() && m_follower.state()->outcome() == RunOutcome::Finished);
  EXPECT_EQ(m_follower.state()->step(), 30);
  EXPECT_EQ(m_follower.state()->series(Measure::Loss).size(), 30u);
  EXPECT_SOON(m_follower.standing().outcome == RunOutcome::Finished);
  EXPECT_TRUE(m_follower.standing().hasCheckpoint);
}

TEST_F(Following, AFinishedRunIsHandedOverWhole) {
  launchAndFollow(20);
  ASSERT_SOON(isOnly(RunOutcome::Finished));
  EventFollower late;
  QSignalSpy opened(&late, &EventFollower::opened), grew(&late, &EventFollower::grew);
  late.follow(*m_run);
  ASSERT_SOON(opened.count() == 1);
  EXPECT_EQ(late.state()->series(Measure::Loss).size(), 20u);
  EXPECT_EQ(grew.count(), 0);
}

TEST_F(Following, BatchesComeAtMostTenTimesASecond) {
  tell("VOXLAB_FAKE_STEP_MS", "1");
  QSignalSpy grew(&m_follower, &EventFollower::grew);
  QElapsedTimer clock;
  clock.start();
  launchAndFollow(1000);
  ASSERT_SOON(m_follower.state() && m_follower.state()->outcome() == RunOutcome::Finished);
  EXPECT_LE(grew.count(), clock.elapsed() / 100 + 2);
  EXPECT_EQ(m_follower.state()->step(), 1000);
}

TEST_F(Following, HalfLinesAndUnknownEventsDoNoHarm) {
  tell("VOXLAB_FAKE_TORN", "1");
  tell("VOXLAB_FAKE_UNKNOWN", "1");
  launchAndFollow(20);
  EXPECT_SOON(m_follower.state() && m_follower.state()->outcome() == RunOutcome::Finished);
  EXPECT_EQ(m_follower.state()->series(Measure::Loss).size(), 20u);
}

TEST_F(Following, ARequestPendsUntilTheWorkerHasAcknowledgedIt) {
  launchAndFollow(100000);
  ASSERT_SOON(isPhase(RunPhase::Running));
  m_controller.request(*m_run, QStringLiteral("pause"));
  EXPECT_EQ(m_controller.pending(id()), QSet<QString>{QStringLiteral("pause")});
  EXPECT_SOON(m_controller.pending(id()).isEmpty());
  EXPECT_SOON(isPhase(RunPhase::Paused));
  m_controller.request(*m_run, QStringLiteral("resume"));
  EXPECT_SOON(isPhase(RunPhase::Running) && m_controller.pending(id()).isEmpty());
  m_controller.request(*m_run, QStringLiteral("stop"));
  EXPECT_SOON(m_follower.state()->outcome() == RunOutcome::Stopped);
}

TEST_F(Following, ADeafWorkerLeavesTheRequestPendingUntilItIsGone) {
  tell("VOXLAB_FAKE_DEAF", "1");
  launchAndFollow(100000);
  ASSERT_SOON(isPhase(RunPhase::Running));
  m_controller.request(*m_run, QStringLiteral("stop"));
  QSignalSpy grew(&m_follower, &EventFollower::grew);
  ASSERT_SOON(grew.count() >= 3); // it has said more since, but not that
  EXPECT_TRUE(m_controller.pending(id()).contains(QStringLiteral("stop")));
  QObject::connect(&m_store, &RunStore::ended, &m_controller, &JobController::noteEnd);
  ::kill(static_cast<pid_t>(m_run->lockHolder()->pid), SIGKILL);
  EXPECT_SOON(m_controller.pending(id()).isEmpty());
}

TEST_F(Following, ANewerProtocolIsRefusedWithBothNumbers) {
  launchAndFollow(1);
  ASSERT_SOON(isOnly(RunOutcome::Finished));
  std::ofstream(m_run->eventsFile()) << R"({"type":"hello","time_s":0,"major":99,"minor":0,"start":1,"resume_step":0,"wall_time":"2099-01-01T00:00:00.000Z"})"
                                     << "\n";
  EventFollower follower;
  QSignalSpy failed(&follower, &EventFollower::failed);
  follower.follow(*m_run);
  ASSERT_SOON(failed.count() >= 1);
  EXPECT_TRUE(failed[0][0].toString().contains(QStringLiteral("99")));
}

TEST_F(Following, AnotherRunReplacesTheFirstWithoutMixing) {
  launchAndFollow(100000);
  ASSERT_SOON(isPhase(RunPhase::Running));
  const TemporaryFolder other;
  const auto empty = RunDirectory::create(other.path(), train(1), {});
  ASSERT_TRUE(empty);
  m_follower.follow(*empty);
  EXPECT_EQ(m_follower.state(), nullptr);
  ASSERT_SOON(m_follower.state() != nullptr);
  EXPECT_EQ(m_follower.state()->eventCount(), 0u);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// A job's life as a user sees it: launched by the form, followed, paused, stopped, lost, found again.
#include "core/base/files.h"
#include "tests/app/studio/window_fixture.h"
#include "widgets/pages/loss_card.h"
#include "widgets/pages/viewer_page.h"
#include "widgets/plots/series_plot.h"
#include <QSemaphore>
#include <QThreadPool>

using namespace voxlab;

TEST_F(Window, LaunchedByTheFormAJobIsFollowedPausedAndStopped) {
  fillForm(QStringLiteral("100000"));
  ASSERT_TRUE(summary()->startButton()->isEnabled()) << summary()->startButton()->toolTip().toStdString();
  click(summary()->startButton());
  ASSERT_SOON(isPhase(RunPhase::Running));
  EXPECT_EQ(m_window->currentPage(), QStringLiteral("monitor"));
  EXPECT_EQ(header()->heading().title, QStringLiteral("Train heads 16³"));
  EXPECT_SOON(m_window->monitorPage()->lossCard()->plot()->showsData());
  EXPECT_SOON(header()->heading().loss && header()->heading().volumesPerSecond);
  EXPECT_SOON(m_window->monitorPage()->samples()->pictureCount() > 0);

  click(header()->pauseButton());
  EXPECT_EQ(header()->pauseButton()->text(), QStringLiteral("pausing…")); // asked, not yet acknowledged
  EXPECT_FALSE(header()->pauseButton()->isEnabled());
  ASSERT_SOON(isPhase(RunPhase::Paused));
  EXPECT_SOON(header()->pauseButton()->text() == QStringLiteral("Resume"));
  click(header()->pauseButton());
  ASSERT_SOON(isPhase(RunPhase::Running));
  click(header()->stopButton());
  ASSERT_SOON(isOutcome(RunOutcome::Stopped));
  EXPECT_FALSE(header()->pauseButton()->isVisible());
  EXPECT_SOON(m_window->toasts()->newestText().contains(QStringLiteral("stopped")));
}

TEST_F(Window, AFinishedJobLeavesItsSamplesInTheViewersList) {
  fillForm(QStringLiteral("20"));
  click(summary()->startButton());
  ASSERT_SOON(isOutcome(RunOutcome::Finished));
  EXPECT_SOON(m_window->monitorPage()->samples()->pictureCount() == 2);
  m_window->openVolume(QString::fromStdString((run().path() / "samples").string()) + QStringLiteral("/step_00000020/sample_1.nii.gz"));
  EXPECT_EQ(m_window->currentPage(), QStringLiteral("volumes"));
  ASSERT_SOON(!m_window->viewer()->isLoading());
  EXPECT_TRUE(m_window->viewer()->problem().isEmpty()) << m_window->viewer()->problem().toStdString();
}

TEST_F(Window, ARunsFolderWithASlashAtTheEndIsTheSameRun) {
  fillForm(QStringLiteral("20"));
  click(summary()->startButton());
  ASSERT_SOON(isOutcome(RunOutcome::Finished));
  const auto before = bench().store().runs().size();
  m_window->openPaths({QString::fromStdString(run().path().string()) + QLatin1Char('/')}); // as file managers drop it
  EXPECT_EQ(bench().store().runs().size(), before);
  EXPECT_TRUE(isOutcome(RunOutcome::Finished)) << "and it is shown";
}

TEST_F(Window, AKilledWorkerIsShownAsLostWithTheTailOfItsLog) {
  fillForm(QStringLiteral("100000"));
  click(summary()->startButton());
  ASSERT_SOON(isPhase(RunPhase::Running));
  ::kill(static_cast<pid_t>(run().lockHolder()->pid), SIGKILL);
  ASSERT_SOON(isOutcome(RunOutcome::Lost));
  EXPECT_SOON(m_window->monitorPage()->log()->edit()->toPlainText().contains(QStringLiteral("fake worker begins")));
  EXPECT_SOON(m_window->toasts()->newestText().contains(QStringLiteral("lost")));
  EXPECT_FALSE(header()->stopButton()->isVisible());
}

TEST_F(Window, ClosedAndOpenedAgainItFindsTheRunningJob) {
  fillForm(QStringLiteral("100000"));
  click(summary()->startButton());
  ASSERT_SOON(isPhase(RunPhase::Running));
  const QString id = bench().currentId();
  const auto step = header()->heading().step;
  m_window->close();
  m_window.reset();
  open();
  ASSERT_SOON(bench().currentId() == id && isPhase(RunPhase::Running)); // found by its lock, and taken by itself
  EXPECT_SOON(header()->heading().step > step);
  click(header()->stopButton());
  EXPECT_SOON(isOutcome(RunOutcome::Stopped));
}

TEST_F(Window, AStoppedJobGoesOnFromItsCheckpoint) {
  fillForm(QStringLiteral("60"));
  click(summary()->startButton());
  ASSERT_SOON(isPhase(RunPhase::Running) && header()->heading().step > 3);
  click(header()->stopButton());
  ASSERT_SOON(isOutcome(RunOutcome::Stopped) && header()->heading().canResumeFromCheckpoint);
  QPushButton* goOn = nullptr;
  for (QPushButton* button : header()->findChildren<QPushButton*>())
    if (button->isVisible() && button->text() == QStringLiteral("Go on"))
      goOn = button;
  ASSERT_NE(goOn, nullptr);
  click(goOn);
  ASSERT_SOON(isOutcome(RunOutcome::Finished));
  EXPECT_EQ(header()->heading().step, 60);
}

TEST_F(Window, TheQueueSurvivesARestartAndIsWorkedOff) {
  fillForm(QStringLiteral("100000"));
  click(summary()->startButton());
  ASSERT_SOON(isPhase(RunPhase::Running));
  for (const char* steps : {"11", "12"}) {
    fillForm(QString::fromLatin1(steps));
    const auto before = bench().queue().ids().size();
    click(summary()->queueButton());
    ASSERT_SOON(bench().queue().ids().size() == before + 1);
  }
  const QStringList order = bench().queue().ids();
  m_window->close();
  m_window.reset();
  open();
  EXPECT_EQ(bench().queue().ids(), order);
  EXPECT_SOON(m_window->runsPanel()->queueList()->count() == 2);
  ASSERT_SOON(isPhase(RunPhase::Running));
  click(header()->stopButton());
  EXPECT_SOON(bench().queue().ids().isEmpty());
  for (const QString& id : order)
    EXPECT_SOON(bench().store().find(id.toStdString()) && bench().store().find(id.toStdString())->outcome == RunOutcome::Finished);
}

// The threads beside the window are often busy with reading: what waits for one of them must not need the window.
TEST_F(Window, AWindowThatClosesWhileAWorkerIsBeingStartedLeavesItToItsJob) {
  JobSpec spec("bench");
  spec.set("bench.steps", 2);
  const auto made = RunDirectory::create(bench().store().folder(), spec, {});
  ASSERT_TRUE(made);
  const QString id = QString::fromStdString(made->id());
  ASSERT_SOON(bench().store().find(made->id()));
  QThreadPool& threads = *QThreadPool::globalInstance();
  ASSERT_TRUE(threads.waitForDone());
  QSemaphore isFree;
  for (int i = 0; i < threads.maxThreadCount(); ++i)
    threads.start([&] { isFree.acquire(); });
  bench().restart(id);
  m_window.reset();
  isFree.release(threads.maxThreadCount());
  ASSERT_TRUE(threads.waitForDone());
  open();
  EXPECT_SOON(bench().store().find(made->id()) && bench().store().find(made->id())->outcome == RunOutcome::Finished);
}

// In the smallest window, on both pages: a button with its words, that asks a training for its next steps, and nobody else.
TEST_F(Window, ARunningTrainingIsAskedToProfileItsNextStepsByAButton) {
  m_window->resize(1000, 700);
  fillForm(QStringLiteral("100000"));
  click(summary()->startButton());
  ASSERT_SOON(isPhase(RunPhase::Running) && isOutcome(RunOutcome::Running));
  ASSERT_EQ(m_window->currentPage(), QStringLiteral("monitor"));
  QPushButton* profile = header()->profileButton();
  EXPECT_TRUE(profile->isVisible() && profile->isEnabled());
  EXPECT_EQ(profile->text(), QStringLiteral("Profile"));
  EXPECT_TRUE(profile->toolTip().contains(QString::number(kProfiledSteps)));
  EXPECT_EQ(m_window->size(), QSize(1000, 700));
  for (const QPushButton* button : header()->findChildren<QPushButton*>())
    if (button->isVisible()) {
      EXPECT_SOON(button->width() >= button->sizeHint().width()) << button->accessibleName().toStdString();
      EXPECT_TRUE(header()->rect().contains(QRect(button->mapTo(header(), QPoint()), button->size()))) << button->accessibleName().toStdString();
    }
  click(profile);
  EXPECT_FALSE(profile->isEnabled()) << "asked, not yet acknowledged";
  const auto asked = [this](std::size_t times) {
    const auto state = bench().follower().state();
    return state && state->acks().size() == times && state->acks().back().accepted;
  };
  ASSERT_SOON(asked(1));
  EXPECT_SOON(profile->isEnabled());
  const auto text = readTextFile(run().controlFile());
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("\"steps\":" + std::to_string(kProfiledSteps)), std::string::npos) << *text;
  m_window->showPage(QStringLiteral("kernels"));
  EXPECT_TRUE(profile->isVisible());
  QPushButton* offered = nullptr;
  const auto isOffered = [&] {
    for (QPushButton* button : m_window->findChildren<QPushButton*>())
      if (button->isVisible() && button->text() == QStringLiteral("Profile the next steps"))
        offered = button;
    return offered != nullptr;
  };
  ASSERT_SOON(isOffered()); // when it has been looked for profiles
  click(offered);
  EXPECT_EQ(m_window->currentPage(), QStringLiteral("kernels"));
  ASSERT_SOON(asked(2));
  click(header()->stopButton());
  ASSERT_SOON(isOutcome(RunOutcome::Stopped));
  EXPECT_FALSE(profile->isVisible());
  EXPECT_SOON(offered->text() == QStringLiteral("Record a profile"));
}

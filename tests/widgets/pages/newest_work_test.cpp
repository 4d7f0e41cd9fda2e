// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/newest_work.h"
#include "tests/support/qt/waiting.h"
#include <QCoreApplication>
#include <condition_variable>

namespace voxlab {
namespace {

// A door that work waits at until the test opens it.
class Door {
public:
  void open() {
    const std::lock_guard lock(m_mutex);
    m_open = true;
    m_opened.notify_all();
  }
  void pass() {
    std::unique_lock lock(m_mutex);
    m_opened.wait(lock, [this] { return m_open; });
  }

private:
  std::mutex m_mutex;
  std::condition_variable m_opened;
  bool m_open = false;
};

TEST(NewestWork, ReportsOnItsOwnThreadWhatItTellsAndReturns) {
  QStringList told;
  NewestWork work;
  work.start([&](std::stop_token, const NewestWork::Tell& tell) -> NewestWork::Report {
    tell([&] { told << QStringLiteral("half"); });
    return [&] { told << (QThread::currentThread() == qApp->thread() ? QStringLiteral("done") : QStringLiteral("elsewhere")); };
  });
  EXPECT_TRUE(work.isBusy());
  EXPECT_SOON(told.size() == 2);
  EXPECT_EQ(told, (QStringList{"half", "done"}));
  EXPECT_FALSE(work.isBusy());
}

TEST(NewestWork, TheNewestWinsAndStartingDoesNotWait) {
  Door begun, door;
  bool wasStopped = false;
  QString last;
  NewestWork work;
  work.start([&](std::stop_token stop, const NewestWork::Tell& tell) -> NewestWork::Report {
    begun.open();
    door.pass();
    wasStopped = stop.stop_requested();
    tell([&] { last = QStringLiteral("old, told"); });
    return [&] { last = QStringLiteral("old"); };
  });
  begun.pass();
  work.start([&](std::stop_token, const auto&) -> NewestWork::Report { return [&] { last = QStringLiteral("new"); }; });
  door.open(); // only now: the second start did not wait for the first
  EXPECT_SOON(!last.isEmpty());
  EXPECT_EQ(last, QStringLiteral("new"));
  EXPECT_TRUE(wasStopped);
}

TEST(NewestWork, CancelledWorkIsNotReported) {
  Door door;
  bool reported = false, over = false;
  NewestWork work;
  work.start([&](std::stop_token, const auto&) -> NewestWork::Report {
    door.pass();
    return [&] { reported = true; };
  });
  work.cancel();
  EXPECT_FALSE(work.isBusy());
  door.open();
  work.start([&](std::stop_token, const auto&) -> NewestWork::Report { return [&] { over = true; }; });
  EXPECT_SOON(over);
  EXPECT_FALSE(reported);
}

TEST(NewestWork, WhatItHeldIsGoneWhenItHasReported) {
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> watch = held;
  bool over = false;
  NewestWork work;
  work.start([held, &over](std::stop_token, const auto&) -> NewestWork::Report { return [held, &over] { over = true; }; });
  held.reset();
  EXPECT_SOON(over);
  QCoreApplication::processEvents();
  EXPECT_TRUE(watch.expired());
}

} // namespace
} // namespace voxlab

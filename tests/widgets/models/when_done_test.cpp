// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/when_done.h"
#include <QCoreApplication>
#include <QPromise>
#include <gtest/gtest.h>
#include <memory>

using namespace voxlab;

namespace {
void handleEvents() {
  QCoreApplication::sendPostedEvents();
  QCoreApplication::processEvents();
}
} // namespace

TEST(WhenDone, TellsTheResultWhetherTheWorkEndsBeforeOrAfter) {
  QObject context;
  for (const bool before : {true, false}) {
    QPromise<int> work;
    work.start();
    int told = 0;
    const auto end = [&] {
      work.addResult(7);
      work.finish();
    };
    if (before)
      end();
    whenDone(work.future(), &context, [&](int result) { told += result; });
    if (!before)
      end();
    handleEvents();
    EXPECT_EQ(told, 7) << before;
  }
  QPromise<void> silent;
  silent.start();
  bool told = false;
  whenDone(silent.future(), &context, [&] { told = true; });
  silent.finish();
  handleEvents();
  EXPECT_TRUE(told);
}

TEST(WhenDone, IsSilentWhereTheContextHasGoneOrTheWorkWasCancelled) {
  auto context = std::make_unique<QObject>();
  bool told = false;
  QPromise<int> work, cancelled;
  work.start();
  whenDone(work.future(), context.get(), [&](int) { told = true; });
  context.reset();
  work.addResult(1);
  work.finish();
  QObject other;
  cancelled.start();
  whenDone(cancelled.future(), &other, [&](int) { told = true; });
  cancelled.future().cancel();
  cancelled.finish();
  handleEvents();
  EXPECT_FALSE(told);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// How a plot is saved: by a right click anywhere on it, or by the button that stands on it while the pointer does.
#include "widgets/plots/bar_plot.h"
#include <QApplication>
#include <QContextMenuEvent>
#include <QMenu>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
// What the menu that opens within the call offers; it is closed again.
QStringList offeredBy(const std::function<void()>& opens) {
  QStringList offered;
  QTimer watcher;
  QObject::connect(&watcher, &QTimer::timeout, [&] {
    if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) {
      for (const QAction* action : menu->actions())
        offered << action->text();
      menu->close();
    }
  });
  watcher.start(0);
  opens();
  return offered;
}

class PlotMenu : public testing::Test {
protected:
  void SetUp() override {
    plot.resize(600, 300);
    plot.setBars({QStringLiteral("Time")}, {{QStringLiteral("baseline"), QStringLiteral("baseline"), {{200.0, 4.0}}}});
    plot.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&plot));
  }
  void pointer(QEvent::Type comesOrGoes) {
    QEvent event(comesOrGoes);
    QApplication::sendEvent(&plot, &event);
  }
  QToolButton* button() const { return plot.findChild<QToolButton*>(QStringLiteral("plotMenu")); }
  BarPlot plot;
};
} // namespace

TEST_F(PlotMenu, ARightClickOnTheDrawingOffersToSaveIt) {
  const QStringList offered = offeredBy([this] { QTest::mouseClick(plot.windowHandle(), Qt::RightButton, {}, QPoint(300, 150)); });
  EXPECT_TRUE(offered.contains(PlotWidget::tr("Save as…"))) << offered.join(", ").toStdString();
}

TEST_F(PlotMenu, AButtonOffersTheSameWhileThePointerIsThere) {
  pointer(QEvent::Enter);
  ASSERT_NE(button(), nullptr);
  EXPECT_TRUE(button()->isVisible());
  EXPECT_EQ(button()->geometry().right(), plot.width() - 1);
  EXPECT_TRUE(offeredBy([this] { button()->click(); }).contains(PlotWidget::tr("Copy numbers")));
  pointer(QEvent::Leave);
  EXPECT_FALSE(button()->isVisible());
}

TEST_F(PlotMenu, WithoutDataThereIsNothingToSave) {
  pointer(QEvent::Leave);
  plot.setBars({}, {});
  pointer(QEvent::Enter);
  EXPECT_TRUE(!button() || !button()->isVisible());
}

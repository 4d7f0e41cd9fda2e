// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of the whole window: the page that was asked for, words where nothing was found, hints that cover no picture.
#include "app/studio/tool_tips.h"
#include "core/imaging/volume_io.h"
#include "tests/app/studio/window_fixture.h"
#include "widgets/pages/fold_strip.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_grid.h"
#include "widgets/pages/viewer_page.h"
#include "widgets/pages/viewer_slice_view.h"
#include <QScrollArea>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTabWidget>
#include <gmock/gmock.h>

using namespace voxlab;

namespace {

class Craft : public Window {
protected:
  ViewerPage& viewer() { return *m_window->viewer(); }
  void activate() { // shortcuts are for the active window; no window manager is needed
    m_window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(m_window.get()));
  }
  void openHead() {
    Volume volume;
    volume.header.grid = {{16, 16, 16}, {{{2, 0, 0, -15}, {0, 2, 0, -15}, {0, 0, 2, -15}, {0, 0, 0, 1}}}};
    for (int i = 0; i < 16 * 16 * 16; ++i)
      volume.voxels.push_back(static_cast<float>(i % 997) * 0.1f - 0.3f * static_cast<float>(i % 13));
    ASSERT_TRUE(writeNifti(m_folder / "head.nii.gz", volume));
    m_window->openPaths({QString::fromStdString((m_folder / "head.nii.gz").string())});
    ASSERT_SOON(!viewer().isLoading() && viewer().document().layerCount() == 1);
  }
};

} // namespace

TEST_F(Craft, AskedForPagesAreShownWhateverIsOpened) {
  const QString bundle = QString::fromStdString((testData() / "bundles/version_1_0.voxrun").string());
  QSignalSpy opened(&bench(), &Workbench::bundleOpened);
  m_window->openPaths({bundle}, QStringLiteral("volumes"));
  ASSERT_SOON(opened.size() == 1 && m_window->isSettled());
  EXPECT_EQ(m_window->currentPage(), QStringLiteral("volumes"));
  m_window->openPaths({bundle});
  ASSERT_SOON(opened.size() == 2 && m_window->isSettled());
  EXPECT_NE(m_window->currentPage(), QStringLiteral("volumes")) << "the page that shows what the bundle holds";
  m_window->openPaths({QString::fromStdString((sourceFolder() / "README.md").string())}, QStringLiteral("kernels"));
  EXPECT_EQ(m_window->currentPage(), QStringLiteral("kernels"));
}

TEST_F(Craft, ThePaletteSaysWhenNothingIsCalledSo) {
  CommandPalette& palette = *m_window->palette();
  palette.open(m_window->commands());
  EXPECT_TRUE(palette.sentence().isEmpty());
  auto* field = palette.findChild<QLineEdit*>();
  QTest::keyClicks(field, QStringLiteral("zebra"));
  EXPECT_EQ(palette.shownCount(), 0);
  EXPECT_TRUE(palette.sentence().contains(QStringLiteral("“zebra”"))) << palette.sentence().toStdString();
  bool isShown = false;
  for (const QLabel* label : palette.findChildren<QLabel*>())
    isShown = isShown || (label->isVisible() && label->text() == palette.sentence());
  EXPECT_TRUE(isShown);
  QTest::keyClick(field, Qt::Key_Return); // chooses nothing
  field->clear();
  EXPECT_GT(palette.shownCount(), 20);
  EXPECT_TRUE(palette.sentence().isEmpty());
  palette.reject();
}

TEST_F(Craft, TheSheetBeginsWithTheMouseAndFitsIntoASmallWindow) {
  m_window->resize(1000, 700);
  m_window->showPage(QStringLiteral("volumes"));
  const QList<Command> all = m_window->shortcuts();
  EXPECT_EQ(all.first().group, QStringLiteral("Mouse in a slice"));
  ShortcutsSheet sheet(all, m_window.get());
  sheet.show();
  EXPECT_LE(sheet.width(), 1000);
  EXPECT_LE(sheet.height(), 700);
  auto* area = sheet.findChild<QScrollArea*>();
  EXPECT_GE(area->viewport()->width(), area->widget()->minimumSizeHint().width()) << "nothing is cut off at the right";
  QStringList said;
  for (const QLabel* label : sheet.findChildren<QLabel*>())
    said << label->text();
  for (const Command& command : all)
    if (!command.keys.isEmpty()) {
      EXPECT_TRUE(said.contains(command.title) && said.contains(command.keys)) << command.title.toStdString();
    }
  m_window->showPage(QStringLiteral("monitor"));
  EXPECT_EQ(m_window->shortcuts().first().group, QStringLiteral("Go to"));
}

// Whoever rests the pointer on a voxel reads its value.
TEST_F(Craft, HintsOfViewsStandInTheStatusLine) {
  m_window->showPage(QStringLiteral("volumes"));
  openHead();
  for (QWidget* view : viewer().grid().findChildren<QWidget*>())
    EXPECT_TRUE(view->toolTip().isEmpty()) << view->metaObject()->className() << ": " << view->toolTip().toStdString();
  QWidget* slice = viewer().grid().findChild<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
  QEnterEvent enter(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5));
  QApplication::sendEvent(slice, &enter);
  EXPECT_TRUE(m_window->statusBar()->currentMessage().contains(QStringLiteral("Wheel")));
  emit viewer().statusMessage(QStringLiteral("Picture saved"));
  EXPECT_TRUE(m_window->statusBar()->currentMessage().isEmpty()) << "what has happened is to be read";
}

TEST_F(Craft, RunsAndPanelFoldAndStayFolded) {
  m_window->resize(1440, 900);
  m_window->showPage(QStringLiteral("volumes"));
  openHead();
  EXPECT_TRUE(m_window->showsRuns());
  const auto strip = [this](const char* name) {
    for (auto* each : m_window->findChildren<FoldStrip*>())
      if (each->accessibleName() == QString::fromUtf8(name))
        return each;
    return static_cast<FoldStrip*>(nullptr);
  };
  const int before = viewer().grid().width();
  ASSERT_TRUE(strip("Fold the runs away") && strip("Fold the panel away"));
  QTest::mouseClick(strip("Fold the runs away"), Qt::LeftButton);
  EXPECT_FALSE(m_window->showsRuns());
  QTest::mouseClick(strip("Fold the panel away"), Qt::LeftButton);
  auto* tabs = viewer().findChild<QTabWidget*>();
  EXPECT_TRUE(tabs->isHidden());
  EXPECT_SOON(viewer().grid().width() > before + 500);
  activate();
  QTest::keyClick(m_window.get(), Qt::Key_2, Qt::AltModifier);
  EXPECT_TRUE(tabs->isVisible()) << "who asks for a panel sees it";
  EXPECT_EQ(tabs->currentIndex(), 1);
  QTest::mouseClick(strip("Fold the panel away"), Qt::LeftButton);
  m_window->close();
  m_window.reset();
  open();
  m_window->showPage(QStringLiteral("volumes"));
  EXPECT_FALSE(m_window->showsRuns()) << "remembered";
  EXPECT_TRUE(viewer().findChild<QTabWidget*>()->isHidden());
  ASSERT_TRUE(strip("Show the runs") && strip("Show the panel"));
  QTest::mouseClick(strip("Show the panel"), Qt::LeftButton);
  activate();
  QTest::keyClick(m_window.get(), Qt::Key_B, Qt::ControlModifier);
  EXPECT_TRUE(m_window->showsRuns());
}

TEST_F(Craft, SmallWindowsKeepTheRunsForThoseWhoWantThem) {
  m_window->resize(1000, 700);
  EXPECT_TRUE(m_window->showsRuns()) << "the monitor is of runs";
  m_window->showPage(QStringLiteral("volumes"));
  EXPECT_FALSE(m_window->showsRuns());
  m_window->foldRuns(false);
  EXPECT_TRUE(m_window->showsRuns());
  EXPECT_EQ(m_window->width(), 1000);
  m_window->showPage(QStringLiteral("monitor"));
  m_window->showPage(QStringLiteral("volumes"));
  EXPECT_TRUE(m_window->showsRuns());
}

TEST_F(Craft, OnlyThePicturesAndBack) {
  m_window->showPage(QStringLiteral("volumes"));
  openHead();
  auto* tabs = viewer().findChild<QTabWidget*>();
  activate();
  QTest::keyClick(m_window.get(), Qt::Key_F11);
  EXPECT_TRUE(m_window->showsOnlyPictures());
  EXPECT_FALSE(m_window->showsRuns());
  EXPECT_TRUE(tabs->isHidden());
  EXPECT_TRUE(header()->isHidden());
  m_window->showPage(QStringLiteral("kernels"));
  EXPECT_TRUE(m_window->showsRuns()) << "other pages are as they were";
  m_window->showPage(QStringLiteral("volumes"));
  EXPECT_FALSE(m_window->showsRuns());
  QTest::keyClick(&viewer().grid().sliceView(SliceAxis::Axial), Qt::Key_Escape);
  EXPECT_FALSE(m_window->showsOnlyPictures());
  EXPECT_TRUE(m_window->showsRuns());
  EXPECT_TRUE(tabs->isVisible());
}

TEST(ToolTipLines, AreNoLongerThanOneReadsAtAGlance) {
  const QString tip = QStringLiteral("A short line\nand one that goes on and on, for it tells of all that a control does and of what it leaves to others, 3 × 4");
  const QStringList lines = ToolTips::wrapped(tip).split(QLatin1Char('\n'));
  EXPECT_GE(lines.size(), 3);
  EXPECT_EQ(lines.first(), QStringLiteral("A short line"));
  for (const QString& line : lines)
    EXPECT_LE(line.size(), 56);
  EXPECT_EQ(ToolTips::wrapped(tip).simplified(), tip.simplified()) << "no word is lost";
  const QString path = QStringLiteral("/a/very/long/path/of/a/file/that/has/no/space/anywhere/in/it/and/cannot/be/broken.nii.gz");
  EXPECT_EQ(ToolTips::wrapped(path), path);
}

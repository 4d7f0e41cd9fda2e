// SPDX-License-Identifier: GPL-3.0-or-later
// Masks, samples and ranges on the viewer's page.
#include "core/base/text.h"
#include "tests/widgets/pages/viewer_page_fixture.h"
#include "widgets/pages/viewer_dialogs.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_grid.h"
#include "widgets/pages/viewer_mask_editor.h"
#include "widgets/pages/viewer_slice_view.h"
#include <QPushButton>
#include <QSettings>
#include <QUndoStack>

namespace voxlab {
namespace {

TEST_F(ViewerPageTest, PaintingGoesOnlyWhenItMay) {
  open(save("head.nii.gz", *volumeOf(gridOf("RAS", {32, 32, 24}), headAt)));
  EXPECT_TRUE(page.mayLoseEdits());
  int asked = 0;
  EditsFate fate = EditsFate::Keep;
  page.setAskBeforeLosing([&](const QStringList& masks) {
    ++asked;
    EXPECT_EQ(masks, QStringList{QStringLiteral("head mask")});
    return fate;
  });
  command(QStringLiteral("A ball of the label"))->trigger();
  ASSERT_EQ(page.document().layerCount(), 2);
  EXPECT_FALSE(page.mayLoseEdits());
  command(QStringLiteral("Close the layer"))->trigger();
  EXPECT_EQ(page.document().layerCount(), 2);
  open(save("other.nii.gz", *volumeOf(gridOf("RAS", {32, 32, 24}), headAt)));
  EXPECT_EQ(page.document().layerCount(), 2) << "another file does not push it out";
  EXPECT_EQ(asked, 3);
  fate = EditsFate::Save;
  QString where; // cancelled
  page.setAskWhereToSave([&](const QString& suggested) {
    EXPECT_EQ(suggested, QStringLiteral("head mask.nii.gz"));
    return where;
  });
  EXPECT_FALSE(page.mayLoseEdits()) << "the mask is still wanted";
  where = QString::fromStdString((folder.path() / "head.nii.gz/mask.nii.gz").string());
  EXPECT_FALSE(page.mayLoseEdits()) << "it could not be written";
  where = QString::fromStdString((folder.path() / "mask.nii.gz").string());
  EXPECT_TRUE(page.mayLoseEdits());
  EXPECT_TRUE(std::filesystem::exists(where.toStdString()));
  EXPECT_TRUE(page.mayLoseEdits()) << "and is not asked for again";
  EXPECT_EQ(asked, 6);
  command(QStringLiteral("A ball of the label"))->trigger();
  page.document().setCursor(page.document().cursor() + Vec3d{9, 0, 0});
  command(QStringLiteral("A ball of the label"))->trigger();
  fate = EditsFate::Lose;
  command(QStringLiteral("Close the layer"))->trigger();
  EXPECT_EQ(page.document().layerCount(), 1);
  EXPECT_TRUE(page.mayLoseEdits());
  EXPECT_EQ(asked, 7);
}

TEST_F(ViewerPageTest, ToolsPaintInEveryView) {
  page.compareFiles({save("a.nii", *head), save("b.nii", *head)});
  waitForLoad();
  page.addFile(save("seg.nii", *labels, VoxelType::UInt8));
  waitForLoad();
  command(QStringLiteral("Edit labels"))->trigger();
  const auto drag = [](ViewerSliceView* view, Qt::KeyboardModifiers with) {
    const QPoint middle = view->rect().center();
    QTest::mousePress(view, Qt::LeftButton, with, middle);
    QTest::mouseMove(view, middle + QPoint(6, 4));
    QTest::mouseRelease(view, Qt::LeftButton, with, middle + QPoint(12, 8));
  };
  const auto views = page.grid().shownSliceViews();
  ASSERT_EQ(views.size(), 6u);
  const DisplayRange range = page.document().layer(0).range;
  auto* editor = page.findChild<ViewerMaskEditor*>();
  for (int steps = 1; ViewerSliceView* view : views) {
    editor->setValue(7 + steps); // another than the view before painted there
    drag(view, Qt::NoModifier);
    EXPECT_EQ(editor->history().count(), steps++);
  }
  EXPECT_EQ(page.document().layer(0).range, range) << "and leave the contrast alone";
  drag(views[3], Qt::ShiftModifier);
  EXPECT_EQ(editor->history().count(), 6) << "the cross-hair is moved as ever";
  command(QStringLiteral("Edit labels"))->trigger();
  drag(views[5], Qt::NoModifier);
  EXPECT_EQ(editor->history().count(), 6);
}

TEST_F(ViewerPageTest, ASamplesMaskIsShownWhenAskedFor) {
  const QString mask = save("seg.nii", *labels, VoxelType::UInt8), path = save("head.nii.gz", *head);
  saveText("head.json", R"({"files": ["head.nii.gz"], "mode": "baseline", "sampler": "ddpm", "steps": 20, "step": 1000, "mask": ")" + mask.toStdString() + "\"}");
  open(path);
  EXPECT_EQ(page.document().layer(0).title, "head · step " + formatCount(1000) + ", baseline, ddpm 20");
  ASSERT_EQ(page.document().layerCount(), 1) << "unasked, nothing lies over the sample";
  QPushButton* show = nullptr;
  for (auto* button : page.findChildren<QPushButton*>())
    if (button->text() == QStringLiteral("Show its mask"))
      show = button;
  ASSERT_TRUE(show && show->isVisible());
  show->click();
  waitForLoad();
  ASSERT_EQ(page.document().layerCount(), 2);
  EXPECT_EQ(page.document().layer(1).style, LabelStyle::Outline);
  EXPECT_FALSE(show->isVisible());
  command(QStringLiteral("Edit labels"))->trigger();
  ASSERT_TRUE(page.document().source(1).path.empty()) << "a copy is painted on";
  EXPECT_FALSE(show->isVisible());
  open(save("other.nii", *head));
  EXPECT_FALSE(show->isVisible());
}

// What happened in passing must not turn the next volume grey.
TEST_F(ViewerPageTest, OnlyRangesChosenOnPurposeAreKept) {
  QSettings().clear();
  const QString first = save("a_T1w.nii", *head), second = save("b_T1w.nii", *head);
  open(first);
  const DisplayRange automatic = page.document().layer(0).range;
  ViewerSliceView& view = page.grid().sliceView(SliceAxis::Axial);
  QTest::mousePress(&view, Qt::LeftButton, Qt::NoModifier, {30, 30});
  QTest::mouseMove(&view, {60, 70});
  QTest::mouseMove(&view, {90, 90});
  QTest::mouseRelease(&view, Qt::LeftButton, Qt::NoModifier, {90, 90});
  EXPECT_NE(page.document().layer(0).range, automatic);
  open(second);
  EXPECT_EQ(page.document().layer(0).range, automatic);
  const DisplayRange narrow{automatic.low, automatic.low + (automatic.high - automatic.low) / 2};
  page.document().chooseRange(0, narrow);
  QSignalSpy told(&page, &ViewerPage::statusMessage);
  open(first);
  EXPECT_NEAR(page.document().layer(0).range.high, narrow.high, 1e-6 * narrow.high);
  EXPECT_TRUE(told.last()[0].toString().contains(QStringLiteral("the range that you chose for T1 volumes"))) << told.last()[0].toString().toStdString();
  command(QStringLiteral("Automatic range"))->trigger();
  open(second);
  EXPECT_EQ(page.document().layer(0).range, automatic);
}

} // namespace
} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
// Files in the viewer: series of DICOM slices, what is saved and when, what the file panel tells, going to places.
#include "core/base/files.h"
#include "tests/support/paths.h"
#include "tests/support/qt/waiting.h"
#include "tests/support/temporary_folder.h"
#include "tests/widgets/pages/viewer_volumes.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_file_panel.h"
#include "widgets/pages/viewer_go_to.h"
#include "widgets/pages/viewer_labels_panel.h"
#include "widgets/pages/viewer_page.h"
#include "widgets/pages/viewer_series_dialog.h"
#include "widgets/pages/viewer_time_curve.h"
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QTreeView>
#include <QTreeWidget>
#include <gmock/gmock.h>

namespace voxlab {
namespace {
constexpr int kPatience_ms = 30000;

class ViewerFiles : public testing::Test {
protected:
  ViewerFiles() {
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    page.resize(1100, 760);
    page.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&page));
  }
  QString save(const std::string& name, const Volume& volume, VoxelType type = VoxelType::Float32) {
    EXPECT_TRUE(writeNifti(folder.path() / name, volume, type));
    return pathOf(folder.path() / name);
  }
  static QString pathOf(const std::filesystem::path& file) { return QString::fromStdString(file.string()); }
  void waitForLoad() {
    QSignalSpy finished(&page, &ViewerPage::loadFinished);
    if (page.isLoading()) {
      EXPECT_TRUE(finished.wait(kPatience_ms));
    }
  }
  void open(const QStringList& paths) {
    page.openFiles(paths);
    waitForLoad();
  }
  void trigger(const QString& text) {
    for (QAction* action : page.commands())
      if (action->text().contains(text))
        return action->trigger();
    ADD_FAILURE() << "no command " << text.toStdString();
  }
  // Answers the next dialog once it is there; `what` is handed the dialog.
  template <class Dialog> void answerNext(std::function<void(Dialog&)> what) {
    auto* timer = new QTimer(&page);
    QObject::connect(timer, &QTimer::timeout, &page, [timer, what] {
      auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget());
      if (!dialog)
        return;
      timer->stop();
      what(*dialog);
    });
    timer->start(0);
  }
  QString fileText() const { return page.findChild<ViewerFilePanel*>()->text(); }
  const std::filesystem::path dicom = testData() / "imaging" / "dicom";
  const Grid grid = gridOf("LAS", {40, 48, 36});
  std::shared_ptr<Volume> head = volumeOf(grid, headAt), labels = volumeOf(grid, headLabelAt);
  TemporaryFolder folder;
  ViewerPage page;
};

TEST_F(ViewerFiles, OneFileOfASeriesOpensAllOfItAndSaysSo) {
  const QString file = pathOf(dicom / "series" / "1.dcm");
  open({file});
  ASSERT_EQ(page.document().layerCount(), 1);
  EXPECT_EQ(page.document().source(0).volume->grid().size[2], 4);
  EXPECT_THAT(page.notices().toStdString(), testing::HasSubstr("1.dcm is one of the 4 files of a DICOM series: the whole series was opened"));
  EXPECT_EQ(page.recentFiles().first(), file);
  for (auto* button : page.findChild<ViewerFilePanel*>()->findChildren<QPushButton*>())
    if (button->text() == QStringLiteral("Open 1.dcm alone"))
      button->click();
  waitForLoad();
  ASSERT_EQ(page.document().layerCount(), 1);
  EXPECT_EQ(page.document().source(0).volume->grid().size[2], 1);
}

TEST_F(ViewerFiles, AllFilesOfASeriesTogetherAreOneVolume) {
  QStringList files;
  for (int slice = 0; slice < 4; ++slice)
    files << pathOf(dicom / "series" / (std::to_string(slice) + ".dcm"));
  open(files);
  EXPECT_EQ(page.document().layerCount(), 1);
}

TEST_F(ViewerFiles, SeveralSeriesOfAFolderAreChosenFromAList) {
  answerNext<ViewerSeriesDialog>([](ViewerSeriesDialog& dialog) {
    auto* list = dialog.findChild<QTreeWidget*>();
    ASSERT_EQ(list->topLevelItemCount(), 2);
    EXPECT_EQ(list->topLevelItem(0)->text(3), QStringLiteral("3"));
    EXPECT_EQ(dialog.chosen().size(), 1u) << "the longest is chosen at first";
    list->selectAll();
    dialog.accept();
  });
  open({pathOf(dicom / "two_series")});
  ASSERT_EQ(page.document().layerCount(), 2);
  EXPECT_EQ(page.document().source(0).volume->grid().size[2], 3);
  EXPECT_EQ(page.document().source(1).volume->grid().size[2], 2);
}

TEST_F(ViewerFiles, AFolderIsOpenedByDialog) {
  answerNext<QFileDialog>([this](QFileDialog& dialog) {
    dialog.setDirectory(pathOf(dicom));
    dialog.selectFile(pathOf(dicom / "series"));
    dialog.findChild<QLineEdit*>()->setText(pathOf(dicom / "series"));
    QMetaObject::invokeMethod(&dialog, "accept");
  });
  trigger(QStringLiteral("Open a DICOM folder"));
  waitForLoad();
  EXPECT_EQ(page.document().layerCount(), 1);
}

TEST_F(ViewerFiles, WhatIsSavedIsWhatWasShownWhenTheDialogOpened) {
  open({save("first.nii.gz", *head)});
  Volume other = *head;
  for (float& voxel : other.voxels)
    voxel = 1 - voxel;
  page.openFile(save("second.nii.gz", other));
  const QString saved = pathOf(folder.path() / "copy.nii");
  answerNext<QFileDialog>([&](QFileDialog& dialog) {
    EXPECT_SOON(!page.findChild<ViewerLoader*>()->isBusy());
    EXPECT_EQ(page.document().layer(0).title, "first") << "the dialog says first.nii.gz";
    dialog.findChild<QLineEdit*>()->setText(saved);
    QMetaObject::invokeMethod(&dialog, "accept");
  });
  QSignalSpy said(&page, &ViewerPage::statusMessage);
  trigger(QStringLiteral("Save as NIfTI"));
  EXPECT_EQ(page.document().layer(0).title, "second") << "it takes its place afterwards";
  EXPECT_SOON(std::filesystem::exists(saved.toStdString()));
  EXPECT_EQ(readVolume(saved.toStdString())->voxels, head->voxels);
}

TEST_F(ViewerFiles, TheFilePanelTellsWhatTheHeaderSays) {
  open({pathOf(testData() / "imaging/nifti/told.nii.gz")});
  const std::string text = fileText().toStdString();
  for (const char* part : {"Stored as: NIfTI-1 · int16 · little-endian · scl_slope 0.25, scl_inter -12", "every 2.50 s, 7.50 s in all", "sform_code 4 (MNI 152), in force",
                           "qform_code 1 (scanner)", "Units: mm and ms", "Intent: t statistic · thumb", "Description: told by a test", "over all time points"})
    EXPECT_THAT(text, testing::HasSubstr(part));
  const Affine sform = page.document().source(0).volume->grid().affine;
  const auto click = [&](const char* words) {
    for (auto* button : page.findChild<ViewerFilePanel*>()->findChildren<QPushButton*>())
      if (button->text() == QString::fromLatin1(words))
        return button->click();
    ADD_FAILURE() << words;
  };
  click("Look at it by the qform");
  EXPECT_SOON(page.document().source(0).volume->grid().affine != sform);
  EXPECT_EQ(page.document().source(0).volume->grid().affine, *page.document().source(0).volume->header.qform);
  EXPECT_THAT(fileText().toStdString(), testing::HasSubstr("Shown by the qform because you asked for it."));
  click("Look at it by the sform");
  EXPECT_SOON(page.document().source(0).volume->grid().affine == sform);
}

TEST_F(ViewerFiles, AConstantVolumeIsCalledSo) {
  open({save("seven.nii", *volumeOf(grid, [](Vec3d) { return 7.0f; }))});
  EXPECT_THAT(page.notices().toStdString(), testing::HasSubstr("Every voxel is 7.00: there is nothing to tell apart."));
  EXPECT_EQ(page.document().layer(0).range, (DisplayRange{0, 7}));
  EXPECT_THAT(fileText().toStdString(), testing::HasSubstr("Values: 7.00 everywhere"));
}

TEST_F(ViewerFiles, TheFilterOfLabelsSaysWhyNothingIsLeftAndGoesWithThem) {
  open({save("labels.nii", *labels, VoxelType::UInt8)});
  auto* panel = page.findChild<ViewerLabelsPanel*>();
  auto* filter = panel->findChild<QLineEdit*>();
  const auto says = [panel](const QString& words) {
    for (auto* label : panel->findChildren<QLabel*>())
      if (label->isVisibleTo(panel) && label->text() == words)
        return true;
    return false;
  };
  filter->setText(QStringLiteral("Thal"));
  EXPECT_TRUE(says(QStringLiteral("No label matches “Thal”.")));
  open({save("others.nii", *labels, VoxelType::UInt8)});
  EXPECT_EQ(filter->text(), QString());
  EXPECT_FALSE(says(QStringLiteral("No label matches “Thal”.")));
  EXPECT_GT(panel->findChild<QTreeView*>()->model()->rowCount(), 0);
}

TEST_F(ViewerFiles, GoesToMillimetresVoxelsAndLabels) {
  open({save("head.nii.gz", *head), save("labels.nii", *labels, VoxelType::UInt8)});
  ViewerGoTo dialog(page.document());
  auto* text = dialog.findChild<QLineEdit*>();
  auto* form = dialog.findChild<QComboBox*>();
  const Vec3d middle = page.document().cursor();
  ASSERT_TRUE(dialog.place()) << "where the cross-hair is";
  EXPECT_LT(length(*dialog.place() - middle), 0.1);
  text->setText(QStringLiteral("x 1,5; y −2; z 3 mm"));
  EXPECT_EQ(dialog.place()->x, 1.5);
  EXPECT_EQ(dialog.place()->y, -2);
  text->setText(QStringLiteral("900 0 0"));
  EXPECT_FALSE(dialog.place());
  EXPECT_EQ(dialog.said(), QStringLiteral("That is outside of the volume, whose voxels go from 0, 0, 0 to 39, 47, 35."));
  form->setCurrentIndex(1);
  text->setText(QStringLiteral("3, 4, 5"));
  EXPECT_LT(length(*dialog.place() - transformPoint(grid.affine, {3, 4, 5})), 1e-6);
  form->setCurrentIndex(2);
  text->setText(QStringLiteral("label 1"));
  EXPECT_EQ(dialog.label(), 1);
  text->setText(QStringLiteral("lab"));
  EXPECT_FALSE(dialog.label()) << "several";
}

TEST_F(ViewerFiles, TheCurveOverTimeIsThatOfTheVoxelUnderTheCrossHair) {
  open({pathOf(testData() / "imaging/nifti/told.nii.gz")});
  auto* curve = page.findChild<ViewerTimeCurve*>();
  EXPECT_FALSE(curve->isVisible());
  trigger(QStringLiteral("Curve over time"));
  EXPECT_TRUE(curve->isVisible());
  const Volume& volume = *page.document().source(0).volume;
  page.document().setCursor(transformPoint(volume.grid().affine, {2, 1, 1}));
  const Series values = curve->values();
  ASSERT_EQ(values.size(), 3u);
  for (std::size_t t = 0; t < 3; ++t) {
    EXPECT_EQ(values.x()[t], 2.5 * static_cast<double>(t));
    EXPECT_EQ(values.y()[t], static_cast<double>(volume.voxels[t * 24 + 2 + 4 * (1 + 3 * 1)]));
  }
  open({save("head.nii.gz", *head)});
  EXPECT_FALSE(curve->isVisible()) << "nothing has a time here";
}

TEST(ParseTriple, TakesWhatPeopleType) {
  using Three = std::array<double, 3>;
  for (const char* text : {"12 -8.5 30", "12, -8.5, 30", "12,-8.5,30", "(12; -8,5; 30)", "x 12  y −8.5  z 30 mm", " 12,0 -8,5 30,0 "})
    EXPECT_EQ(parseTriple(QString::fromUtf8(text)), (Three{12, -8.5, 30})) << text;
  for (const char* text : {"", "12 30", "1 2 3 4", "a b c", "nan 1 2", "1e999 1 2"})
    EXPECT_EQ(parseTriple(QString::fromUtf8(text)), std::nullopt) << text;
}

} // namespace
} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_samples_panel.h"
#include "core/analysis/run_state.h"
#include "core/base/files.h"
#include "core/protocol/left_out.h"
#include "tests/support/qt/waiting.h"
#include "tests/support/temporary_folder.h"
#include "tests/widgets/pages/viewer_volumes.h"
#include "widgets/pages/sample_strip.h"
#include "widgets/pages/viewer_empty_state.h"
#include "widgets/pages/viewer_page.h"
#include "widgets/pages/viewer_sheet.h"
#include <QApplication>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <gtest/gtest.h>

namespace voxlab {
namespace {

// Three samples, of which one's file is there, as in the runs that are shipped.
class ShippedRun : public testing::Test {
protected:
  ShippedRun() {
    EXPECT_TRUE(writeNifti(folder.path() / "seed0.nii.gz", *volumeOf(gridOf("RAS", {12, 12, 12}), headAt)));
    for (int seed = 0; seed < 3; ++seed)
      samples << ViewerSample{file(seed), QStringLiteral("seed %1").arg(seed), {}, {}, true};
  }
  QString file(int seed) const { return QString::fromStdString((folder.path() / ("seed" + std::to_string(seed) + ".nii.gz")).string()); }
  void bring(int seed) { EXPECT_TRUE(writeNifti(file(seed).toStdString(), *volumeOf(gridOf("RAS", {12, 12, 12}), headAt))); }
  static QStringList words(const QWidget& widget) {
    QApplication::processEvents(); // what a layout got is shown in turn
    QStringList all;
    for (const QLabel* label : widget.findChildren<QLabel*>())
      if (!label->isHidden())
        all << label->text();
    return all;
  }
  TemporaryFolder folder;
  QList<ViewerSample> samples;
};

TEST_F(ShippedRun, WhatWasLeftOutStandsInGreyAndIsCounted) {
  ViewerSamplesPanel panel;
  panel.setSamples(QStringLiteral("Quality of every mode, DDPM, 250 steps"), samples);
  auto* list = panel.findChild<QListWidget*>();
  ASSERT_EQ(list->count(), 3); // the newest on top
  EXPECT_FALSE(list->item(0)->flags() & Qt::ItemIsEnabled);
  EXPECT_TRUE(list->item(0)->text().contains(QStringLiteral("left out")));
  EXPECT_TRUE(list->item(0)->toolTip().contains(QStringLiteral("left out of the shipped run")));
  EXPECT_TRUE(list->item(2)->flags() & Qt::ItemIsEnabled);
  EXPECT_EQ(panel.leftOutCount(), 2);
  EXPECT_TRUE(words(panel).contains(QStringLiteral("Left out of the shipped run: 2 of 3 volumes.")));
  EXPECT_TRUE(words(panel).contains(QStringLiteral("Quality of every mode, DDPM, 250 steps"))) << "the whole name";
  QSignalSpy opened(&panel, &ViewerSamplesPanel::openRequested);
  emit list->itemClicked(list->item(0));
  EXPECT_EQ(opened.count(), 0);
  emit list->itemClicked(list->item(2));
  EXPECT_EQ(opened.count(), 1);
  ASSERT_EQ(panel.samples().size(), 1) << "what the contact sheet gets";
  EXPECT_EQ(panel.samples().first().path, file(0));
}

// Who deleted a file is not told that it was left out.
TEST_F(ShippedRun, WhatWasDeletedIsToldFromWhatWasLeftOut) {
  samples[1].isLeftOut = false;
  ViewerSamplesPanel panel;
  panel.setSamples(QStringLiteral("run"), samples);
  EXPECT_EQ(panel.leftOutCount(), 1);
  EXPECT_EQ(panel.missingCount(), 1);
  auto* list = panel.findChild<QListWidget*>();
  EXPECT_TRUE(list->item(0)->text().endsWith(QStringLiteral("left out")));
  EXPECT_TRUE(list->item(1)->text().endsWith(QStringLiteral("missing")));
  EXPECT_TRUE(list->item(1)->toolTip().contains(QStringLiteral("deleted or moved")));
  EXPECT_TRUE(words(panel).contains(QStringLiteral("Left out of the shipped run: 1 of 3 volumes. Missing: 1 of 3 volumes; their files were deleted or moved.")));
  bring(1);
  panel.show();
  EXPECT_EQ(panel.missingCount(), 0);
}

TEST_F(ShippedRun, APairNeedsBothOfItsFiles) {
  ViewerSamplesPanel panel;
  panel.setSamples({}, {{file(0), QStringLiteral("one"), {}, {file(1)}}, {file(0), QStringLiteral("both"), {}, {file(0)}}});
  EXPECT_EQ(panel.missingCount(), 1);
  EXPECT_EQ(panel.samples().first().title, QStringLiteral("both"));
}

TEST_F(ShippedRun, FilesThatComeLateAreSeen) {
  ViewerSamplesPanel panel;
  panel.setSamples({}, samples);
  bring(1);
  panel.show();
  EXPECT_EQ(panel.leftOutCount(), 1);
  EXPECT_EQ(panel.samples().size(), 2);
}

TEST_F(ShippedRun, ThePageOffersWhatTheRunDrew) {
  ViewerPage page;
  page.resize(700, 560);
  page.show();
  page.setRunSamples(QStringLiteral("DDPM, 250 steps"), samples);
  auto* empty = page.findChild<ViewerEmptyState*>();
  EXPECT_TRUE(words(*empty).contains(QStringLiteral("Volumes of DDPM, 250 steps")));
  EXPECT_TRUE(words(*empty).contains(QStringLiteral("Left out of the shipped run: 2 of 3 volumes.")));
  QPushButton* link = nullptr;
  for (auto* button : empty->findChildren<QPushButton*>())
    if (button->text() == QStringLiteral("seed 0"))
      link = button;
  ASSERT_TRUE(link);
  QSignalSpy finished(&page, &ViewerPage::loadFinished);
  link->click();
  ASSERT_SOON(finished.count() == 1);
  EXPECT_EQ(page.problem(), QString());
  page.setRunSamples({}, {});
  EXPECT_FALSE(words(*empty).join(QString()).contains(QStringLiteral("left out"), Qt::CaseInsensitive));
  page.setRunSamples(QStringLiteral("DDPM, 250 steps"), samples.mid(1));
  EXPECT_TRUE(words(*empty).contains(QStringLiteral("Left out of the shipped run: all volumes (2).")));
}

TEST_F(ShippedRun, TheContactSheetHasNoTileOfAnError) {
  ViewerPage page;
  page.show();
  bring(2);
  page.setRunSamples(QStringLiteral("run"), samples);
  emit page.findChild<ViewerSamplesPanel*>()->sheetRequested();
  auto* sheet = page.findChild<ViewerSheet*>();
  ASSERT_SOON(sheet->loadedCount() == 2);
  EXPECT_EQ(sheet->rowCount() * sheet->columnCount(), 2);
  page.addSample(samples[1]); // of which there is no file
  EXPECT_EQ(sheet->rowCount() * sheet->columnCount(), 2);
}

TEST_F(ShippedRun, TheMonitorShowsTheNewestThatIsThere) {
  std::vector<SampleRecord> records;
  for (int seed = 0; seed < 3; ++seed) {
    SampleRecord record;
    record.path = "seed" + std::to_string(seed) + ".nii.gz";
    record.seed = seed;
    records.push_back(record);
  }
  EXPECT_TRUE(writeFileAtomically(folder.path() / kLeftOutFile, leftOutText({"seed1.nii.gz"})));
  SampleStrip strip;
  strip.clear(QString::fromStdString(folder.path().string()));
  strip.setSamples(records);
  ASSERT_SOON(!strip.isLoading());
  EXPECT_EQ(strip.pictureCount(), 1);
  EXPECT_TRUE(words(strip).contains(QStringLiteral("Left out of the shipped run: 1 of 3 volumes. Missing: 1 of 3 volumes; their files were deleted or moved.")));
  QSignalSpy opened(&strip, &SampleStrip::openRequested);
  for (auto* button : strip.findChildren<QPushButton*>())
    button->click();
  ASSERT_EQ(opened.count(), 1);
  EXPECT_EQ(opened.first().first().toString(), file(0));
  strip.clear(QString::fromStdString(folder.path().string()));
  strip.setSamples({records[1]});
  EXPECT_TRUE(words(strip).contains(QStringLiteral("Left out of the shipped run: all volumes (1).")));
}

} // namespace
} // namespace voxlab

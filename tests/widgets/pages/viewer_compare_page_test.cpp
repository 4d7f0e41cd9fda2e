// SPDX-License-Identifier: GPL-3.0-or-later
// Comparing on the page: from files, samples and sheets to views and figures, and back.
#include "tests/support/qt/waiting.h"
#include "tests/support/temporary_folder.h"
#include "tests/widgets/pages/viewer_volumes.h"
#include "widgets/pages/viewer_compare_bar.h"
#include "widgets/pages/viewer_compare_panel.h"
#include "widgets/pages/viewer_compare_table.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_grid.h"
#include "widgets/pages/viewer_page.h"
#include "widgets/pages/viewer_samples_panel.h"
#include "widgets/pages/viewer_sheet.h"
#include <QAction>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <gmock/gmock.h>

namespace voxlab {
namespace {

using testing::ElementsAre;

class ComparePageOfVolumes : public testing::Test {
protected:
  ComparePageOfVolumes() {
    page.resize(1100, 900);
    page.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&page));
  }
  QString save(const std::string& name, float added, const Grid& grid = gridOf("RAS", {24, 24, 24}, {2, 2, 2})) {
    const auto file = folder.path() / (name + ".nii");
    EXPECT_TRUE(writeNifti(file, *volumeOf(grid, [added](Vec3d p) { return headAt(p) + added * static_cast<float>(p.x + 0.25); }), VoxelType::Float32));
    return QString::fromStdString(file.string());
  }
  void settle() { ASSERT_SOON(!page.isLoading()); }
  void command(const QString& text) {
    for (QAction* action : page.commands())
      if (action->text() == text)
        return action->trigger();
    ADD_FAILURE() << "no command " << text.toStdString();
  }
  ViewerComparePanel& panel() { return *page.findChild<ViewerComparePanel*>(); }
  ViewerCompareBar& bar() { return *page.findChild<ViewerCompareBar*>(); }
  std::vector<std::string> titles() {
    std::vector<std::string> all;
    for (int layer = 0; layer < page.document().layerCount(); ++layer)
      all.push_back(page.document().layer(layer).title);
    return all;
  }

  TemporaryFolder folder;
  ViewerPage page;
};

TEST_F(ComparePageOfVolumes, ThreeFilesAndAKeyAreThreeRows) {
  page.openFiles({save("real", 0), save("fused", 0.1f), save("half", 0.2f, gridOf("LPI", {12, 12, 12}, {4, 4, 4}))});
  settle();
  EXPECT_EQ(page.grid().viewLayout(), ViewLayout::Four);
  command("Compare the volumes");
  EXPECT_EQ(page.grid().viewLayout(), ViewLayout::SideBySide);
  EXPECT_EQ(page.grid().shownSliceViews().size(), 9u);
  EXPECT_EQ(page.document().heading().toStdString().rfind("real and ", 0), 0u);
  ASSERT_SOON(panel().statistics().has_value());
  EXPECT_EQ(panel().table().rowCount(), 2);
  EXPECT_EQ(panel().table().item(0, 0)->text(), QStringLiteral("fused"));
  ASSERT_SOON(panel().table().item(1, 1)->text() != QStringLiteral("…"));
  EXPECT_TRUE(panel().table().item(1, 0)->toolTip().contains(QStringLiteral("resampled")));
  panel().table().setCurrentCell(1, 0);
  EXPECT_EQ(page.document().comparison().second, 2u) << "the row whose figures are shown";
  EXPECT_TRUE(panel().statistics()) << "known already";
  command("Next way to compare"); // checkerboard
  EXPECT_EQ(page.grid().viewLayout(), ViewLayout::Four);
  EXPECT_TRUE(panel().statistics()) << "another way to look changes no figure";
  EXPECT_EQ(page.document().comparison().second, 2u);
  command("Compare: another reference");
  EXPECT_EQ(page.document().comparison().first, 2u);
  EXPECT_FALSE(panel().statistics()) << "of the other reference they are not known";
}

TEST_F(ComparePageOfVolumes, TheLayoutBeforeComesBack) {
  page.openFiles({save("real", 0), save("fused", 0.1f), save("bf16", 0.2f)});
  settle();
  command("One large view and three");
  page.grid().setMainView(1);
  command("Compare the volumes");
  command("Compare: three planes or one");
  EXPECT_EQ(page.grid().comparePlanes(), ComparePlanes::Axial);
  EXPECT_EQ(page.grid().shownSliceViews().size(), 3u);
  command("The view alone, and back");
  EXPECT_EQ(page.grid().comparePlanes(), ComparePlanes::Three);
  command("Compare the volumes");
  EXPECT_EQ(page.grid().viewLayout(), ViewLayout::OneAndThree);
  EXPECT_EQ(page.grid().mainView(), 1);
  EXPECT_TRUE(page.document().comparison().members.empty());
}

TEST_F(ComparePageOfVolumes, FiguresFollowWhatIsCompared) {
  page.compareFiles({save("real", 0), save("fused", 0.1f)});
  settle();
  ASSERT_SOON(panel().statistics().has_value());
  const double whole = panel().statistics()->difference.mae;
  EXPECT_FALSE(panel().statistics()->isMasked);
  page.document().addOnTop(prepared(volumeOf(gridOf("RAS", {24, 24, 24}, {2, 2, 2}), headLabelAt), "labels"));
  EXPECT_FALSE(panel().statistics()) << "labels came, and the figures are to count inside them";
  ASSERT_SOON(panel().statistics().has_value());
  EXPECT_TRUE(panel().statistics()->isMasked);
  EXPECT_NE(panel().statistics()->difference.mae, whole);
  page.document().removeLayer(2);
  ASSERT_SOON(panel().statistics().has_value() && !panel().statistics()->isMasked);
  EXPECT_EQ(panel().statistics()->difference.mae, whole);
  const double reach = panel().statistics()->reach;
  bar().start(CompareMode::Difference);
  EXPECT_EQ(page.document().comparison().differenceReach, reach);
  page.document().setLayerVolume(1, prepared(volumeOf(gridOf("RAS", {24, 24, 24}, {2, 2, 2}), [](Vec3d p) { return headAt(p) + 9 + 0.01f * static_cast<float>(p.x); }), "fused, step 3"));
  EXPECT_FALSE(panel().statistics()) << "a sampler's step before";
  ASSERT_SOON(panel().statistics().has_value());
  EXPECT_NEAR(panel().statistics()->difference.mae, 9, 1e-4);
  EXPECT_EQ(page.document().comparison().differenceReach, reach) << "colours mean what they meant";
}

TEST_F(ComparePageOfVolumes, ChosenSamplesStandSideBySide) {
  QList<ViewerSample> samples;
  for (int i = 0; i < 4; ++i)
    samples << ViewerSample{save("seed" + std::to_string(i), 0.1f * static_cast<float>(i)), QStringLiteral("seed %1").arg(i)};
  page.setRunSamples(QStringLiteral("run"), samples);
  auto* list = page.findChild<ViewerSamplesPanel*>()->list();
  QSignalSpy opened(page.findChild<ViewerSamplesPanel*>(), &ViewerSamplesPanel::openRequested);
  command("Compare the chosen samples");
  EXPECT_TRUE(page.document().isEmpty()) << "none are chosen: it says how to";
  for (const int row : {0, 1, 3}) // seeds 3, 2, 0
    list->item(row)->setSelected(true);
  QPushButton* button = nullptr;
  for (auto* each : page.findChildren<QPushButton*>())
    if (each->text().startsWith(QStringLiteral("Compare 3 sample")))
      button = each;
  ASSERT_TRUE(button);
  button->click();
  settle();
  EXPECT_THAT(titles(), ElementsAre("seed0", "seed2", "seed3")) << "oldest first";
  EXPECT_EQ(page.grid().shownSliceViews().size(), 9u);
  EXPECT_EQ(opened.count(), 0);
}

TEST_F(ComparePageOfVolumes, SoDoThoseChosenInTheContactSheet) {
  QList<ViewerSample> samples;
  for (int i = 0; i < 3; ++i)
    samples << ViewerSample{save("seed" + std::to_string(i), 0.1f * static_cast<float>(i)), QStringLiteral("seed %1").arg(i)};
  page.setRunSamples(QStringLiteral("run"), samples);
  emit page.findChild<ViewerSamplesPanel*>()->sheetRequested();
  auto* sheet = page.findChild<ViewerSheet*>();
  ASSERT_SOON(sheet->loadedCount() == 3);
  ASSERT_SOON(sheet->isPainted());
  const QImage before = sheet->picture();
  sheet->choose(samples[2].path);
  EXPECT_FALSE(sheet->compareChosen()) << "one is no comparison";
  sheet->choose(samples[1].path);
  EXPECT_EQ(sheet->picture(), before) << "what is chosen does not get into a picture";
  command("Compare the chosen samples");
  settle();
  EXPECT_THAT(titles(), ElementsAre("seed1", "seed2"));
  EXPECT_EQ(page.grid().viewLayout(), ViewLayout::SideBySide);
}

} // namespace
} // namespace voxlab

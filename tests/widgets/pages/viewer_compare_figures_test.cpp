// SPDX-License-Identifier: GPL-3.0-or-later
// How far several volumes are from one: the figures, and the table that shows them.
#include "tests/widgets/pages/viewer_volumes.h"
#include "widgets/pages/viewer_compare_panel.h"
#include "widgets/pages/viewer_compare_table.h"
#include "widgets/pages/viewer_statistics.h"
#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>
#include <map>

namespace voxlab {
namespace {

std::shared_ptr<const Volume> frozen(int which, const Grid& grid = gridOf("RAS", {14, 13, 12})) {
  return volumeOf(grid, [which](Vec3d p) {
    const double base = 100 * std::sin(0.3 * p.x) * std::cos(0.2 * p.y) + 5 * p.z;
    return static_cast<float>(which == 0 ? base : which == 1 ? base + 3 * std::sin(p.x * p.y) : 1.1 * base - 2);
  });
}

class Measuring : public testing::Test {
protected:
  void measure(const StatisticsRequests& requests) {
    QObject::connect(&task, &ViewerStatisticsTask::measured, [this](int which, const ViewerStatistics& s) {
      EXPECT_EQ(reach.count(), 1) << "the colours' reach first";
      figures[which] = s;
    });
    QObject::connect(&task, &ViewerStatisticsTask::failed, [this](int which, const QString& sentence) { problems[which] = sentence; });
    task.start(requests);
    ASSERT_TRUE(QTest::qWaitFor([&] { return figures.size() + problems.size() == requests.others.size(); }, 30000));
  }
  ViewerStatisticsTask task;
  QSignalSpy reach{&task, &ViewerStatisticsTask::reachFound};
  std::map<int, ViewerStatistics> figures;
  std::map<int, QString> problems;
};

// numpy and scikit-image (tests/data/viewer/compare_figures.py)
TEST_F(Measuring, SeveralAgainstOneAreNumpysFigures) {
  measure({frozen(0), {frozen(1), frozen(2)}, nullptr, 0, {}});
  constexpr double kExpected[2][4]{{1.88068242, 2.13017618, 41.5411098, 0.998644032}, {5.603502, 6.57927844, 31.745855, 0.985536743}}; // MAE, RMSE, PSNR in dB, SSIM
  for (const int which : {0, 1}) {
    const auto* expected = kExpected[which];
    ASSERT_TRUE(figures[which].difference.psnr_db && figures[which].ssim);
    EXPECT_NEAR(figures[which].difference.mae, expected[0], 1e-4);
    EXPECT_NEAR(figures[which].difference.rmse, expected[1], 1e-4);
    EXPECT_NEAR(*figures[which].difference.psnr_db, expected[2], 1e-3);
    EXPECT_NEAR(*figures[which].ssim, expected[3], 1e-4);
  }
  EXPECT_DOUBLE_EQ(reach[0][0].toDouble(), std::max(figures[0].reach, figures[1].reach)) << "one scale for all";
}

TEST_F(Measuring, OneThatLiesElsewhereDoesNotHinderTheOthers) {
  Grid far = gridOf("RAS", {14, 13, 12});
  far.affine[0][3] += 1000;
  measure({frozen(0), {frozen(1, far), frozen(2)}, nullptr, 0, {}});
  EXPECT_EQ(problems.count(0), 1u);
  EXPECT_EQ(figures.count(1), 1u);
}

TEST_F(Measuring, TheTimePointInSightIsMeasured) {
  const auto first = frozen(0);
  Volume two = *frozen(1);
  two.header.timePoints = 2;
  two.voxels.insert(two.voxels.end(), first->voxels.begin(), first->voxels.end());
  measure({first, {std::make_shared<const Volume>(two), frozen(2)}, nullptr, 1, {}});
  EXPECT_EQ(figures[0].difference.mae, 0) << "its second one";
  EXPECT_GT(figures[1].difference.mae, 0) << "one that has a single one";
}

TEST_F(Measuring, OnOneScaleAScaledCopyIsEqual) {
  const auto first = frozen(0);
  Volume scaled = *first;
  for (float& v : scaled.voxels)
    v = v / 50 - 1;
  measure({first, {std::make_shared<const Volume>(scaled), frozen(1)}, nullptr, 0, {{-50, 50}, {-2, 0}, {-50, 50}}});
  EXPECT_NEAR(figures[0].difference.mae, 0, 1e-6);
  EXPECT_TRUE(figures[0].isRescaled);
  EXPECT_TRUE(longText(figures[0]).contains(QStringLiteral("brought to one scale first")));
  EXPECT_NEAR(figures[1].difference.mae, 1.88068242 / 100, 1e-5) << "in parts of the scale";
  EXPECT_NEAR(*figures[1].difference.psnr_db, 41.5411098, 1e-3) << "which a scale does not change";
}

TEST(MeasuredVolumes, AreKnownByWhatWasAskedFor) {
  auto a = frozen(0), b = frozen(1), mask = frozen(2);
  const MeasuredVolumes none, whole(StatisticsRequests{a, {b}, nullptr, 0, {}}), inside(StatisticsRequests{a, {b}, mask, 0, {}});
  EXPECT_FALSE(none.isOf({a, {b}, nullptr, 0, {}}));
  EXPECT_TRUE(whole.isOf({a, {b}, nullptr, 0, {}}));
  EXPECT_FALSE(whole.isOf({b, {a}, nullptr, 0, {}}));
  EXPECT_FALSE(whole.isOf({a, {b}, nullptr, 1, {}}));
  EXPECT_FALSE(whole.isOf({a, {b, b}, nullptr, 0, {}}));
  EXPECT_TRUE(inside.isOf({a, {b}, mask, 0, {}}));
  mask.reset();
  EXPECT_FALSE(inside.isOf({a, {b}, nullptr, 0, {}})) << "the labels were closed";
}

TEST(ComparePanel, ATableOfSeveralIsChosenFromAndCopied) {
  ViewerComparePanel panel;
  panel.resize(320, 800);
  panel.show();
  panel.setVolumes(QStringLiteral("baseline"), {QStringLiteral("fused"), QStringLiteral("far away")});
  ViewerStatistics s;
  s.difference.mae = 1.23456789;
  s.difference.rmse = 2.5;
  s.difference.voxels = 10;
  s.ssim = 0.98765432;
  panel.setStatistics(0, s);
  panel.setProblem(1, QStringLiteral("They lie apart."));
  ViewerCompareTable& table = panel.table();
  EXPECT_TRUE(table.isVisible());
  EXPECT_EQ(table.item(0, 1)->text(), QStringLiteral("1.23"));
  EXPECT_EQ(table.item(0, 3)->text(), QString(QChar(0x221e))) << "nothing told of the error's square";
  EXPECT_EQ(table.text(), QStringLiteral("Volume (reference: baseline, whole volume)\tMAE\tRMSE\tPSNR (dB)\tSSIM\nfused\t1.23457\t2.5\tinf\t0.987654\nfar away\t\t\t\t"));
  QSignalSpy chosen(&panel, &ViewerComparePanel::chosenChanged);
  table.setFocus();
  QTest::keyClick(&table, Qt::Key_Down);
  ASSERT_EQ(chosen.count(), 1);
  EXPECT_EQ(chosen[0][0].toInt(), 1);
  EXPECT_EQ(panel.words(), QStringLiteral("not comparable"));
  QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(QGuiApplication::clipboard()->text(), table.text());
  panel.setVolumes(QStringLiteral("baseline"), {QStringLiteral("fused")});
  EXPECT_FALSE(table.isVisible()) << "two need none";
}

} // namespace
} // namespace voxlab

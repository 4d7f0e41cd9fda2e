// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_reading.h"
#include "tests/support/qt/waiting.h"
#include "tests/support/temporary_folder.h"
#include "tests/widgets/pages/viewer_volumes.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_grid.h"
#include "widgets/pages/viewer_page.h"
#include "widgets/pages/viewer_reading_line.h"
#include "widgets/pages/viewer_slice_view.h"
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <gmock/gmock.h>

namespace voxlab {
namespace {

ViewerVolume flat(float value, const std::string& title, const Grid& grid = gridOf("RAS", {10, 10, 10})) {
  auto volume = volumeOf(grid, [value](Vec3d) { return value; });
  volume->voxels[0] = value + 0.25f; // an image, no labels
  return prepared(volume, title);
}

std::string valueAt(const ViewerDocument& document, Vec3d world, std::optional<int> pointed = std::nullopt) {
  return readingAt(document, world, pointed).value.toStdString();
}

class ReadingTest : public testing::Test {
protected:
  ReadingTest() {
    document.replaceAll(flat(812, "real"));
    document.addOnTop(flat(790, "synthetic"));
  }
  void compare(CompareMode mode) {
    Comparison comparison;
    comparison.mode = mode;
    document.setComparison(comparison);
  }
  ViewerDocument document;
};

TEST(ViewerReading, TellsPositionVoxelValueAndLabel) {
  ViewerDocument document;
  EXPECT_EQ(readingAt(document, {0, 0, 0}).text(), QString());
  document.replaceAll(headVolume());
  ViewerVolume labels = labelVolume();
  labels.labels.labels = {{1, "scalp", {}, true}, {2, "brain", {}, true}, {3, "ball", {}, true}};
  document.addOnTop(labels);
  document.setActiveLayer(0);
  const auto reading = readingAt(document, {11.5, 12.5, 9.5});
  EXPECT_EQ(reading.position.toStdString(), "x 11.5  y 12.5  z 9.5 mm");
  EXPECT_EQ(reading.voxel.toStdString(), "voxel 43, 44, 33");
  EXPECT_EQ(reading.value.toStdString(), "160") << "a single image needs no name";
  EXPECT_EQ(reading.label.toStdString(), "ball (3)");
  EXPECT_TRUE(readingAt(document, {500, 0, 0}).value.isEmpty());
}

TEST_F(ReadingTest, NamesEveryVolumeAndThePointedOneFirst) {
  EXPECT_EQ(valueAt(document, {0.5, 0.5, 0.5}), "synthetic 790 · real 812") << "the chosen layer first";
  EXPECT_EQ(valueAt(document, {0.5, 0.5, 0.5}, 0), "real 812 · synthetic 790") << "the view pointed at decides, not the panel";
  EXPECT_EQ(readingAt(document, {0.5, 0.5, 0.5}).voxel.toStdString(), "voxel 5, 5, 5");
  document.editLayer(0, [](SliceLayer& layer) { layer.visibility = Visibility::Hidden; });
  EXPECT_EQ(valueAt(document, {0.5, 0.5, 0.5}), "790") << "one in sight";
}

TEST_F(ReadingTest, ADifferenceTellsBothValuesAndItsSignAsTheColoursHaveIt) {
  compare(CompareMode::Difference);
  for (const int active : {0, 1}) {
    document.setActiveLayer(active);
    EXPECT_EQ(valueAt(document, {0.5, 0.5, 0.5}), "synthetic 790 · real 812 · difference −22");
  }
  Comparison other = document.comparison();
  std::swap(other.first, other.second);
  document.setComparison(other);
  EXPECT_EQ(valueAt(document, {0.5, 0.5, 0.5}), "real 812 · synthetic 790 · difference +22");
  // The same sign as the picture: red is above.
  const SliceGeometry plane = document.plane(SliceAxis::Axial, 21, 21);
  const std::uint32_t pixel = document.scene().draw(plane).at(10, 10);
  EXPECT_GT(pixel >> 16 & 0xff, pixel & 0xff);
}

TEST_F(ReadingTest, EveryComparisonReadsBothVolumes) {
  for (const CompareMode mode : {CompareMode::Checkerboard, CompareMode::Swipe, CompareMode::Flicker, CompareMode::Blend}) {
    compare(mode);
    EXPECT_EQ(valueAt(document, {0.5, 0.5, 0.5}), "real 812 · synthetic 790");
  }
}

TEST_F(ReadingTest, EachVolumesOwnVoxelAndItsEnd) {
  document.addOnTop(flat(0.125f, "small", gridOf("LPI", {4, 4, 4})));
  document.setActiveLayer(2);
  EXPECT_EQ(valueAt(document, {0.5, 0.5, 0.5}), "small 0.125 (voxel 1, 1, 1) · real 812 (voxel 5, 5, 5) · synthetic 790 (voxel 5, 5, 5)");
  EXPECT_EQ(valueAt(document, {4.5, 0.5, 0.5}), "small outside · real 812 (voxel 9, 5, 5) · synthetic 790 (voxel 9, 5, 5)");
  EXPECT_EQ(readingAt(document, {4.5, 0.5, 0.5}).voxel, QString());
  Comparison comparison;
  comparison.mode = CompareMode::Difference;
  comparison.second = 2;
  document.setComparison(comparison);
  EXPECT_EQ(valueAt(document, {4.5, 0.5, 0.5}), "small outside · real 812 (voxel 9, 5, 5) · no difference there");
}

TEST_F(ReadingTest, NotANumberAndFractions) {
  auto volume = volumeOf(gridOf("RAS", {10, 10, 10}), [](Vec3d p) { return p.x > 0 ? NAN : -0.5f; });
  document.addOnTop(prepared(volume, "holes"));
  document.setActiveLayer(2);
  document.removeLayer(1);
  EXPECT_EQ(valueAt(document, {0.5, 0.5, 0.5}), "holes NaN · real 812");
  compare(CompareMode::Difference);
  EXPECT_EQ(valueAt(document, {0.5, 0.5, 0.5}), "holes NaN · real 812 · difference NaN");
  EXPECT_EQ(valueAt(document, {-0.5, 0.5, 0.5}), "holes −0.5 · real 812 · difference −812.5");
}

TEST(ViewerReading, SamplesOfOneMaskAreToldApartByHowTheyWereMade) {
  ViewerDocument document;
  ViewerVolume baseline = flat(10, "mask_0001"), fused = flat(12, "mask_0001");
  baseline.origin = "baseline, ddpm 250";
  fused.origin = "fused_bf16, ddpm 250";
  document.replaceAll(baseline);
  document.addOnTop(fused);
  EXPECT_EQ(valueAt(document, {0.5, 0.5, 0.5}, 0), "baseline, ddpm 250 10 · fused_bf16, ddpm 250 12");
}

TEST(ViewerReading, OfThoseComparedTheBriefNamesAreWhatDiffers) {
  const auto briefly = [](const std::vector<std::string>& titles) {
    ViewerDocument document;
    Comparison comparison;
    for (const std::string& title : titles) {
      document.addOnTop(flat(1, title));
      comparison.members.push_back(comparison.members.size());
    }
    document.addOnTop(flat(3, "one more"));
    document.setComparison(comparison);
    QStringList briefest;
    for (std::size_t i = 0; i < titles.size(); ++i)
      briefest << layerName(document, static_cast<int>(i)).forms.last();
    EXPECT_EQ(layerName(document, static_cast<int>(titles.size())).forms, QStringList{"one more"});
    return briefest;
  };
  EXPECT_EQ(briefly({"colin27 · baseline, ddpm 250", "colin27 · fused_bf16, ddpm 250"}), (QStringList{"baseline", "fused_bf16"}));
  EXPECT_EQ(briefly({"colin27 · bf16, ddpm 250", "colin27 · fused_bf16, ddim 50"}), (QStringList{"bf16, ddpm 250", "fused_bf16, ddim 50"}));
  EXPECT_EQ(briefly({"colin27 · baseline, ddpm 250", "colin27 · bf16, ddpm 250", "colin27 · fused_bf16, ddpm 250"}), (QStringList{"baseline", "bf16", "fused_bf16"}));
  EXPECT_EQ(briefly({"colin27 · baseline, ddpm 250", "colin27 · baseline, ddim 50", "colin27 · bf16, ddpm 250"}), (QStringList{"baseline, ddpm 250", "baseline, ddim 50", "bf16, ddpm 250"}));
  EXPECT_EQ(briefly({"sub-000123_acq-mprage_real_run-01_T1w", "sub-000123_acq-mprage_synthetic_run-01_T1w"}), (QStringList{"real", "synthetic"}));
  EXPECT_EQ(briefly({"colin27_real", "colin27_fused_bf16", "colin27_half"}), (QStringList{"real", "fused_bf16", "half"}));
  EXPECT_EQ(briefly({"head", "head smoothed"}), (QStringList{"head", "head smoothed"}));
  EXPECT_EQ(briefly({"", "head"}), (QStringList{"", "head"}));
  EXPECT_EQ(briefly({"head", "head", "brain"}), (QStringList{"head (layer 1)", "head (layer 2)", "brain"})) << "none but their numbers tells two of one name apart";
}

TEST(ViewerReading, LongNamesAreShortAndStillDiffer) {
  ViewerDocument document;
  const std::string begin = "sub-000123_ses-baseline_acq-mprage_", end = "_run-01_space-MNI152NLin2009cAsym_T1w";
  document.replaceAll(flat(1, begin + "real" + end));
  document.addOnTop(flat(2, begin + "synthetic" + end));
  const QStringList names = shortNames(document, {0, 1});
  EXPECT_NE(names[0], names[1]);
  for (const QString& name : names)
    EXPECT_LE(name.size(), 24);
  EXPECT_THAT(names[0].toStdString(), testing::HasSubstr("real"));
  EXPECT_THAT(names[1].toStdString(), testing::HasSubstr("synthetic"));
  document.addOnTop(flat(3, begin + "real" + end));
  EXPECT_EQ(QSet<QString>({shortNames(document, {0, 2})[0], shortNames(document, {0, 2})[1]}).size(), 2) << "even two of one name";
}

TEST(ViewerReading, ManyVolumesAreAllRead) {
  ViewerDocument document;
  document.replaceAll(flat(0, "v0"));
  for (int i = 1; i < 7; ++i)
    document.addOnTop(flat(static_cast<float>(i), "v" + std::to_string(i)));
  document.setActiveLayer(0);
  EXPECT_EQ(valueAt(document, {0.5, 0.5, 0.5}), "v0 0 · v1 1 · v2 2 · v3 3 · v4 4 · v5 5 · v6 6");
  EXPECT_EQ(valuesOfLayers(document, {0.5, 0.5, 0.5}).join(QLatin1Char(' ')), QStringLiteral("0 1 2 3 4 5 6"));
}

TEST(ViewerReading, ALineTooShortKeepsValuesBeforeNames) {
  ViewerDocument document;
  document.replaceAll(flat(100, "sub-01_baseline_ddpm250"));
  for (int i = 1; i < 6; ++i)
    document.addOnTop(flat(static_cast<float>(100 + i), "sub-01_mode" + std::to_string(i) + "_ddpm25" + std::to_string(i)));
  const ViewerReading reading = readingAt(document, {0.5, 0.5, 0.5});
  const auto width = [](const QString& text) { return static_cast<int>(text.size()); };
  EXPECT_EQ(reading.fitted(width, 1000), reading.text());
  qsizetype before = reading.text().size();
  for (int room = static_cast<int>(before); room > 72; --room) {
    const QString line = reading.fitted(width, room);
    ASSERT_LE(line.size(), room) << line.toStdString();
    EXPECT_TRUE(line.startsWith(reading.position)) << line.toStdString();
    const bool names = line.contains(QStringLiteral("sub"));
    EXPECT_TRUE(names) << line.toStdString();
    for (int i = 0; i < 6 && room > 130; ++i)
      EXPECT_TRUE(line.contains(QString::number(100 + i))) << line.toStdString();
    EXPECT_TRUE(line.contains(QStringLiteral("105")) || line.contains(QStringLiteral("more"))) << line.toStdString();
  }
  EXPECT_EQ(reading.table().count(QLatin1Char('\n')), 6) << "one a row";
  EXPECT_TRUE(reading.table().contains(QStringLiteral("\t105"))) << "as a table";
}

TEST(ViewerReading, TheLineTellsAllInItsTipAndCopiesIt) {
  ViewerReading reading;
  reading.position = QStringLiteral("x 1.0  y 2.0  z 3.0 mm");
  reading.values = {{QStringLiteral("a <real> volume"), QStringLiteral("812"), {}}, {QStringLiteral("another volume"), QStringLiteral("790"), {}}};
  reading.value = QStringLiteral("a <real> volume 812 · another volume 790");
  ViewerReadingLine line;
  line.resize(170, 24);
  line.setReading(reading);
  EXPECT_TRUE(line.text().endsWith(QChar(0x2026)) || line.text().contains(QStringLiteral("more")) || line.text().contains(QStringLiteral("790"))) << line.text().toStdString();
  EXPECT_TRUE(line.toolTip().contains(QStringLiteral("a &lt;real&gt; volume")) && line.toolTip().contains(QStringLiteral("790")));
  line.copy();
  EXPECT_EQ(QGuiApplication::clipboard()->text().toStdString(), "x 1.0  y 2.0  z 3.0 mm\na <real> volume\t812\nanother volume\t790");
}

TEST(ViewerReading, TwoMasksAreReadByName) {
  ViewerDocument document;
  ViewerVolume first = labelVolume(), second = labelVolume();
  first.title = "drawn";
  second.title = "predicted";
  document.replaceAll(first);
  document.addOnTop(second);
  EXPECT_THAT(readingAt(document, {11.5, 12.5, 9.5}).label.toStdString(), testing::AllOf(testing::StartsWith("drawn: "), testing::HasSubstr(" · predicted: ")));
}

// The pointer stays where it is while the picture changes under it.
TEST(ViewerReading, ThePageReadsTheViewUnderThePointer) {
  const TemporaryFolder folder;
  const auto save = [&](const char* name, float value) {
    auto volume = volumeOf(gridOf("RAS", {10, 10, 10}), [value](Vec3d p) { return value + 10 * std::floor(static_cast<float>(p.z) + 5); });
    EXPECT_TRUE(writeNifti(folder.path() / name, *volume, VoxelType::Float32));
    return QString::fromStdString((folder.path() / name).string());
  };
  ViewerPage page;
  page.resize(1100, 760);
  page.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&page));
  QSignalSpy finished(&page, &ViewerPage::loadFinished);
  page.compareFiles({save("real.nii", 1000.5f), save("synthetic.nii", 2000.5f)});
  while (page.isLoading())
    ASSERT_TRUE(finished.wait(30000));
  const QLabel* status = nullptr;
  for (const auto* label : page.findChildren<QLabel*>())
    if (label->accessibleName() == QStringLiteral("Position, value and label under the pointer"))
      status = label;
  ASSERT_NE(status, nullptr);
  const auto views = page.grid().shownSliceViews();
  ASSERT_EQ(views.size(), 6u);
  for (const bool second : {false, true}) {
    ViewerSliceView* view = views[second ? 3 : 0]; // axial
    const QPointF middle(view->width() / 2.0, view->height() / 2.0);
    QMouseEvent move(QEvent::MouseMove, middle, view->mapToGlobal(middle), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(view, &move);
    EXPECT_THAT(status->text().toStdString(), testing::HasSubstr(second ? "synthetic 206" : "real 105"));
    page.document().step(SliceAxis::Axial, 1);
    EXPECT_THAT(status->text().toStdString(), testing::HasSubstr(second ? "synthetic 207" : "real 106")) << "scrolled under a pointer that rests";
    EXPECT_LT(status->text().indexOf(second ? QStringLiteral("synthetic") : QStringLiteral("real")),
              status->text().indexOf(second ? QStringLiteral("real") : QStringLiteral("synthetic")));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(view, &leave);
  }
}

} // namespace
} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
// Several volumes compared: which take part, where their views stand, what they are called, whose range they wear.
#include "tests/widgets/pages/viewer_volumes.h"
#include "widgets/pages/viewer_compare_bar.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_grid.h"
#include <QCheckBox>
#include <QComboBox>
#include <QLayout>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <gmock/gmock.h>
#include <set>

namespace voxlab {
namespace {

using testing::ElementsAre;

// An image whose voxels count upwards, so that it is not taken for labels.
ViewerVolume ramp(const std::string& title, const Grid& grid = gridOf("RAS", {12, 12, 12}), float scale = 1) {
  return prepared(volumeOf(grid, [scale](Vec3d p) { return scale * static_cast<float>(p.x + 20.25 * p.y + 0.5 * p.z); }), title);
}

class Comparing : public testing::Test {
protected:
  void open(int volumes) {
    for (int i = 0; i < volumes; ++i)
      document.addOnTop(ramp("v" + std::to_string(i)));
  }
  ViewerDocument document;
};

TEST(CompareArrangement, TwoStandBelowEachOtherAndMoreWhereTheyAreLargest) {
  const auto placed = [](int volumes, QSize room, ComparePlanes planes) {
    const CompareArrangement found = compareArrangement(volumes, room, planes);
    return std::tuple(found.rows, found.columns, found.axes.size());
  };
  EXPECT_EQ(placed(2, {1600, 500}, ComparePlanes::Automatic), std::tuple(2, 3, 3u));
  EXPECT_EQ(placed(2, {300, 900}, ComparePlanes::Automatic), std::tuple(2, 3, 3u)) << "as one is used to";
  EXPECT_EQ(placed(3, {900, 900}, ComparePlanes::Automatic), std::tuple(3, 3, 3u));
  EXPECT_EQ(placed(5, {1500, 700}, ComparePlanes::Automatic), std::tuple(3, 5, 3u)) << "a column each";
  EXPECT_EQ(placed(5, {600, 1500}, ComparePlanes::Automatic), std::tuple(5, 3, 3u)) << "a row each";
  EXPECT_EQ(placed(5, {500, 400}, ComparePlanes::Automatic), std::tuple(2, 3, 1u)) << "no room for three planes";
  EXPECT_EQ(placed(5, {500, 400}, ComparePlanes::Three), std::tuple(3, 5, 3u)) << "asked for";
  EXPECT_EQ(placed(8, {1600, 400}, ComparePlanes::Coronal), std::tuple(1, 8, 1u));
  EXPECT_EQ(placed(8, {800, 800}, ComparePlanes::Coronal), std::tuple(3, 3, 1u));
  EXPECT_EQ(placed(4, {800, 800}, ComparePlanes::Sagittal), std::tuple(2, 2, 1u));
  EXPECT_EQ(placed(99, {800, 800}, ComparePlanes::Axial), std::tuple(3, 3, 1u)) << "eight at most";
}

TEST(CompareArrangement, EveryViewHasAPlaceOfItsOwn) {
  for (int volumes = 1; volumes <= kMostCompared; ++volumes)
    for (const QSize room : {QSize(1600, 500), QSize(400, 1200), QSize(700, 700)})
      for (const ComparePlanes planes : {ComparePlanes::Automatic, ComparePlanes::Three, ComparePlanes::Axial, ComparePlanes::Coronal, ComparePlanes::Sagittal}) {
        const CompareArrangement found = compareArrangement(volumes, room, planes);
        std::set<std::pair<int, int>> taken;
        for (int volume = 0; volume < volumes; ++volume)
          for (int plane = 0; plane < std::ssize(found.axes); ++plane) {
            const auto at = found.placeOf(volume, plane);
            EXPECT_TRUE(taken.insert({at.row, at.column}).second);
            EXPECT_LT(at.row, found.rows);
            EXPECT_LT(at.column, found.columns);
          }
      }
}

TEST_F(Comparing, AllImagesInSightTakePartTheLowestAsReference) {
  open(4);
  document.addOnTop(labelVolume());
  ViewerCompareChoice choice(document);
  choice.begin();
  EXPECT_THAT(choice.members(), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(choice.first(), 0);
  EXPECT_EQ(choice.second(), 1);
  document.editLayer(1, [](SliceLayer& layer) { layer.visibility = Visibility::Hidden; });
  choice.begin();
  EXPECT_THAT(choice.members(), ElementsAre(0, 2, 3));
  for (const int layer : {0, 2})
    document.editLayer(layer, [](SliceLayer& each) { each.visibility = Visibility::Hidden; });
  choice.begin();
  EXPECT_THAT(choice.members(), ElementsAre(0, 1, 2, 3)) << "one in sight cannot be compared";
}

TEST_F(Comparing, AnyOfThemIsTheReference) {
  open(4);
  ViewerCompareChoice choice(document);
  choice.begin();
  choice.setFirst(2);
  EXPECT_THAT(choice.members(), ElementsAre(2, 0, 1, 3));
  choice.swap();
  EXPECT_EQ(choice.first(), 1);
  EXPECT_EQ(choice.second(), 2);
  choice.remove(3);
  choice.remove(0);
  EXPECT_THAT(choice.members(), ElementsAre(1, 2));
  choice.remove(2);
  EXPECT_THAT(choice.members(), ElementsAre(1, 2)) << "two are the least";
  choice.setSecond(3);
  EXPECT_THAT(choice.members(), ElementsAre(1, 3)) << "one that took no part takes the other's place";
  choice.setFirst(3);
  EXPECT_THAT(choice.members(), ElementsAre(3, 1)) << "the other's: they swap";
}

TEST_F(Comparing, TheChoiceStaysWhenLayersMoveComeAndGo) {
  open(3);
  ViewerCompareChoice choice(document);
  choice.begin();
  choice.setFirst(2);
  document.moveLayer(2, 0);
  choice.refresh();
  EXPECT_EQ(choice.first(), 0);
  EXPECT_EQ(document.layer(choice.first()).title, "v2");
  document.addOnTop(ramp("v3"));
  choice.refresh();
  EXPECT_THAT(choice.members(), ElementsAre(0, 1, 2, 3)) << "what is opened takes part where all do";
  choice.remove(1);
  document.addOnTop(ramp("v4"));
  choice.refresh();
  EXPECT_THAT(choice.members(), ElementsAre(0, 2, 3)) << "but not where some were taken away";
  document.removeLayer(0);
  choice.refresh();
  EXPECT_THAT(choice.members(), ElementsAre(1, 2)) << "the reference was closed";
  document.clear();
  choice.refresh();
  EXPECT_TRUE(choice.members().empty());
  EXPECT_EQ(choice.first(), -1);
}

TEST_F(Comparing, EightAreTheMost) {
  open(10);
  ViewerCompareBar bar(document);
  QSignalSpy said(&bar, &ViewerCompareBar::said);
  bar.start(CompareMode::None);
  EXPECT_EQ(document.comparison().members.size(), 8u);
  ASSERT_EQ(said.count(), 1);
  EXPECT_TRUE(said[0][0].toString().contains(QStringLiteral("8 of 10 volumes")));
  const auto actions = bar.findChild<QMenu*>()->actions();
  ASSERT_EQ(actions.size(), 10);
  EXPECT_FALSE(actions[9]->isEnabled());
  EXPECT_TRUE(actions[9]->toolTip().contains(QStringLiteral("8 volumes are the most")));
  actions[3]->trigger();
  EXPECT_EQ(document.comparison().members.size(), 7u);
  EXPECT_TRUE(actions[9]->isEnabled());
  actions[9]->trigger();
  EXPECT_EQ(document.comparison().members.back(), 9u);
}

TEST_F(Comparing, TheBarOffersWhatEachWayTakes) {
  open(3);
  ViewerCompareBar bar(document);
  const auto box = [&](const char* name) {
    for (auto* each : bar.findChildren<QComboBox*>())
      if (each->accessibleName().startsWith(QLatin1String(name)))
        return each;
    return static_cast<QComboBox*>(nullptr);
  };
  bar.start(CompareMode::None);
  auto *second = box("The volume whose figures"), *planes = box("Planes");
  ASSERT_TRUE(second && planes);
  EXPECT_TRUE(planes->isEnabled());
  EXPECT_TRUE(bar.isSideBySide());
  bar.start(CompareMode::Swipe);
  EXPECT_EQ(box("Second volume"), second) << "two of them are seen";
  EXPECT_FALSE(planes->isEnabled());
  EXPECT_FALSE(bar.isSideBySide());
  bar.start(CompareMode::Difference);
  EXPECT_TRUE(bar.isSideBySide());
  EXPECT_EQ(document.heading().toStdString().rfind("Differences of ", 0), 0u);
  bar.swap();
  EXPECT_EQ(document.comparison().first, 1u) << "the next one is the reference";
  bar.swap();
  bar.swap();
  EXPECT_EQ(document.comparison().first, 0u);
  document.removeLayer(2);
  bar.start(CompareMode::Difference);
  EXPECT_FALSE(bar.isSideBySide()) << "one difference fills the four views";
  bar.swap();
  EXPECT_EQ(document.comparison().first, 1u);
  EXPECT_EQ(document.comparison().second, 0u);
}

TEST_F(Comparing, TheBarKeepsItsSizeInEveryMode) {
  open(3);
  for (const int width : {380, 700, 1300}) {
    ViewerCompareBar bar(document);
    bar.setFixedWidth(width);
    bar.show();
    bar.start(CompareMode::None);
    bar.setFigures(QStringLiteral("MAE 12.3  ·  RMSE 23.4  ·  PSNR 12.3 dB (R 240)  ·  SSIM 0.123"), {});
    const int height = bar.heightForWidth(width);
    for (const CompareMode mode : {CompareMode::Checkerboard, CompareMode::Swipe, CompareMode::Flicker, CompareMode::Blend, CompareMode::Difference}) {
      bar.start(mode);
      bar.setFigures(QStringLiteral("measuring…"), {});
      EXPECT_EQ(bar.heightForWidth(width), height) << width << ": the pictures must not jump";
    }
    bar.end();
  }
}

TEST_F(Comparing, ImagesLieBelowTheLabels) {
  document.addOnTop(headVolume());
  document.addOnTop(labelVolume());
  document.addOnTop(headVolume());
  EXPECT_EQ(document.layer(1).kind, LayerKind::Image);
  EXPECT_EQ(document.layer(2).kind, LayerKind::Labels);
  EXPECT_EQ(document.activeLayer(), 1);
  document.addOnTop(labelVolume());
  EXPECT_EQ(document.layer(3).kind, LayerKind::Labels);
}

TEST_F(Comparing, LayersAreKnownByIdsWhateverBecomesOfThem) {
  open(3);
  const std::uint64_t second = document.idOf(1);
  document.setLayerVolume(1, ramp("other voxels"));
  EXPECT_EQ(document.layerWithId(second), 1);
  document.moveLayer(1, 2);
  EXPECT_EQ(document.layerWithId(second), 2);
  document.removeLayer(0);
  EXPECT_EQ(document.layerWithId(second), 1);
  document.removeLayer(1);
  EXPECT_EQ(document.layerWithId(second), -1);
  document.replaceAll(ramp("anew"));
  EXPECT_EQ(document.layerWithId(second), -1);
  EXPECT_EQ(document.layerWithId(0), -1);
}

TEST_F(Comparing, ASamplersStepsStayInTheComparison) {
  open(3);
  ViewerCompareBar bar(document);
  bar.show();
  bar.start(CompareMode::None);
  bar.swap();
  QSignalSpy compared(&bar, &ViewerCompareBar::compared);
  document.setLayerVolume(1, ramp("v1, step 3"));
  EXPECT_THAT(document.comparison().members, ElementsAre(1, 0, 2)) << "the reference too";
  EXPECT_EQ(compared.count(), 1) << "the figures are of other voxels now";
  document.addOnTop(labelVolume());
  EXPECT_EQ(compared.count(), 2) << "and of those inside the labels";
}

TEST_F(Comparing, FlickerGoesThroughAllOfThem) {
  open(3);
  ViewerCompareBar bar(document);
  bar.start(CompareMode::Flicker);
  std::vector<std::size_t> seen;
  QObject::connect(&document, &ViewerDocument::appearanceChanged, [&] { seen.push_back(document.comparison().flickered); });
  EXPECT_EQ(document.comparison().flickered, 0u);
  QSignalSpy changed(&document, &ViewerDocument::appearanceChanged);
  while (seen.size() < 4)
    ASSERT_TRUE(changed.wait(10000));
  EXPECT_THAT(seen, ElementsAre(1, 2, 0, 1));
}

TEST_F(Comparing, OneRangeIsLentOnly) {
  open(3);
  const DisplayRange own[]{{-10, 10}, {-20, 30}, {-5, 50}};
  for (int i = 0; i < 3; ++i)
    document.editLayer(i, [&](SliceLayer& layer) { layer.range = own[i]; });
  ViewerCompareBar bar(document);
  bar.start(CompareMode::None);
  EXPECT_EQ(document.layer(2).range, own[0]) << "they are on one scale";
  bar.end();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(document.layer(i).range, own[i]);
  bar.start(CompareMode::None);
  bar.swap();
  EXPECT_EQ(document.layer(1).range, own[0]) << "another reference does not change the pictures";
  document.editLayer(1, [](SliceLayer& layer) { layer.range = {0, 7}; });
  EXPECT_EQ(document.layer(0).range, (DisplayRange{0, 7}));
  EXPECT_EQ(document.layer(2).range, (DisplayRange{0, 7}));
  bar.end();
  EXPECT_EQ(document.layer(0).range, own[0]);
  EXPECT_EQ(document.layer(1).range, (DisplayRange{0, 7})) << "what was set by hand stays";
  EXPECT_EQ(document.layer(2).range, own[2]);
  bar.start(CompareMode::None);
  bar.findChild<QMenu*>()->actions()[2]->trigger();
  EXPECT_EQ(document.layer(2).range, own[2]) << "it takes no part any more";
  for (auto* box : bar.findChildren<QCheckBox*>())
    if (box->text() == QStringLiteral("One range"))
      box->click();
  EXPECT_EQ(document.layer(1).range, (DisplayRange{0, 7}));
  EXPECT_EQ(document.layer(0).range, own[0]);
}

TEST_F(Comparing, UnlikeScalesKeepTheirRanges) {
  document.addOnTop(ramp("real", gridOf("RAS", {12, 12, 12}), 100));
  document.addOnTop(ramp("normalised"));
  const DisplayRange before = document.layer(1).range;
  ViewerCompareBar bar(document);
  bar.start(CompareMode::None);
  EXPECT_EQ(document.layer(1).range, before);
}

// A T1 of 0 to 240 and a sample of −1 to 1, say.
TEST_F(Comparing, UnlikeScalesAreBroughtToOneByAClick) {
  const auto where = gridOf("RAS", {12, 12, 12});
  document.addOnTop(ramp("real", where, 100));
  document.addOnTop(ramp("normalised", where));
  const DisplayRange own[]{document.layer(0).range, document.layer(1).range};
  document.setCrosshair(Visibility::Hidden);
  document.setAnnotations(Visibility::Hidden);
  ViewerCompareBar bar(document);
  bar.start(CompareMode::Difference);
  EXPECT_TRUE(bar.scales().empty());
  QCheckBox* box = nullptr;
  for (auto* each : bar.findChildren<QCheckBox*>())
    if (each->text() == QStringLiteral("One scale"))
      box = each;
  ASSERT_TRUE(box);
  box->click();
  const auto scales = bar.scales();
  ASSERT_EQ(scales.size(), 2u);
  EXPECT_NEAR(scales[0].high, 100 * scales[1].high, 1e-5 * std::abs(scales[0].high));
  EXPECT_EQ(document.layer(0).range, scales[0]) << "to look at, too";
  EXPECT_EQ(document.layer(1).range, scales[1]);
  bar.decideReach(0.5);
  const Picture picture = document.scene().draw(document.plane(SliceAxis::Axial, 40, 40));
  for (const int pixel : {12, 20, 28})
    for (const int shift : {0, 8, 16})
      EXPECT_GT(picture.at(pixel, pixel) >> shift & 0xff, 225u) << "they do not differ";
  document.editLayer(0, [&](SliceLayer& layer) { layer.range = {scales[0].low, (scales[0].low + scales[0].high) / 2}; });
  EXPECT_NEAR(document.layer(1).range.high, (scales[1].low + scales[1].high) / 2, 1e-9) << "the same part of its own scale";
  box->click();
  EXPECT_EQ(document.layer(1).range, own[1]);
  EXPECT_EQ(document.comparison().scale, DifferenceScale::Values);
  box->click();
  bar.end();
  EXPECT_EQ(document.layer(1).range, own[1]);
  bar.start(CompareMode::None);
  EXPECT_FALSE(box->isChecked()) << "of the next comparison it is not known whether it needs it";
}

TEST_F(Comparing, TheReachDoesNotJump) {
  open(3);
  ViewerCompareBar bar(document);
  bar.start(CompareMode::Difference);
  EXPECT_FALSE(document.comparison().isReachMeasured);
  const double guessed = document.comparison().differenceReach;
  document.step(SliceAxis::Axial, 2);
  bar.choose(2);
  EXPECT_EQ(document.comparison().differenceReach, guessed);
  bar.decideReach(3);
  for (const CompareMode mode : {CompareMode::None, CompareMode::Swipe, CompareMode::Difference}) {
    bar.start(mode);
    document.step(SliceAxis::Axial, -1);
  }
  EXPECT_EQ(document.comparison().differenceReach, 3);
  EXPECT_TRUE(document.comparison().isReachMeasured);
  document.setLayerVolume(1, ramp("v1, step 3"));
  bar.decideReach(50);
  EXPECT_EQ(document.comparison().differenceReach, 3) << "a sampler's step does not change the colours' meaning";
  bar.swap();
  EXPECT_FALSE(document.comparison().isReachMeasured) << "another difference does";
  bar.decideReach(0);
  EXPECT_TRUE(document.comparison().isReachMeasured) << "equal volumes";
  EXPECT_GT(document.comparison().differenceReach, 0);
}

// --- the views -------------------------------------------------------------------------------------------------------

class ComparedGrid : public Comparing {
protected:
  ComparedGrid() {
    grid.resize(904, 904);
    grid.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&grid));
  }
  void compare(std::size_t volumes, bool asDifferences = false) {
    Comparison comparison;
    std::vector<ViewerGrid::Shown> shown;
    for (std::size_t i = 0; i < volumes; ++i) {
      comparison.members.push_back(i);
      shown.push_back({static_cast<int>(i), asDifferences && i > 0 ? std::optional(0) : std::nullopt, i == 1 ? ViewerGrid::Shown::ColourBar::Here : ViewerGrid::Shown::ColourBar::Elsewhere});
    }
    comparison.mode = asDifferences ? CompareMode::Difference : CompareMode::None;
    document.setComparison(comparison);
    grid.setCompared(shown);
    grid.setViewLayout(ViewLayout::SideBySide);
    grid.layout()->activate();
  }
  ViewerGrid grid{document};
};

TEST_F(ComparedGrid, EachVolumeHasItsPlanes) {
  open(3);
  compare(3);
  const auto views = grid.shownSliceViews();
  ASSERT_EQ(views.size(), 9u);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(views[i]->onlyLayer(), static_cast<int>(i / 3));
    EXPECT_EQ(views[i]->axis(), (std::array{SliceAxis::Axial, SliceAxis::Coronal, SliceAxis::Sagittal}[i % 3]));
    EXPECT_EQ(views[i]->size(), views[0]->size());
  }
  grid.setComparePlanes(ComparePlanes::Coronal);
  ASSERT_EQ(grid.shownSliceViews().size(), 3u);
  for (const auto* view : grid.shownSliceViews())
    EXPECT_EQ(view->axis(), SliceAxis::Coronal);
  QTest::mouseDClick(grid.shownSliceViews()[1], Qt::LeftButton, {}, QPoint(9, 9));
  EXPECT_EQ(grid.comparePlanes(), ComparePlanes::Three);
  QTest::mouseDClick(grid.shownSliceViews()[2], Qt::LeftButton, {}, QPoint(9, 9));
  EXPECT_EQ(grid.comparePlanes(), ComparePlanes::Sagittal) << "the plane that was clicked, of all of them";
  grid.setViewLayout(ViewLayout::Four);
  EXPECT_EQ(grid.shownSliceViews().size(), 3u);
  EXPECT_FALSE(grid.shownSliceViews()[0]->onlyLayer());
}

TEST_F(ComparedGrid, ThereAreFewerPlanesWhereThereIsNoRoom) {
  open(8);
  compare(8);
  EXPECT_EQ(grid.comparePlanes(), ComparePlanes::Axial);
  QSignalSpy changed(&grid, &ViewerGrid::layoutChanged);
  grid.resize(1200, 900);
  EXPECT_EQ(grid.comparePlanes(), ComparePlanes::Three);
  EXPECT_EQ(changed.count(), 1);
  EXPECT_EQ(grid.shownSliceViews().size(), 24u);
}

// Each on its own grid: the same place in millimetres in every view, and each volume's own slice number.
TEST_F(ComparedGrid, ViewsOverDifferentGridsAreLinked) {
  document.addOnTop(ramp("fine", gridOf("RAS", {24, 24, 24}, {1, 1, 1})));
  document.addOnTop(ramp("coarse", gridOf("LPI", {12, 12, 12}, {2, 2, 2})));
  document.addOnTop(ramp("thick", gridOf("PLS", {12, 24, 6}, {2, 1, 4})));
  compare(3);
  const auto views = grid.shownSliceViews();
  const QPointF at(views[0]->width() * 0.6, views[0]->height() * 0.4);
  for (const auto* view : {views[3], views[6]})
    EXPECT_NEAR(length(view->worldAt(at) - views[0]->worldAt(at)), 0, 1e-9);
  QTest::mouseClick(views[6], Qt::LeftButton, {}, at.toPoint());
  const Vec3d cursor = document.cursor();
  EXPECT_NEAR(cursor.x, views[0]->worldAt(at).x, 1.1);
  QWheelEvent wheel(at, views[3]->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(views[3], &wheel);
  EXPECT_NEAR(document.cursor().z, cursor.z + 1, 1e-6);
  for (int layer = 0; layer < 3; ++layer) {
    const double step = std::array{1.0, 2.0, 4.0}[static_cast<std::size_t>(layer)];
    const auto slice = document.sliceNumberOf(layer, document.cursor(), SliceAxis::Axial);
    EXPECT_EQ(slice.count, 24 / static_cast<int>(step));
    EXPECT_EQ(slice.number, static_cast<int>(std::floor((document.cursor().z + 12) / step)) + 1);
    EXPECT_NEAR(slice.position_mm, document.cursor().z, 1e-9);
  }
  EXPECT_EQ(document.sliceNumberOf(1, {0, 0, 12.5}, SliceAxis::Axial).number, 0) << "beyond it";
  EXPECT_EQ(document.sliceNumberOf(1, {0, 0, -12.5}, SliceAxis::Axial).number, 0);
}

TEST_F(ComparedGrid, DifferencesStandBesideTheirReference) {
  const auto where = gridOf("RAS", {12, 12, 12});
  document.addOnTop(ramp("reference", where));
  document.addOnTop(prepared(volumeOf(where, [](Vec3d p) { return static_cast<float>(p.x + 20.25 * p.y + 0.5 * p.z) + 2; }), "more"));
  document.addOnTop(prepared(volumeOf(where, [](Vec3d p) { return static_cast<float>(p.x + 20.25 * p.y + 0.5 * p.z) - 2; }), "less"));
  document.setCrosshair(Visibility::Hidden);
  document.setAnnotations(Visibility::Hidden);
  compare(3, true);
  const auto views = grid.shownSliceViews();
  const auto middleOf = [](const ViewerSliceView* view) {
    const QImage picture = view->capture({60, 60}, 1, ViewerSliceView::Decoration::None);
    return picture.pixelColor(28, 28);
  };
  const QColor reference = middleOf(views[0]), more = middleOf(views[3]), less = middleOf(views[6]);
  EXPECT_EQ(reference.red(), reference.blue()) << "itself";
  EXPECT_GT(more.red(), more.blue() + 50);
  EXPECT_GT(less.blue(), less.red() + 50);
  int bars = 0;
  for (const auto* view : views)
    bars += view->colourBar({500, 400}).isEmpty() ? 0 : 1;
  EXPECT_EQ(bars, 1) << "one scale, told once";
}

TEST_F(ComparedGrid, PicturesAndFilmsHoldEveryVolume) {
  open(3);
  compare(3);
  grid.setComparePlanes(ComparePlanes::Axial);
  const GridStill still = grid.still(2, true);
  EXPECT_EQ(still.slices.size(), 3u);
  EXPECT_EQ(still.paint().size(), grid.size() * 2);
  const auto film = grid.stillsOfAllSlices(SliceAxis::Coronal, {300, 200});
  ASSERT_EQ(film.size(), 12u);
  for (const GridStill& picture : film) {
    ASSERT_EQ(picture.slices.size(), 3u);
    QRect all;
    for (const auto& [corner, slice] : picture.slices) {
      const QRect place(corner, QSize(slice.plane.width, slice.plane.height));
      EXPECT_FALSE(all.intersects(place));
      EXPECT_TRUE(QRect(0, 0, 300, 200).contains(place));
      EXPECT_EQ(slice.decorations->axis, SliceAxis::Coronal) << "the film's direction";
      all |= place;
    }
    EXPECT_EQ(picture.paint().size(), QSize(300, 200));
  }
  EXPECT_NE(film[2].slices[0].second.plane.origin, film[3].slices[0].second.plane.origin);
  EXPECT_EQ(film[2].slices[2].second.decorations->number, 3);
}

// --- the names -------------------------------------------------------------------------------------------------------

TEST(CompareCaption, NamesGetShorterWithTheRoom) {
  const LayerName name{{QStringLiteral("colin27 · fused_bf16, ddpm 250"), QStringLiteral("fused_bf16")}};
  const QFontMetrics metrics{QFont()};
  EXPECT_EQ(name.fitting(metrics, 1000), name.forms[0]);
  EXPECT_EQ(name.fitting(metrics, metrics.horizontalAdvance(name.forms[1]) + 1), name.forms[1]);
  EXPECT_LT(metrics.horizontalAdvance(name.fitting(metrics, 40)), 41);
  EXPECT_EQ(LayerName{}.fitting(metrics, 100), QString());
}

// What is written is told by where the picture differs from the one without it.
class Captions : public Comparing, public testing::WithParamInterface<CompareMode> {};
INSTANTIATE_TEST_SUITE_P(Modes, Captions, testing::Values(CompareMode::Checkerboard, CompareMode::Swipe, CompareMode::Flicker, CompareMode::Blend));

TEST_P(Captions, SayWhichVolumeIsWhere) {
  open(2);
  document.setCrosshair(Visibility::Hidden);
  Comparison comparison;
  comparison.mode = GetParam();
  comparison.members = {0, 1};
  document.setComparison(comparison);
  const ViewerSliceView view(document, SliceAxis::Axial);
  const SliceStill named = view.still({400, 300}, 1, ViewerSliceView::Decoration::Full);
  ASSERT_TRUE(named.decorations);
  EXPECT_EQ(named.decorations->compared.first.forms, QStringList{"v0"});
  SliceStill unnamed = named;
  unnamed.decorations->compared = {};
  const QImage with = named.paint(), without = unnamed.paint();
  QRect changed;
  for (int y = 0; y < with.height(); ++y)
    for (int x = 0; x < with.width(); ++x)
      if (with.pixel(x, y) != without.pixel(x, y))
        changed |= QRect(x, y, 1, 1);
  ASSERT_FALSE(changed.isEmpty());
  EXPECT_LT(changed.bottom(), 60) << "below the slice's number, over little of the picture";
  EXPECT_GE(changed.top(), 15);
  if (GetParam() == CompareMode::Swipe) {
    EXPECT_LT(changed.left(), 200);
    EXPECT_GT(changed.right(), 200) << "on both sides of the edge";
  }
  comparison.flickered = 1;
  document.setComparison(comparison);
  if (GetParam() == CompareMode::Flicker) {
    EXPECT_EQ(view.still({400, 300}, 1, ViewerSliceView::Decoration::Full).decorations->compared.first.forms, QStringList{"v1"});
  }
  EXPECT_FALSE(view.still({400, 300}, 1, ViewerSliceView::Decoration::None).decorations);
}

TEST_F(Comparing, ViewsAreNamedAndTheReferenceIsToldWithoutOverlap) {
  document.addOnTop(ramp("sub-000123_ses-baseline_acq-mprage_run-01_space-MNI152NLin2009cAsym_desc-real_T1w"));
  document.addOnTop(ramp("sub-000123_ses-baseline_acq-mprage_run-01_space-MNI152NLin2009cAsym_desc-synthetic_with_a_long_tail_of_words_T1w"));
  Comparison comparison;
  comparison.members = {0, 1};
  document.setComparison(comparison);
  ViewerSliceView view(document, SliceAxis::Axial);
  for (const int layer : {0, 1})
    for (const int width : {80, 120, 160, 240, 300, 420}) {
      view.setOnlyLayer(layer);
      SliceStill still = view.still({width, 200}, 1, ViewerSliceView::Decoration::Full);
      EXPECT_EQ(still.decorations->layerNote, layer == 0 ? QStringLiteral("reference") : QString());
      // Without the place at the right the rest is as before: they do not overlap.
      const QFontMetrics metrics(view.font());
      SliceStill placeless = still;
      const QImage with = still.paint();
      placeless.decorations->layer = {};
      const QImage without = placeless.paint();
      const int placeWidth = width < 150 ? 0 : metrics.horizontalAdvance(width < 260 ? QStringLiteral("10/12") : QStringLiteral("−10.5 mm · 10/12"));
      for (int y = 0; y < metrics.height(); ++y)
        for (int x = width - 7 - placeWidth + 12; x < width; ++x)
          ASSERT_EQ(with.pixel(x, y), without.pixel(x, y)) << width << ": " << x << ", " << y;
    }
}

} // namespace
} // namespace voxlab

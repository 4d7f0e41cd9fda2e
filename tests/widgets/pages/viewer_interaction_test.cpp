// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded interactions, replayed on the real widgets.
#include "tests/widgets/pages/viewer_volumes.h"
#include "widgets/pages/viewer_curve_editor.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_histogram.h"
#include "widgets/pages/viewer_label_model.h"
#include "widgets/pages/viewer_slice_view.h"
#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <gmock/gmock.h>

namespace voxlab {
namespace {

class SliceViewTest : public testing::Test {
protected:
  SliceViewTest() : view(document, SliceAxis::Axial) {
    document.replaceAll(headVolume());
    view.resize(300, 260);
    view.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&view));
  }
  void drag(Qt::MouseButton button, Qt::KeyboardModifiers modifiers, QPoint from, QPoint to) {
    QTest::mousePress(&view, button, modifiers, from);
    for (int i = 1; i <= 5; ++i) {
      const QPointF at = QPointF(from) + QPointF(to - from) * i / 5.0;
      QMouseEvent move(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, button, modifiers);
      QApplication::sendEvent(&view, &move);
    }
    QTest::mouseRelease(&view, button, modifiers, to);
  }
  void wheel(int delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier, QPointF at = {150, 130}) {
    QWheelEvent event(at, view.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&view, &event);
  }
  ViewerDocument document;
  ViewerSliceView view;
};

TEST_F(SliceViewTest, AClickSetsTheCrosshairUnderThePointer) {
  const Vec3d expected = view.worldAt({200.5, 90.5});
  QTest::mouseClick(&view, Qt::LeftButton, {}, {200, 90});
  EXPECT_NEAR(document.cursor().x, expected.x, 0.51);
  EXPECT_NEAR(document.cursor().y, expected.y, 0.51);
  EXPECT_GT(document.cursor().y, 0) << "upper half of an axial slice is anterior";
  EXPECT_LT(document.cursor().x, 0) << "right half is the patient's left (radiological)";
}

TEST_F(SliceViewTest, TheWheelScrollsAndCollectsSmallSteps) {
  const int before = document.sliceNumber(SliceAxis::Axial).number;
  wheel(120);
  EXPECT_EQ(document.sliceNumber(SliceAxis::Axial).number, before + 1);
  for (int i = 0; i < 4; ++i)
    wheel(-60);
  EXPECT_EQ(document.sliceNumber(SliceAxis::Axial).number, before - 1);
}

TEST_F(SliceViewTest, CtrlWheelZoomsAboutThePointer) {
  const QPointF at(220, 70);
  const Vec3d under = view.worldAt(at);
  wheel(240, Qt::ControlModifier, at);
  EXPECT_GT(document.zoom(), 1.3);
  EXPECT_NEAR(length(view.worldAt(at) - under), 0, 1e-6);
}

TEST_F(SliceViewTest, LeftDragSetsBrightnessAndContrast) {
  const DisplayRange before = document.layer(0).range;
  drag(Qt::LeftButton, {}, {60, 60}, {160, 60});
  const DisplayRange wider = document.layer(0).range;
  EXPECT_GT(wider.high - wider.low, before.high - before.low);
  drag(Qt::LeftButton, {}, {60, 60}, {60, 160});
  EXPECT_NEAR(document.layer(0).range.high - document.layer(0).range.low, wider.high - wider.low, 1e-9);
  EXPECT_GT(document.layer(0).range.low, wider.low) << "down is darker";
}

TEST_F(SliceViewTest, CtrlDragTakesTheRangeOfARegion) {
  document.setCursor({11, 12, 9});
  const auto at = [&](Vec3d world) {
    const PixelPosition p = pixelOf(view.plane(), world);
    return (QPointF(p.column, p.row) / view.devicePixelRatioF()).toPoint();
  };
  drag(Qt::LeftButton, Qt::ControlModifier, at({-6, -4, 9}), at({-14, -12, 9})); // brain: 60 ± 20
  EXPECT_GE(document.layer(0).range.low, 39);
  EXPECT_LE(document.layer(0).range.high, 81);
}

TEST_F(SliceViewTest, MiddleDragPansRightDragZooms) {
  const Vec3d under = view.worldAt({100, 100});
  drag(Qt::MiddleButton, {}, {100, 100}, {130, 120});
  EXPECT_NEAR(length(view.worldAt({130, 120}) - under), 0, 1e-6);
  drag(Qt::RightButton, {}, {100, 150}, {100, 70});
  EXPECT_GT(document.zoom(), 1.5);
}

TEST_F(SliceViewTest, ShiftDragMovesTheCrosshair) {
  drag(Qt::LeftButton, Qt::ShiftModifier, {100, 100}, {180, 90});
  const Vec3d expected = view.worldAt({180, 90});
  EXPECT_NEAR(document.cursor().x, expected.x, 0.6);
}

TEST_F(SliceViewTest, SwipeFollowsTheDraggedLine) {
  document.addOnTop(headVolume());
  Comparison comparison;
  comparison.mode = CompareMode::Swipe;
  comparison.position = 0.5;
  document.setComparison(comparison);
  const DisplayRange before = document.layer(0).range;
  drag(Qt::LeftButton, {}, {150, 40}, {240, 40});
  EXPECT_NEAR(document.comparison().position, 0.8, 0.01);
  EXPECT_EQ(document.layer(0).range, before);
}

TEST_F(SliceViewTest, KeysScroll) {
  const int before = document.sliceNumber(SliceAxis::Axial).number;
  QTest::keyClick(&view, Qt::Key_Up);
  QTest::keyClick(&view, Qt::Key_Right);
  EXPECT_EQ(document.sliceNumber(SliceAxis::Axial).number, before + 2);
  QTest::keyClick(&view, Qt::Key_PageDown);
  EXPECT_EQ(document.sliceNumber(SliceAxis::Axial).number, before - 8);
  QTest::keyClick(&view, Qt::Key_Home);
  EXPECT_EQ(document.sliceNumber(SliceAxis::Axial).number, 1);
}

TEST_F(SliceViewTest, DoubleClickAsksForTheWholePage) {
  const QSignalSpy enlarge(&view, &ViewerSliceView::enlargeRequested);
  QTest::mouseDClick(&view, Qt::LeftButton, {}, {50, 50});
  EXPECT_EQ(enlarge.count(), 1);
}

TEST_F(SliceViewTest, HoveringTellsThePosition) {
  QSignalSpy hovered(&view, &ViewerSliceView::hovered);
  QMouseEvent move(QEvent::MouseMove, QPointF(30, 40), view.mapToGlobal(QPointF(30, 40)), Qt::NoButton, Qt::NoButton, {});
  QApplication::sendEvent(&view, &move);
  ASSERT_EQ(hovered.count(), 1);
  EXPECT_NEAR(length(hovered[0][0].value<Vec3d>() - view.worldAt({30, 40})), 0, 1e-9);
}

class OnWhite : public SliceViewTest, public testing::WithParamInterface<CompareMode> {};
INSTANTIATE_TEST_SUITE_P(Modes, OnWhite, testing::Values(CompareMode::None, CompareMode::Difference, CompareMode::Swipe));

TEST_P(OnWhite, LettersAndLinesAreReadable) {
  document.replaceAll(prepared(volumeOf(gridOf("RAS", {64, 64, 48}), [](Vec3d p) { return length(p) < 1 ? 0.5f : 0.0f; }), "air"));
  document.editLayer(0, [](SliceLayer& layer) {
    layer.range = {0, 1};
    layer.colourMap = ColourMap::InvertedGrey; // air is white
  });
  document.addOnTop(ViewerVolume(document.source(0)));
  document.editLayer(1, [&](SliceLayer& layer) { layer = document.layer(0); });
  Comparison comparison; // a difference is white where both are alike
  comparison.mode = GetParam();
  document.setComparison(comparison);
  document.setZoom(2); // to the view's edges
  const QImage picture = view.capture({500, 400}, 1, ViewerSliceView::Decoration::Full), plain = view.capture({500, 400}, 1, ViewerSliceView::Decoration::None);
  constexpr int kDark = 90;
  const auto darkPixels = [&](QRect box) {
    int dark = 0;
    for (int y = box.top(); y <= box.bottom(); ++y)
      for (int x = box.left(); x <= box.right(); ++x) {
        EXPECT_GT(qGray(plain.pixel(x, y)), 240) << "the place is white without them";
        dark += qGray(picture.pixel(x, y)) < kDark;
      }
    return dark;
  };
  EXPECT_GT(darkPixels({4, 188, 20, 24}), 25) << "R, at the left";
  EXPECT_GT(darkPixels({476, 188, 20, 24}), 25) << "L, at the right";
  EXPECT_GT(darkPixels({4, 2, 60, 22}), 100) << "the direction's name";
  EXPECT_GT(darkPixels({380, 2, 116, 22}), 100) << "position and number of the slice";
  EXPECT_GT(darkPixels({420, 364, 76, 34}), 60) << "the scale bar and its length";
  // Beside the cross-hair's line.
  const PixelPosition at = pixelOf(document.plane(SliceAxis::Axial, 500, 400), document.cursor());
  const int column = static_cast<int>(std::floor(at.column + 0.5));
  int darkest = 255;
  for (int x = column - 3; x <= column + 3; ++x)
    darkest = std::min(darkest, qGray(picture.pixel(x, 30)));
  EXPECT_LT(darkest, 170);
}

TEST_F(SliceViewTest, CapturesAtAnySizeWithAndWithoutDecoration) {
  const QImage plain = view.capture({600, 520}, 2, ViewerSliceView::Decoration::None);
  const QImage full = view.capture({600, 520}, 2, ViewerSliceView::Decoration::Full);
  EXPECT_EQ(plain.size(), QSize(600, 520));
  EXPECT_NE(plain, full);
  for (int x = 0; x < 600; x += 7)
    for (int y = 0; y < 520; y += 7)
      EXPECT_TRUE(qIsGray(plain.pixel(x, y))) << "letters and lines have colours, slices have none";
}

TEST(Histogram, EdgesAndMiddleAreDragged) {
  ViewerHistogram histogram;
  histogram.resize(240, 80);
  const ViewerVolume head = headVolume();
  histogram.setSummary(head.summary);
  histogram.setRange({40, 120}, ColourMap::Grey);
  QSignalSpy edited(&histogram, &ViewerHistogram::rangeEdited);
  const auto drag = [&](double from, double to) {
    QTest::mousePress(&histogram, Qt::LeftButton, {}, QPoint(qRound(histogram.positionOf(from)), 30));
    const QPointF at(histogram.positionOf(to), 30);
    QMouseEvent move(QEvent::MouseMove, at, histogram.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(&histogram, &move);
    QTest::mouseRelease(&histogram, Qt::LeftButton, {}, at.toPoint());
  };
  drag(40, 20);
  EXPECT_NEAR(histogram.range().low, 20, 1);
  EXPECT_EQ(histogram.range().high, 120);
  drag(120, 100);
  EXPECT_NEAR(histogram.range().high, 100, 1);
  drag(60, 70);
  EXPECT_NEAR(histogram.range().low, 30, 1.5);
  EXPECT_NEAR(histogram.range().high, 110, 1.5);
  drag(30, 150);
  EXPECT_LT(histogram.range().low, histogram.range().high) << "never turned round";
  EXPECT_EQ(edited.count(), 4);
}

TEST(CurveEditor, PointsAreDraggedAddedAndRemoved) {
  ViewerCurveEditor editor;
  editor.resize(240, 120);
  editor.setTransfer(transferPresets().front());
  const auto points = [&] { return editor.transfer().opacity.size(); };
  const std::size_t before = points();
  const QPoint second = editor.pointPosition(1).toPoint();
  QTest::mousePress(&editor, Qt::LeftButton, {}, second);
  const QPointF at = second + QPointF(10, -30);
  QMouseEvent move(QEvent::MouseMove, at, editor.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
  QApplication::sendEvent(&editor, &move);
  QTest::mouseRelease(&editor, Qt::LeftButton, {}, at.toPoint());
  EXPECT_GT(editor.transfer().opacity[1].opacity, 0.2);
  for (std::size_t i = 1; i < points(); ++i)
    EXPECT_GE(editor.transfer().opacity[i].position, editor.transfer().opacity[i - 1].position);
  QTest::mouseDClick(&editor, Qt::LeftButton, {}, {200, 20});
  EXPECT_EQ(points(), before + 1);
  for (int i = 0; i < 20; ++i)
    QTest::mouseClick(&editor, Qt::RightButton, {}, editor.pointPosition(0).toPoint());
  EXPECT_EQ(points(), 2u) << "two points always stay";
}

TEST(LabelModel, ShowsHidesRenamesAndMeasures) {
  ViewerDocument document;
  ViewerLabelModel model(document);
  EXPECT_EQ(model.rowCount(), 0);
  document.replaceAll(headVolume());
  document.addOnTop(labelVolume());
  ASSERT_EQ(model.rowCount(), 3);
  const QModelIndex first = model.index(0, ViewerLabelModel::Name);
  EXPECT_TRUE(model.setData(first, Qt::Unchecked, Qt::CheckStateRole));
  EXPECT_FALSE(document.layer(1).labels.labels[0].visible);
  EXPECT_TRUE(model.setData(first, QStringLiteral(" scalp "), Qt::EditRole));
  EXPECT_EQ(document.layer(1).labels.labels[0].name, "scalp");
  EXPECT_TRUE(model.setData(first, QStringLiteral("  "), Qt::EditRole));
  EXPECT_EQ(document.layer(1).labels.labels[0].name, "scalp") << "no empty names";
  const double ball_ml = model.index(2, ViewerLabelModel::Volume).data(Qt::UserRole).toDouble();
  EXPECT_NEAR(ball_ml, 4.0 / 3 * 3.14159 * 125 / 1000, 0.05);
  model.showAll(ViewerLabelModel::Show::None);
  for (const auto& label : document.layer(1).labels.labels)
    EXPECT_FALSE(label.visible);
}

} // namespace
} // namespace voxlab

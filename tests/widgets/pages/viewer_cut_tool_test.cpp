// SPDX-License-Identifier: GPL-3.0-or-later
// Cutting planes by their handles: the tool alone, and the mouse on the 3D view.
#include "tests/support/qt/waiting.h"
#include "tests/widgets/pages/viewer_volumes.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_volume_panel.h"
#include "widgets/pages/viewer_volume_view.h"
#include "rendering/qt/vtk_view.h"
#include <QApplication>
#include <QCheckBox>
#include <QPushButton>
#include <QSignalSpy>
#include <gmock/gmock.h>

namespace voxlab {
namespace {

using Part = ViewerCutTool::Part;

class CutTool : public testing::Test {
protected:
  CutTool() : view(document), panel(document, view) {
    document.replaceAll(headVolume());
    view.resize(320, 320);
    view.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&view));
  }
  void SetUp() override {
    if (!view.isAvailable())
      GTEST_SKIP() << "needs a display with OpenGL";
    QSignalSpy still(&view, &ViewerVolumeView::stillDrawn);
    ASSERT_SOON(still.count() > 0);
    view.lookFrom(LookFrom::Anterior);
  }
  QCheckBox* check(const QString& text) {
    for (auto* box : panel.findChildren<QCheckBox*>())
      if (box->text() == text)
        return box;
    return nullptr;
  }
  void press(const QString& button) {
    for (auto* each : panel.findChildren<QPushButton*>())
      if (each->text() == button)
        each->click();
  }
  void mouse(QEvent::Type type, QPointF at, Qt::MouseButton button) {
    QMouseEvent event(type, at, view.vtkView()->mapToGlobal(at), button, button, {});
    QApplication::sendEvent(view.vtkView(), &event);
  }
  void drag(QPointF from, QPointF to) {
    mouse(QEvent::MouseButtonPress, from, Qt::LeftButton);
    for (int i = 1; i <= 6; ++i)
      mouse(QEvent::MouseMove, from + (to - from) * i / 6.0, Qt::LeftButton);
    mouse(QEvent::MouseButtonRelease, to, Qt::LeftButton);
  }
  ViewerDocument document;
  ViewerVolumeView view;
  ViewerVolumePanel panel;
};

TEST_F(CutTool, TheFirstPlaneFacesTheViewerAndCutsTheNearHalfAway) {
  const QImage whole = view.capture({160, 160});
  check(QStringLiteral("Cutting planes"))->click();
  const auto& tool = view.cutPlanes();
  ASSERT_EQ(tool.planes().size(), 1u);
  EXPECT_GT(tool.planes()[0].normal.y, 0.9) << "towards the front, from where it is seen";
  EXPECT_GT(QLineF(tool.positionOf({Part::Middle, 0}), tool.positionOf({Part::Knob, 0})).length(), 12) << "both handles can be told apart";
  EXPECT_NE(view.capture({160, 160}), whole);
  check(QStringLiteral("Cutting planes"))->click();
  EXPECT_EQ(view.capture({160, 160}), whole) << "lifted, and no frame in the picture";
  EXPECT_EQ(tool.planes().size(), 1u) << "but kept";
}

TEST_F(CutTool, TheKnobTurnsAndTheMiddleMoves) {
  check(QStringLiteral("Cutting planes"))->click();
  auto& tool = view.cutPlanes();
  const QPointF knob = tool.positionOf({Part::Knob, 0}), middle = tool.positionOf({Part::Middle, 0});
  drag(knob, knob + QPointF(60, 0)); // to the right of the picture: the patient's left
  ASSERT_EQ(tool.planes().size(), 1u);
  EXPECT_LT(tool.planes()[0].normal.x, -0.6);
  const double before = dot(tool.planes()[0].point, tool.planes()[0].normal);
  const Vec3d normal = tool.planes()[0].normal;
  const QPointF from = tool.positionOf({Part::Middle, 0});
  EXPECT_EQ(tool.handleAt(from), (ViewerCutTool::Handle{Part::Middle, 0}));
  drag(from, from + QPointF(15, 0));
  EXPECT_GT(dot(tool.planes()[0].point, normal) - before, 1) << "along the normal, as far as the pointer went";
  EXPECT_NEAR(length(cross(tool.planes()[0].normal, normal)), 0, 1e-9);
  EXPECT_NEAR(middle.y(), tool.positionOf({Part::Middle, 0}).y(), 3);
}

TEST_F(CutTool, TurningIsLeftToTheViewWhereThereIsNoHandle) {
  check(QStringLiteral("Cutting planes"))->click();
  const auto planes = view.cutPlanes().planes();
  const Vec3d position = view.scene().camera().position;
  drag({20, 20}, {80, 20});
  EXPECT_EQ(view.cutPlanes().planes(), planes);
  EXPECT_GT(length(view.scene().camera().position - position), 1);
}

TEST_F(CutTool, ButtonsAddFaceTurnRoundMoveAndRemove) {
  check(QStringLiteral("Cutting planes"))->click();
  auto& tool = view.cutPlanes();
  view.lookFrom(LookFrom::Superior);
  press(QStringLiteral("Add"));
  ASSERT_EQ(tool.planes().size(), 2u);
  EXPECT_EQ(tool.selected(), 1);
  EXPECT_GT(tool.planes()[1].normal.z, 0.9);
  press(QStringLiteral("Face me"));
  EXPECT_NEAR(tool.planes()[1].normal.z, 1, 1e-6);
  document.setCursor({0.5, 0.5, 10.5});
  press(QStringLiteral("Cross-hair"));
  EXPECT_NEAR(tool.planes()[1].point.z, 10.5, 0.6);
  press(QStringLiteral("Other side"));
  EXPECT_NEAR(tool.planes()[1].normal.z, -1, 1e-6);
  view.lookFrom(LookFrom::Left);
  press(QStringLiteral("Face me"));
  EXPECT_NEAR(tool.planes()[1].normal.x, -1, 1e-6);
  const double x = tool.planes()[1].point.x;
  QTest::keyClick(view.vtkView(), Qt::Key_Up, Qt::AltModifier);
  EXPECT_NEAR(tool.planes()[1].point.x, x - 2, 1e-9);
  press(QStringLiteral("Remove"));
  EXPECT_EQ(tool.planes().size(), 1u);
  press(QStringLiteral("Remove"));
  EXPECT_FALSE(check(QStringLiteral("Cutting planes"))->isChecked());
  EXPECT_TRUE(view.scene().cutPlanes().empty());
}

TEST_F(CutTool, TheSliceStandsOnThePlaneUnlessItIsNotWanted) {
  check(QStringLiteral("Volume"))->click(); // what is left is the slice
  const QImage nothing = view.capture({160, 160});
  check(QStringLiteral("Cutting planes"))->click();
  EXPECT_NE(view.capture({160, 160}), nothing);
  check(QStringLiteral("Slices on cuts"))->click();
  EXPECT_EQ(view.capture({160, 160}), nothing);
}

TEST_F(CutTool, NeverMoreThanCanBeDrawnAndNoneInAnotherVolume) {
  check(QStringLiteral("Cutting planes"))->click();
  for (int i = 0; i < 10; ++i)
    press(QStringLiteral("Add"));
  EXPECT_EQ(view.cutPlanes().planes().size(), VolumeScene::kMostCutPlanes);
  document.replaceAll(headVolume(gridOf("RAS", {32, 32, 32}, {3, 3, 3})));
  EXPECT_TRUE(view.cutPlanes().planes().empty());
  EXPECT_FALSE(check(QStringLiteral("Cutting planes"))->isChecked());
}

} // namespace
} // namespace voxlab

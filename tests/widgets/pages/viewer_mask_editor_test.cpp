// SPDX-License-Identifier: GPL-3.0-or-later
// Painting on masks: brush, undo, several masks, and pictures of them meanwhile.
#include "widgets/pages/viewer_mask_editor.h"
#include "tests/support/qt/waiting.h"
#include "tests/widgets/pages/viewer_volumes.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_edit_bar.h"
#include "widgets/pages/viewer_slice_view.h"
#include <QComboBox>
#include <QSignalSpy>
#include <gtest/gtest.h>

namespace voxlab {
namespace {

TEST(MaskEditor, PaintsErasesAndTakesBack) {
  ViewerDocument document;
  document.replaceAll(headVolume());
  const ViewerVolume original = labelVolume();
  document.addOnTop(original);
  ViewerMaskEditor editor(document);
  editor.setTool(EditTool::Brush);
  EXPECT_EQ(document.layerCount(), 2) << "the labels that are there are edited";
  editor.setValue(9);
  editor.setRadius(4);
  editor.setShape(BrushShape::Ball);
  const Vec3d at{-8, -8, 0};
  editor.stroke(at, SliceAxis::Axial, 0);
  editor.stroke(at + Vec3d{6, 0, 0}, SliceAxis::Axial, 1);
  editor.stroke(at + Vec3d{6, 0, 0}, SliceAxis::Axial, 2);
  EXPECT_EQ(document.layer(1).source.valueAt(at), 9.0f);
  EXPECT_EQ(original.volume->voxels, volumeOf(gridOf("RAS", {64, 64, 48}), headLabelAt)->voxels) << "the file's voxels stay";
  ASSERT_NE(document.layer(1).labels.find(9), nullptr);
  const double painted_ml = labelVolume_ml(document.source(1), 9);
  EXPECT_GT(painted_ml, 0.3);
  EXPECT_NEAR(labelVolume_ml(document.source(1), 2) + painted_ml, labelVolume_ml(original, 2), 1e-9) << "it was all brain";
  EXPECT_EQ(editor.history().count(), 1) << "one stroke is one step";
  editor.history().undo();
  EXPECT_EQ(document.layer(1).source.valueAt(at), 2.0f);
  EXPECT_EQ(document.layer(1).labels.find(9), nullptr);
  editor.history().redo();
  EXPECT_EQ(document.layer(1).source.valueAt(at), 9.0f);
  editor.setTool(EditTool::Eraser);
  editor.stroke(at, SliceAxis::Axial, 0);
  editor.stroke(at, SliceAxis::Axial, 2);
  EXPECT_EQ(document.layer(1).source.valueAt(at), 0.0f);
}

TEST(MaskEditor, MakesAMaskWhereThereIsNoneAndPutsALesionAtTheCrosshair) {
  ViewerDocument document;
  document.replaceAll(headVolume());
  ViewerMaskEditor editor(document);
  editor.setRadius(5);
  document.setCursor({3.5, 4.5, 5.5});
  editor.ballAtCrosshair();
  ASSERT_EQ(document.layerCount(), 2);
  EXPECT_EQ(document.layer(1).kind, LayerKind::Labels);
  EXPECT_NEAR(labelVolume_ml(document.source(1), 1), 4.0 / 3 * 3.14159 * 0.125, 0.03);
  document.removeLayer(1);
  EXPECT_EQ(editor.layer(), -1);
  EXPECT_EQ(editor.history().count(), 0) << "nothing to take back in a layer that is gone";
  editor.stroke({0, 0, 0}, SliceAxis::Axial, 0);
}

TEST(MaskEditor, ALargeMaskIsCopiedBesideTheWindow) {
  ViewerDocument document;
  const Grid grid = gridOf("RAS", {128, 96, 96});
  document.replaceAll(headVolume(grid));
  document.addOnTop(labelVolume(grid));
  const auto original = document.source(1).volume;
  ViewerMaskEditor editor(document);
  editor.setTool(EditTool::Brush);
  EXPECT_EQ(editor.tool(), EditTool::None) << "not before there is something to paint on";
  EXPECT_TRUE(editor.isPreparing());
  editor.stroke({0, 0, 0}, SliceAxis::Axial, 0); // too early: nothing
  EXPECT_EQ(document.source(1).volume, original);
  ASSERT_SOON(editor.tool() == EditTool::Brush);
  EXPECT_NE(document.source(1).volume, original);
  EXPECT_EQ(document.source(1).volume->voxels, original->voxels);
  editor.setTool(EditTool::None);

  // A layer that goes while it is copied is not edited.
  document.replaceAll(labelVolume(grid));
  ViewerMaskEditor other(document);
  other.ballAtCrosshair();
  EXPECT_TRUE(other.isPreparing());
  document.replaceAll(headVolume());
  ASSERT_SOON(!other.isPreparing());
  EXPECT_EQ(document.layerCount(), 1);
  EXPECT_EQ(other.layer(), -1);
}

TEST(MaskEditor, EachMaskKeepsWhatWasPaintedOnIt) {
  ViewerDocument document;
  document.replaceAll(headVolume());
  document.addOnTop(labelVolume());
  ViewerMaskEditor editor(document);
  QSignalSpy started(&editor, &ViewerMaskEditor::started);
  editor.setTool(EditTool::Brush);
  EXPECT_EQ(document.layerCount(), 2) << "the labels that are there are edited";
  ASSERT_EQ(started.count(), 1);
  EXPECT_TRUE(started[0][0].toString().contains(QStringLiteral("labels. Its file stays"))) << started[0][0].toString().toStdString();
  editor.setValue(9);
  editor.ballAtCrosshair();
  const Vec3d at = document.cursor();

  editor.startNewMask();
  ASSERT_EQ(document.layerCount(), 3);
  EXPECT_EQ(document.layer(2).title, "head mask");
  EXPECT_EQ(editor.layer(), 2);
  EXPECT_EQ(editor.tool(), EditTool::Brush);
  EXPECT_EQ(editor.value(), 1);
  EXPECT_EQ(editor.history().count(), 0);
  EXPECT_FALSE(editor.unsaved().empty()) << "the labels are";
  editor.ballAtCrosshair();
  EXPECT_EQ(document.layer(2).source.valueAt(at), 1.0f);
  EXPECT_EQ(document.layer(1).source.valueAt(at), 9.0f);

  document.setActiveLayer(1); // who chooses other labels paints on those
  EXPECT_EQ(editor.layer(), 1);
  EXPECT_EQ(editor.history().count(), 1) << "its own";
  editor.history().undo();
  EXPECT_NE(document.layer(1).source.valueAt(at), 9.0f);
  EXPECT_EQ(document.layer(2).source.valueAt(at), 1.0f);
  EXPECT_FALSE(editor.unsaved().empty()) << "the new mask is";
  document.setActiveLayer(0);
  EXPECT_EQ(editor.layer(), 1) << "an image is not painted on";
  EXPECT_EQ(editor.historyOf(document.source(2).volume)->count(), 1);
  document.setActiveLayer(2);
  EXPECT_EQ(editor.layer(), 2);
  editor.startNewMask();
  EXPECT_EQ(document.layer(3).title, "head mask 2");
  document.removeLayer(2);
  EXPECT_TRUE(editor.unsaved().empty()) << "that went with its layer";
  EXPECT_EQ(editor.layer(), 2);
}

// A picture that was asked for shows the mask of that moment, though it is painted later and elsewhere.
TEST(MaskEditor, APictureHoldsTheMaskOfItsMoment) {
  ViewerDocument document;
  const Grid grid = gridOf("RAS", {128, 128, 100}); // copied in two pieces
  document.replaceAll(headVolume(grid));
  ViewerMaskEditor editor(document);
  ViewerSliceView view(document, SliceAxis::Axial);
  bool isThere = false;
  editor.whenSteady([&](const SteadyMask& mask) { isThere = !mask.copy; });
  EXPECT_TRUE(isThere) << "nothing is edited: at once";

  editor.setTool(EditTool::Brush);
  ASSERT_SOON(editor.tool() == EditTool::Brush);
  editor.ballAtCrosshair();
  const QImage expected = view.capture({300, 300}, 1, ViewerSliceView::Decoration::None);
  SliceStill still = view.still({300, 300}, 1, ViewerSliceView::Decoration::None);
  SteadyMask steady;
  editor.whenSteady([&](const SteadyMask& mask) { steady = mask; });
  const Vec3d at = document.cursor() + Vec3d{-12, 0, 0};
  editor.stroke(at, SliceAxis::Axial, 0);
  editor.stroke(at + Vec3d{24, 0, 0}, SliceAxis::Axial, 2);
  editor.history().undo();
  editor.history().undo();
  editor.history().redo();
  ASSERT_SOON(steady.copy != nullptr);
  EXPECT_EQ(steady.painted, document.source(1).volume);
  still.hold(steady);
  editor.ballAtCrosshair();
  editor.stroke(at, SliceAxis::Axial, 0);
  editor.stroke(at, SliceAxis::Axial, 2);
  EXPECT_EQ(still.paint(), expected);
  EXPECT_NE(view.capture({300, 300}, 1, ViewerSliceView::Decoration::None), expected);
}

TEST(MaskEditor, DoesNothingWithoutAVolume) {
  ViewerDocument document;
  ViewerMaskEditor editor(document);
  editor.setTool(EditTool::Brush);
  EXPECT_EQ(editor.tool(), EditTool::None);
  editor.ballAtCrosshair();
}

TEST(EditBar, SaysAndChoosesWhatIsPaintedOn) {
  ViewerDocument document;
  document.replaceAll(headVolume());
  ViewerMaskEditor editor(document);
  ViewerEditBar bar(document, editor);
  QComboBox* mask = nullptr;
  for (auto* each : bar.findChildren<QComboBox*>())
    if (each->accessibleName() == QStringLiteral("What is painted on"))
      mask = each;
  ASSERT_NE(mask, nullptr);
  EXPECT_EQ(mask->currentText(), QStringLiteral("New mask")) << "there are no labels";
  document.addOnTop(labelVolume());
  EXPECT_EQ(mask->currentText(), QStringLiteral("labels"));
  ASSERT_EQ(mask->count(), 2);
  const auto choose = [&](int index) {
    mask->setCurrentIndex(index);
    emit mask->activated(index);
  };
  choose(1);
  EXPECT_EQ(mask->currentText(), QStringLiteral("head mask"));
  EXPECT_EQ(editor.layer(), 2);
  choose(1);
  EXPECT_EQ(mask->currentText(), QStringLiteral("labels"));
  EXPECT_EQ(editor.layer(), 1);
  EXPECT_EQ(document.activeLayer(), 1);
}

} // namespace
} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_volume_view.h"
#include "rendering/label_surfaces.h"
#include "tests/support/qt/waiting.h"
#include "tests/widgets/pages/viewer_volumes.h"
#include "widgets/pages/viewer_document.h"
#include <QSignalSpy>
#include <cmath>
#include <gtest/gtest.h>

namespace voxlab {
namespace {

int litPixels(const QImage& picture) {
  int lit = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      lit += qGray(picture.pixel(x, y)) > 40 ? 1 : 0;
  return lit;
}

// A head, and at the second time point its ball alone.
std::shared_ptr<Volume> headAndBall() {
  const Grid grid = gridOf("RAS", {48, 48, 48});
  auto volume = volumeOf(grid, headAt);
  const auto ball = volumeOf(grid, [](Vec3d p) { return headLabelAt(p) == 3 ? 160.0f : 0.0f; });
  volume->voxels.insert(volume->voxels.end(), ball->voxels.begin(), ball->voxels.end());
  volume->header.timePoints = 2;
  return volume;
}

TEST(VolumeView, ShowsTheTimePointThatTheSlicesShow) {
  ViewerDocument document;
  ViewerVolumeView view(document);
  if (!view.isAvailable())
    GTEST_SKIP() << "needs a display with OpenGL";
  document.replaceAll(prepared(headAndBall(), "series"));
  view.scene().setOrientationCube(Visibility::Hidden);
  view.resize(240, 240);
  view.show();
  QSignalSpy still(&view, &ViewerVolumeView::stillDrawn);
  ASSERT_SOON(still.count() > 0);
  const int head = litPixels(view.capture({120, 120}));
  EXPECT_GT(head, 1500);
  document.setTimePoint(1);
  EXPECT_SOON(litPixels(view.capture({120, 120})) < head / 4);
  EXPECT_GT(litPixels(view.capture({120, 120})), 20) << "the ball";
  document.setTimePoint(0);
  EXPECT_EQ(litPixels(view.capture({120, 120})), head);
}

TEST(VolumeView, SurfacesWearTheColoursOfTheirOwnLayerAndGoWithIt) {
  ViewerDocument document;
  ViewerVolumeView view(document);
  if (!view.isAvailable())
    GTEST_SKIP() << "needs a display with OpenGL";
  const auto coloured = [&document](std::array<std::uint8_t, 3> colour) { // the layer on top
    document.editLayer(document.layerCount() - 1, [colour](SliceLayer& layer) {
      for (Label& label : layer.labels.labels)
        label.colour = colour;
    });
  };
  const auto labels = volumeOf(gridOf("RAS", {48, 48, 48}), headLabelAt);
  document.replaceAll(prepared(labels, "below"));
  coloured({255, 0, 0});
  document.addOnTop(prepared(volumeOf(gridOf("RAS", {48, 48, 48}), headLabelAt), "above"));
  coloured({0, 0, 255});
  ASSERT_EQ(document.layer(0).kind, LayerKind::Labels);
  view.scene().setOrientationCube(Visibility::Hidden);
  view.resize(240, 240);
  view.show();
  view.setSurfaces(makeLabelSurfaces(*labels, {1, 2, 3}), document.idOf(0));
  ASSERT_SOON(!view.capture({120, 120}).isNull());
  const auto pixelsOf = [&view](const std::function<bool(QRgb)>& isIt) {
    const QImage picture = view.capture({120, 120});
    int count = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        count += isIt(picture.pixel(x, y)) ? 1 : 0;
    return count;
  };
  const auto isRed = [](QRgb p) { return qRed(p) > 60 && qRed(p) > 2 * qBlue(p); };
  const auto isBlue = [](QRgb p) { return qBlue(p) > 60 && qBlue(p) > 2 * qRed(p); };
  for (const int active : {1, 0, 1}) {
    document.setActiveLayer(active);
    EXPECT_GT(pixelsOf(isRed), 200) << active;
    EXPECT_EQ(pixelsOf(isBlue), 0) << active;
  }
  document.editLayer(0, [](SliceLayer& layer) { layer.visibility = Visibility::Hidden; });
  EXPECT_EQ(pixelsOf(isRed), 0);
  document.editLayer(0, [](SliceLayer& layer) { layer.visibility = Visibility::Shown; });
  EXPECT_GT(pixelsOf(isRed), 200);
  document.removeLayer(0);
  EXPECT_EQ(pixelsOf(isRed) + pixelsOf(isBlue), 0);
}

TEST(VolumeView, WhatIsLargerInTheSamePlaceFitsTooUnlessSomebodyMoved) {
  ViewerDocument document;
  ViewerVolumeView view(document);
  if (!view.isAvailable())
    GTEST_SKIP() << "needs a display with OpenGL";
  const Grid grid = gridOf("RAS", {48, 48, 48});
  const ViewerVolume head = headVolume(grid), block = prepared(volumeOf(grid, [](Vec3d p) { return std::abs(p.z) < 22 ? 100.0f + static_cast<float>(p.x) : 0.0f; }), "block");
  view.resize(240, 240);
  view.show();
  document.replaceAll(head);
  const auto headCamera = view.scene().camera();
  document.replaceAll(block);
  const auto blockCamera = view.scene().camera();
  EXPECT_GT(length(blockCamera.position - blockCamera.focus), length(headCamera.position - headCamera.focus));
  document.replaceAll(head);
  EXPECT_EQ(view.scene().camera(), blockCamera) << "linked, so that both can be judged";
  view.lookFrom(LookFrom::Anterior);
  view.scene().rotate(10, 0);
  const auto own = view.scene().camera();
  document.replaceAll(block);
  EXPECT_EQ(view.scene().camera(), own);
}

} // namespace
} // namespace voxlab

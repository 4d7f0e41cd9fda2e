// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_volume_view.h"
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

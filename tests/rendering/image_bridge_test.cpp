// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/image_bridge.h"
#include "rendering/label_surfaces.h"
#include "tests/rendering/phantoms.h"
#include <gmock/gmock.h>
#include <vtkImageData.h>
#include <vtkMassProperties.h>
#include <vtkNew.h>
#include <vtkPolyData.h>

namespace voxlab {
namespace {

TEST(ImageBridge, SharesTheVoxelsAndKeepsThemAlive) {
  auto volume = volumeOf(gridOf("RAS", {3, 4, 5}), headAt);
  const float* voxels = volume->voxels.data();
  const std::weak_ptr<const Volume> watched = volume;
  auto image = vtkImageOf(volume);
  volume.reset();
  EXPECT_FALSE(watched.expired());
  EXPECT_EQ(image->GetScalarPointer(), voxels);
  image = nullptr;
  EXPECT_TRUE(watched.expired());
}

TEST(ImageBridge, CompactCopyKeepsValuesAndPlace) {
  const auto volume = volumeOf(gridOf("LPS", {20, 30, 40}, {1, 2, 3}), headAt);
  const Histogram histogram = histogramOf(volume->voxels);
  const auto compact = makeRenderVolume(*volume, 0, histogram, 1'000'000);
  EXPECT_EQ(compact->reduction, 1);
  double spacing[3];
  compact->image->GetSpacing(spacing);
  EXPECT_THAT(spacing, testing::ElementsAre(1, 2, 3));
  const auto* stored = static_cast<const unsigned short*>(compact->image->GetScalarPointer(7, 8, 9));
  EXPECT_NEAR(compact->valueAtZero + *stored * compact->valuePerStep, volume->voxels[7 + 20 * (8 + 30 * 9)], 0.01);
  const Vec3d inSpacing{7 * 1.0, 8 * 2.0, 9 * 3.0}, world = transformPoint(compact->place, inSpacing),
      expected = transformPoint(volume->grid().affine, {7, 8, 9});
  EXPECT_NEAR(length(world - expected), 0, 1e-9);
}

TEST(ImageBridge, LargeVolumesAreReducedByBoxMeansInTheSamePlace) {
  const auto volume = volumeOf(gridOf("RAS", {41, 40, 40}), [](Vec3d p) { return static_cast<float>(p.x); });
  const auto compact = makeRenderVolume(*volume, 0, histogramOf(volume->voxels), 10'000);
  EXPECT_EQ(compact->reduction, 2);
  EXPECT_EQ(compact->grid.size[0], 21);
  // The mean of x over a box is x in the middle of the box.
  const auto* stored = static_cast<const unsigned short*>(compact->image->GetScalarPointer(5, 3, 3));
  EXPECT_NEAR(compact->valueAtZero + *stored * compact->valuePerStep, transformPoint(compact->grid.affine, {5, 3, 3}).x, 0.01);
}

TEST(ImageBridge, WhatIsNoNumberBecomesTheLowestValue) {
  auto volume = volumeOf(gridOf("RAS", {4, 4, 4}), [](Vec3d) { return 5.0f; });
  volume->voxels[0] = NAN;
  volume->voxels[1] = 1;
  volume->voxels[2] = INFINITY;
  const auto compact = makeRenderVolume(*volume, 0, histogramOf(volume->voxels), 1000);
  for (const int column : {0, 1, 2})
    EXPECT_EQ(*static_cast<const unsigned short*>(compact->image->GetScalarPointer(column, 0, 0)), 0) << column;
}

TEST(LabelSurfaces, ASphereHasItsVolumeAndPlace) {
  const Vec3d centre{6, -4, 3};
  const auto volume = volumeOf(gridOf("LPS", {48, 48, 48}), [&](Vec3d p) { return length(p - centre) < 10 ? 7.0f : 0.0f; });
  const auto surfaces = makeLabelSurfaces(*volume, {3, 7});
  ASSERT_EQ(surfaces->surfaces.size(), 1u) << "3 does not occur";
  EXPECT_EQ(surfaces->surfaces[0].value, 7);
  vtkNew<vtkMassProperties> mass;
  mass->SetInputData(surfaces->surfaces[0].mesh);
  EXPECT_NEAR(mass->GetVolume(), 4.0 / 3 * 3.14159 * 1000, 250);
  const double* bounds = surfaces->surfaces[0].mesh->GetBounds();
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR((bounds[2 * axis] + bounds[2 * axis + 1]) / 2, centre[axis], 0.6);
}

TEST(LabelSurfaces, CloseAtTheEdgeAndStopWhenAsked) {
  const auto volume = volumeOf(gridOf("RAS", {10, 10, 10}), [](Vec3d) { return 1.0f; });
  const auto surfaces = makeLabelSurfaces(*volume, {1});
  vtkNew<vtkMassProperties> mass;
  mass->SetInputData(surfaces->surfaces.at(0).mesh);
  EXPECT_NEAR(mass->GetVolume(), 1000, 250);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(makeLabelSurfaces(*volume, {1}, stop.get_token())->surfaces.empty());
}

} // namespace
} // namespace voxlab

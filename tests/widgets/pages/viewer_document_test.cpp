// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_document.h"
#include "tests/support/temporary_folder.h"
#include "tests/widgets/pages/viewer_volumes.h"
#include <QSignalSpy>
#include <gmock/gmock.h>

namespace voxlab {
namespace {

TEST(ViewerDocument, StartsInTheMiddleOnAVoxel) {
  ViewerDocument document;
  document.replaceAll(headVolume());
  const Vec3d voxel = document.layer(0).source.toVoxel(document.cursor());
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(voxel[axis], std::round(voxel[axis]), 1e-9);
  EXPECT_EQ(document.sliceNumber(SliceAxis::Axial).count, 48);
  EXPECT_EQ(document.sliceNumber(SliceAxis::Sagittal).count, 64);
}

TEST(ViewerDocument, StepsSliceBySliceAndStopsAtTheEnds) {
  for (const std::string code : {"RAS", "LIA", "PLS"}) {
    ViewerDocument document;
    document.replaceAll(prepared(volumeOf(gridOf(code, {20, 20, 20}, {1, 2, 3}), headAt), code));
    const double step = document.frame().step_mm.z;
    const double before = document.cursor().z;
    document.step(SliceAxis::Axial, 2);
    EXPECT_NEAR(document.cursor().z, before + 2 * step, 1e-6) << code;
    document.step(SliceAxis::Axial, 500);
    EXPECT_EQ(document.sliceNumber(SliceAxis::Axial).number, 20) << code;
    document.setSliceNumber(SliceAxis::Axial, 1);
    EXPECT_EQ(document.sliceNumber(SliceAxis::Axial).number, 1) << code;
  }
}

TEST(ViewerDocument, ObliqueSlicesFollowTheScanOrTheWorld) {
  ViewerDocument document;
  document.replaceAll(headVolume(turned(gridOf("LPS", {64, 64, 48}), 35)));
  EXPECT_NEAR(document.frame().right.y, std::sin(35 * 3.14159265358979 / 180), 1e-6);
  document.setFrameChoice(FrameChoice::World);
  EXPECT_EQ(document.frame().right, (Vec3d{1, 0, 0}));
}

TEST(ViewerDocument, SlicesSayWhereTheCrosshairStandsInTheWorld) {
  ViewerDocument document;
  document.replaceAll(headVolume(turned(gridOf("LPS", {64, 64, 48}), 35)));
  document.setCursor({11, 12, 9}, Snap::Off);
  const Vec3d cursor = document.cursor();
  for (const SliceAxis axis : {SliceAxis::Sagittal, SliceAxis::Coronal, SliceAxis::Axial})
    EXPECT_EQ(document.sliceNumber(axis).position_mm, cursor[throughComponent(axis)]) << "not its distance along the scan's own axis";
  EXPECT_TRUE(document.sliceNumber(SliceAxis::Sagittal).isOblique);
  EXPECT_FALSE(document.sliceNumber(SliceAxis::Axial).isOblique) << "turned about z";
  document.setFrameChoice(FrameChoice::World);
  EXPECT_FALSE(document.sliceNumber(SliceAxis::Sagittal).isOblique);
}

TEST(ViewerDocument, VolumesOnOtherGridsMeetInMillimetres) {
  ViewerDocument document;
  document.replaceAll(headVolume());
  document.addOnTop(prepared(volumeOf(turned(gridOf("LIA", {40, 40, 40}, {2, 2, 2}), 20), headAt), "coarse"));
  document.setCursor({11, 12, 9}, Snap::Off);
  for (int layer = 0; layer < 2; ++layer)
    EXPECT_EQ(document.layer(layer).source.valueAt(document.cursor()), 160.0f) << layer;
}

TEST(ViewerDocument, KeepsCrosshairOnTheSameGridAndTheRangeWhenLocked) {
  ViewerDocument document;
  document.replaceAll(headVolume());
  document.setCursor({5.5, 6.5, 7.5});
  document.setZoom(3);
  document.editLayer(0, [](SliceLayer& layer) { layer.range = {10, 20}; });
  document.setRangeLock(ViewerDocument::RangeLock::On);
  document.replaceAll(headVolume());
  EXPECT_EQ(document.cursor(), (Vec3d{5.5, 6.5, 7.5}));
  EXPECT_EQ(document.zoom(), 3);
  EXPECT_EQ(document.layer(0).range, (DisplayRange{10, 20}));
  document.setRangeLock(ViewerDocument::RangeLock::Off);
  document.replaceAll(headVolume(gridOf("RAS", {32, 32, 32}, {2, 2, 2})));
  EXPECT_EQ(document.zoom(), 1);
  EXPECT_NE(document.layer(0).range, (DisplayRange{10, 20}));
}

TEST(ViewerDocument, SamplesOfTwoRunsAreToldApart) {
  ViewerVolume first = headVolume(), second = headVolume(), later = headVolume();
  first.path = "/runs/2026-11-30_140846_train_baseline_uwxa/samples/step_00000010/sub3.nii.gz";
  second.path = "/runs/another run/samples/step_00000010/sub3.nii.gz";
  later.path = "/runs/2026-11-30_140846_train_baseline_uwxa/samples/step_00000020/sub3.nii.gz";
  first.origin = second.origin = "step 10, baseline, ddpm 20";
  later.origin = "step 20, baseline, ddpm 20";
  ViewerDocument document;
  document.replaceAll(first);
  document.addOnTop(later);
  EXPECT_EQ(document.layer(0).title, "head · step 10, baseline, ddpm 20") << "the step tells";
  document.addOnTop(second);
  EXPECT_EQ(document.layer(0).title, "head · step 10, baseline, ddpm 20, run of 14:08:46");
  EXPECT_EQ(document.layer(1).title, "head · step 20, baseline, ddpm 20");
  EXPECT_EQ(document.layer(2).title, "head · step 10, baseline, ddpm 20, another run");
}

TEST(ViewerDocument, LayersMoveAndGo) {
  ViewerDocument document;
  document.replaceAll(headVolume());
  document.addOnTop(labelVolume());
  EXPECT_EQ(document.activeLayer(), 1);
  EXPECT_EQ(document.labelLayer(), 1);
  EXPECT_EQ(document.imageLayer(), 0);
  document.moveLayer(1, 0);
  EXPECT_EQ(document.layer(0).title, "labels");
  document.removeLayer(0);
  EXPECT_EQ(document.layerCount(), 1);
  document.removeLayer(0);
  EXPECT_TRUE(document.isEmpty());
  EXPECT_EQ(document.activeLayer(), -1);
  document.setCursor({1, 2, 3});
  document.setTimePoint(4);
}

TEST(ViewerDocument, TimePointsChangeTheVoxels) {
  auto volume = volumeOf(gridOf("RAS", {4, 4, 4}), [](Vec3d) { return 1.0f; });
  volume->header.timePoints = 3;
  for (int t = 1; t < 3; ++t)
    volume->voxels.insert(volume->voxels.end(), 64, 1.0f + static_cast<float>(t));
  ViewerDocument document;
  document.replaceAll(prepared(volume, "4D"));
  EXPECT_EQ(document.timePoints(), 3);
  document.setTimePoint(2);
  EXPECT_EQ(document.layer(0).source.valueAt({0, 0, 0}), 3.0f);
  document.setTimePoint(99);
  EXPECT_EQ(document.timePoint(), 2);
}

TEST(ViewerVolume, MeasuresLabels) {
  const ViewerVolume labels = prepared(volumeOf(gridOf("RAS", {20, 20, 20}, {2, 2, 2}), [](Vec3d p) { return p.x > 0 ? 4.0f : 0.0f; }), "half");
  EXPECT_EQ(labels.kind, LayerKind::Labels);
  EXPECT_NEAR(labelVolume_ml(labels, 4), 4000 * 8 / 1000.0, 1e-9);
  EXPECT_EQ(labelVolume_ml(labels, 5), 0);
  EXPECT_NEAR(middleOfLabel(*labels.volume, 4)->x, 10, 1.01);
  EXPECT_FALSE(middleOfLabel(*labels.volume, 5));
}

TEST(ViewerVolume, TheBudgetCanBeSet) {
  ASSERT_EQ(setenv("VOXLAB_VOLUME_MEMORY_MB", "64", 1), 0);
  EXPECT_EQ(memoryBudgetBytes(), 64'000'000u);
  for (const char* nonsense : {"", "none", "-3", "0", "12x"}) {
    ASSERT_EQ(setenv("VOXLAB_VOLUME_MEMORY_MB", nonsense, 1), 0);
    EXPECT_GT(memoryBudgetBytes(), 64'000'000u) << nonsense;
  }
  ASSERT_EQ(unsetenv("VOXLAB_VOLUME_MEMORY_MB"), 0);
}

TEST(ViewerVolume, BeyondTheBudgetComesSmallerWithANote) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "large.nii";
  ASSERT_TRUE(writeNifti(file, *volumeOf(gridOf("RAS", {40, 40, 40}), headAt)));
  PrepareOptions options;
  options.memoryBudget_bytes = 40'000; // the volume takes 256,000
  const auto small = readViewerVolume(file, {}, options);
  ASSERT_TRUE(small) << small.error().message;
  EXPECT_EQ(small->volume->grid().size[0], 20);
  EXPECT_THAT(small->leftOut, testing::HasSubstr("every 2nd voxel"));
  EXPECT_THAT(small->leftOut, testing::HasSubstr("saved files are of these voxels"));
  EXPECT_EQ(small->title, "large (every 2nd voxel)") << "wherever the volume is named: heading, layers, readings, figures, file names";
  EXPECT_EQ(small->volume->header.description, "Every 2nd voxel of large.nii") << "what is saved says so, too";
  EXPECT_EQ(readViewerVolume(file, {}, PrepareOptions{})->title, "large");
  auto series = volumeOf(gridOf("RAS", {20, 20, 20}), headAt);
  series->header.timePoints = 4;
  const auto one = series->voxels;
  for (int t = 1; t < 4; ++t)
    series->voxels.insert(series->voxels.end(), one.begin(), one.end());
  ASSERT_TRUE(writeNifti(folder.path() / "series.nii", *series));
  const auto first = readViewerVolume(folder.path() / "series.nii", {}, options);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->timePoints(), 1);
  EXPECT_THAT(first->leftOut, testing::HasSubstr("first of 4 time points"));
}

TEST(ViewerVolume, LabelsBeyondTheBudgetStayLabels) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "labels.nii";
  ASSERT_TRUE(writeNifti(file, *volumeOf(gridOf("LPS", {40, 40, 40}), headLabelAt), VoxelType::UInt8));
  PrepareOptions options;
  options.memoryBudget_bytes = 40'000;
  const auto small = readViewerVolume(file, {}, options);
  ASSERT_TRUE(small) << small.error().message;
  EXPECT_EQ(small->kind, LayerKind::Labels);
  EXPECT_FALSE(small->leftOut.empty());
}

TEST(ViewerVolume, SaysWhatCannotBeShown) {
  auto nothing = volumeOf(gridOf("RAS", {4, 4, 4}), [](Vec3d) { return NAN; });
  EXPECT_THAT(prepareViewerVolume(nothing, "scan.nii", {}).error().message, testing::HasSubstr("scan.nii"));
  auto flat = volumeOf(gridOf("RAS", {4, 4, 4}), headAt);
  flat->header.grid.affine[2] = {0, 0, 0, 0};
  EXPECT_FALSE(prepareViewerVolume(flat, "scan.nii", {}));
}

} // namespace
} // namespace voxlab

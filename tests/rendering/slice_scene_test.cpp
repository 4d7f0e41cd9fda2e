// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/slice_scene.h"
#include "tests/rendering/phantoms.h"
#include "tests/rendering/reference_image.h"
#include <gmock/gmock.h>

namespace voxlab {
namespace {

constexpr int kEdge = 128;

SliceLayer imageLayer(std::shared_ptr<const Volume> volume) {
  SliceLayer layer{*SampledVolume::of(std::move(volume))};
  layer.range = {0, 160};
  return layer;
}

SliceLayer labelLayer(std::shared_ptr<const Volume> volume) {
  SliceLayer layer{*SampledVolume::of(std::move(volume))};
  layer.kind = LayerKind::Labels;
  layer.opacity = 0.5;
  layer.labels.labels = {{1, "scalp", {255, 0, 0}}, {2, "brain", {0, 255, 0}}, {3, "ball", {0, 0, 255}}};
  return layer;
}

Grid headGrid() { return gridOf("RAS", {64, 64, 48}); }

SliceGeometry planeOf(const SliceLayer& layer, SliceAxis axis, SideConvention convention = SideConvention::Radiological, Vec3d cursor = {11, 12, 9}) {
  SliceCamera camera;
  camera.axis = axis;
  camera.convention = convention;
  const SliceFrame frame = alignedFrame(layer.source.grid());
  return sliceGeometry(camera, frame, boundsIn(frame, layer.source.grid()), cursor, kEdge, kEdge);
}

int brightness(std::uint32_t pixel) { return static_cast<int>(pixel & 0xff); }

// --- orientation -----------------------------------------------------------------------------------------------------

class Orientation : public testing::TestWithParam<std::string> {
protected:
  static Grid grid() {
    return GetParam() == "oblique" ? turned(gridOf("LPS", {72, 72, 56}), 35) : gridOf(GetParam(), {64, 64, 64});
  }
};

// The ball lies to the patient's right, anterior, superior: it has to stay there however the voxels are stored.
TEST_P(Orientation, LandmarkStaysOnItsSide) {
  const SliceScene scene{{imageLayer(volumeOf(grid(), headAt))}};
  for (const auto convention : {SideConvention::Radiological, SideConvention::Neurological})
    for (const auto axis : {SliceAxis::Axial, SliceAxis::Coronal, SliceAxis::Sagittal}) {
      const SliceGeometry plane = planeOf(scene.layers[0], axis, convention);
      const Picture picture = scene.draw(plane);
      const PixelPosition ball = pixelOf(plane, {11, 12, 9});
      EXPECT_EQ(brightness(picture.at(static_cast<int>(ball.column), static_cast<int>(ball.row))), 255);
      const OrientationLetters letters = orientationLetters(plane);
      const bool rightIsLeft = convention == SideConvention::Radiological;
      if (axis == SliceAxis::Sagittal) {
        EXPECT_EQ(letters.left[0], 'A');
        EXPECT_LT(ball.column, kEdge / 2);
      } else {
        EXPECT_EQ(letters.left[0], rightIsLeft ? 'R' : 'L');
        EXPECT_EQ(letters.right[0], rightIsLeft ? 'L' : 'R');
        if (GetParam() != "oblique") {
          EXPECT_EQ(ball.column < kEdge / 2, rightIsLeft);
        }
      }
      EXPECT_EQ(letters.top[0], axis == SliceAxis::Axial ? 'A' : 'S');
      EXPECT_LT(ball.row, kEdge / 2);
    }
}

class StorageOrder : public Orientation {};

// Whatever order the voxels have, the pictures are the same.
TEST_P(StorageOrder, DoesNotChangeThePictures) {
  const SliceScene scene{{imageLayer(volumeOf(grid(), headAt))}}, reference{{imageLayer(volumeOf(gridOf("RAS", {64, 64, 64}), headAt))}};
  for (const auto axis : {SliceAxis::Axial, SliceAxis::Coronal, SliceAxis::Sagittal}) {
    const SliceGeometry plane = planeOf(reference.layers[0], axis);
    const Picture a = scene.draw(plane), b = reference.draw(plane);
    int most = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i)
      most = std::max(most, std::abs(brightness(a.pixels[i]) - brightness(b.pixels[i])));
    EXPECT_LE(most, 1) << "rounding only";
  }
}

TEST_P(Orientation, ValuesUnderPointsOfTheWorld) {
  const SampledVolume sampled = *SampledVolume::of(volumeOf(grid(), [](Vec3d p) { return static_cast<float>(p.x + 100 * p.y + 10000 * p.z); }));
  const Vec3d asked = sampled.toWorld({10, 20, 30});
  EXPECT_NEAR(*sampled.valueAt(asked), asked.x + 100 * asked.y + 10000 * asked.z, 0.05);
  EXPECT_EQ(*sampled.voxelAt(asked), (std::array<std::int64_t, 3>{10, 20, 30}));
  EXPECT_FALSE(sampled.valueAt({500, 0, 0}));
}

std::string nameOf(const testing::TestParamInfo<std::string>& grid) { return grid.param; }
INSTANTIATE_TEST_SUITE_P(Grids, Orientation, testing::Values("RAS", "LAS", "LIA", "LSA", "PLS", "oblique"), nameOf);
INSTANTIATE_TEST_SUITE_P(Grids, StorageOrder, testing::Values("LAS", "LIA", "LSA", "PLS"), nameOf);

// --- references ------------------------------------------------------------------------------------------------------

TEST(SliceScene, DrawsThreeDirections) {
  const SliceScene scene{{imageLayer(volumeOf(headGrid(), headAt))}};
  EXPECT_TRUE(matchesReference(scene.draw(planeOf(scene.layers[0], SliceAxis::Axial)), "slice_axial", 0.5));
  EXPECT_TRUE(matchesReference(scene.draw(planeOf(scene.layers[0], SliceAxis::Coronal)), "slice_coronal", 0.5));
  EXPECT_TRUE(matchesReference(scene.draw(planeOf(scene.layers[0], SliceAxis::Sagittal)), "slice_sagittal", 0.5));
}

TEST(SliceScene, DrawsLabelsFilledAndOutlined) {
  SliceScene scene{{imageLayer(volumeOf(headGrid(), headAt)), labelLayer(volumeOf(headGrid(), headLabelAt))}};
  const SliceGeometry plane = planeOf(scene.layers[0], SliceAxis::Axial);
  EXPECT_TRUE(matchesReference(scene.draw(plane), "labels_filled", 0.5));
  scene.layers[1].style = LabelStyle::Outline;
  EXPECT_TRUE(matchesReference(scene.draw(plane), "labels_outline", 0.5));
}

TEST(SliceScene, DrawsAColourMapOverAnImage) {
  SliceScene scene{{imageLayer(volumeOf(headGrid(), headAt)), imageLayer(volumeOf(headGrid(), headAt))}};
  scene.layers[1].colourMap = ColourMap::Viridis;
  scene.layers[1].range = {60, 80};
  scene.layers[1].below = BelowRange::Transparent;
  scene.layers[1].opacity = 0.6;
  EXPECT_TRUE(matchesReference(scene.draw(planeOf(scene.layers[0], SliceAxis::Coronal)), "overlay_viridis", 0.5));
}

class Comparing : public testing::Test {
protected:
  SliceScene scene{{imageLayer(volumeOf(headGrid(), headAt)),
                    imageLayer(volumeOf(gridOf("LPI", {32, 32, 24}, {2, 2, 2}), [](Vec3d p) { return headAt(p) * 0.8f; }))}};
  SliceGeometry plane = planeOf(scene.layers[0], SliceAxis::Axial);
};

TEST_F(Comparing, Checkerboard) {
  scene.comparison.mode = CompareMode::Checkerboard;
  scene.comparison.tile_px = 16;
  EXPECT_TRUE(matchesReference(scene.draw(plane), "compare_checkerboard", 0.5));
}

TEST_F(Comparing, SwipeShowsTheFirstAtTheLeft) {
  scene.comparison.mode = CompareMode::Swipe;
  scene.comparison.position = 0.5;
  const Picture both = scene.draw(plane), first = scene.drawOnly(0, plane), second = scene.drawOnly(1, plane);
  for (const int column : {10, 40, 63})
    EXPECT_EQ(both.at(column, 60), first.at(column, 60));
  for (const int column : {64, 80, 110})
    EXPECT_EQ(both.at(column, 60), second.at(column, 60));
}

TEST_F(Comparing, FlickerAndTheEndsOfBlendShowOneAlone) {
  const Picture first = scene.drawOnly(0, plane), second = scene.drawOnly(1, plane);
  scene.comparison.mode = CompareMode::Flicker;
  EXPECT_EQ(scene.draw(plane).pixels, first.pixels);
  scene.comparison.flickered = 1;
  EXPECT_EQ(scene.draw(plane).pixels, second.pixels);
  scene.comparison.mode = CompareMode::Blend;
  scene.comparison.position = 0;
  EXPECT_EQ(scene.draw(plane).pixels, first.pixels);
  scene.comparison.position = 1;
  EXPECT_EQ(scene.draw(plane).pixels, second.pixels);
}

TEST_F(Comparing, DifferenceIsWhiteWhereEqualAndBlueWhereTheSecondIsLower) {
  scene.comparison.mode = CompareMode::Difference;
  scene.comparison.differenceReach = 40;
  const Picture picture = scene.draw(plane);
  EXPECT_TRUE(matchesReference(picture, "compare_difference", 0.5));
  const std::uint32_t background = picture.at(4, 64);
  EXPECT_GT(background & 0xff, 0xe0u);
  EXPECT_GT(background >> 16 & 0xff, 0xe0u);
  const PixelPosition ball = pixelOf(plane, {11, 12, 9});
  const std::uint32_t lower = picture.at(static_cast<int>(ball.column), static_cast<int>(ball.row));
  EXPECT_GT(lower & 0xff, (lower >> 16 & 0xff) + 40);
}

TEST_F(Comparing, MissingLayerIsDrawnAsNoComparison) {
  const Picture plain = scene.draw(plane);
  scene.comparison.mode = CompareMode::Difference;
  scene.comparison.second = 7;
  EXPECT_EQ(scene.draw(plane).pixels, plain.pixels);
}

// --- details ---------------------------------------------------------------------------------------------------------

TEST(SliceScene, RangeMapsItsEndsToBlackAndWhite) {
  SliceScene scene{{imageLayer(volumeOf(gridOf("RAS", {8, 8, 8}, {8, 8, 8}), [](Vec3d p) { return p.x < 0 ? 50.0f : 90.0f; }))}};
  scene.layers[0].interpolation = Interpolation::Nearest;
  scene.layers[0].range = {50, 90};
  const SliceGeometry plane = planeOf(scene.layers[0], SliceAxis::Axial, SideConvention::Neurological, {0, 0, 0});
  const Picture picture = scene.draw(plane);
  EXPECT_EQ(picture.at(40, 64), 0xff000000u);
  EXPECT_EQ(picture.at(90, 64), 0xffffffffu);
}

TEST(SliceScene, HiddenLayersAndHiddenLabelsAreNotDrawn) {
  SliceScene scene{{imageLayer(volumeOf(headGrid(), headAt)), labelLayer(volumeOf(headGrid(), headLabelAt))}};
  const SliceGeometry plane = planeOf(scene.layers[0], SliceAxis::Axial);
  const Picture plain = SliceScene{{scene.layers[0]}}.draw(plane);
  for (auto& label : scene.layers[1].labels.labels)
    label.visible = false;
  EXPECT_EQ(scene.draw(plane).pixels, plain.pixels);
  scene.layers[1].labels.labels[0].visible = true;
  scene.layers[1].visibility = Visibility::Hidden;
  EXPECT_EQ(scene.draw(plane).pixels, plain.pixels);
}

TEST(SliceScene, LabelsAreNeverMixedBetweenVoxels) {
  SliceScene scene{{labelLayer(volumeOf(headGrid(), headLabelAt))}};
  scene.layers[0].opacity = 1;
  const Picture picture = scene.draw(planeOf(scene.layers[0], SliceAxis::Axial));
  for (const auto pixel : picture.pixels)
    EXPECT_THAT(pixel, testing::AnyOf(0xff000000u, 0xffff0000u, 0xff00ff00u, 0xff0000ffu));
}

TEST(SliceScene, WhatIsNoNumberIsDrawnAsNothing) {
  for (const float hole : {NAN, INFINITY, -INFINITY}) {
    SliceScene scene{{imageLayer(volumeOf(headGrid(), [hole](Vec3d p) { return p.x < 0 ? hole : 100.0f; }))}};
    const SliceGeometry plane = planeOf(scene.layers[0], SliceAxis::Axial, SideConvention::Neurological);
    EXPECT_EQ(scene.draw(plane).at(20, 64), 0xff000000u) << hole;
    EXPECT_NE(scene.draw(plane).at(100, 64), 0xff000000u) << hole;
  }
}

TEST(SliceSampler, LinearBetweenVoxelsNearestOnThem) {
  const auto volume = volumeOf(gridOf("RAS", {3, 3, 3}), [](Vec3d p) { return static_cast<float>(p.x); });
  const SampledVolume sampled = *SampledVolume::of(volume);
  SliceGeometry plane{SliceAxis::Axial, {-1.25, 0, 0}, {0.25, 0, 0}, {0, -0.25, 0}, 11, 1};
  std::vector<float> values;
  sampled.sample(plane, Interpolation::Linear, values);
  EXPECT_THAT(values, testing::Pointwise(testing::FloatNear(1e-5f), {-1.f, -1.f, -.75f, -.5f, -.25f, 0.f, .25f, .5f, .75f, 1.f, 1.f}));
  plane.origin.x = -1.2;
  sampled.sample(plane, Interpolation::Nearest, values);
  EXPECT_THAT(values, testing::ElementsAre(-1.f, -1.f, -1.f, 0.f, 0.f, 0.f, 0.f, 1.f, 1.f, 1.f, 1.f));
  plane.origin.x = -9;
  sampled.sample(plane, Interpolation::Linear, values);
  EXPECT_TRUE(std::isnan(values[0]));
}

TEST(SliceSampler, RefusesVolumesThatCannotBePlaced) {
  auto flat = volumeOf(gridOf("RAS", {3, 3, 3}), headAt);
  flat->header.grid.affine[0] = {0, 0, 0, 0};
  EXPECT_FALSE(SampledVolume::of(flat));
  auto empty = std::make_shared<Volume>();
  EXPECT_FALSE(SampledVolume::of(empty));
  EXPECT_FALSE(SampledVolume::of(nullptr));
}

TEST(SliceGeometry, ScaleBarIsRoundAndFits) {
  SliceGeometry plane;
  plane.width = 400;
  for (const double mm : {0.001, 0.03, 0.2, 0.5, 1.0, 7.0}) {
    plane.across = {mm, 0, 0};
    const auto bar = scaleBar(plane);
    ASSERT_TRUE(bar);
    EXPECT_GT(bar->length_px, 30);
    EXPECT_LT(bar->length_px, 100);
  }
  plane.across = {0.5, 0, 0};
  EXPECT_EQ(scaleBar(plane)->text, "2 cm");
  plane.across = {0.01, 0, 0};
  EXPECT_EQ(scaleBar(plane)->text, "500 µm");
}

TEST(SliceGeometry, PixelsAndWorldAgree) {
  SliceCamera camera{SliceAxis::Coronal, SideConvention::Radiological, FitScale::Own, 2.5, {3, 4, 5}};
  const SliceFrame frame = alignedFrame(turned(headGrid(), 20));
  const SliceGeometry plane = sliceGeometry(camera, frame, boundsIn(frame, headGrid()), {1, 2, 3}, 200, 100);
  const PixelPosition p = pixelOf(plane, plane.worldAt(12.5, 70));
  EXPECT_NEAR(p.column, 12.5, 1e-9);
  EXPECT_NEAR(p.row, 70, 1e-9);
  EXPECT_NEAR(frame.toFrame(plane.worldAt(50, 50)).y, frame.toFrame({1, 2, 3}).y, 1e-9) << "the slice goes through the cross-hair";
}

} // namespace
} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/off_screen.h"
#include "tests/rendering/phantoms.h"
#include "tests/rendering/reference_image.h"
#include <algorithm>
#include <gmock/gmock.h>
#include <vtkMultiThreader.h>

namespace voxlab {
namespace {

class VolumeSceneTest : public testing::Test {
protected:
  void SetUp() override {
    auto opened = OffScreenWindow::open(160, 160);
    if (!opened)
      GTEST_SKIP() << opened.error().message;
    window = std::move(*opened);
    volume = volumeOf(gridOf("RAS", {64, 64, 48}), headAt);
    scene = std::make_unique<VolumeScene>();
    scene->setOrientationCube(Visibility::Hidden);
    scene->setVolume(makeRenderVolume(*volume, 0, histogramOf(volume->voxels), 1'000'000));
    scene->setRange({0, 160});
    scene->lookFrom(LookFrom::Anterior);
  }
  Picture draw() { return window->draw(*scene); }
  static int brightness(const Picture& picture, int column, int row) { return static_cast<int>(picture.at(column, row) >> 8 & 0xff); }
  // Sum of the green channel left and right of the middle.
  static std::pair<long, long> halves(const Picture& picture) {
    long left = 0, right = 0;
    for (int row = 0; row < picture.height; ++row)
      for (int column = 0; column < picture.width; ++column)
        (column < picture.width / 2 ? left : right) += brightness(picture, column, row);
    return {left, right};
  }
  std::unique_ptr<OffScreenWindow> window;
  std::shared_ptr<Volume> volume;
  std::unique_ptr<VolumeScene> scene;
};

TEST_F(VolumeSceneTest, MaximumIntensityLooksAsItDid) {
  scene->setTransfer(*transferPreset("mip"));
  EXPECT_TRUE(matchesReference(draw(), "volume_mip", 3));
}

TEST_F(VolumeSceneTest, CompositeLooksAsItDid) {
  scene->setTransfer(*transferPreset("skin"));
  scene->lookFrom(LookFrom::Corner);
  EXPECT_TRUE(matchesReference(draw(), "volume_skin", 4));
}

TEST_F(VolumeSceneTest, CroppingLooksAsItDidAndShowsLess) {
  scene->setTransfer(*transferPreset("skin"));
  scene->setCropBox({{0.5, 0, 0}, {1, 1, 1}});
  scene->setCropFrame(Visibility::Shown);
  SliceLayer layer{*SampledVolume::of(volume)};
  layer.range = {0, 160};
  const SliceScene slices{{layer}};
  scene->lookFrom(LookFrom::Corner);
  const auto faces = scene->cropFaces(96);
  ASSERT_EQ(faces.size(), 1u);
  scene->setCropPictures({{faces[0], slices.draw(faces[0])}});
  EXPECT_TRUE(matchesReference(draw(), "volume_cropped", 4));
  scene->lookFrom(LookFrom::Anterior);
  scene->setCropPictures({});
  scene->setCropFrame(Visibility::Hidden);
  // Seen from the front the patient's right is at the left; the left half of the body is cut away.
  const auto [left, right] = halves(draw());
  EXPECT_GT(left, 10 * std::max(right, 1l));
}

TEST_F(VolumeSceneTest, RightIsLeftSeenFromTheFrontAndRightSeenFromBehind) {
  scene->setTransfer(*transferPreset("mip"));
  scene->setRange({100, 160}); // the ball alone
  const auto front = halves(draw());
  EXPECT_GT(front.first, 3 * std::max(front.second, 1l));
  scene->lookFrom(LookFrom::Posterior);
  const auto back = halves(draw());
  EXPECT_GT(back.second, 3 * std::max(back.first, 1l));
}

// A range that suits slices lies below the brightest voxels of most rays.
TEST_F(VolumeSceneTest, AMaximumProjectionIsNoSilhouetteInANarrowRange) {
  for (const RayCaster caster : {RayCaster::Cpu, RayCaster::Gpu}) {
    scene->setRayCaster(caster);
    scene->setTransfer(*transferPreset("mip"));
    const auto greys = [&](DisplayRange range) {
      scene->setRange(range);
      const Picture picture = draw();
      const auto at = [&](Vec3d world) {
        const Vec3d p = scene->displayOf(world);
        return brightness(picture, static_cast<int>(p.x), picture.height - 1 - static_cast<int>(p.y));
      };
      return std::pair(at({-8, 0, 0}), at({11, 12, 9}));
    };
    const auto [brain, ball] = greys({10, 60});
    EXPECT_GT(ball, brain + 40) << "160 and 100, both above the range";
    EXPECT_GT(ball, 245);
    const auto [widerBrain, widerBall] = greys({10, 160});
    EXPECT_LT(widerBrain, brain) << "and the range still steers the brightness";
    EXPECT_GT(widerBall, 245);
    const auto [dimBrain, dimBall] = greys({10, 310});
    EXPECT_LT(dimBall, 120);
    EXPECT_LT(dimBrain, widerBrain);
  }
}

TEST_F(VolumeSceneTest, TheWholeHeadFitsFromEverySideInEveryWindow) {
  for (const auto& [width, height] : {std::pair(160, 160), std::pair(260, 90), std::pair(90, 260)}) {
    auto other = OffScreenWindow::open(width, height);
    ASSERT_TRUE(other);
    window = std::move(*other);
    scene = nullptr;
    scene = std::make_unique<VolumeScene>();
    scene->setOrientationCube(Visibility::Hidden);
    // It reaches into the corners, as chin and nose do.
    const auto block = volumeOf(gridOf("RAS", {64, 64, 48}), [](Vec3d p) { return std::abs(p.x) < 30 && std::abs(p.y) < 30 && std::abs(p.z) < 22 ? 100.0f : 0.0f; });
    scene->setVolume(makeRenderVolume(*block, 0, histogramOf(block->voxels), 1'000'000));
    scene->setRange({0, 100});
    scene->setTransfer(*transferPreset("mip"));
    for (const LookFrom side : {LookFrom::Corner, LookFrom::Anterior, LookFrom::Left, LookFrom::Superior, LookFrom::Inferior, LookFrom::Posterior, LookFrom::Right}) {
      scene->lookFrom(side);
      const Picture picture = draw();
      int edge = 0, inside = 0, mostAcross = 0, leastAcross = width, mostDown = 0, leastDown = height;
      for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column)
          if (brightness(picture, column, row) > 20) {
            ++inside;
            edge += row == 0 || column == 0 || row == height - 1 || column == width - 1;
            mostAcross = std::max(mostAcross, column);
            leastAcross = std::min(leastAcross, column);
            mostDown = std::max(mostDown, row);
            leastDown = std::min(leastDown, row);
          }
      EXPECT_EQ(edge, 0) << width << "×" << height << " from side " << static_cast<int>(side);
      EXPECT_GT(std::max(mostAcross - leastAcross, mostDown - leastDown), std::min(width, height) / 2) << "and not small";
    }
  }
}

TEST_F(VolumeSceneTest, SlicesCloseTheFacesOfTheCroppingBox) {
  scene->setTransfer(*transferPreset("skin"));
  EXPECT_TRUE(scene->cropFaces(200).empty());
  scene->setCropBox({{0, 0, 0}, {1, 0.7, 0.9}}); // the ball's middle is cut through: y = 12.6
  const auto faces = scene->cropFaces(200);
  ASSERT_EQ(faces.size(), 2u);
  EXPECT_EQ(std::max(faces[0].width, faces[0].height), 200);
  EXPECT_NEAR(faces[0].origin.y, 12.6 + 0.25, 0.05);
  EXPECT_NEAR(faces[0].worldAt(faces[0].width - 0.5, faces[0].height - 0.5).y, 12.6 + 0.25, 0.05);
  SliceLayer layer{*SampledVolume::of(volume)};
  layer.range = {0, 160};
  const SliceScene slices{{layer}};
  for (const RayCaster caster : {RayCaster::Cpu, RayCaster::Gpu}) {
    scene->setRayCaster(caster);
    std::vector<VolumeScene::PlanePicture> pictures;
    for (const SliceGeometry& face : scene->cropFaces(200))
      pictures.push_back({face, slices.draw(face)});
    scene->setCropPictures(pictures);
    Picture picture = draw();
    const auto seen = [&](Vec3d world) {
      const Vec3d at = scene->displayOf(world);
      return brightness(picture, static_cast<int>(at.x), picture.height - 1 - static_cast<int>(at.y));
    };
    EXPECT_GT(seen({11, 12, 9}), 240) << "the ball, as the slices have it";
    EXPECT_NEAR(seen({-9, 12.6, 0}), 255 * headAt({-9, 12.6, 0}) / 160, 12);
    scene->setCutPlanes({{{4, 0, 0}, {1, 0, 0}}});
    picture = draw();
    EXPECT_LT(seen({11, 12, 9}), 60) << "a free plane cuts the slice too";
    scene->setCutPlanes({});
    scene->setCropPictures({});
  }
}

TEST_F(VolumeSceneTest, AClickFindsTheLabelThatIsSeen) {
  const auto labels = volumeOf(gridOf("RAS", {64, 64, 48}), headLabelAt);
  scene->setVolumeVisibility(Visibility::Hidden);
  scene->setLabelSurfaces(makeLabelSurfaces(*labels, {1, 2, 3}));
  LabelTable table;
  table.labels = {{1, "skin", {0, 200, 0}, true}, {2, "brain", {200, 0, 0}, true}, {3, "ball", {0, 0, 200}, true}};
  scene->styleLabelSurfaces(table, 1);
  scene->lookFrom(LookFrom::Anterior);
  draw();
  const auto skin = scene->labelAt(80, 80);
  ASSERT_TRUE(skin);
  EXPECT_EQ(skin->first, 1);
  EXPECT_GT(skin->second.y, 15) << "the side that one looks at";
  EXPECT_FALSE(scene->labelAt(2, 2)) << "beside it";
  table.labels[0].visible = false;
  scene->styleLabelSurfaces(table, 1);
  draw();
  ASSERT_TRUE(scene->labelAt(80, 80));
  EXPECT_EQ(scene->labelAt(80, 80)->first, 2) << "what is hidden is not in the way";
  scene->setLabelSurfaces(nullptr);
  EXPECT_FALSE(scene->labelAt(80, 80));
}

TEST_F(VolumeSceneTest, SignedMapsShowBothSidesOfZero) {
  const auto map = volumeOf(gridOf("RAS", {64, 64, 48}), [](Vec3d p) {
    return length(p - Vec3d{-14, 0, 0}) < 8 ? -4.0f : length(p - Vec3d{14, 0, 0}) < 8 ? 4.0f : 0.0f;
  });
  const auto made = makeRenderVolume(*map, 0, histogramOf(map->voxels), 1'000'000);
  EXPECT_TRUE(made->isSigned);
  EXPECT_LT(made->content.radius_mm, 33) << "around what is not about zero";
  scene->setVolume(made);
  scene->setRange({-4, 4});
  scene->setTransfer(*transferPreset("signed"));
  scene->lookFrom(LookFrom::Anterior);
  const Picture picture = draw();
  long redder = 0, bluer = 0, lit = 0;
  for (int row = 0; row < picture.height; ++row)
    for (int column = 0; column < picture.width; ++column) {
      const int red = static_cast<int>(picture.at(column, row) >> 16 & 0xff), blue = static_cast<int>(picture.at(column, row) & 0xff);
      lit += red + blue > 40;
      (column < picture.width / 2 ? redder : bluer) += column < picture.width / 2 ? red - blue : blue - red;
    }
  EXPECT_GT(redder, 1000) << "the positive ball, on the patient's right, at the left";
  EXPECT_GT(bluer, 1000);
  EXPECT_LT(lit, picture.width * picture.height / 2) << "nothing about zero";
}

TEST_F(VolumeSceneTest, TheCroppingBoxCutsLabelSurfacesToo) {
  scene->setVolumeVisibility(Visibility::Hidden);
  const auto labels = volumeOf(gridOf("RAS", {64, 64, 48}), headLabelAt);
  scene->setLabelSurfaces(makeLabelSurfaces(*labels, {1}));
  LabelTable table;
  table.labels = {{1, "skin", {0, 200, 0}}};
  scene->styleLabelSurfaces(table, 1);
  scene->setCropBox({{0.5, 0, 0}, {1, 1, 1}});
  const auto [left, right] = halves(draw());
  EXPECT_GT(left, 10 * std::max(right, 1l));
  scene->setCropBox({});
  const auto [whole, other] = halves(draw());
  EXPECT_LT(static_cast<double>(whole) / static_cast<double>(other), 2) << "whole again, lit from one side";
}

TEST_F(VolumeSceneTest, BothRayCastersAgree) {
  scene->setTransfer(*transferPreset("mip"));
  const Picture cpu = draw();
  scene->setRayCaster(RayCaster::Gpu);
  const Picture gpu = draw();
  double sum = 0;
  for (std::size_t i = 0; i < cpu.pixels.size(); ++i)
    sum += std::abs(static_cast<int>(cpu.pixels[i] & 0xff) - static_cast<int>(gpu.pixels[i] & 0xff));
  EXPECT_LT(sum / static_cast<double>(cpu.pixels.size()), 6);
}

// VTK's ray caster on the GPU otherwise lights the backs as well, as a bright rim.
TEST_F(VolumeSceneTest, TheSideAwayFromTheLightIsDark) {
  const auto ball = volumeOf(gridOf("RAS", {64, 64, 64}), [](Vec3d p) { return static_cast<float>(100 * std::clamp((26 - length(p)) / 4, 0.0, 1.0)); });
  scene->setVolume(makeRenderVolume(*ball, 0, histogramOf(ball->voxels), 1'000'000));
  scene->setRange({0, 100});
  scene->setTransfer(*transferPreset("skin"));
  scene->lookFrom(LookFrom::Anterior);
  for (const RayCaster caster : {RayCaster::Cpu, RayCaster::Gpu}) {
    scene->setRayCaster(caster);
    const Picture picture = draw();
    const auto seen = [&](double x, double y) { return brightness(picture, 80 + static_cast<int>(x), 80 + static_cast<int>(y)); };
    EXPECT_GT(seen(-18, -22), 150) << "the light is at the upper left";
    int darkest = 255, rim = 0; // on the way to the lower right
    for (int away = 0; away < 70; ++away) {
      const int value = seen(0.7 * away, 0.7 * away);
      darkest = std::min(darkest, value);
      rim = std::max(rim, value - darkest);
    }
    EXPECT_LT(darkest, 10);
    EXPECT_LT(rim, 16) << (caster == RayCaster::Gpu ? "GPU" : "CPU");
  }
}

// VTK's own ray caster draws a band for each thread.
TEST_F(VolumeSceneTest, ManyCoresDrawWhatOneDoes) {
  const int before = vtkMultiThreader::GetGlobalDefaultNumberOfThreads();
  const auto other = volumeOf(gridOf("LIA", {40, 36, 44}, {1.5, 1.5, 1}), headAt);
  const auto drawnBy = [&](int threads, const char* preset) {
    vtkMultiThreader::SetGlobalDefaultNumberOfThreads(threads);
    VolumeScene one;
    one.setOrientationCube(Visibility::Hidden);
    auto opened = OffScreenWindow::open(160, 160);
    std::vector<Picture> pictures;
    const auto show = [&](const std::shared_ptr<const RenderVolume>& shown, const char* with) {
      one.setVolume(shown);
      one.setRange({0, 160});
      one.setTransfer(*transferPreset(with));
      pictures.push_back((*opened)->draw(one));
    };
    const auto first = makeRenderVolume(*volume, 0, histogramOf(volume->voxels), 1'000'000), second = makeRenderVolume(*other, 0, histogramOf(other->voxels), 1'000'000);
    show(first, preset);
    show(second, "mip"); // needs no gradients
    show(first, preset);
    show(second, preset);
    return pictures;
  };
  for (const char* preset : {"skin", "mr_head"}) {
    const auto expected = drawnBy(1, preset);
    for (const int threads : {5, 12, 60}) { // more than there are slices, too
      const auto drawn = drawnBy(threads, preset);
      for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_TRUE(drawn[i].pixels == expected[i].pixels) << preset << ", picture " << i << " by " << threads << " threads";
    }
  }
  vtkMultiThreader::SetGlobalDefaultNumberOfThreads(before);
}

TEST_F(VolumeSceneTest, SlicePlanesLieWhereTheSlicesAre) {
  scene->setVolumeVisibility(Visibility::Hidden);
  SliceLayer layer{*SampledVolume::of(volume)};
  layer.range = {0, 160};
  const SliceScene slices{{layer}};
  SliceCamera camera{SliceAxis::Coronal, SideConvention::Radiological, FitScale::Own, 1, {}};
  const SliceGeometry plane = sliceGeometry(camera, SliceFrame{}, boundsIn(SliceFrame{}, volume->grid()), {0, 12, 0}, 96, 96);
  scene->setSlicePlanes({{plane, slices.draw(plane)}});
  const Picture picture = draw();
  EXPECT_TRUE(matchesReference(picture, "volume_plane", 3));
  const Vec3d ball = scene->displayOf({11, 12, 9});
  EXPECT_GT(brightness(picture, static_cast<int>(ball.x), picture.height - 1 - static_cast<int>(ball.y)), 240);
  scene->setSlicePlanes({});
  EXPECT_EQ(halves(draw()).first, 0);
}

TEST_F(VolumeSceneTest, LabelSurfacesTakeColoursAndVisibility) {
  scene->setVolumeVisibility(Visibility::Hidden);
  const auto labels = volumeOf(gridOf("RAS", {64, 64, 48}), headLabelAt);
  scene->setLabelSurfaces(makeLabelSurfaces(*labels, {3}));
  LabelTable table;
  table.labels = {{3, "ball", {0, 200, 0}}};
  scene->styleLabelSurfaces(table, 1);
  Picture picture = draw();
  const Vec3d ball = scene->displayOf({11, 12, 9});
  const std::uint32_t pixel = picture.at(static_cast<int>(ball.x), picture.height - 1 - static_cast<int>(ball.y));
  EXPECT_GT(pixel >> 8 & 0xff, 90u);
  EXPECT_GT(pixel >> 8 & 0xff, 2 * (pixel & 0xff));
  table.labels[0].visible = false;
  scene->styleLabelSurfaces(table, 1);
  EXPECT_EQ(halves(draw()).first, 0);
}

TEST_F(VolumeSceneTest, AShearedGridIsDrawnSheared) {
  Grid sheared = gridOf("RAS", {64, 64, 48});
  sheared.affine[0][2] = 0.6; // x moves with k
  const auto block = volumeOf(sheared, [](Vec3d) { return 100.0f; });
  auto brightTop = *block;
  brightTop.voxels[0] = 0;
  scene->setVolume(makeRenderVolume(brightTop, 0, histogramOf(brightTop.voxels), 1'000'000));
  scene->setRange({0, 100});
  scene->setTransfer(*transferPreset("mip"));
  scene->lookFrom(LookFrom::Anterior);
  const Picture picture = draw();
  const auto firstLit = [&](int row) {
    for (int column = 0; column < picture.width; ++column)
      if (brightness(picture, column, row) > 60)
        return column;
    return -1;
  };
  const Vec3d high = scene->displayOf(transformPoint(sheared.affine, {63, 32, 43})), low = scene->displayOf(transformPoint(sheared.affine, {63, 32, 4}));
  const int expected = static_cast<int>(high.x - low.x);
  const int moved = firstLit(picture.height - 1 - static_cast<int>(high.y)) - firstLit(picture.height - 1 - static_cast<int>(low.y));
  EXPECT_LT(expected, -20) << "to the patient's right is to the left, seen from the front";
  EXPECT_NEAR(moved, expected, 4);
}

TEST_F(VolumeSceneTest, MovingAdaptsItsSamplingAndStillDoesNot) {
  scene->setQuality(RenderQuality::Moving);
  for (int i = 0; i < 12; ++i)
    scene->frameDrawn(400);
  EXPECT_GT(scene->imageSampleDistance(), 4);
  for (int i = 0; i < 40; ++i)
    scene->frameDrawn(2);
  EXPECT_NEAR(scene->imageSampleDistance(), 1, 0.05);
  scene->setQuality(RenderQuality::Still);
  EXPECT_EQ(scene->imageSampleDistance(), 1);
}

// A frame of 25 ms is quick for a CPU, and 40 a second are too few where a GPU draws.
TEST_F(VolumeSceneTest, AGpuIsToDraw60PicturesASecond) {
  const auto distanceAt = [&](RayCaster caster, double duration_ms) {
    scene->setRayCaster(caster);
    scene->setQuality(RenderQuality::Moving);
    for (int i = 0; i < 40; ++i)
      scene->frameDrawn(duration_ms);
    return scene->imageSampleDistance();
  };
  EXPECT_NEAR(distanceAt(RayCaster::Cpu, 25), 1, 0.05);
  EXPECT_GT(distanceAt(RayCaster::Gpu, 25), 3);
  EXPECT_NEAR(distanceAt(RayCaster::Gpu, 10), 1, 0.05);
}

TEST_F(VolumeSceneTest, CropHandlesSitOnTheFaces) {
  scene->setCropBox({{0.25, 0, 0}, {0.75, 1, 1}});
  const auto handles = scene->cropHandles();
  EXPECT_NEAR(handles[0].x, -31.5 + 0.25 * 63, 1e-6);
  EXPECT_NEAR(handles[1].x, -31.5 + 0.75 * 63, 1e-6);
  EXPECT_NEAR(handles[0].y, 0, 1e-6);
  scene->setCropBox({{0.9, 0, 0}, {0.1, 1, 1}});
  EXPECT_GT(scene->cropBox().high[0], scene->cropBox().low[0]) << "never turned inside out";
}

TEST_F(VolumeSceneTest, AFreePlaneCutsVolumeAndSurfaces) {
  scene->setTransfer(*transferPreset("skin"));
  const double c = std::sqrt(0.5);
  // Everything to the patient's left of a plane that leans 45° about the front-back axis.
  scene->setCutPlanes({{{0, 0, 0}, {-c, 0, c}}});
  scene->setCutFrames(Visibility::Shown);
  EXPECT_TRUE(matchesReference(draw(), "volume_cut", 4));
  scene->setCutFrames(Visibility::Hidden);
  const auto cutAway = [&](const Picture& picture, Vec3d world) {
    const Vec3d at = scene->displayOf(world);
    return brightness(picture, static_cast<int>(at.x), picture.height - 1 - static_cast<int>(at.y)) < 5;
  };
  for (const RayCaster caster : {RayCaster::Cpu, RayCaster::Gpu}) {
    scene->setRayCaster(caster);
    const Picture picture = draw();
    EXPECT_TRUE(cutAway(picture, {-10, 0, 10}));
    EXPECT_FALSE(cutAway(picture, {10, 0, -10}));
    EXPECT_FALSE(cutAway(picture, {-8, 0, -12}));
    EXPECT_TRUE(cutAway(picture, {8, 0, 12}));
  }
  scene->setVolumeVisibility(Visibility::Hidden);
  const auto labels = volumeOf(gridOf("RAS", {64, 64, 48}), headLabelAt);
  scene->setLabelSurfaces(makeLabelSurfaces(*labels, {1}));
  LabelTable table;
  table.labels = {{1, "skin", {0, 200, 0}}};
  scene->styleLabelSurfaces(table, 1);
  const Picture surfaces = draw();
  EXPECT_TRUE(cutAway(surfaces, {-10, 0, 10}));
  EXPECT_FALSE(cutAway(surfaces, {10, 0, -10}));
  scene->setCutPlanes({});
  EXPECT_FALSE(cutAway(draw(), {-10, 0, 10}));
}

TEST_F(VolumeSceneTest, SlicesOnCuttingPlanesAreCutByTheOtherPlanes) {
  scene->setVolumeVisibility(Visibility::Hidden);
  SliceLayer layer{*SampledVolume::of(volume)};
  layer.range = {0, 160};
  const SliceScene slices{{layer}};
  const std::vector<CutPlane> cuts{{{0, 12, 0}, {0, 1, 0}}, {{4, 0, 0}, {-1, 0, 0}}};
  scene->setCutPlanes(cuts);
  std::vector<VolumeScene::PlanePicture> pictures;
  for (const CutPlane& cut : cuts) {
    const SliceGeometry slice = sliceIn(cut, volume->grid(), 160);
    pictures.push_back({slice, slices.draw(slice)});
  }
  scene->setCutPictures(pictures);
  const Picture picture = draw();
  const auto seen = [&](Vec3d world) {
    const Vec3d at = scene->displayOf(world);
    return brightness(picture, static_cast<int>(at.x), picture.height - 1 - static_cast<int>(at.y));
  };
  EXPECT_GT(seen({11, 12, 9}), 240) << "the ball, in the first plane's slice";
  EXPECT_EQ(seen({-8, 12, 0}), 0) << "cut away by the second";
}

TEST_F(VolumeSceneTest, CutsWhereTheWorldSaysOnATurnedGrid) {
  const Grid grid = turned(gridOf("LIA", {64, 48, 64}), 35);
  const auto block = volumeOf(grid, [](Vec3d) { return 100.0f; });
  block->voxels[0] = 0;
  scene->setVolume(makeRenderVolume(*block, 0, histogramOf(block->voxels), 1'000'000));
  scene->setRange({0, 100});
  scene->setTransfer(*transferPreset("mip"));
  scene->setCutPlanes({{{6, 0, 0}, {1, 0, 0}}});
  const Picture picture = draw();
  const auto lit = [&](double x) {
    const Vec3d at = scene->displayOf({x, 0, 0});
    return brightness(picture, static_cast<int>(at.x), picture.height / 2) > 60;
  };
  EXPECT_TRUE(lit(3));
  EXPECT_FALSE(lit(9));
}

TEST(RayCasterChoice, SoftwareRenderersGetTheCpu) {
  EXPECT_EQ(VolumeScene::suitableRayCaster("llvmpipe (LLVM 15.0.6, 256 bits)"), RayCaster::Cpu);
  EXPECT_EQ(VolumeScene::suitableRayCaster("softpipe"), RayCaster::Cpu);
  EXPECT_EQ(VolumeScene::suitableRayCaster(""), RayCaster::Cpu);
  EXPECT_EQ(VolumeScene::suitableRayCaster("NVIDIA GeForce RTX 4090/PCIe/SSE2"), RayCaster::Gpu);
  EXPECT_EQ(VolumeScene::suitableRayCaster("Mesa Intel(R) UHD Graphics 620"), RayCaster::Gpu);
}

} // namespace
} // namespace voxlab

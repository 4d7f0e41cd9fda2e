// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/off_screen.h"
#include "tests/rendering/phantoms.h"
#include <cmath>
#include <gtest/gtest.h>
#include <vtkImageData.h>

namespace voxlab {
namespace {

constexpr int kEdge = 256;
using Greys = std::vector<double>; // kEdge rows

struct Look {
  std::string preset;
  std::array<double, 3> spacing_mm;
  double atMost; // of the ripple in a picture of the voxels themselves
};

// A head with skin, skull and brain that is smooth all over: whatever ripples in its picture comes from the drawing. Intensities are
// means over a voxel, as a scanner's are.
std::shared_ptr<Volume> smoothHead(std::array<double, 3> spacing_mm) {
  constexpr double kField_mm[3] = {186, 222, 186};
  std::array<std::int64_t, 3> size;
  for (std::size_t axis = 0; axis < 3; ++axis)
    size[axis] = static_cast<std::int64_t>(kField_mm[axis] / spacing_mm[axis]);
  const auto at = [](Vec3d p) {
    const double r = std::sqrt(p.x * p.x / (75.0 * 75) + p.y * p.y / (92.0 * 92) + p.z * p.z / (80.0 * 80));
    return r > 1 ? 0.0 : r > 0.92 ? 150.0 : r > 0.86 ? 25.0 : 90.0;
  };
  return volumeOf(gridOf("RAS", size, spacing_mm), [&](Vec3d p) {
    constexpr int kParts = 3;
    double sum = 0;
    for (int part = 0; part < kParts * kParts * kParts; ++part) {
      const auto off = [&](int index, int axis) { return ((index + 0.5) / kParts - 0.5) * spacing_mm[static_cast<std::size_t>(axis)]; };
      sum += at(p + Vec3d{off(part % 3, 0), off(part / 3 % 3, 1), off(part / 9, 2)});
    }
    return static_cast<float>(sum / (kParts * kParts * kParts));
  });
}

class CoarseVoxels : public testing::TestWithParam<RayCaster> {
protected:
  void SetUp() override {
    auto opened = OffScreenWindow::open(kEdge, kEdge);
    if (!opened)
      GTEST_SKIP() << opened.error().message;
    window = std::move(*opened);
  }
  Greys draw(std::shared_ptr<const RenderVolume> volume, const std::string& preset) {
    VolumeScene scene;
    scene.setOrientationCube(Visibility::Hidden);
    scene.setRayCaster(GetParam());
    scene.setVolume(std::move(volume));
    scene.setRange({0, 160});
    scene.setTransfer(*transferPreset(preset));
    scene.lookFrom(LookFrom::Corner);
    const Picture picture = window->draw(scene);
    Greys greys;
    for (const auto pixel : picture.pixels)
      greys.push_back(static_cast<double>(pixel >> 8 & 0xff));
    return greys;
  }
  std::unique_ptr<OffScreenWindow> window;
};

// Root of the mean square by which the pixels of the head's middle are off their neighbourhood's mean, in shares of the mean brightness.
double ripple(const Greys& greys) {
  constexpr int kReach = 6, kMiddle = 60;
  double squares = 0, sum = 0, count = 0;
  const auto at = [&](int column, int row) { return greys[static_cast<std::size_t>(row * kEdge + column)]; };
  for (int row = kEdge / 2 - kMiddle; row < kEdge / 2 + kMiddle; ++row)
    for (int column = kEdge / 2 - kMiddle; column < kEdge / 2 + kMiddle; ++column) {
      double around = 0;
      for (int down = -kReach; down <= kReach; ++down)
        for (int across = -kReach; across <= kReach; ++across)
          around += at(column + across, row + down);
      const double off = at(column, row) - around / ((2 * kReach + 1) * (2 * kReach + 1));
      squares += off * off;
      sum += at(column, row);
      ++count;
    }
  return std::sqrt(squares / count) / (sum / count);
}

// VTK's light and edges' opacity are of single voxels: surfaces of coarse ones had rings as wood has, and rows of dots.
TEST_P(CoarseVoxels, ShowNoRings) {
  std::vector<Look> looks{{"mr_head", {3, 3, 3}, 0.5}, {"skin", {1.5, 1.5, 6}, 0.5}};
  if (GetParam() == RayCaster::Cpu) // a software renderer takes seconds for each by the GPU's way
    looks.insert(looks.end(), {{"skin", {3, 3, 3}, 0.4}, {"mr_head", {2, 2, 3}, 0.4}, {"skin", {2, 2, 2}, 0.4}});
  for (const Look& look : looks) {
    const auto head = smoothHead(look.spacing_mm);
    const auto refined = makeRenderVolume(*head, 0, histogramOf(head->voxels), 8'000'000);
    auto unrefined = std::make_shared<RenderVolume>(*refined);
    unrefined->forSurfaces = unrefined->image;
    const double before = ripple(draw(unrefined, look.preset)), after = ripple(draw(refined, look.preset));
    EXPECT_GT(before, 0.01);
    EXPECT_LT(after, look.atMost * before) << look.preset << ", slices of " << look.spacing_mm[2] << " mm; " << before << " of the voxels themselves";
  }
}

INSTANTIATE_TEST_SUITE_P(ByRayCaster, CoarseVoxels, testing::Values(RayCaster::Cpu, RayCaster::Gpu),
                         [](const auto& caster) { return caster.param == RayCaster::Gpu ? std::string("Gpu") : std::string("Cpu"); });

} // namespace
} // namespace voxlab

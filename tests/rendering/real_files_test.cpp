// SPDX-License-Identifier: GPL-3.0-or-later
// Every real file that nibabel was asked about, as the viewer places it: the value under a point of the world, whatever way its
// voxels run, and in which half of the picture the point lies.
#include "core/imaging/volume_io.h"
#include "rendering/slice_scene.h"
#include "tests/support/real_files.h"
#include <gtest/gtest.h>

namespace voxlab {
namespace {

class RealFilesShown : public testing::TestWithParam<Json> {};

TEST_P(RealFilesShown, ValuesAndSidesEqualNibabels) {
  const std::string name = GetParam().at("file");
  const auto file = findRealFile(name);
  if (!file)
    GTEST_SKIP() << name << " was not found (" << GetParam().at("package").get<std::string>() << ")";
  auto read = readVolume(*file);
  ASSERT_TRUE(read) << read.error().message;
  const auto volume = std::make_shared<const Volume>(std::move(*read));
  EXPECT_TRUE(sameAxes(orientationCode(volume->grid().affine), GetParam())) << orientationCode(volume->grid().affine);
  const SliceFrame frame = worldFrame(volume->grid());
  const Bounds bounds = boundsIn(frame, volume->grid());
  for (const auto& place : GetParam().at("places")) {
    const auto index = place.at("index").get<std::vector<std::int64_t>>();
    const auto at = place.at("world").get<std::array<double, 3>>();
    const Vec3d world{at[0], at[1], at[2]};
    const auto sampled = SampledVolume::of(volume, index.size() > 3 ? index[3] : 0);
    ASSERT_TRUE(sampled);
    EXPECT_EQ(sampled->voxelAt(world), (std::array<std::int64_t, 3>{index[0], index[1], index[2]}));
    EXPECT_FLOAT_EQ(*sampled->valueAt(world), place.at("value").get<float>());
    // Radiological: the patient's right is at the left of axial and coronal pictures.
    for (const SliceAxis axis : {SliceAxis::Axial, SliceAxis::Coronal}) {
      SliceCamera camera;
      camera.axis = axis;
      const SliceGeometry plane = sliceGeometry(camera, frame, bounds, world, 300, 300);
      const double middle = pixelOf(plane, frame.toWorld(bounds.centre())).column, side = pixelOf(plane, world).column;
      const double toRight = world.x - frame.toWorld(bounds.centre()).x;
      if (std::abs(toRight) > 1) {
        EXPECT_EQ(side < middle, toRight > 0) << "at x = " << world.x << " mm";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Packages, RealFilesShown, testing::ValuesIn(realFileFacts()),
                         [](const testing::TestParamInfo<Json>& entry) { return realFileTestName(entry.param); });

} // namespace
} // namespace voxlab

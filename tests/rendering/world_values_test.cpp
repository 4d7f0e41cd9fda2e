// SPDX-License-Identifier: GPL-3.0-or-later
// Values under points of the world in real volumes, against nibabel's (tests/data/viewer/world_values.py).
#include "core/base/json.h"
#include "core/imaging/volume_io.h"
#include "rendering/slice_scene.h"
#include "tests/support/paths.h"
#include <gmock/gmock.h>

namespace voxlab {
namespace {

constexpr const char* kTemplates = "/usr/share/mricron/templates";

TEST(WorldValues, EqualNibabels) {
  if (!std::filesystem::exists(kTemplates))
    GTEST_SKIP() << "Debian's mricron-data is not installed";
  const auto frozen = readJsonFile(testData() / "viewer" / "world_values.json");
  ASSERT_TRUE(frozen);
  for (const auto& entry : *frozen) {
    const std::string name = entry["file"];
    auto volume = readVolume(std::filesystem::path(kTemplates) / name);
    ASSERT_TRUE(volume) << volume.error().message;
    EXPECT_EQ(orientationCode(volume->grid().affine), entry["axes"]) << name;
    const auto sampled = SampledVolume::of(std::make_shared<const Volume>(std::move(*volume)));
    ASSERT_TRUE(sampled) << name;
    for (const auto& point : entry["points"]) {
      const Vec3d world{point["world"][0], point["world"][1], point["world"][2]};
      const auto voxel = sampled->voxelAt(world);
      ASSERT_TRUE(voxel) << name;
      EXPECT_EQ(*voxel, (std::array<std::int64_t, 3>{point["voxel"][0], point["voxel"][1], point["voxel"][2]})) << name;
      const double expected = point["value"];
      EXPECT_NEAR(*sampled->valueAt(world), expected, std::abs(expected) * 1e-6) << name;
      // A slice through the point shows it in its middle, seen from every side.
      for (const SliceAxis axis : {SliceAxis::Axial, SliceAxis::Coronal, SliceAxis::Sagittal}) {
        SliceCamera camera;
        camera.axis = axis;
        const SliceFrame frame = alignedFrame(sampled->grid());
        const SliceGeometry plane = sliceGeometry(camera, frame, boundsIn(frame, sampled->grid()), world, 400, 400);
        const PixelPosition pixel = pixelOf(plane, world);
        SliceGeometry one = plane;
        one.origin = plane.worldAt(pixel.column, pixel.row);
        one.width = one.height = 1;
        std::vector<float> values;
        sampled->sample(one, Interpolation::Linear, values);
        EXPECT_NEAR(values[0], expected, std::abs(expected) * 1e-4 + 1e-3) << name;
      }
    }
  }
}

} // namespace
} // namespace voxlab

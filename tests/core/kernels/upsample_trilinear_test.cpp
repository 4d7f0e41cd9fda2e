// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/upsample_trilinear.h"
#include "tests/core/kernels/kernel_test.h"

namespace voxlab {
namespace {

class UpsampleTrilinearTest : public KernelTest {};

constexpr VolumeShape kShapes[] = {{1, 1, 1, 1, 32}, {2, 3, 1, 5, 64}, {1, 5, 3, 17, 96}, {1, 2, 4, 4, 512}, {1, 35, 3, 2, 32}};

std::string nameOf(const VolumeShape& s, ElementType type) {
  return voxlab::nameOf(type) + " " + std::to_string(s.depth) + "x" + std::to_string(s.height) + "x" + std::to_string(s.width) + "x" + std::to_string(s.channels);
}

TEST_F(UpsampleTrilinearTest, ForwardAgreesWithTheReference) {
  for (const ElementType type : {ElementType::Float32, ElementType::BFloat16, ElementType::Float16})
    for (const VolumeShape& shape : kShapes) {
      const auto size = static_cast<std::size_t>(shape.elements());
      Array x(type, randomValues(size, 1)), y(type, 8 * size);
      reference::upsampleTrilinear({shape, type, x.host(), y.host()});
      launchUpsampleTrilinear({shape, type, x.device(), y.device()}, nullptr);
      expectClose(y, y, storageTolerance(type), nameOf(shape, type));
    }
}

TEST_F(UpsampleTrilinearTest, BackwardAgreesWithTheReference) {
  for (const ElementType type : {ElementType::Float32, ElementType::BFloat16, ElementType::Float16})
    for (const VolumeShape& shape : kShapes) {
      const auto size = static_cast<std::size_t>(shape.elements());
      Array dy(type, randomValues(8 * size, 1)), dx(type, size);
      reference::upsampleTrilinearBackward({shape, type, dy.host(), dx.host()});
      launchUpsampleTrilinearBackward({shape, type, dy.device(), dx.device()}, nullptr);
      expectClose(dx, dx, storageTolerance(type), nameOf(shape, type));
    }
}

// <up(x), dy> = <x, up'(dy)> for the kernels themselves.
TEST_F(UpsampleTrilinearTest, BackwardIsTheTransposeOfForward) {
  const VolumeShape shape{1, 5, 7, 6, 32};
  const auto size = static_cast<std::size_t>(shape.elements());
  Array x(ElementType::Float32, randomValues(size, 1)), y(ElementType::Float32, 8 * size), dy(ElementType::Float32, randomValues(8 * size, 2)),
      dx(ElementType::Float32, size);
  launchUpsampleTrilinear({shape, ElementType::Float32, x.device(), y.device()}, nullptr);
  launchUpsampleTrilinearBackward({shape, ElementType::Float32, dy.device(), dx.device()}, nullptr);
  double left = 0, right = 0;
  const std::vector<double> up = y.deviceValues(), down = dx.deviceValues(), in = x.hostValues(), gradient = dy.hostValues();
  for (std::size_t i = 0; i < up.size(); ++i)
    left += up[i] * gradient[i];
  for (std::size_t i = 0; i < in.size(); ++i)
    right += in[i] * down[i];
  EXPECT_NEAR(left, right, 1e-5 * std::abs(left) + 1e-3);
}

TEST_F(UpsampleTrilinearTest, NanReachesItsNeighboursOnly) {
  const VolumeShape shape{1, 4, 4, 4, 32};
  std::vector<double> values = randomValues(static_cast<std::size_t>(shape.elements()), 1);
  values[0] = std::nan("");
  Array x(ElementType::Float32, values), y(ElementType::Float32, 8 * values.size());
  launchUpsampleTrilinear({shape, ElementType::Float32, x.device(), y.device()}, nullptr);
  const std::vector<double> up = y.deviceValues();
  for (std::size_t i = 0; i < up.size(); ++i) {
    const std::size_t voxel = i / 32, z = voxel / 64, row = voxel / 8 % 8, column = voxel % 8;
    EXPECT_EQ(std::isnan(up[i]), i % 32 == 0 && z <= 2 && row <= 2 && column <= 2) << i;
  }
}

} // namespace
} // namespace voxlab

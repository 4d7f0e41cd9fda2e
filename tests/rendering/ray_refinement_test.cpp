// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/ray_refinement.h"
#include "rendering/image_bridge.h"
#include "tests/rendering/phantoms.h"
#include <gtest/gtest.h>
#include <numeric>
#include <vtkImageData.h>

namespace voxlab {
namespace {

using Size = std::array<std::int64_t, 3>;
constexpr std::int64_t kLimit = 8'000'000;

TEST(RayRefinement, AWholeHeadOf1mmIsFineEnough) {
  for (const Size& size : {Size{181, 217, 181}, Size{256, 256, 120}, Size{301, 370, 316}})
    EXPECT_EQ(refinedSize(size, {1, 1, 1}, 150'000'000), size);
  EXPECT_EQ(refinedSize({181, 217, 181}, {0.1, 0.1, 0.1}, kLimit), (Size{181, 217, 181})) << "whatever the millimetres";
}

TEST(RayRefinement, CoarseVoxelsBecomeFineCubesWithinTheLimit) {
  for (const double mm : {0.2, 1.0, 3.0}) {
    EXPECT_EQ(refinedSize({64, 64, 64}, {mm, mm, mm}, kLimit), (Size{190, 190, 190}));
    EXPECT_EQ(refinedSize({60, 72, 60}, {mm, mm, mm}, kLimit), (Size{178, 214, 178}));
    const Size fine = refinedSize({128, 128, 128}, {mm, mm, mm}, kLimit);
    EXPECT_LE(fine[0] * fine[1] * fine[2], kLimit);
    EXPECT_GT(fine[0], 195);
  }
  EXPECT_EQ(refinedSize({91, 109, 61}, {2, 2, 3}, kLimit), (Size{186, 224, 186}));
  EXPECT_EQ(refinedSize({181, 217, 30}, {1, 1, 6}, kLimit)[0], 181) << "what is fine stays";
  EXPECT_GT(refinedSize({181, 217, 30}, {1, 1, 6}, kLimit)[2], 150);
  EXPECT_LE(refinedSize({64, 64, 64}, {3, 3, 3}, 1'000'000)[0], 100);
}

TEST(RayRefinement, ThickSlicesOfFinePixelsAreCubesToo) {
  const Size gpu = refinedSize({512, 512, 30}, {0.5, 0.5, 6}, 150'000'000), cpu = refinedSize({512, 512, 30}, {0.5, 0.5, 6}, kLimit);
  EXPECT_EQ(gpu[0], 512);
  EXPECT_GT(gpu[2], 140);
  EXPECT_LT(cpu[0], 256);
  EXPECT_GT(cpu[2], 140);
  EXPECT_LE(cpu[0] * cpu[1] * cpu[2], kLimit);
}

TEST(RayRefinement, SlicesAndSinglesStayAsTheyAre) {
  for (const Size& size : {Size{1, 1, 1}, Size{256, 256, 1}, Size{2, 64, 64}})
    EXPECT_EQ(refinedSize(size, {1, 1, 5}, kLimit), size);
  const Size thin = refinedSize({3, 3, 3}, {1, 1, 1e6}, kLimit);
  EXPECT_LE(thin[0] * thin[1] * thin[2], kLimit);
}

TEST(RayRefinement, AStraightLineStaysOneAndTheWeightsAMean) {
  for (const auto& [from, to] : {std::pair(20, 61), std::pair(20, 58), std::pair(20, 115), std::pair(61, 20), std::pair(7, 7)}) {
    const SplineTaps taps = splineTaps(from, to);
    for (std::int64_t place = 0; place < to; ++place) {
      double sum = 0, mean = 0;
      for (std::int64_t tap = place * taps.perPlace; tap < (place + 1) * taps.perPlace; ++tap) {
        const auto i = static_cast<std::size_t>(tap);
        ASSERT_GE(taps.index[i], 0);
        ASSERT_LT(taps.index[i], from);
        EXPECT_GE(taps.weight[i], 0) << "no ripples";
        sum += taps.weight[i];
        mean += taps.weight[i] * static_cast<double>(taps.index[i]);
      }
      EXPECT_NEAR(sum, 1, 1e-5);
      const double step = static_cast<double>(from - 1) / (to - 1), at = static_cast<double>(place) * step, reach = 3.2 * std::max(1.0, step);
      if (at > reach && at < from - 1 - reach) {
        EXPECT_NEAR(mean, at, 0.03);
      }
    }
  }
}

double integralOf(vtkImageData& image) {
  const auto* values = static_cast<const unsigned short*>(image.GetScalarPointer());
  const double* spacing = image.GetSpacing();
  return std::accumulate(values, values + image.GetNumberOfPoints(), 0.0) * spacing[0] * spacing[1] * spacing[2];
}

TEST(RayRefinement, TheCopyCoversTheSamePlaceWithTheSameTissue) {
  const auto volume = volumeOf(gridOf("LIA", {48, 48, 20}, {1.5, 1.5, 4}), headAt); // with air on all sides
  const auto made = makeRenderVolume(*volume, 0, histogramOf(volume->voxels), 1'000'000);
  EXPECT_EQ(made->grid.size, volume->grid().size);
  ASSERT_NE(made->forSurfaces, made->image);
  double coarse[6], fine[6];
  made->image->GetBounds(coarse);
  made->forSurfaces->GetBounds(fine);
  for (int side = 0; side < 6; ++side)
    EXPECT_NEAR(fine[side], coarse[side], 1e-6);
  EXPECT_NEAR(integralOf(*made->forSurfaces) / integralOf(*made->image), 1, 0.01);
  const auto small = volumeOf(gridOf("RAS", {40, 40, 40}), headAt);
  const auto full = makeRenderVolume(*small, 0, histogramOf(small->voxels), 64'000);
  EXPECT_EQ(full->forSurfaces, full->image) << "no room for more";
}

} // namespace
} // namespace voxlab

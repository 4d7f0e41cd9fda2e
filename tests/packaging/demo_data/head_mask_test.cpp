// SPDX-License-Identifier: Apache-2.0
#include "packaging/demo_data/head_mask.h"
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

using namespace voxlab;

namespace {

constexpr std::array<std::int64_t, 3> kSize{12, 10, 8};

std::size_t at(std::int64_t i, std::int64_t j, std::int64_t k) {
  return static_cast<std::size_t>(i + kSize[0] * (j + kSize[1] * k));
}

int count(const VoxelMask& mask) {
  return std::accumulate(mask.begin(), mask.end(), 0);
}

VoxelMask box(std::array<std::int64_t, 3> low, std::array<std::int64_t, 3> high) {
  VoxelMask mask(static_cast<std::size_t>(kSize[0] * kSize[1] * kSize[2]), 0);
  for (auto k = low[2]; k <= high[2]; ++k)
    for (auto j = low[1]; j <= high[1]; ++j)
      for (auto i = low[0]; i <= high[0]; ++i)
        mask[at(i, j, k)] = 1;
  return mask;
}

} // namespace

// Against skimage.filters.threshold_otsu on the same values: any threshold in the gap splits them alike.
TEST(HeadMask, OtsuSplitsTwoClasses) {
  std::vector<float> values;
  for (int i = 0; i < 300; ++i)
    values.push_back(static_cast<float>(10 + i % 7));
  for (int i = 0; i < 100; ++i)
    values.push_back(static_cast<float>(200 + i % 11));
  const float threshold = otsuThreshold(values);
  EXPECT_GT(threshold, 16);
  EXPECT_LT(threshold, 200);
  EXPECT_EQ(otsuThreshold({}), 0);
  EXPECT_EQ(otsuThreshold({3, 3, 3}), 3);
}

TEST(HeadMask, LargestComponentDropsTouchingCorners) {
  VoxelMask mask = box({1, 1, 1}, {4, 4, 4});
  mask[at(5, 5, 5)] = 1; // touches by a corner only
  mask[at(11, 9, 7)] = 1;
  const VoxelMask largest = largestComponent(mask, kSize);
  EXPECT_EQ(count(largest), 64);
  EXPECT_FALSE(largest[at(5, 5, 5)]);
  EXPECT_EQ(count(largestComponent(VoxelMask(mask.size(), 0), kSize)), 0);
}

TEST(HeadMask, CavitiesAreFilledAlsoWhereTheyOpenAtTheNeck) {
  VoxelMask mask = box({1, 1, 0}, {8, 8, 6});
  mask[at(4, 4, 3)] = 0; // a closed cavity
  for (int k = 0; k < 3; ++k)
    mask[at(6, 6, k)] = 0; // a canal that opens at the bottom
  EXPECT_EQ(count(filledSlices(mask, kSize)), 8 * 8 * 7);
  VoxelMask notch = box({1, 1, 0}, {8, 8, 6});
  for (int k = 0; k <= 6; ++k)
    notch[at(1, 1, k)] = 0; // a corner is outside in every slice
  EXPECT_EQ(filledSlices(notch, kSize), notch);
}

TEST(HeadMask, SkinSkullAndBrainAreOneHead) {
  Volume volume;
  volume.header.grid.size = {40, 40, 40};
  volume.voxels.resize(64000);
  for (int k = 0; k < 40; ++k)
    for (int j = 0; j < 40; ++j)
      for (int i = 0; i < 40; ++i) {
        const double r = std::hypot(i - 20.0, j - 20.0, k - 20.0);
        volume.voxels[static_cast<std::size_t>(i + 40 * (j + 40 * k))] = r < 10 ? 100.f : r < 13 ? 2.f : r < 15 ? 160.f : 1.f;
      }
  const VoxelMask mask = headMask(volume);
  const double expected = 4.0 / 3 * M_PI * 15 * 15 * 15;
  EXPECT_NEAR(count(mask), expected, 0.03 * expected);
}

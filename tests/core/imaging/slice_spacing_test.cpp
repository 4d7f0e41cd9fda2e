// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/slice_spacing.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace voxlab;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(SliceSpacing, OfAnEvenSeries) {
  const SliceSpacing spacing = spacingOfSlices({-3, -1, 1.004, 3}); // positions in files are rounded
  EXPECT_THAT(spacing.steps, ElementsAre(1, 1, 1));
  EXPECT_DOUBLE_EQ(spacing.step_mm, 2);
  EXPECT_NEAR(spacing.off_mm, 0.004, 1e-12);
  EXPECT_TRUE(spacing.isEven);
}

TEST(SliceSpacing, KeepsAPlaceForWhatIsMissing) {
  std::vector<double> positions_mm;
  for (const int k : {0, 1, 2, 3, 4, 6, 7, 8, 11, 12, 13, 14})
    positions_mm.push_back(6.64 + 2 * k);
  const SliceSpacing spacing = spacingOfSlices(positions_mm);
  EXPECT_THAT(spacing.steps, ElementsAre(1, 1, 1, 1, 2, 1, 1, 3, 1, 1, 1));
  EXPECT_EQ(spacing.slices(), 15u);
  EXPECT_NEAR(spacing.step_mm, 2, 1e-12);
  EXPECT_NEAR(spacing.off_mm, 0, 1e-12);
  EXPECT_TRUE(spacing.isEven);
}

TEST(SliceSpacing, OneMayBeMissingFromAFew) {
  EXPECT_THAT(spacingOfSlices({0, 2, 3}).steps, ElementsAre(2, 1));
  EXPECT_THAT(spacingOfSlices({0, 1, 3}).steps, ElementsAre(1, 2));
  EXPECT_THAT(spacingOfSlices({0, 5}).steps, ElementsAre(1));
}

TEST(SliceSpacing, SpreadsWhatWasMadeUnevenly) {
  const SliceSpacing head = spacingOfSlices({0, 5, 10, 15, 20, 30, 40, 50, 60}); // finer at the skull's base
  EXPECT_THAT(head.steps, testing::Each(1u));
  EXPECT_DOUBLE_EQ(head.step_mm, 7.5);
  EXPECT_DOUBLE_EQ(head.off_mm, 10); // 20 is shown at 30
  EXPECT_FALSE(head.isEven);
  const SliceSpacing shifted = spacingOfSlices({0, 1, 2, 3.5, 4.5, 5.5});
  EXPECT_THAT(shifted.steps, testing::Each(1u));
  EXPECT_FALSE(shifted.isEven);
  EXPECT_THAT(spacingOfSlices({0, 1, 2, 2e9, 2e9 + 1}).steps, testing::Each(1u)) << "no room for a billion slices";
}

TEST(SliceSpacing, OfFewerThanTwo) {
  EXPECT_THAT(spacingOfSlices({}).steps, IsEmpty());
  EXPECT_EQ(spacingOfSlices({4}).slices(), 1u);
  EXPECT_TRUE(spacingOfSlices({4}).isEven);
}

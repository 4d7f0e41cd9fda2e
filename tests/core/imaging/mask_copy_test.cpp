// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/mask_copy.h"
#include <gtest/gtest.h>
#include <numeric>

namespace voxlab {
namespace {

std::shared_ptr<Volume> countingMask() {
  auto mask = std::make_shared<Volume>();
  mask->header.grid.size = {10, 10, 10};
  mask->header.description = "a mask";
  mask->voxels.resize(1000);
  std::iota(mask->voxels.begin(), mask->voxels.end(), 0.0f);
  return mask;
}

MaskChange set(Volume& mask, std::initializer_list<std::int64_t> indices, float value) {
  MaskChange change;
  for (const std::int64_t index : indices)
    change.push_back({index, mask.voxels[static_cast<std::size_t>(index)], value});
  redo(mask, change);
  return change;
}

TEST(MaskCopy, HoldsTheMaskAsItWasWhenItWasBegun) {
  const auto mask = countingMask();
  const auto before = mask->voxels;
  MaskCopy copy(mask);
  EXPECT_EQ(copy.advance(300), nullptr);
  const MaskChange first = set(*mask, {5, 299, 300, 999}, -1); // two that are copied, two that are not
  copy.wasMade(first);
  EXPECT_EQ(copy.advance(300), nullptr);
  copy.wasMade(set(*mask, {300, 601, 999}, -2)); // one a second time
  EXPECT_EQ(copy.advance(399), nullptr);
  const auto made = copy.advance(1000);
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->voxels, before);
  EXPECT_EQ(made->header.description, "a mask");
  EXPECT_EQ(made->grid().size, mask->grid().size);
  EXPECT_EQ(mask->voxels[999], -2) << "the mask itself is as it was painted";
}

TEST(MaskCopy, KnowsWhatIsTakenBackMeanwhile) {
  const auto mask = countingMask();
  MaskChange painted = set(*mask, {700, 800}, -1);
  const MaskChange again = set(*mask, {700}, -2); // within the same stroke
  painted.insert(painted.end(), again.begin(), again.end());
  const auto before = mask->voxels;
  MaskCopy copy(mask);
  EXPECT_EQ(copy.advance(10), nullptr);
  undo(*mask, painted);
  copy.wasUndone(painted);
  EXPECT_EQ(mask->voxels[700], 700);
  redo(*mask, painted);
  copy.wasMade(painted);
  undo(*mask, painted);
  copy.wasUndone(painted);
  const auto made = copy.advance(1000);
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->voxels, before);
}

TEST(MaskCopy, OfNothingIsThereAtOnce) {
  MaskCopy copy(std::make_shared<Volume>());
  const auto made = copy.advance(1);
  ASSERT_NE(made, nullptr);
  EXPECT_TRUE(made->voxels.empty());
}

} // namespace
} // namespace voxlab

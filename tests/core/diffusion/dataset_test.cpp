// SPDX-License-Identifier: Apache-2.0
#include "core/base/failure.h"
#include "core/diffusion/dataset.h"
#include "core/imaging/volume_io.h"
#include "tests/support/temporary_folder.h"
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <set>

namespace voxlab {
namespace {
class DatasetTest : public testing::Test {
protected:
  // Volumes of 4 × 3 × 2 voxels; all of subject n but one corner is n.
  void SetUp() override {
    for (int n = 0; n < 5; ++n) {
      Volume image, mask;
      image.header.grid.size = mask.header.grid.size = {4, 3, 2};
      for (int i = 0; i < 24; ++i) {
        image.voxels.push_back(static_cast<float>(i * (n + 1)));
        mask.voxels.push_back(static_cast<float>(i % 3));
      }
      const std::string name = "s" + std::to_string(n) + ".nii.gz";
      ASSERT_TRUE(writeNifti(m_folder / "image" / name, image));
      ASSERT_TRUE(writeNifti(m_folder / "mask" / name, mask));
      m_cases.push_back({"s" + std::to_string(n), {{m_folder / "image" / name}, m_folder / "mask" / name}});
    }
    m_settings.preprocess.size = {4, 3, 2};
    m_settings.preprocess.labels = {1, 2};
    m_settings.paddedSize = {2, 4, 4};
    m_settings.seed = 3;
  }
  Dataset dataset() const { return Dataset(m_cases, m_settings); }
  static ImageBatch batch(Dataset& data, std::int64_t step, std::int64_t count = 2) {
    return data.batch({step, 0, count, count}, {step + 1, 0, count, count});
  }

  TemporaryFolder m_folder;
  std::vector<DatasetCase> m_cases;
  DatasetSettings m_settings;
};
} // namespace

TEST_F(DatasetTest, EveryPassShowsEveryCaseOnceInAnOrderOfItsOwn) {
  const Dataset data = dataset();
  std::set<std::vector<std::int64_t>> orders;
  for (std::int64_t pass = 0; pass < 4; ++pass) {
    std::vector<std::int64_t> order;
    for (std::int64_t k = 0; k < 5; ++k)
      order.push_back(data.caseOfVolume(pass * 5 + k));
    orders.insert(order);
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
  }
  EXPECT_GT(orders.size(), 1u);
}

TEST_F(DatasetTest, BatchesArePaddedAndDependOnTheirPlaceAlone) {
  m_settings.augmentation = {Flip::LeftRight, 1, 0.3};
  Dataset data = dataset(), fresh = dataset();
  for (std::int64_t step = 0; step < 3; ++step)
    batch(data, step);
  const ImageBatch one = batch(data, 3), other = batch(fresh, 3); // as after resuming
  EXPECT_EQ(one.image.sizes(), (std::vector<std::int64_t>{2, 1, 2, 4, 4}));
  EXPECT_EQ(one.condition.sizes(), (std::vector<std::int64_t>{2, 2, 2, 4, 4}));
  EXPECT_TRUE(at::equal(one.image, other.image));
  EXPECT_TRUE(at::equal(one.condition, other.condition));
  EXPECT_FALSE(at::equal(one.image, batch(data, 4).image));
}

TEST_F(DatasetTest, ASmallCacheChangesNothing) {
  Dataset large = dataset();
  m_settings.cacheBytes = 1;
  Dataset small = dataset();
  for (std::int64_t step = 0; step < 6; ++step)
    EXPECT_TRUE(at::equal(batch(large, step).image, batch(small, step).image));
}

TEST_F(DatasetTest, TheCacheIsNotWrittenTo) {
  m_settings.paddedSize = {2, 3, 4};
  Dataset data = dataset();
  const ImageBatch first = batch(data, 0, 5);
  const at::Tensor kept = first.image.clone();
  first.image.fill_(7);
  EXPECT_TRUE(at::equal(batch(data, 0, 5).image, kept));
}

TEST_F(DatasetTest, AFileThatCannotBeReadIsAFailureWithItsName) {
  std::ofstream(m_folder / "image" / "s2.nii.gz") << "nonsense";
  Dataset data = dataset();
  try {
    batch(data, 0, 5);
    FAIL();
  } catch (const Failure& e) {
    EXPECT_EQ(e.code(), ExitCode::Data);
    EXPECT_NE(std::string(e.what()).find("s2.nii.gz"), std::string::npos);
  }
}

TEST_F(DatasetTest, NoCasesAreRefused) {
  EXPECT_THROW(Dataset({}, m_settings), Failure);
}

TEST(Padding, CropUndoesPad) {
  const at::Tensor x = at::arange(2 * 3 * 5 * 4, at::kFloat).reshape({2, 3, 5, 4});
  const at::Tensor padded = padTo(x, {4, 8, 4}, -1);
  EXPECT_EQ(padded.sizes(), (std::vector<std::int64_t>{2, 4, 8, 4}));
  EXPECT_EQ(padded.min().item<float>(), -1);
  EXPECT_TRUE(at::equal(cropTo(padded, {3, 5, 4}), x));
  EXPECT_TRUE(padTo(x, {3, 5, 4}, 0).is_same(x));
  EXPECT_ANY_THROW(padTo(x, {2, 5, 4}, 0));
  EXPECT_ANY_THROW(cropTo(x, {4, 5, 4}));
}

TEST(Augmentation, IsDrawnWithinItsLimitsAndEveryPartByItself) {
  const AugmentationSettings all{Flip::LeftRight, 2, 0.25}, shiftOnly{Flip::Never, 2, 0};
  int flips = 0;
  std::set<std::int64_t> shifts;
  for (std::uint32_t step = 0; step < 400; ++step) {
    const DrawnAugmentation drawn = drawAugmentation(all, {1, Purpose::Unknown, 0, step});
    flips += drawn.flip == Flip::LeftRight ? 1 : 0;
    for (const std::int64_t s : drawn.shift) {
      EXPECT_LE(std::abs(s), 2);
      shifts.insert(s);
    }
    EXPECT_NEAR(drawn.exponent, 1, 0.25);
    EXPECT_EQ(drawAugmentation(shiftOnly, {1, Purpose::Unknown, 0, step}).shift, drawn.shift);
  }
  EXPECT_NEAR(flips, 200, 50);
  EXPECT_EQ(shifts.size(), 5u);
}

TEST(Augmentation, MovesImageAndConditionAlike) {
  at::Tensor image = at::arange(8, at::kFloat).reshape({1, 1, 2, 4}).div(8), condition = image.clone();
  augment({Flip::LeftRight, {0, 1, -1}, 1}, 0, image, condition);
  // rows reversed, then one down (towards higher H) and one to the left (towards lower W)
  const at::Tensor expected = at::tensor({-1.f, -1.f, -1.f, -1.f, 2 / 8.f, 1 / 8.f, 0.f, -1.f}).reshape({1, 1, 2, 4});
  EXPECT_TRUE(at::equal(image, expected));
  EXPECT_TRUE(at::equal(condition, expected.clamp_min(0)));
  at::Tensor far = at::arange(8, at::kFloat).reshape({1, 1, 2, 4}), none;
  augment({Flip::Never, {0, 5, 0}, 1}, 0, far, none);
  EXPECT_TRUE(at::equal(far, at::full({1, 1, 2, 4}, -1.f)));
}

TEST(Augmentation, ContrastKeepsTheEnds) {
  at::Tensor image = at::tensor({-1.f, 0.f, 1.f}).reshape({1, 1, 1, 3}), none;
  augment({Flip::Never, {}, 2}, 0, image, none);
  EXPECT_TRUE(at::equal(image, at::tensor({-1.f, -0.5f, 1.f}).reshape({1, 1, 1, 3})));
}

} // namespace voxlab

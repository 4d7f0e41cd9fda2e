// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/sample_pairs.h"
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
SampleRecord sample(std::int64_t seed, std::optional<std::int64_t> step, const std::string& mask = "/data/mask.nii.gz", const std::string& name = "volume.nii.gz") {
  SampleRecord record;
  record.seed = seed;
  record.step = step;
  record.mask = mask;
  record.path = "samples/" + (step ? "step_" + std::to_string(*step) + "/" : std::string()) + name;
  return record;
}
} // namespace

TEST(SamplePairs, SameSeedMaskAndStep) {
  const SampledRun a{"/runs/a", {sample(1, 10), sample(2, 10), sample(1, 20)}}, b{"/runs/b", {sample(2, 10), sample(1, 20), sample(1, 30)}};
  const auto pairs = samplePairs(a, b);
  ASSERT_EQ(pairs.size(), 2);
  EXPECT_EQ(pairs[0].path, QStringLiteral("/runs/a/samples/step_10/volume.nii.gz"));
  EXPECT_EQ(pairs[0].other, QStringLiteral("/runs/b/samples/step_10/volume.nii.gz"));
  EXPECT_EQ(pairs[0].title, QStringLiteral("Step 10 · seed 2 · mask.nii.gz"));
  EXPECT_EQ(pairs[1].title, QStringLiteral("Step 20 · seed 1 · mask.nii.gz"));
}

TEST(SamplePairs, WithoutACommonStepTheNewestOfEachSeed) {
  const SampledRun training{"/runs/a", {sample(1, 10), sample(1, 20)}}, sampling{"/runs/b", {sample(1, std::nullopt)}};
  const auto pairs = samplePairs(training, sampling);
  ASSERT_EQ(pairs.size(), 1);
  EXPECT_EQ(pairs[0].path, QStringLiteral("/runs/a/samples/step_20/volume.nii.gz"));
  EXPECT_EQ(pairs[0].other, QStringLiteral("/runs/b/samples/volume.nii.gz"));
}

TEST(SamplePairs, OtherMasksChannelsAndUnknownSeedsAreNoPairs) {
  SampleRecord unknown = sample(1, 10);
  unknown.seed.reset();
  EXPECT_TRUE(samplePairs({"/a", {sample(1, 10, "/data/one.nii")}}, {"/b", {sample(1, 10, "/data/two.nii")}}).isEmpty());
  EXPECT_TRUE(samplePairs({"/a", {sample(1, 10, "m", "v_t1.nii")}}, {"/b", {sample(1, 10, "m", "v_t2.nii")}}).isEmpty());
  EXPECT_TRUE(samplePairs({"/a", {unknown}}, {"/b", {unknown}}).isEmpty());
  EXPECT_TRUE(samplePairs({"/a", {}}, {"/b", {}}).isEmpty());
}

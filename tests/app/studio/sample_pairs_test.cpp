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
  const auto pairs = alikeSamples({a, b});
  ASSERT_EQ(pairs.size(), 2);
  EXPECT_EQ(pairs[0].path, QStringLiteral("/runs/a/samples/step_10/volume.nii.gz"));
  EXPECT_EQ(pairs[0].others, QStringList{QStringLiteral("/runs/b/samples/step_10/volume.nii.gz")});
  EXPECT_EQ(pairs[0].title, QStringLiteral("Step 10 · seed 2 · mask.nii.gz"));
  EXPECT_EQ(pairs[1].title, QStringLiteral("Step 20 · seed 1 · mask.nii.gz"));
}

TEST(SamplePairs, WithoutACommonStepTheNewestOfEachSeed) {
  const SampledRun training{"/runs/a", {sample(1, 10), sample(1, 20)}}, sampling{"/runs/b", {sample(1, std::nullopt)}};
  const auto pairs = alikeSamples({training, sampling});
  ASSERT_EQ(pairs.size(), 1);
  EXPECT_EQ(pairs[0].path, QStringLiteral("/runs/a/samples/step_20/volume.nii.gz"));
  EXPECT_EQ(pairs[0].others, QStringList{QStringLiteral("/runs/b/samples/volume.nii.gz")});
}

TEST(SamplePairs, OtherMasksChannelsAndUnknownSeedsAreNoPairs) {
  SampleRecord unknown = sample(1, 10);
  unknown.seed.reset();
  EXPECT_TRUE(alikeSamples({{"/a", {sample(1, 10, "/data/one.nii")}}, {"/b", {sample(1, 10, "/data/two.nii")}}}).isEmpty());
  EXPECT_TRUE(alikeSamples({{"/a", {sample(1, 10, "m", "v_t1.nii")}}, {"/b", {sample(1, 10, "m", "v_t2.nii")}}}).isEmpty());
  EXPECT_TRUE(alikeSamples({{"/a", {unknown}}, {"/b", {unknown}}}).isEmpty());
  EXPECT_TRUE(alikeSamples({{"/a", {}}, {"/b", {}}}).isEmpty());
}

TEST(SamplePairs, OfSeveralRunsThoseThatAllHave) {
  const SampledRun a{"/a", {sample(1, 10), sample(2, 10)}}, b{"/b", {sample(2, 10), sample(1, 10)}}, c{"/c", {sample(2, 10)}}, none{"/d", {}};
  const auto all = alikeSamples({a, b, c});
  ASSERT_EQ(all.size(), 1) << "seed 1 is not of all of them";
  EXPECT_EQ(all[0].paths(), (QStringList{"/a/samples/step_10/volume.nii.gz", "/b/samples/step_10/volume.nii.gz", "/c/samples/step_10/volume.nii.gz"}));
  const auto most = alikeSamples({a, b, none});
  ASSERT_EQ(most.size(), 2) << "no run has what the last one lacks: those of the most runs";
  EXPECT_EQ(most[1].others.size(), 1);
  EXPECT_EQ(alikeSamples({none, b, c})[0].paths(), (QStringList{"/b/samples/step_10/volume.nii.gz", "/c/samples/step_10/volume.nii.gz"})) << "the first that has any is the reference";
  EXPECT_EQ(alikeSamples({a, b, {"/e", {sample(1, 20), sample(2, std::nullopt)}}})[0].others.size(), 2) << "all runs are worth more than one step";
  EXPECT_TRUE(alikeSamples({}).isEmpty());
  EXPECT_TRUE(alikeSamples({a}).isEmpty());
}

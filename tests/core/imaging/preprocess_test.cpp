// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/geometry.h"
#include "core/imaging/intensity.h"
#include "core/imaging/preprocess.h"
#include "tests/core/imaging/processing.h"
#include "tests/core/imaging/volumes.h"
#include "tests/support/temporary_folder.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace voxlab;
using namespace voxlab::tests;
using testing::Contains;
using testing::HasSubstr;

namespace {
class Preprocess : public testing::Test {
protected:
  std::filesystem::path put(const char* name, const Volume& volume) {
    EXPECT_TRUE(writeNifti(m_folder / name, volume));
    return m_folder / name;
  }
  TemporaryFolder m_folder;
};
const Affine kStored{{{-1.5, 0, 0, 20}, {0, 1.5, 0, -30}, {0, 0, 2, -10}, {0, 0, 0, 1}}};
} // namespace

TEST(Intensity, PercentilesEqualNumpys) {
  const Processing golden;
  const auto& facts = golden.facts.at("intensity");
  const auto values = golden.floats("intensity.values");
  const auto levels = facts.at("levels").get<std::vector<double>>();
  const auto found = percentiles(values, levels);
  for (std::size_t n = 0; n < levels.size(); ++n)
    EXPECT_NEAR(found[n], facts.at("percentiles").at(n).get<double>(), 1e-6);
  EXPECT_EQ(percentiles(std::vector<float>{NAN, INFINITY}, levels), std::vector<double>(levels.size(), 0.0));
}

TEST(Intensity, SummaryLeavesOutWhatIsNoNumber) {
  const auto summary = summarise(std::vector<float>{NAN, -2, 4, INFINITY});
  EXPECT_EQ(summary.minimum, -2);
  EXPECT_EQ(summary.maximum, 4);
  EXPECT_EQ(summary.mean, 1);
  EXPECT_EQ(summary.finite, 2u);
  EXPECT_EQ(summary.nonFinite, 2u);
}

TEST_F(Preprocess, TheDefaultRecipeDoesWhatItsRuleSays) {
  const Processing golden;
  const auto& facts = golden.facts.at("recipe");
  Volume image, mask;
  image.header.grid = mask.header.grid = {{13, 10, 12}, affineFrom(facts.at("affine"))};
  image.voxels = golden.floats("recipe.image");
  mask.voxels = golden.floats("recipe.mask");
  PreprocessSettings settings;
  settings.size = facts.at("size").get<GridSize>();
  settings.labels = facts.at("labels").get<std::vector<std::int64_t>>();
  const auto prepared = prepareCase({{put("image.nii.gz", image)}, put("mask.nii.gz", mask)}, settings);
  ASSERT_TRUE(prepared) << prepared.error().message;
  EXPECT_LT(largestDifference(prepared->image.values, golden.floats("recipe.expected_image")), 2e-6);
  std::vector<float> condition = golden.floats("recipe.expected_label_3");
  const auto second = golden.floats("recipe.expected_label_1");
  condition.insert(condition.end(), second.begin(), second.end());
  EXPECT_EQ(prepared->condition.values, condition);
  EXPECT_EQ(prepared->condition.channels, 2);
  EXPECT_LT(largestDifference(prepared->grid.affine, affineFrom(facts.at("grid_affine"))), 1e-5);
  EXPECT_TRUE(sameGrid(prepared->sourceGrid, image.grid()));
  EXPECT_NEAR(prepared->record.at("images").at(0).at("low").get<double>(), facts.at("low").get<double>(), 1e-6);
  EXPECT_TRUE(prepared->notes.empty());
}

TEST_F(Preprocess, AnImageOnAnotherGridMeetsItsMask) {
  const Volume mask = labels({12, 12, 12}, kStored);
  const auto value = [](const Vec3& p) { return 0.1 * p[0] + 0.2 * p[1] - 0.3 * p[2] + 100; };
  // A field that is linear in space, sampled on a rotated and finer grid that covers the mask's.
  const Affine other{{{0, 0.9, 0.1, -20}, {-0.8, 0, 0.05, 10}, {0.1, 0, 1.1, -30}, {0, 0, 0, 1}}};
  const Volume image = makeVolume({70, 60, 60}, other, [&](auto i, auto j, auto k) {
    return value(applyAffine(other, {static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)}));
  });
  PreprocessSettings settings;
  settings.size = {12, 12, 12};
  settings.lowPercentile = 0;
  settings.highPercentile = 100;
  const auto prepared = prepareCase({{put("i.nii", image)}, put("m.nii", mask)}, settings);
  ASSERT_TRUE(prepared) << prepared.error().message;
  EXPECT_THAT(prepared->notes, Contains(HasSubstr("resampled onto its mask's grid")));
  const double low = prepared->record.at("images").at(0).at("low"), high = prepared->record.at("images").at(0).at("high");
  const Vec3 p = applyAffine(prepared->grid.affine, {5, 6, 7});
  const float got = prepared->image.values[5 + 12 * (6 + 12 * 7)];
  EXPECT_NEAR(got, (value(p) - low) / (high - low) * 2 - 1, 1e-4);
}

TEST_F(Preprocess, RecipesKeepTheFieldOfView) {
  const auto image = put("i.nii.gz", ramp({9, 8, 7}, kStored)), mask = put("m.nii.gz", labels({9, 8, 7}, kStored));
  for (const auto& recipe : recipes()) {
    if (recipe.name == "published_brats")
      continue; // crops instead
    PreprocessSettings settings;
    settings.recipe = recipe.name;
    settings.size = {6, 10, 4};
    settings.labels = {1, 2};
    const auto prepared = prepareCase({{image}, mask}, settings);
    ASSERT_TRUE(prepared) << prepared.error().message;
    EXPECT_EQ(prepared->image.size, settings.size);
    EXPECT_EQ(prepared->image.values.size(), 240u);
    EXPECT_EQ(prepared->condition.values.size(), 480u);
    const Vec3 centre = applyAffine(prepared->grid.affine, {2.5, 4.5, 1.5}), before = applyAffine(kStored, {4, 3.5, 3});
    for (std::size_t a = 0; a < 3; ++a)
      EXPECT_NEAR(centre[a], before[a], 1e-5) << recipe.name;
    for (const float v : prepared->image.values)
      EXPECT_TRUE(v >= -1 && v <= 1);
    EXPECT_EQ(prepared->record.at("recipe"), recipe.name);
  }
}

TEST_F(Preprocess, NaNAndConstantVolumesAreTamedAndNoted) {
  Volume image = ramp({8, 8, 8});
  image.voxels[100] = NAN;
  image.voxels[200] = INFINITY;
  PreprocessSettings settings;
  settings.size = {8, 8, 8};
  for (const char* recipe : {"volume", "published"}) {
    settings.recipe = recipe;
    const auto prepared = prepareCase({{put("nan.nii", image)}, {}}, settings);
    ASSERT_TRUE(prepared) << prepared.error().message;
    EXPECT_THAT(prepared->notes, Contains(HasSubstr("no numbers")));
    for (const float v : prepared->image.values)
      EXPECT_TRUE(std::isfinite(v));
  }
  settings.recipe = "volume";
  const auto constant = prepareCase({{put("constant.nii", makeVolume({8, 8, 8}))}, {}}, settings);
  ASSERT_TRUE(constant);
  EXPECT_THAT(constant->notes, Contains(HasSubstr("same value")));
  EXPECT_EQ(constant->image.values.front(), -1);
}

TEST_F(Preprocess, ScaledLabelFilesLoseNothing) {
  Volume mask = labels({8, 8, 8});
  for (float& v : mask.voxels)
    v += 1e-4f; // as slope and intercept leave them
  PreprocessSettings settings;
  settings.size = {8, 8, 8};
  settings.labels = {1, 2};
  settings.conditionBackground = 0;
  const auto prepared = prepareCase({{}, put("m.nii", mask)}, settings);
  ASSERT_TRUE(prepared);
  EXPECT_EQ(prepared->image.channels, 0);
  const auto ones = std::count(prepared->condition.values.begin(), prepared->condition.values.end(), 1.0f);
  const auto zeros = std::count(prepared->condition.values.begin(), prepared->condition.values.end(), 0.0f);
  EXPECT_EQ(ones + zeros, 1024);
  EXPECT_EQ(ones, std::count_if(mask.voxels.begin(), mask.voxels.end(), [](float v) { return v > 0.5f; }));
}

TEST_F(Preprocess, ManyLabelsAndModalities) {
  PreprocessSettings settings;
  settings.size = {8, 8, 8};
  settings.labels = {4, 1, 3, 2};
  const auto mask = put("m.nii", labels({8, 8, 8}, kIdentityAffine, 5)), a = put("a.nii", ramp({8, 8, 8}));
  const auto prepared = prepareCase({{a, a, a}, mask}, settings);
  ASSERT_TRUE(prepared);
  EXPECT_EQ(prepared->image.channels, 3);
  EXPECT_EQ(prepared->condition.channels, 4);
  EXPECT_EQ(prepared->condition.values[4], 1); // label 4 at i = 4 in the first channel
  const Volume channel = volumeFromChannel(prepared->condition, 0, prepared->grid);
  EXPECT_EQ(channel.voxels[4], 1);
}

TEST_F(Preprocess, WhatCannotBePreparedGivesASentence) {
  PreprocessSettings settings;
  const auto image = put("i.nii", ramp({8, 8, 8}));
  settings.recipe = "nonsense";
  EXPECT_EQ(prepareCase({{image}, {}}, settings).error().code, ExitCode::Usage);
  settings.recipe = "volume";
  settings.labels = {1};
  EXPECT_THAT(prepareCase({{image}, {}}, settings).error().message, HasSubstr("no mask"));
  settings.labels.clear();
  settings.size = {0, 8, 8};
  EXPECT_EQ(prepareCase({{image}, {}}, settings).error().code, ExitCode::Usage);
  settings.size = {8, 8, 8};
  EXPECT_EQ(prepareCase({{m_folder / "none.nii"}, {}}, settings).error().code, ExitCode::Data);
  settings.recipe = "published_brats";
  EXPECT_THAT(prepareCase({{image}, image}, settings).error().message, HasSubstr("four images"));
  std::stop_source stop;
  stop.request_stop();
  settings.recipe = "volume";
  settings.cancel = stop.get_token();
  EXPECT_EQ(prepareCase({{image}, {}}, settings).error().code, ExitCode::Stopped);
}

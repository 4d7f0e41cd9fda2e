// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/quality.h"
#include "tests/core/imaging/processing.h"
#include "tests/core/imaging/volumes.h"
#include "tests/support/parity_fill.h"
#include <gtest/gtest.h>

using namespace voxlab;
using namespace voxlab::tests;

TEST(Quality, EqualsScikitImageAndMonai) {
  const Processing golden;
  int n = 0;
  for (const auto& entry : golden.facts.at("quality")) {
    const std::string name = "quality." + std::to_string(n++) + ".";
    const auto first = golden.floats(name + "first"), second = golden.floats(name + "second");
    const auto size = entry.at("size").get<GridSize>();
    const double range = entry.at("data_range");
    const auto difference = compareVoxels(first, second, range);
    ASSERT_TRUE(difference);
    EXPECT_NEAR(difference->mae, entry.at("mae").get<double>(), 1e-6 * range);
    EXPECT_NEAR(difference->rmse, entry.at("rmse").get<double>(), 1e-6 * range);
    EXPECT_NEAR(difference->bias, entry.at("bias").get<double>(), 1e-6 * range);
    EXPECT_EQ(difference->voxels, first.size());
    if (entry.at("psnr").is_null()) {
      EXPECT_FALSE(difference->psnr_db);
    } else {
      EXPECT_NEAR(difference->psnr_db.value(), entry.at("psnr").get<double>(), 1e-5);
    }
    EXPECT_NEAR(ssim(first, second, size, range, SsimWindow::Uniform7).value(), entry.at("ssim_uniform").get<double>(), 1e-6);
    EXPECT_NEAR(ssim(first, second, size, range).value(), entry.at("ssim_gaussian").get<double>(), 1e-6);
    EXPECT_NEAR(ssim(first, second, size, range).value(), entry.at("ssim_monai").get<double>(), 1e-4);
  }
}

TEST(Quality, MultiScaleEqualsMonai) {
  const Processing golden;
  const auto& facts = golden.facts.at("multi_scale");
  const auto size = facts.at("size").get<GridSize>();
  const Volume first = makeVolume(size, kIdentityAffine, [](auto i, auto j, auto k) {
    return std::sin(0.31 * static_cast<double>(i)) * std::cos(0.23 * static_cast<double>(j)) + 0.5 * std::sin(0.17 * static_cast<double>(k) + 0.05 * static_cast<double>(i));
  });
  Volume second = first;
  const auto hash = parityHash("multi_scale");
  for (std::size_t n = 0; n < second.voxels.size(); ++n)
    second.voxels[n] = static_cast<float>(static_cast<double>(first.voxels[n]) + 0.4 * parityUniform(hash, n));
  const auto found = multiScaleSsim(first.voxels, second.voxels, size, facts.at("data_range"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->scales, facts.at("scales").get<int>());
  EXPECT_NEAR(found->value, facts.at("value").get<double>(), 1e-4);
}

TEST(Quality, MasksChooseWhatCounts) {
  const std::vector<float> first{0, 0, 0, 0}, second{1, 2, 3, NAN};
  const std::vector<std::uint8_t> mask{1, 0, 1, 1};
  const auto difference = compareVoxels(first, second, 4, mask);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->voxels, 2u);
  EXPECT_EQ(difference->mae, 2);
  EXPECT_EQ(difference->largest, 3);
  const std::vector<std::uint8_t> nothing(4, 0);
  EXPECT_EQ(compareVoxels(first, second, 4, nothing).error().code, ExitCode::Data);

  // Noise in one half: similarity is perfect where the mask lies in the other.
  const GridSize size{30, 12, 12};
  const Volume image = ramp(size);
  Volume noisy = image;
  std::vector<std::uint8_t> clean(noisy.voxels.size()), all(noisy.voxels.size(), 1);
  for (std::size_t n = 0; n < noisy.voxels.size(); ++n) {
    if (n % 30 < 10)
      noisy.voxels[n] += n % 2 ? 5.0f : -5.0f;
    clean[n] = n % 30 > 16;
  }
  EXPECT_NEAR(ssim(image.voxels, noisy.voxels, size, 100, SsimWindow::Gaussian11, clean).value(), 1, 1e-12);
  EXPECT_LT(ssim(image.voxels, noisy.voxels, size, 100).value(), 0.999);
  EXPECT_EQ(ssim(image.voxels, noisy.voxels, size, 100).value(), ssim(image.voxels, noisy.voxels, size, 100, SsimWindow::Gaussian11, all).value());
}

TEST(Quality, TheRangeIsTheReferencesAndTheReachLeavesOutTheFarthest) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(referenceRange(std::vector<float>{3, nan, -2, 5}), 7);
  EXPECT_EQ(referenceRange(std::vector<float>{nan}), 0);
  EXPECT_EQ(referenceRange({}), 0);
  std::vector<float> first(1001, 1), second(1001, 1);
  EXPECT_EQ(differenceReach(first, second), 0) << "equal";
  for (int n = 0; n <= 1000; ++n)
    second[static_cast<std::size_t>(n)] = 1 + static_cast<float>(n % 2 == 0 ? n : -n);
  EXPECT_EQ(differenceReach(first, second), 995); // as numpy.percentile(abs(second - first), 99.5)
  std::vector<std::uint8_t> mask(1001, 0);
  mask[7] = mask[8] = 1;
  EXPECT_EQ(differenceReach(first, second, mask), 7);
  std::vector<float> one(1001, 1);
  one[3] = 9;
  EXPECT_EQ(differenceReach(first, one), 8) << "fewer than 0.5 % differ: the largest";
  EXPECT_EQ(differenceReach(first, std::vector<float>{1}), 0);
}

TEST(Quality, WhatCannotBeComparedGivesASentence) {
  const std::vector<float> four(4, 0), five(5, 0);
  EXPECT_EQ(compareVoxels(four, five, 1).error().code, ExitCode::Data);
  EXPECT_EQ(ssim(four, four, {4, 1, 1}, 1).error().code, ExitCode::Data);
  std::vector<float> cube(1331, 0);
  EXPECT_EQ(ssim(cube, cube, {11, 11, 11}, 0).error().code, ExitCode::Data);
  EXPECT_EQ(ssim(cube, cube, {11, 11, 11}, 1).value(), 1);
  cube[7] = NAN;
  EXPECT_EQ(ssim(cube, cube, {11, 11, 11}, 1).error().code, ExitCode::Data);
}

TEST(Quality, Dice) {
  const std::vector<float> a{0, 1, 1, 2.0001f}, b{1, 1, 0, 2};
  EXPECT_DOUBLE_EQ(dice(a, b, 1).value(), 0.5);
  EXPECT_DOUBLE_EQ(dice(a, b, 2).value(), 1);
  EXPECT_FALSE(dice(a, b, 7));
}

// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/features.h"
#include "core/base/failure.h"
#include "core/base/json.h"
#include "core/evaluation/mask_fidelity.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
// As random_network_case of generate.py has it.
at::Tensor waves(std::int64_t side) {
  at::Tensor out = at::empty({1, 1, side, side, side});
  float* to = out.mutable_data_ptr<float>();
  for (std::int64_t z = 0; z < side; ++z)
    for (std::int64_t y = 0; y < side; ++y)
      for (std::int64_t x = 0; x < side; ++x)
        *to++ = static_cast<float>(std::sin(0.31 * static_cast<double>(x)) * std::cos(0.23 * static_cast<double>(y)) +
                                   0.5 * std::sin(0.17 * static_cast<double>(z) + 0.05 * static_cast<double>(x)));
  return out;
}
} // namespace

TEST(Features, RandomNetworkEqualsAnIndependentOne) {
  const auto expected = readJsonFile(testData() / "evaluation/reference.json")->at("random_network").get<std::vector<double>>();
  const at::Tensor found = makeRandomFeatures(at::kCPU)->features(waves(64));
  ASSERT_EQ(found.numel(), static_cast<std::int64_t>(expected.size()));
  for (std::size_t n = 0; n < expected.size(); ++n)
    EXPECT_NEAR(found.const_data_ptr<double>()[n], expected[n], 1e-4);
}

TEST(Features, RandomNetworkTakesAnySize) {
  const at::Tensor found = makeRandomFeatures(at::kCPU)->features(waves(40));
  EXPECT_EQ(found.numel(), 64);
  EXPECT_TRUE(std::isfinite(found.sum().item<double>()));
}

TEST(Features, TorchScriptIsLoaded) {
  const auto network = loadFeatures(testData() / "evaluation/mean_and_deviation.pt", at::kCPU);
  const at::Tensor volume = waves(16), found = network->features(volume);
  ASSERT_EQ(found.numel(), 2);
  EXPECT_NEAR(found.const_data_ptr<double>()[0], volume.mean().item<double>(), 1e-6);
  EXPECT_NEAR(found.const_data_ptr<double>()[1], volume.std(false).item<double>(), 1e-6);
  EXPECT_NE(network->recipe().find("mean_and_deviation.pt"), std::string::npos);
}

TEST(Features, WhatIsNoNetworkIsRefusedInWords) {
  const TemporaryFolder folder;
  std::ofstream(folder / "no_network.pt") << "nothing";
  for (const auto& file : {folder / "no_network.pt", folder / "absent.pt"})
    try {
      loadFeatures(file, at::kCPU);
      FAIL() << file;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), ExitCode::Data);
      EXPECT_NE(std::string(failure.what()).find("TorchScript"), std::string::npos);
    }
  const auto wrong = loadSegmentation(testData() / "evaluation/mean_and_deviation.pt", at::kCPU);
  EXPECT_THROW(wrong->labels(waves(8)), Failure);
}

TEST(Features, SegmentationGivesLabels) {
  const auto network = loadSegmentation(testData() / "evaluation/threshold.pt", at::kCPU);
  at::Tensor volume = at::empty({1, 1, 1, 1, 3});
  const float values[] = {-1, 1, 3};
  std::copy(values, values + 3, volume.mutable_data_ptr<float>());
  const at::Tensor labels = network->labels(volume);
  EXPECT_EQ(labels.const_data_ptr<float>()[0], 0);
  EXPECT_EQ(labels.const_data_ptr<float>()[1], 1);
  EXPECT_EQ(labels.const_data_ptr<float>()[2], 2);
}

TEST(MaskFidelity, OtsuEqualsScikitImage) {
  const Json facts = readJsonFile(testData() / "evaluation/reference.json")->at("otsu");
  const auto values = facts.at("values").get<std::vector<float>>();
  const auto threshold = otsuThreshold(values);
  ASSERT_TRUE(threshold);
  // Anywhere in the gap between the classes is as good; scikit-image names the middle of the bin before it.
  const auto above = [&](double limit) { return std::count_if(values.begin(), values.end(), [&](double v) { return v > limit; }); };
  EXPECT_EQ(above(*threshold), above(facts.at("threshold").get<double>() + facts.at("bin").get<double>() / 2));
  EXPECT_FALSE(otsuThreshold(std::vector<float>(5, 2)));
}

TEST(MaskFidelity, IsOneWhereTheVolumeShowsTheMask) {
  const std::vector<float> mask{0, 0, 0, 1, 1, 1, 2, 2}, volume{-1, -1, -1, 0.4f, 0.5f, 0.4f, 0.9f, 1};
  const MaskFidelity found = fidelityByIntensity(volume, mask);
  EXPECT_EQ(found.foreground, 1);
  EXPECT_EQ(found.labels.at(1), 1);
  EXPECT_EQ(found.labels.at(2), 1);
  EXPECT_EQ(found.meanOfLabels(), 1);
}

TEST(MaskFidelity, FallsWhenALesionIsMissing) {
  const std::vector<float> mask{0, 0, 0, 1, 1, 1, 2, 2}, half{-1, -1, -1, 0.4f, 0.5f, 0.4f, 0.45f, 1};
  EXPECT_NEAR(fidelityByIntensity(half, mask).labels.at(2), 2.0 / 3, 1e-12);
}

TEST(MaskFidelity, HasNoValueWithoutAMask) {
  const std::vector<float> mask(4, 0), volume{0, 1, 2, 3};
  EXPECT_FALSE(fidelityByIntensity(volume, mask).foreground);
  EXPECT_FALSE(fidelityByIntensity(volume, mask).meanOfLabels());
}

TEST(MaskFidelity, OfASegmentationIsItsDice) {
  const std::vector<float> mask{0, 1, 1, 2}, segmentation{0, 1, 2, 2};
  const MaskFidelity found = fidelityOfSegmentation(segmentation, mask);
  EXPECT_EQ(found.foreground, 1);
  EXPECT_NEAR(found.labels.at(1), 2.0 / 3, 1e-12);
  EXPECT_NEAR(found.labels.at(2), 2.0 / 3, 1e-12);
}

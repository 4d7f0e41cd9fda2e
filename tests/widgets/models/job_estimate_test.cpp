// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/job_parameters.h"
#include "widgets/models/job_estimate.h"
#include "widgets/models/run_words.h"
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
Catalog catalog(double gpuMemory_bytes) {
  CatalogChoices c;
  c.modes = {{"baseline", "Baseline", "", "", {{"precision", "fp32"}}}, {"bf16", "BF16", "", "", {{"precision", "bf16"}}}};
  c.samplers = {{"ddpm", "DDPM", "", "", Json::object()}};
  c.backends = {{"eager", "LibTorch", "", "", Json::object()}};
  c.devices = {{"auto", "Automatic", "", "", Json::object()}, {"cpu", "CPU", "", "", Json::object()}};
  if (gpuMemory_bytes > 0)
    c.devices.push_back({"cuda:0", "H200", "", "", {{"memory_bytes", gpuMemory_bytes}}});
  c.preprocessing = {{"volume", "Volume", "", "", Json::object()}};
  Catalog catalog;
  catalog.parameters = jobParameters(c);
  catalog.presets = jobPresets();
  return catalog;
}
} // namespace

TEST(JobEstimate, TellsTheWholeHeadNetworksSizeAndMemory) {
  const auto estimate = estimateJob(JobSpec("train"), catalog(141e9), std::nullopt);
  EXPECT_EQ(estimate.parameters, 40226433); // the published whole-head network
  ASSERT_TRUE(estimate.memory_bytes);
  EXPECT_GT(*estimate.memory_bytes, 20e9); // 20.3 GB of tensors were measured
  EXPECT_TRUE(estimate.fits);
  EXPECT_TRUE(estimate.advice.isEmpty());
  EXPECT_EQ(estimate.device, QStringLiteral("H200"));
  EXPECT_FALSE(estimate.passes); // nobody has looked at the data yet
}

TEST(JobEstimate, AdvisesWhenItDoesNotFit) {
  const auto estimate = estimateJob(JobSpec("train"), catalog(12e9), std::nullopt);
  EXPECT_FALSE(estimate.fits);
  EXPECT_TRUE(estimate.advice.contains(QStringLiteral("12 GB")));
  EXPECT_TRUE(estimate.advice.contains(QStringLiteral("BF16")));
}

TEST(JobEstimate, CountsTheLargestModeOfABenchmarkAndWhatIsAddedToAMode) {
  const auto memory = [](const JobSpec& spec) { return *estimateJob(spec, catalog(141e9), std::nullopt).memory_bytes; };
  JobSpec bench("bench"), small("bench"), combined("train"), apart("train");
  bench.set("bench.modes", Json::array({"bf16", "baseline"}));
  small.set("bench.modes", Json::array({"bf16"}));
  EXPECT_GT(memory(bench), 1.2 * memory(small));
  combined.set("mode", "bf16+checkpoint_0");
  apart.set("mode", "bf16");
  const double plain = memory(apart);
  apart.set("mode_switches", Json::array({"checkpoint_0"}));
  EXPECT_LT(memory(combined), plain);
  EXPECT_EQ(memory(apart), memory(combined));
}

TEST(JobEstimate, TurnsStepsIntoPassesAndPassesIntoSteps) {
  JobSpec spec("train");
  spec.set("train.steps", 1000);
  spec.set("train.batch", 2);
  spec.set("train.accumulate", 3);
  EXPECT_DOUBLE_EQ(*estimateJob(spec, catalog(0), 60).passes, 100);
  spec.set("train.passes", 25.0);
  const auto estimate = estimateJob(spec, catalog(0), 61);
  EXPECT_EQ(estimate.steps, 255); // 25 × 61 / 6, rounded up
  EXPECT_DOUBLE_EQ(*estimate.passes, 25);
}

TEST(JobEstimate, NonsenseLeavesUnknowns) {
  JobSpec spec("train");
  spec.set("data.size", "large");
  spec.set("model.base_channels", -5);
  const auto estimate = estimateJob(spec, catalog(0), std::nullopt);
  EXPECT_FALSE(estimate.parameters);
  EXPECT_FALSE(estimate.memory_bytes);
  EXPECT_FALSE(estimate.disk_bytes);
}

TEST(RunWords, NameAJobByItsDataAndSize) {
  JobSpec spec("train");
  spec.set("data.images", "/data/colin27/images");
  spec.set("data.size", Json::array({64, 64, 64}));
  EXPECT_EQ(jobTitle(spec), QStringLiteral("Train colin27 64³"));
  spec.set("data.images", "/data/heads/");
  spec.set("data.size", Json::array({192, 192, 144}));
  EXPECT_EQ(jobTitle(spec), QStringLiteral("Train heads 192×192×144"));
  spec.set("data.size", "broken");
  EXPECT_EQ(jobTitle(spec), QStringLiteral("Train heads"));
}

TEST(RunWords, TellAgesInTheLargestUnit) {
  const QDateTime now(QDate(2026, 1, 31), QTime(12, 0), Qt::UTC);
  EXPECT_EQ(ageWord(now.addSecs(-30), now), QStringLiteral("just now"));
  EXPECT_EQ(ageWord(now.addSecs(-59 * 60), now), QStringLiteral("59 min"));
  EXPECT_EQ(ageWord(now.addSecs(-25 * 3600), now), QStringLiteral("1 d"));
  EXPECT_TRUE(ageWord({}, now).isEmpty());
}

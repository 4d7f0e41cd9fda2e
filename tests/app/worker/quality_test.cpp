// SPDX-License-Identifier: Apache-2.0
// Jobs of kind quality on what the worker itself has drawn.
#include "core/protocol/quality_result.h"
#include "tests/app/worker/worker_fixture.h"
#include <gmock/gmock.h>

using namespace voxlab;
using testing::HasSubstr;

namespace {
class QualityTest : public WorkerTest {
protected:
  void SetUp() override {
    const RunDirectory training = trained("train", tinyTraining(2) + Settings{"train.sample_every=0"});
    for (const char* name : {"first", "second"})
      ASSERT_EQ(worker({"sample", "--run-dir", (m_folder / name).string(), "--set", "sample.checkpoint=" + training.path().string(), "--set",
                        "sample.masks=" + masks().string(), "--set", "sample.sampler=ddim", "--set", "sample.steps=2", "--set", "threads=1"})
                    .exitCode,
                0);
  }
  ProcessEnd measure(const std::string& name, const Settings& settings) const {
    std::vector<std::string> arguments{"quality", "--run-dir", (m_folder / name).string(), "--set", "quality.synthetic=" + (m_folder / "first").string()};
    for (const std::string& setting : settings) {
      arguments.push_back("--set");
      arguments.push_back(setting);
    }
    return worker(arguments);
  }
  QualityResult result(const std::string& name) const {
    return qualityFromJson(readJsonFile(m_folder / name / "quality.json").value()).value();
  }
};
} // namespace

TEST_F(QualityTest, RunsWithEqualSeedsAreEqual) {
  const ProcessEnd end = measure("q", {"quality.reference=" + (m_folder / "second").string(), "quality.size=16,16,16"});
  ASSERT_EQ(end.exitCode, 0) << end.errors;
  const QualityResult found = result("q");
  EXPECT_EQ(found.find("equal_seed_ssim")->value, 1);
  EXPECT_EQ(found.find("equal_seed_ssim")->count, 3);
  EXPECT_FALSE(found.find("equal_seed_ssim")->interval);
  EXPECT_THAT(found.find("equal_seed_ssim")->noInterval, HasSubstr("5 subjects at least"));
  EXPECT_EQ(found.of.at("set"), "first " + run("first").info().value().created);
  EXPECT_FALSE(found.of.contains("real_set"));
  EXPECT_THAT(found.find("equal_seed_psnr")->refused, HasSubstr("equal"));
  EXPECT_GT(found.of.at("volume_ms"), 0);
  EXPECT_EQ(found.of.at("sampler"), "ddim");
  EXPECT_EQ(found.of.at("mode"), "baseline");
  EXPECT_FALSE(found.find("frechet")->value);
  EXPECT_THAT(found.find("frechet")->refused, HasSubstr("30"));
  EXPECT_TRUE(found.find("foreground_dice")->value); // with the masks that the samples name
  EXPECT_EQ(found.volumes.size(), 3u);
  const Json summary = readJsonFile(run("q").summaryFile()).value();
  EXPECT_EQ(summary.at("equal_seed_ssim"), 1);
}

TEST_F(QualityTest, RealVolumesArePairedByCase) {
  const ProcessEnd end = measure("q", {"quality.real=" + images().string(), "quality.masks=" + masks().string(), "quality.size=16,16,16"});
  ASSERT_EQ(end.exitCode, 0) << end.errors;
  const QualityResult found = result("q");
  EXPECT_GT(found.find("mae")->value.value(), 0);
  EXPECT_EQ(found.find("ssim")->count, 3);
  EXPECT_TRUE(found.find("ssim")->realBaseline);
  EXPECT_TRUE(found.find("nearest_training")->value); // the real volumes stand in
  std::filesystem::copy(images(), m_folder / "moved");
  ASSERT_EQ(measure("again", {"quality.real=" + (m_folder / "moved").string(), "quality.measures=voxel", "quality.size=16,16,16"}).exitCode, 0);
  EXPECT_EQ(result("again").of.at("real_set"), found.of.at("real_set"));
  EXPECT_THAT(found.of.at("real_set").get<std::string>(), testing::MatchesRegex("files [0-9a-f]{16}"));
}

TEST_F(QualityTest, WhatCannotBeMeasuredIsSaid) {
  const ProcessEnd nothing = measure("none", {"quality.real=" + images().string(), "quality.measures=frechet"});
  EXPECT_EQ(nothing.exitCode, 4);
  EXPECT_THAT(nothing.errors, HasSubstr("Nothing could be measured"));
  const ProcessEnd alone = measure("alone", {"quality.reference=" + (m_folder / "nowhere").string(), "quality.measures=equal_seeds,fidelity"});
  EXPECT_EQ(alone.exitCode, 0) << "what can be measured is";
  EXPECT_THAT(alone.errors, HasSubstr("at equal seeds: There is nothing at"));
  const ProcessEnd absent = measure("absent", {"quality.real=" + (m_folder / "nowhere").string()});
  EXPECT_EQ(absent.exitCode, 4);
  EXPECT_THAT(absent.errors, HasSubstr("nowhere"));
  EXPECT_EQ(worker({"quality", "--run-dir", (m_folder / "x").string()}).exitCode, 2);
}

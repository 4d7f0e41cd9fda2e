// SPDX-License-Identifier: Apache-2.0
// The command lines of compare and experiment: what they take, and what they say of what they do not.
#include "core/base/json.h"
#include "tests/app/worker/worker_fixture.h"
#include "tests/support/paths.h"
#include <gmock/gmock.h>

using namespace voxlab;
using testing::HasSubstr;

namespace {
class ComparisonCommandTest : public WorkerTest {
protected:
  std::string example(const char* name) const { return (sourceFolder() / "resources" / "examples" / name).string(); }
};
} // namespace

TEST_F(ComparisonCommandTest, ForetellsWhatAVolumeAndATrainingCost) {
  const ProcessEnd end = worker({"compare", example("benchmark_modes_64"), "--sampling-steps", "20", "--training-steps", "1000", "--price", "2", "--price", "NVIDIA H200=3.6", "--currency", "CHF", "--format", "json"});
  ASSERT_EQ(end.exitCode, 0) << end.errors;
  const Json foretold = Json::parse(end.output).at("foretold");
  EXPECT_EQ(foretold.at("currency"), "CHF");
  EXPECT_EQ(foretold.at("training_steps"), 1000);
  ASSERT_FALSE(foretold.at("sides").empty());
  for (const Json& side : foretold.at("sides")) {
    EXPECT_GT(side.at("energy_j").get<double>(), 0) << side;
    EXPECT_NEAR(side.at("cost").get<double>(), side.at("latency_ms").get<double>() * 1e-6, 1e-12) << side; // 3.6 an hour are 10⁻⁶ a millisecond
    EXPECT_NEAR(side.at("training_cost").get<double>(), 3.6 * side.at("training_h").get<double>(), 1e-12) << side;
  }
}

// Before hours of a benchmark, and in words.
TEST_F(ComparisonCommandTest, AnExperimentLooksFirstWhetherItCanBeDone) {
  const std::string folder = (m_folder / "e").string(), nowhere = (m_folder / "no where").string();
  for (const char* option : {"--checkpoint", "--masks", "--real", "--training", "--with"}) {
    const ProcessEnd end = worker({"experiment", "-o", folder, option, nowhere});
    EXPECT_EQ(end.exitCode, static_cast<int>(ExitCode::Data)) << option;
    EXPECT_THAT(end.errors, HasSubstr(nowhere)) << option;
  }
  EXPECT_FALSE(std::filesystem::exists(m_folder / "e"));
  EXPECT_THAT(worker({"experiment", "-o", folder, "--steps", "-1"}).errors, HasSubstr("--steps: has to be 0 or more, not -1."));
  EXPECT_THAT(worker({"experiment", "-o", folder, "--count", "0"}).errors, HasSubstr("has to be 1 or more, not 0."));
  const ProcessEnd format = worker({"compare", example("opt12"), "--format", "pdf"});
  EXPECT_EQ(format.exitCode, static_cast<int>(ExitCode::Usage));
  EXPECT_THAT(format.errors, HasSubstr("there is no format \"pdf\", but csv|html|json|markdown|text."));
  EXPECT_THAT(worker({"compare", example("opt12"), "--format", "JSON"}).output, HasSubstr("\"run_again\""));
  EXPECT_THAT(worker({"compare", "--help"}).output, HasSubstr("csv|html|json|markdown|text"));
}

TEST_F(ComparisonCommandTest, WhatIsNoPriceOrNumberOfStepsIsSaid) {
  for (const std::string price : {"dear", "-1", "H200=", "=3", "nan", "3,50", "H200=3 €"}) {
    const ProcessEnd end = worker({"compare", example("opt12"), "--price", price});
    EXPECT_EQ(end.exitCode, static_cast<int>(ExitCode::Usage)) << price;
    EXPECT_THAT(end.errors, HasSubstr("is no price")) << price;
  }
  EXPECT_THAT(worker({"compare", example("opt12"), "--price", "3", "--price", "4"}).errors, HasSubstr("Two prices"));
  EXPECT_EQ(worker({"compare", example("opt12"), "--sampling-steps", "0"}).exitCode, static_cast<int>(ExitCode::Usage));
  EXPECT_EQ(worker({"experiment", "-o", (m_folder / "e").string(), "--price", "dear"}).exitCode, static_cast<int>(ExitCode::Usage)) << "before hours of work";
  EXPECT_FALSE(std::filesystem::exists(m_folder / "e"));
}

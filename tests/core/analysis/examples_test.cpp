// SPDX-License-Identifier: Apache-2.0
// The runs that come with the program are read as any other, and say what resources/examples/CLAIMS.md says of them.
#include "core/analysis/run_profile.h"
#include "tests/support/paths.h"
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
Json reportOf(const std::string& name) {
  const auto report = runProfileReport(RunDirectory(sourceFolder() / "resources" / "examples" / name));
  EXPECT_TRUE(report) << report.error().message;
  return report ? report->data : Json::object();
}
} // namespace

TEST(Examples, CategoriesAddUpAndKernelsAgreeWithTheHostsClock) {
  for (const char* name : {"baseline", "opt1", "opt2", "opt12", "fused_bf16"}) {
    const Json report = reportOf(name);
    double sum = 0;
    for (const auto& [category, ms] : report.at("categories_ms").items())
      sum += ms.get<double>();
    const double wall_ms = report.at("wall_ms_per_step").get<double>(), kernel_ms = report.at("kernel_ms_per_step").get<double>();
    EXPECT_NEAR(sum, wall_ms, 1e-6) << name;
    EXPECT_LT(report.at("categories_ms").value("other", 0.0), 0.02 * wall_ms) << name;
    EXPECT_EQ(report.at("device"), "NVIDIA H200");
    EXPECT_EQ(report.at("others").size(), 1u) << "a sampling step";
    EXPECT_GE(report.at("modules").size(), 30u) << name;
    if (std::string(name) != "fused_bf16") { // which waits for the host
      EXPECT_NEAR(kernel_ms, wall_ms, 0.03 * wall_ms) << name;
    }
  }
}

TEST(Examples, WhatTheModesDo) {
  const Json baseline = reportOf("baseline"), tf32 = reportOf("opt1"), last = reportOf("opt2"), both = reportOf("opt12");
  const auto tensorShare = [](const Json& report) {
    return report.at("precision").at("tensor_cores_ms").get<double>() / report.at("precision").at("products_ms").get<double>();
  };
  EXPECT_EQ(tensorShare(baseline), 0);
  EXPECT_GT(tensorShare(tf32), 0.98);
  EXPECT_NEAR(baseline.at("kernel_ms_per_step").get<double>(), 1247.0, 0.1);
  EXPECT_NEAR(last.at("categories_ms").at("layout_conversion").get<double>(), 119.7, 0.1);
  EXPECT_NEAR(both.at("categories_ms").at("layout_conversion").get<double>(), 101.7, 0.1);
  EXPECT_TRUE(tf32.contains("counters"));
  EXPECT_GT(both.at("counters").at("coverage").get<double>(), 0.7);
  EXPECT_EQ(both.at("counters").at("partial"), true);
}

// The counters and shapes that were recorded are there for comparing, too.
TEST(Examples, SidesCarryStallsAndRoofline) {
  const auto sides = comparedRuns(RunDirectory(sourceFolder() / "resources" / "examples" / "opt12"));
  ASSERT_TRUE(sides) << sides.error().message;
  ASSERT_EQ(sides->size(), 2u);
  const ComparedRun& training = sides->front();
  ASSERT_GE(training.stalls.size(), 5u);
  EXPECT_GE(training.stalls[0].perIssue, training.stalls[1].perIssue);
  ASSERT_GE(training.roofline.size(), 10u);
  EXPECT_GE(training.roofline[0].time_ms, training.roofline[1].time_ms);
  EXPECT_TRUE(sides->back().stalls.empty()); // its sampling step has no counters
  EXPECT_FALSE(sides->back().roofline.empty());
}

// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/deployment.h"
#include "core/analysis/deployment_report.h"
#include <gmock/gmock.h>

namespace voxlab {
namespace {
using ::testing::HasSubstr;

ComparedRun side(const std::string& mode, const std::string& device, std::vector<double> step_ms) {
  ComparedRun run;
  run.name = mode + " · " + device;
  run.mode = mode;
  run.device = device;
  run.measures.push_back({"duration_ms", "Time a step", "ms", Direction::LowerIsBetter, spreadOf(std::move(step_ms))});
  return run;
}

TEST(Deployment, UnknownPricesAndEnergiesStayUnknown) {
  std::vector<ComparedRun> sampling{side("opt1", "H200", {20, 20})}, training{side("opt1", "H200", {36})};
  DeploymentPlan plan{50, 1000, {}};
  auto rows = deploymentRows(sampling, training, plan);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_DOUBLE_EQ(rows[0].latency_ms->median, 1000);
  EXPECT_DOUBLE_EQ(*rows[0].volumesPerHour, 3600);
  EXPECT_DOUBLE_EQ(*rows[0].training_h, 0.01);
  EXPECT_FALSE(rows[0].energy_j || rows[0].cost || rows[0].trainingCost || rows[0].trainingEnergy_j);
  sampling[0].measures.push_back({"energy_j", "Energy a step", "J", Direction::LowerIsBetter, spreadOf({8})});
  plan.prices["H200"] = 7.2;
  rows = deploymentRows(sampling, training, plan);
  EXPECT_DOUBLE_EQ(*rows[0].energy_j, 400);
  EXPECT_DOUBLE_EQ(*rows[0].cost, 7.2 / 3600);
  EXPECT_DOUBLE_EQ(*rows[0].trainingCost, 0.072);
}

TEST(Deployment, ABatchSharesItsStepAndTheFastestComesFirst) {
  std::vector<ComparedRun> sampling{side("slow", "H200", {100}), side("quick", "H200", {10})};
  sampling[0].measures.push_back({"volumes_per_s", "Volumes per second", "/s", Direction::HigherIsBetter, spreadOf({40})}); // four at a time
  const auto rows = deploymentRows(sampling, {}, {10, 1, {}});
  EXPECT_EQ(rows[0].mode, "quick · H200");
  EXPECT_DOUBLE_EQ(rows[1].latency_ms->median, 1000);
  EXPECT_DOUBLE_EQ(*rows[1].volumesPerHour, 4 * 3600);
}

TEST(Deployment, APriceWithoutADeviceIsThatOfAllOthers) {
  const std::vector<ComparedRun> sampling{side("opt1", "H200", {20}), side("opt1", "A100", {20})};
  const DeploymentPlan plan{50, 1000, {{"", 3.6}, {"H200", 7.2}}};
  const auto rows = deploymentRows(sampling, {}, plan);
  EXPECT_DOUBLE_EQ(*rows[0].cost, 7.2 / 3600);
  EXPECT_DOUBLE_EQ(*rows[1].cost, 3.6 / 3600);
}

// The page's figures, in words and for programs.
TEST(Deployment, AReportHoldsTheSameFigures) {
  std::vector<ComparedRun> sampling{side("opt1", "H200", {20}), side("bf16", "H200", {10})}, training{side("opt1", "H200", {36})};
  sampling[0].measures.push_back({"energy_j", "Energy a step", "J", Direction::LowerIsBetter, spreadOf({7.2})});
  training[0].measures.push_back({"energy_j", "Energy a step", "J", Direction::LowerIsBetter, spreadOf({36})});
  const auto report = deploymentReport(sampling, training, {50, 100000, {{"H200", 7.2}, {"V100", 1}}}, "CHF");
  ASSERT_TRUE(report);
  const Json& opt1 = report->data.at("sides").at(1);
  EXPECT_EQ(opt1.at("name"), "opt1 · H200");
  EXPECT_EQ(opt1.at("latency_ms"), 1000);
  EXPECT_EQ(opt1.at("volumes_per_hour"), 3600);
  EXPECT_EQ(opt1.at("energy_j"), 360);
  EXPECT_EQ(opt1.at("cost"), 7.2 / 3600);
  EXPECT_EQ(opt1.at("training_h"), 1);
  EXPECT_EQ(opt1.at("training_energy_j"), 3.6e6);
  EXPECT_TRUE(report->data.at("sides").at(0).at("training_h").is_null());
  ReportDocument document;
  document.sections.push_back(report->section);
  const std::string text = writeReport(document, ReportFormat::PlainText);
  for (const char* words : {"A volume of 50 sampling steps", "A training of 100\u202f000 training steps", "Cost [CHF]", "Energy [Wh]", "Energy [kWh]", "given: 7.2 CHF for an hour of H200."})
    EXPECT_THAT(text, HasSubstr(words));
  EXPECT_THAT(writeReport(document, ReportFormat::HtmlPage), HasSubstr("1.00 s")) << "a drawing of latencies";
  const auto notes = notesOnPrices(sampling, {50, 100000, {{"", 1}, {"H200", 7.2}, {"V100", 1}}});
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("V100"));
}

TEST(Deployment, AReportWithoutPricesSaysThatCostsAreUnknown) {
  const auto report = deploymentReport({side("opt1", "H200", {20})}, {}, {}, "€");
  ASSERT_TRUE(report);
  ASSERT_EQ(report->section.tables.size(), 1u);
  for (const ReportColumn& column : report->section.tables[0].columns)
    EXPECT_NE(column.title, "Cost");
  EXPECT_THAT(report->section.sentences[1], HasSubstr("unknown"));
  EXPECT_FALSE(deploymentReport({}, {}, {}, "€"));
}

} // namespace
} // namespace voxlab

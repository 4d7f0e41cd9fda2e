// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/comparison_dress.h"
#include "core/analysis/experiment_report.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace voxlab;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
ComparedRun side(const std::string& mode, double step_ms, const std::string& run = "run", const std::string& device = "H200") {
  ComparedRun s;
  s.name = s.mode = mode;
  s.what = "train";
  s.device = device;
  s.source = run;
  s.folder = run;
  s.workload = "128 × 128 × 128";
  s.measures.push_back({"duration_ms", "Time a step", "ms", Direction::LowerIsBetter, spreadOf({step_ms})});
  return s;
}

VolumePoint point(const std::string& mode, double volume_ms, double ssim) {
  VolumePoint p;
  p.mode = mode;
  p.sampler = "ddim";
  p.steps = 50;
  p.device = "H200";
  p.source = "drawn_" + mode;
  p.volume_ms = {volume_ms};
  QualityMeasure m;
  m.name = "ssim";
  m.title = "3D SSIM";
  m.direction = "higher";
  m.value = ssim;
  m.count = 8;
  p.quality.push_back(m);
  return p;
}

std::vector<std::string> namesOf(const std::vector<ComparedRun>& sides) {
  std::vector<std::string> names;
  for (const ComparedRun& s : sides)
    names.push_back(s.name);
  return names;
}
} // namespace

TEST(ComparisonDress, KeysSpeakOfTheSameSidesWhenOthersCome) {
  const std::vector<ComparedRun> sides{side("opt1", 10, "a"), side("opt1", 20, "b", "A100"), side("opt1", 11, "c")};
  EXPECT_EQ(sideKey(sides[1]), "opt1|A100|128 × 128 × 128|b");
  EXPECT_TRUE(speaksOf(sideKey(sides[0]), sides, 0));
  EXPECT_FALSE(speaksOf(sideKey(sides[0]), sides, 2)) << "a twin has its own";
  EXPECT_TRUE(speaksOf(plainSideKey(sides[0]), sides, 0) && speaksOf(plainSideKey(sides[0]), sides, 2));
  EXPECT_TRUE(speaksOf("opt1|A100|128 × 128 × 128|gone", sides, 1)) << "no other could be meant";
  EXPECT_FALSE(speaksOf("opt1|H200|128 × 128 × 128|gone", sides, 0)) << "one of two";
  EXPECT_FALSE(speaksOf("opt12|A100|128 × 128 × 128|b", sides, 1));
}

TEST(ComparisonDress, TheReadersOrderComesFirst) {
  std::vector<ComparedRun> sides{side("a", 1), side("b", 1), side("c", 1)};
  orderSides(sides, {sideKey(sides[2]), "gone", sideKey(sides[0])});
  EXPECT_THAT(namesOf(sides), ElementsAre("c", "a", "b"));
}

TEST(ComparisonDress, ReportsHaveNamesNotesAndOrder) {
  ComparisonSet set;
  set.training = {side("baseline", 1000), side("opt1", 500), side("opt2", 1100)};
  set.points = {point("baseline", 900, 0.8), point("opt1", 400, 0.79)};
  ComparisonDress dress;
  dress.names = {{sideKey(set.training[0]), "FP32"}, {sideKey(set.training[1]), "TF32 everywhere"}, {"opt1 · ddim 50|H200||drawn_opt1", "Half the bits"}};
  dress.notes = {{sideKey(set.training[2]), "second night, fan loud"}, {"baseline · ddim 50|H200||drawn_baseline", "the one of the paper"}};
  dress.pinned = {sideKey(set.training[2])};
  dress.order = {sideKey(set.training[1])};
  const ComparisonSet shown = dressed(set, dress);
  EXPECT_THAT(namesOf(shown.training), ElementsAre("opt2", "TF32 everywhere", "FP32"));
  EXPECT_EQ(shown.points[1].name(), "Half the bits");
  EXPECT_EQ(shown.points[1].recordedName(), "opt1 · ddim 50");
  ExperimentReportOptions options;
  options.baseline = "FP32";
  const auto report = experimentReport(shown, options);
  ASSERT_TRUE(report) << report.error().message;
  const std::string html = writeReport(*report, ReportFormat::HtmlPage);
  EXPECT_THAT(html, HasSubstr("TF32 everywhere is 2.0 times as fast as FP32"));
  EXPECT_THAT(html, HasSubstr("second night, fan loud"));
  EXPECT_THAT(html, HasSubstr("the one of the paper"));
  EXPECT_THAT(html, HasSubstr("Half the bits"));
  const Json& data = report->data;
  EXPECT_EQ(data["training"]["baseline"], "FP32");
  EXPECT_EQ(data["training"]["runs"][0]["name"], "opt2");
  EXPECT_EQ(data["training"]["measures"][0]["values"][1]["normalised"], 0.5);
  EXPECT_EQ(data["remarks"]["opt2"], "second night, fan loud");
  EXPECT_THAT(data["run_again"].dump(), testing::Not(HasSubstr("FP32"))) << "a command names what was recorded";
}

TEST(ComparisonDress, SidesThatAreCalledTheSameAreToldApart) {
  ComparisonSet set;
  set.training = {side("baseline", 1000, "a"), side("baseline", 1100, "b"), side("opt1", 500, "a", "A100")};
  set.points = {point("baseline", 900, 0.8), point("opt1", 400, 0.79)};
  ComparisonDress dress;
  dress.names = {{plainSideKey(set.training[0]), "FP32"}, {"baseline · ddim 50|H200|", "Same"}, {"opt1 · ddim 50|H200|", "Same"}};
  const ComparisonSet shown = dressed(set, dress);
  EXPECT_THAT(namesOf(shown.training), ElementsAre("FP32 · a", "FP32 · b", "opt1"));
  EXPECT_EQ(shown.points[0].name(), "Same");
  EXPECT_EQ(shown.points[1].name(), "Same · opt1 · ddim 50");
}

// A device without a baseline of its own has no multiples, and no sentences of them.
TEST(ComparisonDress, ReportsCanHoldEveryDeviceAgainstItsOwn) {
  ComparisonSet set;
  set.training = {side("baseline", 1000, "a"), side("opt1", 500, "a"), side("baseline", 4000, "b", "A100"), side("opt1", 1000, "b", "A100"), side("opt1", 700, "c", "V100")};
  nameSides(set.training);
  ExperimentReportOptions options;
  options.scope = DeviceScope::Within;
  const auto report = experimentReport(set, options);
  ASSERT_TRUE(report) << report.error().message;
  const Json& values = report->data["training"]["measures"][0]["values"];
  EXPECT_EQ(values[3]["normalised"], 0.25);
  EXPECT_FALSE(values[4].contains("normalised"));
  EXPECT_TRUE(report->data["training"]["runs"][4]["baseline"].is_null());
  EXPECT_THAT(report->sections[0].sentences[0], HasSubstr("opt1 · A100 is 4.0 times as fast as baseline · A100"));
}

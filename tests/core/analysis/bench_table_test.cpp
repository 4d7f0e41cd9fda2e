// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/bench_report.h"
#include "core/analysis/comparison.h"
#include "core/analysis/published_times.h"
#include "tests/support/temporary_folder.h"
#include <fstream>
#include <gmock/gmock.h>

using namespace voxlab;
using testing::HasSubstr;
using testing::Not;

namespace {
Event bench(const std::string& mode, const std::string& what, Json fields) {
  Event event{std::string(event::kBench), 1, {{"mode", mode}, {"what", what}}};
  event.fields.update(fields);
  return event;
}

std::vector<Event> someEvents() {
  std::vector<Event> events;
  for (const double ms : {10.0, 30.0, 20.0})
    events.push_back(bench("baseline", "train", {{"turn", 1}, {"repetition", 1}, {"duration_ms", ms}, {"device_ms", ms - 1}}));
  for (const double ms : {5.0, 5.0})
    events.push_back(bench("opt1", "train", {{"duration_ms", ms}, {"device_ms", 4.0}}));
  events.push_back(bench("opt1", "train", {{"energy_j", 2.0}, {"peak_allocated_bytes", 3e9}}));
  events.push_back(bench("opt1", "train", {{"energy_j", 4.0}, {"peak_allocated_bytes", 5e9}}));
  events.push_back(bench("opt1", "train", {{"kernel_ms", 3.9}, {"launches", 120}, {"loss_difference", 1.5e-5}}));
  events.push_back(bench("fused_bf16", "train", {{"unavailable", "It needs an NVIDIA GPU."}}));
  return events;
}

RunState stateOf(const std::vector<Event>& events) {
  RunState state;
  for (const Event& event : events)
    EXPECT_TRUE(state.apply(event));
  return state;
}

RunDirectory runWith(const TemporaryFolder& folder, const std::vector<Event>& events, std::vector<std::int64_t> size) {
  JobSpec spec("bench");
  spec.set("data.size", size);
  spec.set("train.batch", 1);
  spec.set("model", {{"base_channels", 64}, {"multipliers", {1, 1, 2, 3, 4}}, {"image_channels", 1}, {"condition_channels", 2}, {"residual_blocks", 1}, {"attention_factors", {8}}});
  spec.set("bench.what", {"train"});
  const RunDirectory run = RunDirectory::createAt(folder / "run", spec, {}).value();
  std::ofstream out(run.eventsFile());
  out << R"({"type":"hello","time_s":0,"major":1,"minor":0,"start":1,"resume_step":0,"wall_time":"2026-01-01T00:00:00.000Z"})" << "\n";
  for (const Event& event : events)
    out << compactJson(toJson(event)) << "\n";
  std::ofstream(run.environmentFile()) << R"({"device":"cuda:0","gpu":{"name":"NVIDIA H200"},"driver":"580.1","versions":{"torch":"2.11.0","cudnn":91900}})" << "\n";
  return run;
}
} // namespace

TEST(BenchTable, OneRowAModeAndStepWithTheMedianOfItsSteps) {
  const auto rows = benchRows(stateOf(someEvents()));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].wall_ms.count, 3u);
  EXPECT_DOUBLE_EQ(rows[0].wall_ms.median, 20);
  EXPECT_DOUBLE_EQ(rows[0].wall_ms.lowerQuartile, 15);
  EXPECT_DOUBLE_EQ(rows[0].device_ms.median, 19);
  EXPECT_FALSE(rows[0].energy_j);
  EXPECT_DOUBLE_EQ(rows[1].energy_j.value(), 3);             // median of the turns
  EXPECT_DOUBLE_EQ(rows[1].peakAllocated_bytes.value(), 5e9); // the largest of the turns
  EXPECT_NEAR(rows[1].idle_percent().value(), 22, 1e-12); // 1 − 3.9 / 5
  EXPECT_FALSE(rows[2].measured());
  EXPECT_EQ(rows[2].unavailable, "It needs an NVIDIA GPU.");
  EXPECT_EQ(findRow(rows, "opt1", "train"), &rows[1]);
  EXPECT_EQ(findRow(rows, "opt1", "sample"), nullptr);
}

// One volume a step: the rate is over the median step, not over the device's median or over the last turn's.
TEST(BenchTable, RatesFollowFromTheMedianTime) {
  auto events = someEvents();
  events.push_back(bench("baseline", "train", {{"volumes", 2}, {"flops", 4e12}, {"bound_ms", 5.0}}));
  const auto rates = ratesOf(benchRows(stateOf(events))[0]);
  EXPECT_DOUBLE_EQ(rates.volumesPerSecond->median, 2 / 0.020);
  EXPECT_DOUBLE_EQ(rates.volumesPerSecond->lowerQuartile, 2 / 0.025);
  EXPECT_DOUBLE_EQ(rates.volumesPerSecond->maximum, 2 / 0.010);
  EXPECT_DOUBLE_EQ(rates.flopsPerSecond->median, 4e12 / 0.020);
  EXPECT_DOUBLE_EQ(rates.bound_percent->median, 25);
  EXPECT_FALSE(ratesOf(benchRows(stateOf(someEvents()))[0]).volumesPerSecond);
}

// Older runs told rates over the median of all device times up to there: 2 volumes in 19 ms are 2 volumes a step.
TEST(BenchTable, OlderRunsToldRatesInPlaceOfWork) {
  std::vector<Event> events{bench("baseline", "train", {{"duration_ms", 10.0}, {"device_ms", 9.0}}), bench("baseline", "train", {{"volumes_per_s", 2 / 0.009}, {"flops_per_s", 4e12 / 0.009}, {"bound_percent", 50.0}}),
                            bench("baseline", "train", {{"duration_ms", 30.0}, {"device_ms", 29.0}}), bench("baseline", "train", {{"volumes_per_s", 2 / 0.019}, {"flops_per_s", 4e12 / 0.019}, {"bound_percent", 100 * 4.5 / 19}})};
  for (const bool wholly : {true, false}) {
    if (!wholly)
      events.pop_back(); // killed in its second turn
    const auto rows = benchRows(stateOf(events));
    EXPECT_NEAR(rows[0].volumes.value(), 2, 1e-12);
    EXPECT_NEAR(rows[0].bound_ms.value(), 4.5, 1e-12);
    EXPECT_NEAR(ratesOf(rows[0]).flopsPerSecond->median, 4e12 / 0.020, 1);
    const auto sides = comparedBench(stateOf(events), "H200");
    EXPECT_NEAR(sides[0].measure("volumes_per_s")->spread.median * sides[0].measure("duration_ms")->spread.median, 2000, 1e-9);
    EXPECT_FALSE(sides[0].measure("volumes"));
  }
}

TEST(BenchTable, JsonLeavesOutWhatIsUnknown) {
  const auto rows = benchRows(stateOf(someEvents()));
  const Json baseline = toJson(rows[0]), refused = toJson(rows[2]);
  EXPECT_FALSE(baseline.contains("energy_j"));
  EXPECT_FALSE(baseline.contains("unavailable"));
  EXPECT_EQ(compactJson(refused), R"({"mode":"fused_bf16","what":"train","unavailable":"It needs an NVIDIA GPU."})");
}

TEST(BenchReport, SaysWhereItWasMeasuredAndWhatWasNot) {
  const TemporaryFolder folder;
  const auto report = benchRunReport(runWith(folder, someEvents(), {128, 128, 128}));
  ASSERT_TRUE(report) << report.error().message;
  const std::string text = writeReport(*report, ReportFormat::PlainText);
  EXPECT_THAT(text, HasSubstr("On NVIDIA H200"));
  EXPECT_THAT(text, HasSubstr("cuDNN 9.19.0, NVIDIA driver 580.1."));
  EXPECT_THAT(text, HasSubstr("20.00 (15.00 – 25.00)"));
  EXPECT_THAT(text, HasSubstr("fused_bf16, Training step. It needs an NVIDIA GPU."));
  EXPECT_THAT(text, HasSubstr("published code [ms]")); // beside its own mode
  EXPECT_THAT(text, Not(HasSubstr("power")));
  EXPECT_THAT(writeReport(*report, ReportFormat::CsvTables), HasSubstr("baseline,20,1,0.25,"));
  EXPECT_EQ(report->data["rows"].size(), 3u);
}

TEST(BenchReport, PublishedTimesStandBesideTheSameProblemOnly) {
  const TemporaryFolder folder;
  const auto report = benchRunReport(runWith(folder, someEvents(), {40, 40, 40}));
  ASSERT_TRUE(report);
  EXPECT_THAT(writeReport(*report, ReportFormat::PlainText), Not(HasSubstr("published")));
}

TEST(BenchReport, SeveralRunsOnOnePage) {
  const TemporaryFolder a, b;
  const auto report = benchRunsReport({runWith(a, someEvents(), {64, 64, 64}), runWith(b, someEvents(), {128, 128, 128})}, "Modes");
  ASSERT_TRUE(report);
  const std::string text = writeReport(*report, ReportFormat::MarkdownText);
  EXPECT_TRUE(text.starts_with("# Modes\n"));
  EXPECT_THAT(text, HasSubstr("128 × 128 × 128"));
  EXPECT_THAT(text, HasSubstr("64 × 64 × 64"));
  EXPECT_EQ(report->data["benchmarks"].size(), 2u);
}

// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/comparison_report.h"
#include "core/analysis/named_colours.h"
#include "core/analysis/profile_report.h"
#include "tests/core/analysis/trace_text.h"
#include <gtest/gtest.h>
#include <set>

using namespace voxlab;

namespace {
ReportDocument sample() {
  ReportDocument document;
  document.title = "Title <1> & \"more\"";
  ReportTable table{"Times", {{"Name", "", ColumnKind::Words}, {"Time", "ms"}}, {}};
  table.rows.push_back({"a, \"b\" <c>", 1234.5678});
  table.rows.push_back({"unknown", ReportCell()});
  table.rows.push_back({"as text", ReportCell("1.2 GB", 1.2e9)});
  document.sections.push_back({"Section", {"A sentence."}, {{"Bar", "ms", {{"one", 1}, {"two <2>", 3}}}}, {table}});
  document.data = {{"x", 1}};
  return document;
}

// Every element closed in order, attributes quoted, no stray markup: enough of a validator for what is written here.
void expectWellFormed(const std::string& html) {
  std::vector<std::string> open;
  for (std::size_t i = html.find('<', 1); i != std::string::npos; i = html.find('<', i + 1)) {
    const std::size_t end = html.find('>', i);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = html.substr(i + 1, end - i - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" \n"));
    EXPECT_EQ(std::count(tag.begin(), tag.end(), '"') % 2, 0) << tag;
    if (tag[0] == '/') {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(tag.substr(1), open.back());
      open.pop_back();
    } else if (!tag.ends_with('/') && name != "meta") {
      open.push_back(name);
    }
    if (name == "style")
      i = html.find("</style", end) - 1;
  }
  EXPECT_TRUE(open.empty());
}
} // namespace

TEST(Report, Text) {
  EXPECT_EQ(writeReport(sample(), ReportFormat::PlainText), "Title <1> & \"more\"\n\nSection\n-------\nA sentence.\nTimes\n"
                                                            "  Name        Time [ms]\n"
                                                            "  a, \"b\" <c>    1\u202f234.6\n"
                                                            "  unknown             –\n"
                                                            "  as text        1.2 GB\n\n");
}

TEST(Report, CsvKeepsTheValues) {
  EXPECT_EQ(writeReport(sample(), ReportFormat::CsvTables),
            "table,Times\nName,Time [ms]\n\"a, \"\"b\"\" <c>\",1234.5678\nunknown,\nas text,1200000000\n");
}

TEST(Report, NamesThatHoldLineEndsStayOnTheirLine) {
  ReportDocument document;
  document.sections.push_back({"Kernels", {}, {}, {{"", {{"Kernel", "", ColumnKind::Words}, {"Calls", ""}}, {{ReportCell("a\nb\tc"), ReportCell(1.0)}}}}});
  EXPECT_NE(writeReport(document, ReportFormat::PlainText).find("  a b c   "), std::string::npos);
  EXPECT_NE(writeReport(document, ReportFormat::MarkdownText).find("| a b c | 1.00 |"), std::string::npos);
}

TEST(Report, CountersHaveUnitsAndExactSums) {
  const NcuReport report = readNcuReport({recorded("ncu_raw_opt1_128.csv.gz")}).value();
  const ReportDocument document = counterReport(report, "t", 5);
  const std::string csv = writeReport(document, ReportFormat::CsvTables), text = writeReport(document, ReportFormat::PlainText);
  EXPECT_NE(csv.find("Measure,Value,Unit\n"), std::string::npos);
  const auto value = aggregateCounters(report);
  char duration[64];
  std::snprintf(duration, sizeof duration, "Duration,%.10g,ms\n", *value[Counter::Duration] * 1e3);
  EXPECT_NE(csv.find(duration), std::string::npos) << duration;
  EXPECT_NE(csv.find("Tensor instructions,545937152,\n"), std::string::npos);
  EXPECT_NE(csv.find("DRAM read," + std::to_string(static_cast<long long>(*value[Counter::DramRead])) + ",B\n"), std::string::npos);
  EXPECT_EQ(csv.find("e+"), std::string::npos) << "sums are whole";
  const auto at = text.find("Instructions per cycle");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(text.substr(at, text.find('\n', at) - at).find(" m"), std::string::npos) << "ratios have no prefix";
  EXPECT_EQ(text.find("Unit"), std::string::npos);
}

TEST(Report, ShortenedTablesSaySoAndCsvHoldsAllOfThem) {
  ReportDocument document;
  document.title = "Kernels";
  ReportTable table{"Longest", {{"Kernel", "", ColumnKind::Words}, {"Time", "ms"}}, {}};
  for (int n = 0; n < 5; ++n)
    table.rows.push_back({ReportCell("kernel " + std::to_string(n)), ReportCell(5.0 - n)});
  table.shownRows = 2;
  document.sections.push_back({"Kernels", {}, {}, {table}});
  for (const ReportFormat format : {ReportFormat::PlainText, ReportFormat::HtmlPage, ReportFormat::MarkdownText}) {
    const std::string written = writeReport(document, format);
    EXPECT_NE(written.find("kernel 1"), std::string::npos);
    EXPECT_EQ(written.find("kernel 2"), std::string::npos);
    EXPECT_NE(written.find("… and 3 rows more"), std::string::npos) << written;
  }
  const std::string csv = writeReport(document, ReportFormat::CsvTables);
  EXPECT_NE(csv.find("kernel 4"), std::string::npos);
  EXPECT_EQ(csv.find("rows more"), std::string::npos);
}

TEST(Report, HtmlIsEscapedAndWellFormed) {
  const std::string html = writeReport(sample(), ReportFormat::HtmlPage);
  expectWellFormed(html);
  EXPECT_NE(html.find("<title>Title &lt;1&gt; &amp; &quot;more&quot;</title>"), std::string::npos);
  EXPECT_NE(html.find("two &lt;2&gt;: 3.00 ms"), std::string::npos);
  EXPECT_EQ(html.find("<script"), std::string::npos);
}

// A category keeps its colour whatever stands before it, so that two bars can be held against each other.
TEST(Report, ACategoryHasOneColourInAllBars) {
  const ReportPart layout{"Layout conversion", 3, "layout_conversion"}, upsample{"Up-sampling", 2, "upsample"}, unnamed{"One's own", 1};
  ReportDocument document;
  document.sections.push_back({"Bars", {}, {{"a", "ms", {layout, upsample}}, {"b", "ms", {upsample}}, {"c", "ms", {unnamed, upsample, layout}}}, {}});
  const std::string html = writeReport(document, ReportFormat::HtmlPage);
  const auto count = [&](const std::string& words) {
    std::size_t found = 0;
    for (std::size_t at = html.find(words); at != std::string::npos; at = html.find(words, at + 1))
      ++found;
    return found;
  };
  EXPECT_EQ(count("fill=\"#d55e00\" fill-opacity=\"1\"><title>Layout conversion"), 2u);
  EXPECT_EQ(count("fill=\"#ddd03a\" fill-opacity=\"1\"><title>Up-sampling"), 3u);
  EXPECT_EQ(count("fill=\"#0072b2\" fill-opacity=\"1\"><title>One's own"), 1u);
  std::set<std::string> colours;
  for (std::size_t i = 1; i < static_cast<std::size_t>(KernelCategory::Count); ++i) {
    const NamedColour* colour = findNamedColour(categoryName(static_cast<KernelCategory>(i)));
    ASSERT_TRUE(colour) << i;
    colours.insert(htmlColour(colour->light));
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(IdleCause::Count); ++i) {
    const NamedColour* colour = findNamedColour(idleName(static_cast<IdleCause>(i)));
    ASSERT_TRUE(colour) << i;
    colours.insert(htmlColour(colour->light));
  }
  EXPECT_EQ(colours.size(), static_cast<std::size_t>(KernelCategory::Count) - 1 + static_cast<std::size_t>(IdleCause::Count)) << "two share a colour";
  EXPECT_EQ(findNamedColour("nothing"), nullptr);
}

TEST(Report, JsonAndNames) {
  EXPECT_EQ(writeReport(sample(), ReportFormat::JsonDocument), "{\n  \"x\": 1\n}\n");
  EXPECT_EQ(reportFormatFrom("html"), ReportFormat::HtmlPage);
  EXPECT_EQ(reportFormatFrom("xml"), ReportFormat::Unknown);
}

TEST(Report, OfARecordedTrace) {
  const Trace trace = readTrace(recorded("trace_opt1_128.json.gz")).value();
  const NcuReport counters = readNcuReport({recorded("ncu_raw_opt1_128.csv.gz"), recorded("ncu_details_opt1_128.csv.gz")}).value();
  ProfileReportOptions options;
  options.asked = Precision::Tf32;
  options.counters = &counters;
  const ReportDocument document = profileReport(trace, KernelIndex(trace), options);
  const Json& data = document.data;
  EXPECT_EQ(data.at("steps"), 2);
  EXPECT_NEAR(data.at("kernel_ms_per_step").get<double>(), 226.68, 0.23);
  double sum = 0;
  for (const auto& [name, ms] : data.at("categories_ms").items())
    sum += ms.get<double>();
  EXPECT_NEAR(sum, data.at("wall_ms_per_step").get<double>(), 1e-6);
  EXPECT_NEAR(data.at("families_ms").at("GroupNorm statistics").get<double>(), 34.19, 0.01);
  EXPECT_NEAR(data.at("counters").at("coverage").get<double>(), 0.387, 0.001);
  EXPECT_EQ(data.at("counters").at("partial"), true);
  EXPECT_EQ(data.at("device"), "NVIDIA H200");
  for (const auto format : {ReportFormat::PlainText, ReportFormat::JsonDocument, ReportFormat::CsvTables, ReportFormat::HtmlPage})
    EXPECT_GT(writeReport(document, format).size(), 3000u);
  expectWellFormed(writeReport(document, ReportFormat::HtmlPage));
  EXPECT_TRUE(parseJson(writeReport(document, ReportFormat::JsonDocument), "the report"));
}

TEST(Report, StepsOfSeveralKindsAreToldApart) {
  const Trace trace = TraceText()
                          .range("train_step", 0, 90)
                          .kernel("sgemm", 1, 10, 60)
                          .range("sample_step", 100, 90)
                          .kernel("sgemm", 101, 110, 20)
                          .range("sample_step", 200, 90)
                          .kernel("sgemm", 201, 210, 40)
                          .read();
  const Json data = profileReport(trace, KernelIndex(trace)).data;
  EXPECT_EQ(data.at("step_kinds").at("sample_step").at("steps"), 2);
  EXPECT_NEAR(data.at("step_kinds").at("sample_step").at("kernel_ms_per_step").get<double>(), 0.030, 1e-9);
  EXPECT_NEAR(data.at("step_kinds").at("train_step").at("kernel_ms_per_step").get<double>(), 0.060, 1e-9);
}

TEST(Report, OfCountersAlone) {
  const NcuReport counters = readNcuReport({recorded("ncu_raw_opt1_128.csv.gz"), recorded("ncu_details_opt1_128.csv.gz")}).value();
  const ReportDocument document = counterReport(counters, "Counters");
  EXPECT_EQ(document.data.at("counters").at("launches"), 233);
  EXPECT_NE(writeReport(document, ReportFormat::PlainText).find("GroupNorm statistics"), std::string::npos);
}

TEST(Report, OfCountersAloneKnowsNoStep) {
  const NcuReport raw = readNcuReport({recorded("ncu_raw_opt1_128.csv.gz")}).value();
  const ReportDocument document = counterReport(raw, "Raw page");
  EXPECT_TRUE(document.data.at("counters").at("coverage").is_null());
  EXPECT_TRUE(document.data.at("counters").at("partial").is_null());
  EXPECT_TRUE(document.data.at("priorities").at(0).contains("ms"));
  EXPECT_FALSE(document.data.at("priorities").at(0).contains("ms_per_step"));
  EXPECT_GT(document.data.at("priorities").at(0).at("score").get<double>(), 0) << "estimated from how busy SM and memory are";
  for (const auto format : {ReportFormat::PlainText, ReportFormat::HtmlPage}) {
    const std::string text = writeReport(document, format);
    EXPECT_NE(text.find("What share of a step they cover is unknown"), std::string::npos);
    EXPECT_NE(text.find("of its peak"), std::string::npos);
    EXPECT_EQ(text.find("No rule estimates"), std::string::npos);
    EXPECT_EQ(text.find("a step ["), std::string::npos);
  }
}

TEST(Report, StepTimesAreNotRoundedAway) {
  const Trace trace = readTrace(recorded("trace_baseline_128.json.gz")).value();
  const std::string text = writeReport(profileReport(trace, KernelIndex(trace)), ReportFormat::PlainText);
  EXPECT_NE(text.find("2 steps: 1\u202f223.8 ms wall time, 1\u202f218.3 ms of kernels"), std::string::npos) << text.substr(0, 400);
  EXPECT_NE(text.find("  705.5 "), std::string::npos) << "in tables, too";
}

// A step of 7 ms, 4 of them in a product that could be faster, 1 idle; the two other kernels' operators say nothing: 2 / 7 = 29 %.
TEST(Report, PrioritiesListWhatIsToBeGainedAndThenTheRestWithItsReasons) {
  TraceText text;
  text.event(R"("ph":"M","name":"none","pid":0,"tid":0,"args":{})");
  text.range("train_step", 0, 10000).op("aten::mm", 0, 50, 1, R"("Input Dims":[[4096,4096],[4096,4096]],"Input type":["float","float"],"Concrete Inputs":["",""])");
  text.kernel("cutlass_80_simt_sgemm_256x128_8x4_nn_align1", 1, 10, 4000).kernel("mystery", 200, 5010, 1000).kernel("another", 300, 6010, 1000);
  Trace trace = text.read();
  trace.devices.push_back({0, "NVIDIA H200", 141'000'000'000, 9, 0, 132});
  const ReportDocument document = profileReport(trace, KernelIndex(trace));
  EXPECT_EQ(document.data.at("priorities").size(), 3u) << "for programs all of them";
  const std::string words = writeReport(document, ReportFormat::PlainText);
  const std::string section = words.substr(words.find("Where work pays"), 1500);
  EXPECT_NE(section.find("CUTLASS gemm"), std::string::npos) << section;
  const auto rest = section.find("Without an estimated saving: 29 % of the step");
  ASSERT_NE(rest, std::string::npos) << section;
  EXPECT_EQ(section.substr(0, rest).find("mystery"), std::string::npos) << section;
  EXPECT_NE(section.find("mystery", rest), std::string::npos) << section;
  EXPECT_NE(section.find("another", rest), std::string::npos) << section;
  for (const auto& item : document.data.at("priorities"))
    EXPECT_FALSE(item.at("reason").get<std::string>().empty()) << item;
}

// Without shapes nothing but a conversion has a gain, and each of the others says what it lacks; the conversion's operator is not known.
TEST(Report, TheRestWithoutGainSaysWhy) {
  TraceText text;
  text.range("train_step", 0, 10000).kernel("nchwToNhwcKernel<float>", 1, 10, 10).op("aten::mm", 4, 10).kernel("sgemm", 5, 20, 90).kernel("mystery", 50, 110, 5);
  Trace trace = text.read();
  for (const auto& [device, why] : {std::pair("NVIDIA H200", "The shapes of what aten::mm works on were not recorded (record_shapes)."),
                                    {"Some GPU", "What this GPU can do at best is not known to this program."}}) {
    trace.devices = {{0, device, 141'000'000'000, 9, 0, 132}};
    const std::string words = writeReport(profileReport(trace, KernelIndex(trace)), ReportFormat::HtmlPage);
    EXPECT_NE(words.find(why), std::string::npos) << words;
    EXPECT_NE(words.find("Copies between memory layouts. All of it could go at most, if what writes and what reads these tensors agreed on one layout"), std::string::npos) << words;
  }
}

// Three steps on two GPUs side by side: one of them is shown, everywhere, and a sentence says which.
TEST(Report, OfSeveralGpusOneIsShownInEveryTable) {
  for (const int busier : {0, 1}) {
    TraceText text;
    for (int step = 0; step < 3; ++step) {
      const int begin = 1000 * step;
      text.range("train_step", begin, 900);
      for (int gpu = 0; gpu < 2; ++gpu)
        for (int k = 0; k < 2 + (gpu == busier ? 1 : 0); ++k)
          text.event(R"("ph":"X","cat":"kernel","name":")" + std::string(gpu == 0 ? "elementwise_kernel" : "ampere_sgemm_128x64_nn") + R"(","pid":)" + std::to_string(gpu) + R"(,"tid":7,"ts":)" +
                     std::to_string(begin + 10 + 200 * k) + R"(,"dur":100,"args":{"device":)" + std::to_string(gpu) + R"(,"stream":7})");
    }
    const Trace trace = text.read();
    const KernelIndex index(trace);
    const ReportDocument document = profileReport(trace, index);
    const Json& data = document.data;
    ASSERT_EQ(data.at("steps"), 3);
    EXPECT_EQ(data.at("launches_per_step"), 3);
    EXPECT_NEAR(data.at("kernel_ms_per_step").get<double>(), 0.3, 1e-9);
    ASSERT_EQ(data.at("kernels").size(), 1u) << "the other GPU's kernel is left out";
    double sum_ms = 0, listed_ms = 0;
    for (const auto& [category, ms] : data.at("categories_ms").items())
      sum_ms += ms.get<double>();
    for (const auto& [family, ms] : data.at("families_ms").items())
      listed_ms += ms.get<double>();
    EXPECT_NEAR(sum_ms, data.at("wall_ms_per_step").get<double>(), 1e-9);
    EXPECT_NEAR(listed_ms, data.at("busy_ms_per_step").get<double>(), 1e-9);
    ASSERT_EQ(trace.streams.size(), 1u);
    EXPECT_EQ(trace.streams[0].device, busier);
    EXPECT_EQ(trace.gpu.size(), 9u);
    const std::string words = "The recording holds 2 GPUs. Everything here is of GPU " + std::to_string(busier) + ", which worked longest; 6 kernels and copies of the others are left out.";
    EXPECT_NE(writeReport(document, ReportFormat::PlainText).find(words), std::string::npos) << words;
  }
}

// 60 µs in two calls, of which one is in three stretches. A processor has operators and calls, and one table of them.
TEST(Report, OfAProcessorSpeaksOfOperatorsAndCalls) {
  const Trace trace = TraceText().range("train_step", 0, 100).op("aten::conv3d", 0, 40).op("aten::contiguous", 10, 20).op("aten::silu", 60, 20).read();
  const ReportDocument document = profileReport(trace, KernelIndex(trace));
  for (const auto format : {ReportFormat::PlainText, ReportFormat::HtmlPage}) {
    const std::string text = writeReport(document, format);
    EXPECT_NE(text.find("0.0600 ms of operators in 3 calls"), std::string::npos) << text;
    EXPECT_NE(text.find("Calls a step"), std::string::npos) << text;
    EXPECT_EQ(text.find("aunches"), std::string::npos) << text;
    EXPECT_EQ(text.find("Families"), std::string::npos) << text;
    EXPECT_EQ(text.find("Where work pays"), std::string::npos) << "a copy may be the processor's work: " << text;
  }
  for (const auto& item : document.data.at("priorities"))
    EXPECT_EQ(item.at("estimated_saving"), 0);
}

TEST(Report, OfAProcessorSaysWhatIsNotKnown) {
  const std::string inputs = R"("Input Dims":[[1,8,4,4,4],[8,8,3,3,3]],"Input type":["float","float"],"Concrete Inputs":["",""])";
  const Trace trace = TraceText().range("train_step", 0, 100).op("aten::mkldnn_convolution", 10, 40, 1, inputs).op("aten::silu", 60, 20).read();
  ProfileReportOptions options;
  options.asked = Precision::Fp32;
  const ReportDocument document = profileReport(trace, KernelIndex(trace), options);
  for (const auto format : {ReportFormat::PlainText, ReportFormat::HtmlPage}) {
    const std::string text = writeReport(document, format);
    EXPECT_NE(text.find("No speed-up is estimated: what a processor can do at best is not known"), std::string::npos) << text;
    EXPECT_NE(text.find("Asked for FP32: 100 %"), std::string::npos) << text;
    EXPECT_EQ(text.find("Where work pays"), std::string::npos);
    EXPECT_EQ(text.find("tensor cores"), std::string::npos);
  }
  EXPECT_EQ(document.data.at("precision").at("judged_by"), "input_types");
  EXPECT_EQ(document.data.at("precision").at("rows").at(0).at("arithmetic"), "FP32");
}

TEST(Report, OfAComparison) {
  std::vector<ComparedRun> runs;
  for (const char* mode : {"baseline", "opt1"}) {
    const Trace trace = readTrace(recorded(std::string("trace_") + mode + "_128.json.gz")).value();
    runs.push_back(comparedProfile(mode, trace, KernelIndex(trace)));
  }
  const ReportDocument document = comparisonReport(compareRuns(runs, "baseline").value());
  EXPECT_EQ(document.data.at("baseline"), "baseline");
  EXPECT_NEAR(document.data.at("measures")[0].at("values")[1].at("normalised").get<double>(), 0.19167, 1e-4);
  EXPECT_NE(document.data.at("differences")[0].at("sentence").get<std::string>().find("5.2 times as fast"), std::string::npos);
  expectWellFormed(writeReport(document, ReportFormat::HtmlPage));
  EXPECT_NE(writeReport(document, ReportFormat::PlainText).find("vanished"), std::string::npos);
}

// Two streams at once: 100 µs and 80 µs of kernels in 100 µs of the GPU's time.
TEST(Report, SaysThatStreamsOverlap) {
  TraceText text;
  text.range("train_step", 0, 1000).kernel("sgemm", 1, 10, 100, 1, 7);
  EXPECT_EQ(overlapWords(text.read(), breakDown(text.read(), KernelIndex(text.read())).mean), "");
  text.kernel("scudnn", 4, 20, 80, 1, 8);
  const Trace trace = text.read();
  const std::string report = writeReport(profileReport(trace, KernelIndex(trace)), ReportFormat::PlainText);
  EXPECT_NE(report.find("their times add up to 0.180 ms a step, in which the GPU was busy for 0.100 ms. Shares of the step may so add up to more than 100 %."), std::string::npos) << report;
  for (const auto& item : rankPriorities(trace, KernelIndex(trace), nullptr, nullptr))
    EXPECT_LE(item.share, 1);
}

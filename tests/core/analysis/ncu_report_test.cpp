// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/ncu_report.h"
#include "tests/core/analysis/trace_text.h"
#include <gtest/gtest.h>
#include <tuple>

using namespace voxlab;

namespace {
constexpr const char* kRaw = R"csv(==PROF== Connected to process 1 ("python")
==PROF== Profiling "add<1, 2>" - 0: 0%....50%....100% - 21 passes
"ID","Process ID","Kernel Name","Block Size","Grid Size","Device","CC","device__attribute_display_name","gpu__time_duration.sum","dram__bytes_read.sum","x__missing.pct"
"","","","","","","","","us","Kbyte","%"
"0","1","void add<1, ""two"">(float *)","(128, 1, 1)","(8192, 2, 1)","0","9.0","NVIDIA H200","1,234.5","11.008","no data"
"7","1","mul","(64, 2, 1)","(1, 1, 1)","0","9.0","NVIDIA H200","2.0","","12.5"
==PROF== Disconnected from process 1
)csv";
constexpr const char* kDetails = R"csv("ID","Process ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Type","Rule Description","Estimated Speedup Type","Estimated Speedup"
"0","1","void add<1, ""two"">(float *)","Occupancy","Achieved Occupancy","%","43.5",
"0","1","void add<1, ""two"">(float *)","GPU Speed Of Light Throughput","Duration","ms","1.23",
"0","1","void add<1, ""two"">(float *)","Occupancy","","","","TheoreticalOccupancy","OPT","Limited, by registers.","global","50.5"
)csv";

Result<NcuReport> read(const std::vector<std::string>& pages) {
  NcuReport report;
  for (const auto& page : pages) {
    auto source = byteSourceFromText(page, "page");
    if (const auto status = addNcuPage(report, *source); !status)
      return fail(status.error());
  }
  return report;
}
} // namespace

TEST(NcuReport, UnitsAndNumbers) {
  EXPECT_EQ(ncuNumber("1,234.5"), 1234.5);
  EXPECT_EQ(ncuNumber("-0.5"), -0.5);
  EXPECT_EQ(ncuNumber("no data"), std::nullopt);
  EXPECT_EQ(ncuNumber(""), std::nullopt);
  EXPECT_EQ(ncuNumber("inf"), std::nullopt);
  EXPECT_EQ(ncuNumber("12 x"), std::nullopt);
  EXPECT_DOUBLE_EQ(ncuUnitFactor("Kbyte"), 1e3);
  EXPECT_DOUBLE_EQ(ncuUnitFactor("Tbyte/s"), 1e12);
  EXPECT_DOUBLE_EQ(ncuUnitFactor("cycle/nsecond"), 1e9);
  EXPECT_DOUBLE_EQ(ncuUnitFactor("us"), 1e-6);
  EXPECT_DOUBLE_EQ(ncuUnitFactor("Kbyte/block"), 1e3);
  EXPECT_DOUBLE_EQ(ncuUnitFactor("%/Kbyte"), 1);
  EXPECT_DOUBLE_EQ(ncuUnitFactor("something new"), 1);
}

TEST(NcuReport, RawPageAmongLogLines) {
  const auto report = read({kRaw}).value();
  ASSERT_EQ(report.launches.size(), 2u);
  const NcuLaunch& add = report.launches[0];
  EXPECT_EQ(add.kernel, "void add<1, \"two\">(float *)");
  EXPECT_EQ(add.grid[0], 8192u);
  EXPECT_EQ(add.grid[1], 2u);
  EXPECT_EQ(report.launches[1].block[1], 2u);
  EXPECT_EQ(report.deviceName, "NVIDIA H200");
  EXPECT_DOUBLE_EQ(*report.value(add, "gpu__time_duration.sum"), 1234.5e-6);
  EXPECT_DOUBLE_EQ(*report.value(add, "dram__bytes_read.sum"), 11008);
  EXPECT_EQ(report.value(add, "x__missing.pct"), std::nullopt) << "no data is not zero";
  EXPECT_EQ(report.value(report.launches[1], "dram__bytes_read.sum"), std::nullopt) << "an empty cell is not zero";
  EXPECT_EQ(report.value(add, "never__heard.of"), std::nullopt);
}

TEST(NcuReport, PagesJoinInEitherOrder) {
  for (const auto& pages : {std::vector<std::string>{kRaw, kDetails}, std::vector<std::string>{kDetails, kRaw}}) {
    const auto report = read(pages).value();
    ASSERT_EQ(report.launches.size(), 2u);
    const NcuLaunch* add = report.find(0);
    ASSERT_NE(add, nullptr);
    EXPECT_EQ(report.value(*add, "sm__warps_active.avg.pct_of_peak_sustained_active"), 43.5);
    ASSERT_EQ(add->rules.size(), 1u);
    EXPECT_EQ(add->rules[0].name, "TheoreticalOccupancy");
    EXPECT_EQ(add->rules[0].speedup_percent, 50.5);
    EXPECT_EQ(add->rules[0].description, "Limited, by registers.");
  }
}

TEST(NcuReport, TheRawPagesDigitsStandWhicheverPageComesFirst) {
  for (const auto& pages : {std::vector<std::string>{kRaw, kDetails}, std::vector<std::string>{kDetails, kRaw}}) {
    const auto report = read(pages).value();
    EXPECT_DOUBLE_EQ(*report.value(*report.find(0), "gpu__time_duration.sum"), 1234.5e-6);
  }
}

TEST(NcuReport, PagesOfDifferentReportsDoNotJoin) {
  std::string other = kDetails;
  for (auto at = other.find("void add"); at != std::string::npos; at = other.find("void add"))
    other.replace(at, 8, "void sub");
  EXPECT_EQ(read({kRaw, other}).error().code, ExitCode::Data);
}

TEST(NcuReport, WithNothingButTheToolsErrorRepeatIt) {
  const auto refused = read({"==PROF== Connected to process 3\n==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters on the target device 0.\n"});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("ERR_NVGPUCTRPERM"), std::string::npos) << refused.error().message;
  EXPECT_NE(refused.error().message.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos) << "what to do";
  EXPECT_NE(read({"==ERROR== The application returned an error code (11).\n"}).error().message.find("The application returned an error code (11)."), std::string::npos);
  EXPECT_TRUE(read({std::string("==ERROR== Something that did not matter\n") + kRaw}));
}

TEST(NcuReport, BrokenPagesNameFileAndLine) {
  EXPECT_NE(read({"a,b\n1,2\n"}).error().message.find("no header line"), std::string::npos);
  EXPECT_NE(read({""}).error().message.find("no header line"), std::string::npos);
  const std::string raw = kRaw;
  const auto cut = read({raw.substr(0, raw.find("\"(64, 2, 1)\""))});
  ASSERT_FALSE(cut);
  EXPECT_NE(cut.error().message.find("page, line 6"), std::string::npos) << cut.error().message;
  EXPECT_NE(cut.error().message.find("cut off"), std::string::npos);
  EXPECT_FALSE(read({raw.substr(0, raw.find("\"0\",\"1\""))})) << "a header and nothing else";
}

TEST(NcuReport, AFailureLeavesTheReportAsItWas) {
  NcuReport report = read({kRaw}).value();
  const std::string broken = std::string(kDetails) + "\"x\",\"1\"";
  auto source = byteSourceFromText(broken, "page");
  EXPECT_FALSE(addNcuPage(report, *source));
  EXPECT_TRUE(report.launches[0].rules.empty());
}

TEST(NcuReport, Recorded) {
  const auto report = readNcuReport({recorded("ncu_raw_opt1_128.csv.gz"), recorded("ncu_details_opt1_128.csv.gz")});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->launches.size(), 233u);
  EXPECT_EQ(report->deviceName, "NVIDIA H200");
  const NcuLaunch* launch = report->find(5); // gpu__time_duration.sum 0.008000 ms, dram__bytes_read.sum 0.008403 Gbyte
  ASSERT_NE(launch, nullptr);
  EXPECT_DOUBLE_EQ(*report->value(*launch, "gpu__time_duration.sum"), 8e-6);
  EXPECT_DOUBLE_EQ(*report->value(*launch, "dram__bytes_read.sum"), 8.403e6);
  EXPECT_EQ(report->value(*launch, "derived__local_spilling_requests_pct"), std::nullopt);
  EXPECT_EQ(report->find(24)->rules.size(), 8u);
  EXPECT_EQ(readNcuReport({recorded("trace_opt1_128.json.gz")}).error().code, ExitCode::Data);
}

TEST(NcuReport, ATimeInAnUnknownUnitOrOfAnImpossibleLengthIsRefused) {
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = kRaw;
    text.replace(text.find(from), from.size(), to);
    return read({text});
  };
  for (const auto& [from, to, words] : {std::tuple{"\"us\"", "\"furlong\"", "furlong"}, std::tuple{"\"2.0\"", "\"-5e300\"", "cannot last"}}) {
    const auto refused = changed(from, to);
    ASSERT_FALSE(refused) << to;
    EXPECT_EQ(refused.error().code, ExitCode::Data);
    EXPECT_NE(refused.error().message.find(words), std::string::npos) << refused.error().message;
  }
  EXPECT_TRUE(changed("\"us\"", "\"second\""));
}

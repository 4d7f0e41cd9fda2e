// SPDX-License-Identifier: Apache-2.0
#include "core/profiling/ncu_source.h"
#include "core/analysis/counters.h"
#include "core/base/files.h"
#include "core/profiling/child_process.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace voxlab;
using testing::HasSubstr;

namespace {
class NcuSource : public testing::Test {
protected:
  NcuSource() {
    set("FAKE_NCU_PAGES", (testData() / "profiles").string());
    set("FAKE_NCU_LOG", (m_folder / "log").string());
    set("FAKE_NCU", "");
    m_order.command = {"/bin/true"};
    m_order.pages = m_folder / "profiles" / "01_train";
    m_order.expectedLaunches = 3;
  }
  ~NcuSource() override {
    for (const char* name : {"FAKE_NCU_PAGES", "FAKE_NCU_LOG", "FAKE_NCU", "FAKE_NCU_PIPE", "VOXLAB_NCU"})
      ::unsetenv(name);
  }
  static void set(const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); }
  static std::filesystem::path ncu() { return sourceFolder() / "tests" / "core" / "profiling" / "fake_ncu.sh"; }

  TemporaryFolder m_folder;
  NcuOrder m_order;
};
} // namespace

TEST_F(NcuSource, CollectsPagesThatTheReaderTakes) {
  std::vector<double> told;
  const Status collected = collectCounters(ncu(), m_order, {[&](double part) { told.push_back(part); }, {}});
  ASSERT_TRUE(collected) << collected.error().message;
  ASSERT_EQ(told.size(), 3u);
  EXPECT_DOUBLE_EQ(told[0], 1.0 / 3);
  EXPECT_DOUBLE_EQ(told[2], 1.0);
  const auto report = readNcuReport({m_order.pages.string() + ".raw.csv.gz", m_order.pages.string() + ".details.csv.gz"});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->launches.size(), 233u);
  const std::string log = readTextFile(m_folder / "log").value();
  for (const char* needed : {"--clock-control none", "--profile-from-start off", "--section WarpStateStats", "lts__t_sector_hit_rate.pct", "/bin/true"})
    EXPECT_THAT(log, HasSubstr(needed));
}

TEST_F(NcuSource, ARefusedPermissionIsASentenceThatSaysWhatTakesItsPlace) {
  set("FAKE_NCU", "forbidden");
  const Status refused = collectCounters(ncu(), m_order, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ExitCode::Data);
  EXPECT_THAT(refused.error().message, HasSubstr("ERR_NVGPUCTRPERM"));
  EXPECT_THAT(refused.error().message, HasSubstr("Estimates from shapes"));
}

TEST_F(NcuSource, AProgramThatFailsAndOneWithoutKernelsGiveNoCounters) {
  m_order.command = {"/bin/false"};
  EXPECT_THAT(collectCounters(ncu(), m_order, {}).error().message, HasSubstr("returned an error code"));
  set("FAKE_NCU", "silent");
  m_order.command = {"/bin/true"};
  EXPECT_THAT(collectCounters(ncu(), m_order, {}).error().message, HasSubstr("collected nothing"));
}

TEST_F(NcuSource, StopsWhenAskedTo) {
  const auto pipe = m_folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  set("FAKE_NCU", "endless");
  set("FAKE_NCU_PIPE", pipe.string());
  bool started = false;
  const Status stopped = collectCounters(ncu(), m_order, {[&](double) { started = true; }, [&] { return started; }});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ExitCode::Stopped);
}

TEST_F(NcuSource, IsFoundByNameOrReportedMissing) {
  set("VOXLAB_NCU", ncu().string());
  EXPECT_EQ(findNcu().value(), ncu());
  set("VOXLAB_NCU", "/nonexistent/ncu");
  EXPECT_THAT(findNcu().error().message, HasSubstr("/nonexistent/ncu"));
}

TEST(ChildProcess, GivesLinesAndExitCodes) {
  std::vector<std::string> lines;
  const auto ended = runProgram({"/bin/sh", "-c", "echo one; echo two >&2; printf three; exit 7"}, {[&](const std::string& line) { lines.push_back(line); }, {}});
  EXPECT_EQ(ended.value(), 7);
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two", "three"}));
  EXPECT_EQ(runProgram({"/bin/sh", "-c", "kill -9 $$"}).value(), 137);
  EXPECT_THAT(runProgram({"/nonexistent/program"}).error().message, HasSubstr("/nonexistent/program"));
}

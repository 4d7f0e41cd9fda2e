// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/report_job.h"
#include "core/base/files.h"
#include "core/protocol/run_bundle.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include "widgets/models/saved_comparison.h"
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
namespace fs = std::filesystem;

class ReportJob : public testing::Test {
protected:
  QString path(const char* name) const { return QString::fromStdString((m_folder / name).string()); }
  Status write(const ReportRequest& request) {
    return writeComparisonReport(request, [this](const QString& note) { m_notes << note; });
  }
  TemporaryFolder m_folder;
  QStringList m_notes;
};
} // namespace

TEST_F(ReportJob, PackedRunsBecomeAPdf) {
  ASSERT_TRUE(write({path("report.pdf"), {QString::fromStdString((testData() / "bundles/version_1_0.voxrun").string())}, {}}));
  EXPECT_TRUE(readTextFile(m_folder / "report.pdf")->starts_with("%PDF-"));
}

TEST_F(ReportJob, WithoutNamesAllRunsOfTheFolderAreTaken) {
  const QString examples = QString::fromStdString((sourceFolder() / "resources" / "examples").string());
  ASSERT_TRUE(write({path("all.pdf"), {}, examples}));
  EXPECT_GT(readTextFile(m_folder / "all.pdf")->size(), 20000u);
  EXPECT_EQ(write({path("none.pdf"), {}, QString::fromStdString(m_folder.path().string())}).error().code, ExitCode::Data);
}

// Names that the page keeps beside the runs stand in the report, too. (A PDF's letters are compressed: its pages grow by the notes.)
TEST_F(ReportJob, NamesAndNotesOfThePageAreTaken) {
  const fs::path runs = m_folder / "runs";
  ASSERT_TRUE(unpackRuns(testData() / "bundles/version_1_0.voxrun", runs));
  const QString folder = QString::fromStdString(runs.string());
  ASSERT_TRUE(write({path("plain.pdf"), {}, folder}));
  SavedComparison saved;
  ComparisonSet set = gatherComparison({runs / "2026-01-31_modes"});
  ASSERT_FALSE(set.training.empty());
  for (int n = 0; n < 200; ++n)
    saved.dress.notes[sideKey(set.training.front())] += "a long note that fills a page and more ";
  saved.baseline = "no such mode"; // of other runs: no reason to refuse
  ASSERT_TRUE(ComparisonShelf(runs).save(ComparisonShelf::lastUsed(), saved));
  ASSERT_TRUE(write({path("noted.pdf"), {}, folder}));
  EXPECT_GT(readTextFile(m_folder / "noted.pdf")->size(), readTextFile(m_folder / "plain.pdf")->size() + 300);
}

TEST_F(ReportJob, WhatItCannotDoItSays) {
  EXPECT_EQ(write({path("report.docx"), {}, path("")}).error().code, ExitCode::Usage);
  const auto noRun = write({path("report.pdf"), {path("absent")}, {}});
  ASSERT_FALSE(noRun);
  EXPECT_EQ(noRun.error().code, ExitCode::Usage);
  EXPECT_NE(noRun.error().message.find("absent"), std::string::npos);
}

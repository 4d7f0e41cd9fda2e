// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/report_job.h"
#include "core/base/files.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
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

TEST_F(ReportJob, WhatItCannotDoItSays) {
  EXPECT_EQ(write({path("report.docx"), {}, path("")}).error().code, ExitCode::Usage);
  const auto noRun = write({path("report.pdf"), {path("absent")}, {}});
  ASSERT_FALSE(noRun);
  EXPECT_EQ(noRun.error().code, ExitCode::Usage);
  EXPECT_NE(noRun.error().message.find("absent"), std::string::npos);
}

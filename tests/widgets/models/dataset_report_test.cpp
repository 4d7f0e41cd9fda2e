// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/dataset_report.h"
#include <gtest/gtest.h>

using namespace voxlab;

TEST(DatasetReport, ReadsWhatTheCheckPrints) {
  const auto json = parseJson(R"({"passed": false, "cases": 2, "files": 4, "modalities": ["t1"],
    "findings": [{"severity": "note", "subject": "b", "message": "oblique"}, {"severity": "error", "subject": "a", "message": "damaged"}],
    "subjects": [{"subject": "a", "images": ["/d/a.nii.gz"], "mask": "/d/a_seg.nii.gz"}, {"subject": "b", "images": [], "mask": ""}]})",
                              "test");
  const DatasetReport report = datasetReportFrom(json.value());
  EXPECT_EQ(report.pairs, 2);
  EXPECT_EQ(report.firstImage, QStringLiteral("/d/a.nii.gz"));
  EXPECT_EQ(report.firstMask, QStringLiteral("/d/a_seg.nii.gz"));
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings.front().message, QStringLiteral("damaged")); // worst first
  EXPECT_EQ(report.count(FindingKind::Note), 1);
}

TEST(DatasetReport, TakesWhatIsThereOfADamagedOne) {
  EXPECT_EQ(datasetReportFrom(Json()).pairs, 0);
  EXPECT_EQ(datasetReportFrom(Json::array({1, 2})).pairs, 0);
  EXPECT_EQ(datasetReportFrom({{"subjects", Json::array({"x"})}, {"findings", "none"}, {"modalities", Json::array({3})}}).pairs, 1);
}

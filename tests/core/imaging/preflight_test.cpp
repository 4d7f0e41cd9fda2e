// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/imaging/geometry.h"
#include "core/imaging/preflight.h"
#include "tests/core/imaging/volumes.h"
#include "tests/support/temporary_folder.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace voxlab;
using namespace voxlab::tests;
using testing::HasSubstr;
using testing::Not;

namespace {
const Affine kStored{{{-1.5, 0, 0, 20}, {0, 1.5, 0, -30}, {0, 0, 2, -10}, {0, 0, 0, 1}}};

class Preflight : public testing::Test {
protected:
  void put(const char* name, const Volume& volume) { ASSERT_TRUE(writeNifti(m_folder / name, volume)); }
  PreflightReport check(const std::string& recipe = "volume", std::vector<std::int64_t> labels = {1, 2}) {
    const auto index = indexDataset(m_folder / "i", m_folder / "m", {});
    EXPECT_TRUE(index);
    PreflightOptions options;
    options.recipe = recipe;
    options.labels = std::move(labels);
    return *preflight(*index, options);
  }
  static std::string all(const PreflightReport& report, Severity severity) {
    std::string text;
    for (const auto& finding : report.findings)
      if (finding.severity == severity)
        text += finding.subject + ": " + finding.message + "\n";
    return text;
  }
  TemporaryFolder m_folder;
};
} // namespace

TEST_F(Preflight, CleanDataPass) {
  put("i/a.nii.gz", ramp({8, 9, 10}, kStored));
  put("m/a.nii.gz", labels({8, 9, 10}, kStored));
  const auto report = check();
  EXPECT_TRUE(report.passed());
  EXPECT_TRUE(report.findings.empty()) << all(report, Severity::Warning);
  EXPECT_EQ(report.files, 2u);
  EXPECT_EQ(toJson(report)["passed"], true);
}

TEST_F(Preflight, FindingsNameTheFileUnlessTheMessageDoes) {
  EXPECT_EQ(inWords({Severity::Warning, "/d/masks/a.nii", "a", "It is odd."}), "a, masks/a.nii: It is odd.");
  EXPECT_EQ(inWords({Severity::Error, "/d/masks/a.nii", "a", "Could not read /d/masks/a.nii: it is empty."}), "a: Could not read /d/masks/a.nii: it is empty.");
  EXPECT_EQ(inWords({Severity::Warning, {}, "", "Labels 3 occur."}), "Labels 3 occur.");
}

TEST_F(Preflight, DamagedGzipAndEmptyFilesAreErrors) {
  put("i/a.nii.gz", ramp({8, 9, 10}, kStored));
  put("m/a.nii.gz", labels({8, 9, 10}, kStored));
  put("i/b.nii.gz", ramp({8, 9, 10}, kStored));
  put("m/b.nii.gz", labels({8, 9, 10}, kStored));
  auto bytes = readTextFile(m_folder / "i/a.nii.gz").value();
  bytes[bytes.size() - 6] ^= 1; // the checksum
  ASSERT_TRUE(writeFileAtomically(m_folder / "i/a.nii.gz", bytes));
  ASSERT_TRUE(writeFileAtomically(m_folder / "m/b.nii.gz", ""));
  const auto report = check();
  EXPECT_FALSE(report.passed());
  EXPECT_THAT(all(report, Severity::Error), HasSubstr("a: Could not read"));
  EXPECT_THAT(all(report, Severity::Error), HasSubstr("damaged"));
  EXPECT_THAT(all(report, Severity::Error), HasSubstr("zero bytes"));
}

TEST_F(Preflight, GridsThatDoNotBelongTogether) {
  Affine moved = kStored, far = kStored;
  moved[0][3] += 4;
  far[2][3] += 500;
  put("i/a.nii", ramp({8, 9, 10}, moved));
  put("m/a.nii", labels({8, 9, 10}, kStored));
  put("i/b.nii", ramp({8, 9, 10}, far));
  put("m/b.nii", labels({8, 9, 10}, kStored));
  put("i/c.nii", ramp({16, 9, 10}, kStored));
  put("m/c.nii", labels({8, 9, 10}, kStored));
  const auto report = check();
  EXPECT_THAT(all(report, Severity::Warning), HasSubstr("a: Image and mask lie up to 4.00 mm apart"));
  EXPECT_THAT(all(report, Severity::Error), HasSubstr("b: Image and mask do not overlap"));
  EXPECT_THAT(all(report, Severity::Warning), HasSubstr("c: Image and mask differ in size"));
  EXPECT_THAT(all(check("published"), Severity::Error), HasSubstr("c: Image and mask differ in size"));
}

TEST_F(Preflight, TheSameGridStoredAlongOtherAxesIsFineWhereAxesAreTurned) {
  const Volume image = ramp({8, 9, 10}, kStored);
  put("i/a.nii", reoriented(image, orderTowards(kStored, "PIR")));
  put("m/a.nii", labels({8, 9, 10}, kStored));
  EXPECT_TRUE(check().findings.empty());
  EXPECT_THAT(all(check("published"), Severity::Error), HasSubstr("differ in size or axes"));
}

TEST_F(Preflight, Labels) {
  put("i/a.nii", ramp({8, 9, 10}, kStored));
  put("m/a.nii", labels({8, 9, 10}, kStored, 5));
  put("i/b.nii", ramp({8, 9, 10}, kStored));
  put("m/b.nii", labels({8, 9, 10}, kStored, 2));
  put("i/c.nii", ramp({8, 9, 10}, kStored));
  Volume soft = labels({8, 9, 10}, kStored);
  for (float& v : soft.voxels)
    v *= 0.37f;
  put("m/c.nii", soft);
  const auto report = check();
  EXPECT_THAT(all(report, Severity::Warning), HasSubstr("Labels 3, 4 occur in 1 of 3 masks"));
  EXPECT_THAT(all(report, Severity::Warning), HasSubstr("b: It has no voxel of label 2"));
  EXPECT_THAT(all(report, Severity::Error), HasSubstr("c: It does not look like a label volume"));
  EXPECT_THAT(all(check("volume", {7}), Severity::Error), HasSubstr("None of the labels 7"));
}

TEST_F(Preflight, ValuesOfImages) {
  Volume image = ramp({8, 9, 10}, kStored);
  image.voxels[5] = NAN;
  put("i/a.nii", image);
  put("i/b.nii", makeVolume({8, 9, 10}, kStored));
  for (float& v : image.voxels)
    v = INFINITY;
  put("i/c.nii", image);
  put("i/d.nii", labels({8, 9, 10}, kStored));
  for (const char* mask : {"m/a.nii", "m/b.nii", "m/c.nii", "m/d.nii"})
    put(mask, labels({8, 9, 10}, kStored));
  const auto report = check();
  EXPECT_THAT(all(report, Severity::Warning), HasSubstr("a: 1 voxels are NaN"));
  EXPECT_THAT(all(report, Severity::Error), HasSubstr("b: All voxels have the same value"));
  EXPECT_THAT(all(report, Severity::Error), HasSubstr("c: None of its voxels"));
  EXPECT_THAT(all(report, Severity::Warning), HasSubstr("d: It has only 3 different values"));
}

TEST_F(Preflight, OddGeometryIsPointedOut) {
  Affine sheared = kStored;
  sheared[0][1] = 0.4;
  put("i/a.nii", ramp({8, 9, 10}, sheared));
  put("m/a.nii", labels({8, 9, 10}, sheared));
  EXPECT_THAT(all(check(), Severity::Warning), HasSubstr("sheared"));
}

TEST_F(Preflight, MixedAxesMatterOnlyWhereNobodyTurnsThem) {
  Affine other = kStored;
  other[0][0] = 1.5;
  put("i/a.nii", ramp({8, 9, 10}, kStored));
  put("m/a.nii", labels({8, 9, 10}, kStored));
  put("i/b.nii", ramp({8, 9, 10}, other));
  put("m/b.nii", labels({8, 9, 10}, other));
  EXPECT_THAT(all(check("published"), Severity::Warning), HasSubstr("LAS (1), RAS (1)"));
  EXPECT_TRUE(check().findings.empty());
}

TEST_F(Preflight, ProgressCountsEveryFileAndCancelStops) {
  for (const char* name : {"i/a.nii", "i/b.nii", "i/c.nii"})
    put(name, ramp({8, 9, 10}, kStored));
  for (const char* name : {"m/a.nii", "m/b.nii", "m/c.nii"})
    put(name, labels({8, 9, 10}, kStored));
  const auto index = indexDataset(m_folder / "i", m_folder / "m", {}).value();
  PreflightOptions options;
  std::vector<std::size_t> done;
  options.progress = [&](std::size_t n, std::size_t all) {
    done.push_back(n);
    EXPECT_EQ(all, 6u);
  };
  ASSERT_TRUE(preflight(index, options));
  EXPECT_THAT(done, testing::ElementsAre(1, 2, 3, 4, 5, 6));
  std::stop_source stop;
  options.cancel = stop.get_token();
  options.progress = [&](std::size_t, std::size_t) { stop.request_stop(); };
  EXPECT_EQ(preflight(index, options).error().code, ExitCode::Stopped);
}

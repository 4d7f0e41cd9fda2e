// SPDX-License-Identifier: Apache-2.0
// Folders of slices of which some are missing or damaged: dicom/series holds 1.dcm, 3.dcm, 0.dcm, 2.dcm from the first position to the last.
#include "core/base/files.h"
#include "core/imaging/dicom_importer.h"
#include "core/imaging/dicom_times.h"
#include "core/imaging/volume_io.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace voxlab;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {
namespace fs = std::filesystem;

class DicomFolder : public testing::Test {
protected:
  void copy(const std::string& folder) { fs::copy(testData() / "imaging/dicom" / folder, m_folder.path()); }
  void put(const char* name, const std::string& bytes) const { EXPECT_TRUE(writeFileAtomically(m_folder / name, bytes)); }
  void cut(const char* name, std::uintmax_t bytes) const { fs::resize_file(m_folder / name, bytes); }
  // Voxel by voxel what the whole series holds at this slice, or nothing.
  static void expectSlice(const Volume& volume, std::size_t slice, bool isThere) {
    const auto whole = readVolume(testData() / "imaging/dicom/series");
    ASSERT_TRUE(whole);
    const auto voxels = static_cast<std::size_t>(whole->grid().size[0] * whole->grid().size[1]);
    for (std::size_t n = slice * voxels; n < (slice + 1) * voxels; ++n)
      if (isThere)
        ASSERT_EQ(volume.voxels[n], whole->voxels[n]) << n;
      else
        ASSERT_TRUE(std::isnan(volume.voxels[n])) << n;
  }
  static void expectWholeGrid(const Volume& volume) {
    const auto whole = readVolumeHeader(testData() / "imaging/dicom/series");
    ASSERT_TRUE(whole);
    EXPECT_EQ(volume.grid().size, whole->grid.size);
    for (std::size_t row = 0; row < 3; ++row)
      for (std::size_t column = 0; column < 4; ++column)
        EXPECT_NEAR(volume.grid().affine[row][column], whole->grid.affine[row][column], 1e-6) << row << "," << column;
  }
  TemporaryFolder m_folder;
};
} // namespace

TEST_F(DicomFolder, AFileLeadsToItsSeries) {
  const auto series = dicomSeriesOf(testData() / "imaging/dicom/two_series/b1");
  ASSERT_TRUE(series) << series.error().message;
  EXPECT_EQ(series->files.size(), 2u);
  EXPECT_EQ(series->images, 2);
  EXPECT_GT(series->columns * series->rows, 0);
  EXPECT_TRUE(isDicomFile(testData() / "imaging/dicom/two_series/b1"));
  EXPECT_FALSE(isDicomFile(testData() / "imaging/dicom/two_series"));
  EXPECT_FALSE(isDicomFile(testData() / "imaging/expected.json"));
  fs::create_directories(m_folder / "below");
  fs::copy(testData() / "imaging/dicom/series", m_folder / "below");
  fs::copy(testData() / "imaging/dicom/series/0.dcm", m_folder / "0.dcm");
  EXPECT_EQ(dicomSeriesOf(m_folder / "0.dcm")->files.size(), 1u) << "folders below are others'";
  EXPECT_EQ(listDicomSeries(m_folder.path())->front().files.size(), 5u);
}

TEST_F(DicomFolder, AMissingSliceLeavesItsPlaceEmpty) {
  copy("series");
  fs::remove(m_folder / "3.dcm");
  const auto volume = readVolume(m_folder.path());
  ASSERT_TRUE(volume) << volume.error().message;
  expectWholeGrid(*volume);
  for (const std::size_t slice : {0, 1, 2, 3})
    expectSlice(*volume, slice, slice != 1);
  EXPECT_THAT(volume->header.notes, Contains(HasSubstr("1 of 4 slices is missing: slice 2, between 1.dcm and 0.dcm, which are ")));
  EXPECT_THAT(volume->header.notes, Not(Contains(HasSubstr("unevenly"))));
  EXPECT_THAT(volume->header.notes, Not(Contains(HasSubstr("could not be read"))));
}

TEST_F(DicomFolder, ADamagedSliceIsNamedToo) {
  copy("series");
  cut("3.dcm", 860); // within its pixels
  const auto volume = readVolume(m_folder.path());
  ASSERT_TRUE(volume) << volume.error().message;
  expectWholeGrid(*volume);
  expectSlice(*volume, 1, false);
  EXPECT_THAT(volume->header.notes, Contains(AllOf(HasSubstr("1 DICOM file of the folder could not be read and was left out: 3.dcm ("), HasSubstr("truncated"))));
  EXPECT_THAT(volume->header.notes, Contains(HasSubstr("slice 2, between")));
}

TEST_F(DicomFolder, ADamagedEndIsNamed) {
  copy("series");
  cut("1.dcm", 700);
  const auto header = readVolumeHeader(m_folder.path());
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_EQ(header->grid.size[2], 3);
  EXPECT_THAT(header->notes, Contains(HasSubstr("left out: 1.dcm")));
  const auto series = listDicomSeries(m_folder.path());
  ASSERT_TRUE(series);
  EXPECT_THAT(readDicomSeries(series->front()).value().header.notes, Contains(HasSubstr("left out: 1.dcm")));
}

TEST_F(DicomFolder, OfManyDamagedFilesTheFirstAreNamed) {
  copy("two_series"); // names without an ending
  put("c0", "");
  put("d.dcm", "what is this");
  put("e.IMA", "");
  cut("a2", 300);
  const auto header = readVolumeHeader(m_folder.path());
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_THAT(header->notes, Contains(AllOf(HasSubstr("4 DICOM files of the folder could not be read and were left out: a2 ("), HasSubstr("), c0, d.dcm and 1 more."))));
}

TEST_F(DicomFolder, WhatIsNoSliceIsNoDamage) {
  copy("series");
  put("README", "slices of nobody");
  put("notes.txt", "");
  put(".keep", "");
  const auto header = readVolumeHeader(m_folder.path());
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_THAT(header->notes, IsEmpty());
}

// Two positions, three time points: 00.dcm, 01.dcm, 10.dcm, …, time point and position.
TEST_F(DicomFolder, ASliceThatOneTimePointLacksLeavesItsPlaceEmpty) {
  const auto whole = readVolume(testData() / "imaging/dicom/times");
  ASSERT_TRUE(whole);
  const auto voxels = static_cast<std::size_t>(whole->grid().size[0] * whole->grid().size[1]);
  for (const std::size_t lost : {0, 1, 2, 3, 4, 5}) {
    const TemporaryFolder folder;
    fs::copy(testData() / "imaging/dicom/times", folder.path());
    const std::string name = std::to_string(lost / 2) + std::to_string(lost % 2) + ".dcm";
    fs::remove(folder / name);
    const auto volume = readVolume(folder.path());
    ASSERT_TRUE(volume) << name << volume.error().message;
    EXPECT_EQ(volume->grid().size, whole->grid().size);
    ASSERT_EQ(volume->header.timePoints, 3) << name;
    EXPECT_THAT(volume->header.notes, Contains("1 slice is missing from single time points: slice " + std::to_string(lost % 2 + 1) + " of time point " +
                                               std::to_string(lost / 2 + 1) + ". Its place is left empty."));
    for (std::size_t n = 0; n < whole->voxels.size(); ++n)
      if (n / voxels == lost)
        ASSERT_TRUE(std::isnan(volume->voxels[n])) << name << ' ' << n;
      else
        ASSERT_EQ(volume->voxels[n], whole->voxels[n]) << name << ' ' << n;
    ReadOptions one;
    one.timePoint = 2;
    EXPECT_EQ(readVolume(folder.path(), one).value().voxels.size(), 2 * voxels);
  }
}

TEST(DicomTimes, AreToldByWhatCountsThem) {
  const auto slice = [](std::size_t position, double instance, std::optional<double> counter) { return TimedSlice{position, instance, {std::nullopt, counter}}; };
  using Times = std::vector<std::size_t>;
  // Acquisition numbers, whatever the instances say.
  EXPECT_EQ(timePointsOf({slice(0, 9, 7), slice(0, 9, 3), slice(1, 9, 3), slice(2, 9, 3), slice(2, 9, 7)}, 3), (Times{1, 0, 0, 0, 1}));
  // Time points within positions: 1, 2 | 3 | 5, 6.
  EXPECT_EQ(timePointsOf({slice(0, 1, {}), slice(0, 2, {}), slice(1, 3, {}), slice(2, 5, {}), slice(2, 6, {})}, 3), (Times{0, 1, 0, 0, 1}));
  // Positions within time points, taken interleaved, from 101 on.
  EXPECT_EQ(timePointsOf({slice(0, 101, {}), slice(0, 104, {}), slice(1, 106, {}), slice(2, 102, {}), slice(2, 105, {})}, 3), (Times{0, 1, 1, 0, 1}));
  // A position that occurs twice in a series that has no time points, and one number for all.
  EXPECT_EQ(timePointsOf({slice(0, 1, 1), slice(1, 2, 1), slice(1, 3, 1), slice(2, 4, 1)}, 3), std::nullopt);
  EXPECT_EQ(timePointsOf({slice(0, 0, {}), slice(0, 0, {}), slice(1, 0, {})}, 2), std::nullopt);
  EXPECT_EQ(timePointsOf({}, 0), std::nullopt);
}

TEST_F(DicomFolder, DamageExplainsWhyTheRestMakesNoVolume) {
  copy("times");
  cut("11.dcm", 500);
  EXPECT_THAT(readVolume(m_folder.path()).value().header.notes, Contains(HasSubstr("left out: 11.dcm")));
  cut("01.dcm", 500); // a third of it is gone
  const auto incomplete = readVolume(m_folder.path());
  ASSERT_FALSE(incomplete);
  EXPECT_THAT(incomplete.error().message, AllOf(HasSubstr("the series is incomplete"), HasSubstr("left out: 01.dcm (")));
  for (const auto& file : fs::directory_iterator(m_folder.path()))
    fs::resize_file(file.path(), 500);
  EXPECT_THAT(readVolume(m_folder.path()).error().message,
              AllOf(HasSubstr("no DICOM image in this folder that can be read. 6 DICOM files"), HasSubstr("left out: 00.dcm (")));
}

TEST_F(DicomFolder, EmptyPlacesTakeMemory) {
  copy("series");
  fs::remove(m_folder / "3.dcm");
  ReadOptions options;
  options.memoryLimitBytes = std::uint64_t{6 * 5 * 3} * sizeof(float);
  const auto volume = readVolume(m_folder.path(), options);
  ASSERT_FALSE(volume);
  EXPECT_EQ(volume.error().code, ExitCode::OutOfMemory);
  options.whenTooLarge = WhenTooLarge::Thin;
  EXPECT_EQ(readVolume(m_folder.path(), options).value().voxels.size(), std::size_t{3 * 3 * 2});
}

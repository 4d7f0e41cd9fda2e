// SPDX-License-Identifier: Apache-2.0
// Every small file of tests/data/imaging against what nibabel, SimpleITK, pynrrd and pydicom read from it.
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/imaging/dicom_importer.h"
#include "core/imaging/geometry.h"
#include "core/imaging/volume_io.h"
#include "tests/support/paths.h"
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
std::filesystem::path folder() { return testData() / "imaging"; }

std::vector<std::string> names() {
  std::vector<std::string> out;
  if (const auto json = readJsonFile(folder() / "expected.json"))
    for (const auto& [name, entry] : json->items())
      out.push_back(name);
  return out;
}

Affine affineFrom(const Json& json) {
  Affine out;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      out[i][j] = json.at(i).at(j).get<double>();
  return out;
}

class Formats : public testing::TestWithParam<std::string> {
protected:
  Formats() : m_file(folder() / GetParam()), m_expected(readJsonFile(folder() / "expected.json").value().at(GetParam())) {}

  void checkHeader(const VolumeHeader& header) const {
    EXPECT_EQ(header.grid.size, (m_expected.at("size").get<std::array<std::int64_t, 3>>()));
    EXPECT_EQ(header.timePoints, m_expected.at("time_points").get<std::int64_t>());
    EXPECT_EQ(axisCodes(header.grid.affine), m_expected.at("axes").get<std::string>());
    const Affine affine = affineFrom(m_expected.at("affine"));
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        EXPECT_NEAR(header.grid.affine[i][j], affine[i][j], 2e-6 * std::max(1.0, std::abs(affine[i][j]))) << i << "," << j;
    const auto note = jsonGet<std::string>(m_expected, "note");
    if (note && *note != "NaN") { // NaN shows only when voxels are read
      EXPECT_THAT(header.notes, testing::Contains(testing::HasSubstr(*note)));
    }
  }

  std::filesystem::path m_file;
  Json m_expected;
};

std::string caseName(const testing::TestParamInfo<std::string>& file) {
  std::string name = file.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name;
}

void expectValue(float value, const Json& expected) {
  if (expected.is_null() || std::isnan(expected.get<double>()))
    EXPECT_TRUE(std::isnan(value));
  else
    EXPECT_NEAR(value, expected.get<double>(), 1e-6 * std::max(1.0, std::abs(expected.get<double>())));
}
} // namespace

TEST_P(Formats, ReadsAsTheReferenceReaderDoes) {
  const auto volume = readVolume(m_file);
  ASSERT_TRUE(volume) << volume.error().message;
  checkHeader(volume->header);
  const auto& size = volume->grid().size;
  ASSERT_EQ(static_cast<std::int64_t>(volume->voxels.size()), volume->grid().voxelCount() * volume->header.timePoints);
  double sum = 0;
  for (const float v : volume->voxels)
    sum += std::isnan(v) ? 0 : v;
  EXPECT_NEAR(sum, m_expected.at("sum").get<double>(), 1e-5 * std::max(1.0, std::abs(sum)));
  for (const auto& point : m_expected.at("points")) {
    auto index = point.at("index").get<std::vector<std::int64_t>>();
    index.resize(4);
    const auto at = index[0] + size[0] * (index[1] + size[1] * (index[2] + size[2] * index[3]));
    expectValue(volume->voxels[static_cast<std::size_t>(at)], point.at("value"));
    const Vec3 world = applyAffine(volume->grid().affine, {static_cast<double>(index[0]), static_cast<double>(index[1]), static_cast<double>(index[2])});
    for (std::size_t a = 0; a < 3; ++a)
      EXPECT_NEAR(world[a], point.at("world").at(a).get<double>(), 1e-4);
  }
}

TEST_P(Formats, TheHeaderAloneSaysTheSame) {
  const auto header = readVolumeHeader(m_file);
  ASSERT_TRUE(header) << header.error().message;
  checkHeader(*header);
}

TEST_P(Formats, OneTimePointIsThatPartOfTheWhole) {
  const auto whole = readVolume(m_file);
  ASSERT_TRUE(whole);
  const auto last = whole->header.timePoints - 1;
  ReadOptions options;
  options.timePoint = last;
  double progress = 0;
  options.progress = [&](double p) {
    EXPECT_GE(p, progress);
    progress = p;
  };
  const auto one = readVolume(m_file, options);
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(one->header.timePoints, 1);
  EXPECT_EQ(progress, 1);
  ASSERT_EQ(static_cast<std::int64_t>(one->voxels.size()), whole->grid().voxelCount());
  for (std::size_t n = 0; n < one->voxels.size(); ++n) {
    const float expected = whole->voxels[n + one->voxels.size() * static_cast<std::size_t>(last)];
    ASSERT_TRUE(one->voxels[n] == expected || (std::isnan(one->voxels[n]) && std::isnan(expected)));
  }
  options.timePoint = last + 1;
  EXPECT_EQ(readVolume(m_file, options).error().code, ExitCode::Data);
}

TEST_P(Formats, CancelAndMemoryLimitAreHonoured) {
  std::stop_source stop;
  stop.request_stop();
  ReadOptions options;
  options.cancel = stop.get_token();
  EXPECT_EQ(readVolume(m_file, options).error().code, ExitCode::Stopped);
  ReadOptions small;
  small.memoryLimitBytes = 16;
  EXPECT_EQ(readVolume(m_file, small).error().code, ExitCode::OutOfMemory);
}

TEST_P(Formats, DoublePrecisionAgrees) {
  const auto single = readVolume(m_file);
  const auto precise = readPreciseVolume(m_file);
  ASSERT_TRUE(single && precise);
  ASSERT_EQ(single->voxels.size(), precise->voxels.size());
  for (std::size_t n = 0; n < single->voxels.size(); ++n)
    ASSERT_TRUE(single->voxels[n] == static_cast<float>(precise->voxels[n]) || std::isnan(single->voxels[n]));
}

INSTANTIATE_TEST_SUITE_P(Files, Formats, testing::ValuesIn(names()), caseName);

TEST(FormatsList, IsNotEmpty) { EXPECT_GE(names().size(), 60u); }

TEST(Dicom, SeriesOfAFolderAreListedLongestFirst) {
  const auto series = listDicomSeries(folder() / "dicom/two_series");
  ASSERT_TRUE(series) << series.error().message;
  ASSERT_EQ(series->size(), 2u);
  EXPECT_EQ((*series)[0].description, "tilted");
  EXPECT_EQ((*series)[0].files.size(), 3u);
  EXPECT_EQ((*series)[1].modality, "MR");
  const auto second = readDicomSeries((*series)[1]);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->grid().size[2], 2);
  EXPECT_EQ(axisCodes(second->grid().affine), "RAS");
  EXPECT_EQ(second->header.description, "short");
}

TEST(Dicom, SlicesOfDifferentSeriesDoNotMix) {
  const auto mixed = readDicomSeries({"", "", "", {folder() / "dicom/series/0.dcm", folder() / "dicom/two_series/b0"}});
  ASSERT_FALSE(mixed);
  EXPECT_EQ(mixed.error().code, ExitCode::Data);
  EXPECT_THAT(mixed.error().message, testing::HasSubstr("oriented differently"));
}

TEST(OtherFormats, AreNamedWithWhatMakesAVolumeOfThem) {
  const auto file = std::filesystem::temp_directory_path() / "voxlab_formats_test.mnc";
  ASSERT_TRUE(writeFileAtomically(file, std::string("CDF\x01", 4)));
  const auto header = readVolumeHeader(file);
  std::filesystem::remove(file);
  ASSERT_FALSE(header);
  EXPECT_THAT(header.error().message, testing::HasSubstr("it is MINC, which is not read here; mnc2nii makes a NIfTI file of it."));
}

// SPDX-License-Identifier: Apache-2.0
// What a copy of a NIfTI file keeps; the fields as nibabel reads them from the original (headers.json).
#include "core/base/json.h"
#include "core/imaging/geometry.h"
#include "core/imaging/nifti_record.h"
#include "tests/core/imaging/volumes.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace voxlab;
using namespace voxlab::tests;
using testing::Contains;
using testing::HasSubstr;

namespace {
// Its own reading of nifti1.h: what is written must not be judged by the program's reader.
class Written {
public:
  explicit Written(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    in.read(m_bytes.data(), static_cast<std::streamsize>(m_bytes.size()));
    EXPECT_TRUE(in);
  }
  template <class T> T at(std::size_t place) const {
    T value;
    std::memcpy(&value, m_bytes.data() + place, sizeof value);
    return value;
  }
  std::string text(std::size_t place) const { return m_bytes.data() + place; }

private:
  std::array<char, 352> m_bytes{};
};

double numberOf(const Json& fields, const char* name) { return fields.contains(name) ? fields.at(name).get<double>() : 0; }
std::string textOf(const Json& fields, const char* name) { return fields.contains(name) ? fields.at(name).get<std::string>() : std::string(); }

void expectFields(const Written& copy, const Json& told) {
  const std::int16_t expectedDimensions = told.at("dim")[0].get<std::int16_t>();
  EXPECT_EQ(copy.at<std::int16_t>(40), expectedDimensions);
  for (std::size_t i = 1; i < 8; ++i)
    EXPECT_EQ(copy.at<std::int16_t>(40 + 2 * i), told.at("dim")[i].get<int>()) << i;
  const std::pair<const char*, int> shorts[]{{"datatype", 70}, {"qform_code", 252}, {"sform_code", 254}, {"slice_start", 74}, {"slice_end", 120}, {"intent_code", 68}};
  for (const auto& [name, place] : shorts)
    EXPECT_EQ(copy.at<std::int16_t>(static_cast<std::size_t>(place)), numberOf(told, name)) << name;
  const std::pair<const char*, int> bytes[]{{"xyzt_units", 123}, {"dim_info", 39}, {"slice_code", 122}};
  for (const auto& [name, place] : bytes)
    EXPECT_EQ(copy.at<std::uint8_t>(static_cast<std::size_t>(place)), numberOf(told, name)) << name;
  const std::pair<const char*, int> reals[]{{"toffset", 136}, {"slice_duration", 132}, {"intent_p1", 56}, {"cal_min", 128}, {"cal_max", 124}, {"pixdim4", 92}};
  for (const auto& [name, place] : reals)
    EXPECT_FLOAT_EQ(copy.at<float>(static_cast<std::size_t>(place)), static_cast<float>(numberOf(told, name))) << name;
  EXPECT_EQ(copy.text(148), textOf(told, "descrip"));
  EXPECT_EQ(copy.text(228), textOf(told, "aux_file"));
  EXPECT_EQ(copy.text(328), textOf(told, "intent_name"));
  EXPECT_FLOAT_EQ(copy.at<float>(112), told.at("scaling")[0].get<float>());
  EXPECT_FLOAT_EQ(copy.at<float>(116), told.at("scaling")[1].get<float>());
  if (!told.contains("qform"))
    return;
  const Json& qform = told.at("qform");
  const char* const places[]{"quatern_b", "quatern_c", "quatern_d", "qoffset_x", "qoffset_y", "qoffset_z"};
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(copy.at<float>(256 + 4 * i), qform.at(places[i]).get<float>()) << places[i];
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(copy.at<float>(76 + 4 * i), qform.at("pixdim")[i].get<float>()) << i;
}
} // namespace

TEST(NiftiCopy, KeepsTypeScalingCodesTimesAndMeaningAsNibabelReadsThem) {
  TemporaryFolder folder;
  const auto told = readJsonFile(testData() / "imaging/headers.json");
  ASSERT_TRUE(told);
  for (const auto& [name, fields] : told->items()) {
    SCOPED_TRACE(name);
    const auto volume = readVolume(testData() / "imaging/nifti" / name);
    ASSERT_TRUE(volume);
    ASSERT_TRUE(writeNifti(folder / "copy.nii", *volume, storageOf(*volume)));
    expectFields(Written(folder / "copy.nii"), fields);
    const auto again = readVolume(folder / "copy.nii");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->voxels, volume->voxels);
    if (volume->header.format == "NIfTI-2") // whose doubles NIfTI-1 cannot hold
      EXPECT_LT(cornerDistance(again->grid(), volume->grid()).value(), 1e-5);
    else
      EXPECT_EQ(again->grid(), volume->grid());
    EXPECT_EQ(again->header.timeStep_s, volume->header.timeStep_s);
    EXPECT_EQ(again->header.notes, volume->header.notes) << "a copy is neither better nor worse";
  }
}

TEST(NiftiCopy, TimeIsToldInSecondsAndAnUnknownOneIsNotInvented) {
  TemporaryFolder folder;
  auto volume = readVolume(testData() / "imaging/nifti/told.nii.gz");
  ASSERT_TRUE(volume);
  ASSERT_TRUE(volume->header.timeStep_s);
  EXPECT_DOUBLE_EQ(*volume->header.timeStep_s, 2.5); // 2500 ms
  Volume series = ramp({3, 2, 2});
  series.header.timePoints = 2;
  series.voxels.insert(series.voxels.end(), series.voxels.begin(), series.voxels.end());
  ASSERT_TRUE(writeNifti(folder / "series.nii", series));
  const Written unknown(folder / "series.nii");
  EXPECT_EQ(unknown.at<float>(92), 0);
  EXPECT_EQ(unknown.at<std::uint8_t>(123), 2);
  EXPECT_FALSE(readVolumeHeader(folder / "series.nii")->timeStep_s);
  series.header.timeStep_s = 0.5;
  ASSERT_TRUE(writeNifti(folder / "series.nii", series));
  EXPECT_EQ(readVolumeHeader(folder / "series.nii")->timeStep_s, 0.5);
}

TEST(NiftiCopy, WhatWasChangedIsStoredSoThatNothingIsLost) {
  auto volume = readVolume(testData() / "imaging/nifti/told.nii.gz");
  ASSERT_TRUE(volume);
  EXPECT_EQ(storageOf(*volume).type, VoxelType::Int16);
  volume->voxels[3] += 0.1f;
  EXPECT_EQ(storageOf(*volume).type, VoxelType::Float32);
  EXPECT_EQ(storageOf(*volume).slope, 1);
  volume->voxels[3] = NAN;
  EXPECT_EQ(storageOf(*volume).type, VoxelType::Float32);
  Volume large = makeVolume({2, 1, 1});
  large.header.storedType = VoxelType::Int32;
  large.voxels = {0, 0x1p24f};
  EXPECT_EQ(storageOf(large).type, VoxelType::Int32);
  large.voxels = {0, 0x1p25f};
  EXPECT_EQ(storageOf(large).type, VoxelType::Float32) << "which integer it was cannot be told any more";
}

TEST(NiftiCopy, AnotherGridInTheSameSpaceKeepsTheSpacesCode) {
  TemporaryFolder folder;
  auto volume = readVolume(testData() / "imaging/nifti/told.nii.gz");
  ASSERT_TRUE(volume);
  volume->header.grid.affine[2][3] += 3;
  ASSERT_TRUE(writeNifti(folder / "moved.nii", *volume));
  const auto moved = readVolumeHeader(folder / "moved.nii");
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->nifti->sformCode, 4);
  ASSERT_TRUE(moved->qform);
  EXPECT_TRUE(sameGrid({moved->grid.size, *moved->qform}, volume->grid())) << "no qform of the old grid";
  EXPECT_EQ(Written(folder / "moved.nii").at<std::int16_t>(68), 0);
}

TEST(NiftiCopy, AConflictIsNamedInWords) {
  const auto notesOf = [](const char* file) { return readVolumeHeader(testData() / "imaging/nifti" / file).value().notes; };
  EXPECT_THAT(notesOf("conflict.nii"), Contains(HasSubstr("they swap left and right, so that one of them shows a mirror image")));
  EXPECT_THAT(notesOf("told.nii.gz"), Contains(HasSubstr("the axes run to LAS by the sform and to ALS by the qform")));
  TemporaryFolder folder;
  ASSERT_TRUE(writeNifti(folder / "v.nii", makeVolume({2, 2, 2}, {{{2, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 2, 0}, {0, 0, 0, 1}}})));
  {
    std::fstream file(folder / "v.nii", std::ios::binary | std::ios::in | std::ios::out);
    const float pixdim[3]{1, 1, 5};
    const std::int16_t noQform = 0;
    file.seekp(80).write(reinterpret_cast<const char*>(pixdim), sizeof pixdim);
    file.seekp(252).write(reinterpret_cast<const char*>(&noQform), sizeof noQform);
  }
  const auto header = readVolumeHeader(folder / "v.nii");
  ASSERT_TRUE(header);
  EXPECT_THAT(header->notes, Contains("The header gives the voxels two sizes: 2.00 × 2.00 × 2.00 mm by the sform and 1.00 × 1.00 × 5.00 mm by pixdim. The sform is used; "
                                      "programs that read pixdim disagree with it about lengths and volumes."));
}

TEST(NiftiCopy, CiftiIsCalledSo) {
  TemporaryFolder folder;
  std::filesystem::copy(testData() / "imaging/nifti/version2_big_endian.nii", folder / "v.nii");
  ASSERT_TRUE(readVolumeHeader(folder / "v.nii"));
  {
    std::fstream file(folder / "v.nii", std::ios::binary | std::ios::in | std::ios::out);
    const char dense[4]{0, 0, 0x0b, static_cast<char>(0xb9)}; // 3001
    file.seekp(504).write(dense, sizeof dense);
  }
  EXPECT_THAT(readVolumeHeader(folder / "v.nii").error().message, HasSubstr("it is CIFTI"));
}

TEST(NiftiCopy, CodesHaveNames) {
  EXPECT_EQ(formCodeInWords(4), "MNI 152");
  EXPECT_EQ(formCodeInWords(9), "code 9");
  EXPECT_EQ(unitsInWords(2 | 16), "mm and ms");
  EXPECT_EQ(unitsInWords(0), "not said");
  EXPECT_EQ(intentInWords(1002), "label");
}

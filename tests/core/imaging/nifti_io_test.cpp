// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/imaging/geometry.h"
#include "tests/core/imaging/processing.h"
#include "tests/core/imaging/volumes.h"
#include "tests/support/temporary_folder.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

using namespace voxlab;
using namespace voxlab::tests;
using testing::HasSubstr;

TEST(WriteNifti, AVolumeSurvivesWritingAndReading) {
  TemporaryFolder folder;
  Volume volume = ramp({5, 4, 3}, {{{-1.5, 0.1, 0, 7}, {0.2, 0, 2.25, -3}, {0, 1.75, 0.125, 11}, {0, 0, 0, 1}}});
  volume.header.timePoints = 2;
  volume.header.description = "made by a test";
  for (std::size_t n = 0; n < 60; ++n)
    volume.voxels.push_back(volume.voxels[n] / 3);
  for (const char* name : {"v.nii", "new/folder/v.nii.gz"}) {
    ASSERT_TRUE(writeNifti(folder / name, volume));
    const auto read = readVolume(folder / name);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->voxels, volume.voxels);
    EXPECT_EQ(read->header.timePoints, 2);
    EXPECT_EQ(read->header.description, "made by a test");
    EXPECT_EQ(read->header.storedType, VoxelType::Float32);
    EXPECT_LT(cornerDistance(read->grid(), volume.grid()).value(), 1e-5);
    ReadOptions second;
    second.timePoint = 1;
    EXPECT_EQ(readVolume(folder / name, second)->voxels, std::vector<float>(volume.voxels.begin() + 60, volume.voxels.end()));
  }
}

// Flipped, permuted, oblique, anisotropic, sheared and slightly non-orthonormal grids: nibabel made them, and they come
// back the same after being written here.
TEST(WriteNifti, EveryGridGoesRoundWithItsAffine) {
  TemporaryFolder folder;
  for (const char* name : {"ras", "las", "flipped", "permuted", "oblique", "anisotropic", "sheared", "not_quite_orthonormal"}) {
    SCOPED_TRACE(name);
    auto volume = readVolume(testData() / "imaging/nifti" / (std::string(name) + ".nii.gz"));
    ASSERT_TRUE(volume);
    volume->header.nifti.reset(); // as of a volume that was made here: a copy keeps the codes, and so the missing qform, of these files
    const auto file = folder / (std::string(name) + ".nii");
    ASSERT_TRUE(writeNifti(file, *volume, volume->header.storedType));
    const auto back = readVolume(file);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->voxels, volume->voxels);
    EXPECT_EQ(back->header.storedType, volume->header.storedType);
    EXPECT_EQ(largestDifference(back->grid().affine, volume->grid().affine), 0) << "a float32 affine stays as it is";
    const bool sheared = std::string(name) == "sheared";
    EXPECT_EQ(back->header.qform.has_value(), !sheared);
    if (back->header.qform) {
      EXPECT_TRUE(sameGrid({back->grid().size, *back->header.qform}, back->grid(), 0.02));
    }
  }
}

TEST(WriteNifti, QformsOfManyRotationsAgreeWithTheirSforms) {
  TemporaryFolder folder;
  const Processing golden;
  int checked = 0;
  for (const auto& entry : golden.facts.at("geometry")) {
    const Volume volume = makeVolume({3, 2, 4}, affineFrom(entry.at("affine")));
    ASSERT_TRUE(writeNifti(folder / "v.nii", volume));
    const auto header = readVolumeHeader(folder / "v.nii");
    ASSERT_TRUE(header);
    EXPECT_LT(cornerDistance(header->grid, volume.grid()).value(), 1e-4);
    if (!header->qform)
      continue;
    ++checked;
    EXPECT_LT(cornerDistance({header->grid.size, *header->qform}, volume.grid()).value(), 1e-4);
  }
  EXPECT_GE(checked, 30); // ten of the forty are sheared
}

TEST(WriteNifti, IntegersAreRoundedAndLimited) {
  TemporaryFolder folder;
  Volume volume = makeVolume({6, 1, 1});
  volume.voxels = {-3.6f, 2.5f, 3.5f, 300, 1e20f, NAN};
  const auto stored = [&](VoxelType type) {
    EXPECT_TRUE(writeNifti(folder / "v.nii", volume, type));
    return readVolume(folder / "v.nii").value().voxels;
  };
  EXPECT_EQ(stored(VoxelType::UInt8), (std::vector<float>{0, 2, 4, 255, 255, 0}));
  EXPECT_EQ(stored(VoxelType::Int8), (std::vector<float>{-4, 2, 4, 127, 127, 0}));
  EXPECT_EQ(stored(VoxelType::Int16), (std::vector<float>{-4, 2, 4, 300, 32767, 0}));
  EXPECT_EQ(stored(VoxelType::UInt32), (std::vector<float>{0, 2, 4, 300, 4294967295.0f, 0}));
  EXPECT_EQ(stored(VoxelType::Int64), (std::vector<float>{-4, 2, 4, 300, 9223372036854775807.0f, 0}));
  const auto real = stored(VoxelType::Float64);
  EXPECT_EQ(real[0], -3.6f);
  EXPECT_TRUE(std::isnan(real[5]));
}

TEST(WriteNifti, TheSameVolumeGivesTheSameBytes) {
  TemporaryFolder folder;
  const Volume volume = ramp({20, 20, 20});
  ASSERT_TRUE(writeNifti(folder / "a.nii.gz", volume));
  ASSERT_TRUE(writeNifti(folder / "b.nii.gz", volume));
  EXPECT_EQ(readTextFile(folder / "a.nii.gz").value(), readTextFile(folder / "b.nii.gz").value());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2) << "nothing is left beside them";
}

TEST(WriteNifti, WhatCannotBeWrittenGivesASentence) {
  TemporaryFolder folder;
  Volume volume = ramp({2, 2, 2});
  EXPECT_EQ(writeNifti(folder / "v.mgz", volume).error().code, ExitCode::Usage);
  EXPECT_EQ(writeNifti(folder / std::string(300, 'n') / "v.nii", volume).error().code, ExitCode::Data);
  volume.header.grid.affine[2] = {0, 0, 0, 0};
  EXPECT_THAT(writeNifti(folder / "v.nii", volume).error().message, HasSubstr("affine is not usable"));
  volume = makeVolume({40000, 1, 1});
  EXPECT_THAT(writeNifti(folder / "v.nii", volume).error().message, HasSubstr("a side of 40000 voxels"));
  volume.voxels.pop_back();
  EXPECT_EQ(writeNifti(folder / "v.nii", volume).error().code, ExitCode::Internal);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

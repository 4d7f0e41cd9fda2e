// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/geometry.h"
#include "core/imaging/importers.h"
#include "core/imaging/thinning_sink.h"
#include "tests/core/imaging/volumes.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace voxlab;
using namespace voxlab::tests;
using testing::Contains;
using testing::HasSubstr;

TEST(VolumeIo, VolumesBeyondTheLimitAreThinnedOnRequest) {
  TemporaryFolder folder;
  const Affine affine{{{-1.5, 0.1, 0, 20}, {0, 1.5, 0, -30}, {0, 0.2, 2, -10}, {0, 0, 0, 1}}};
  Volume volume = makeVolume({20, 7, 5}, affine, [](auto i, auto j, auto k) { return i + 100 * j + 10000 * k; });
  volume.header.timePoints = 2;
  for (std::size_t n = 0; n < 700; ++n)
    volume.voxels.push_back(-volume.voxels[n]);
  ASSERT_TRUE(writeNifti(folder / "v.nii.gz", volume));
  ReadOptions options;
  options.memoryLimitBytes = 2 * 4 * 7 * 3 * 2; // exactly every third voxel
  EXPECT_EQ(readVolume(folder / "v.nii.gz", options).error().code, ExitCode::OutOfMemory);
  options.whenTooLarge = WhenTooLarge::Thin;
  const auto thin = readVolume(folder / "v.nii.gz", options);
  ASSERT_TRUE(thin) << thin.error().message;
  EXPECT_EQ(thin->grid().size, (GridSize{7, 2, 2}));
  ASSERT_EQ(thin->voxels.size(), 56u);
  EXPECT_THAT(thin->header.notes, Contains(HasSubstr("every 3rd voxel")));
  // Each voxel that was kept says where it came from, and lies there.
  const auto& grid = thin->grid();
  for (std::int64_t n = 0; n < grid.voxelCount(); ++n) {
    const auto value = static_cast<std::int64_t>(thin->voxels[static_cast<std::size_t>(n)]);
    const Vec3 was = applyAffine(affine, {static_cast<double>(value % 100), static_cast<double>(value / 100 % 100), static_cast<double>(value / 10000)});
    const Vec3 is = applyAffine(grid.affine, {static_cast<double>(n % grid.size[0]), static_cast<double>(n / grid.size[0] % grid.size[1]),
                                              static_cast<double>(n / (grid.size[0] * grid.size[1]))});
    for (std::size_t a = 0; a < 3; ++a)
      EXPECT_NEAR(was[a], is[a], 1e-4);
    EXPECT_EQ(thin->voxels[static_cast<std::size_t>(n + grid.voxelCount())], static_cast<float>(-value));
  }
}

TEST(VolumeIo, WhatFitsIsNotThinned) {
  TemporaryFolder folder;
  const Volume volume = ramp({6, 5, 4});
  ASSERT_TRUE(writeNifti(folder / "v.nii", volume));
  ReadOptions options;
  options.whenTooLarge = WhenTooLarge::Thin;
  options.memoryLimitBytes = 480;
  EXPECT_EQ(readVolume(folder / "v.nii", options)->voxels, volume.voxels);
}

TEST(Thinning, StepsAreTheSmallestThatFit) {
  EXPECT_EQ(thinningFor({100, 100, 100}, 1, 4, 4'000'000).step, 1);
  EXPECT_EQ(thinningFor({100, 100, 100}, 1, 4, 3'999'999).step, 2);
  EXPECT_EQ(thinned(GridSize{100, 100, 1}, thinningFor({100, 100, 1}, 1, 4, 4)), (GridSize{1, 1, 1}));
  EXPECT_EQ(thinned(GridSize{100, 3, 1}, thinningFor({100, 3, 1}, 1, 4, 80)), (GridSize{20, 1, 1}));
}

TEST(VolumeIo, NamesOfVolumes) {
  EXPECT_TRUE(isNamedLikeVolume("/a/b.NII.GZ"));
  EXPECT_FALSE(isNamedLikeVolume("/a/b.txt"));
  EXPECT_EQ(volumeStem("/a/case_1.t1.nii.gz"), "case_1.t1");
  EXPECT_EQ(volumeStem("/a/case_1.MGZ"), "case_1");
  EXPECT_EQ(volumeStem("/a/notes.txt"), "notes");
  for (const auto& importer : importers())
    EXPECT_FALSE(importer.endings.empty());
}

TEST(VolumeIo, TheContentDecidesNotTheName) {
  TemporaryFolder folder;
  ASSERT_TRUE(writeNifti(folder / "v.nii.gz", ramp({4, 4, 4})));
  for (const char* name : {"v.mha", "v.nrrd", "v.dat", "v", "v.img", "v.mgz"}) {
    std::filesystem::copy_file(folder / "v.nii.gz", folder / name);
    const auto header = readVolumeHeader(folder / name);
    ASSERT_TRUE(header) << name << ": " << header.error().message;
    EXPECT_EQ(header->format, "NIfTI-1");
  }
  std::filesystem::copy_file(testData() / "imaging/mgh/oblique.mgz", folder / "mgh.nii.gz");
  EXPECT_EQ(readVolumeHeader(folder / "mgh.nii.gz").value().format, "MGH");
}

// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/geometry.h"
#include "core/imaging/volume_io.h"
#include "tests/support/temporary_folder.h"
#include <gtest/gtest.h>

using namespace voxlab;

TEST(NiftiIo, AVolumeSurvivesWritingAndReading) {
  TemporaryFolder folder;
  Volume volume;
  volume.header.grid = {{5, 4, 3}, {{{-1.5, 0.1, 0, 7}, {0.2, 0, 2.25, -3}, {0, 1.75, 0.125, 11}, {0, 0, 0, 1}}}};
  volume.header.timePoints = 2;
  for (int n = 0; n < 120; ++n)
    volume.voxels.push_back(0.25f * static_cast<float>(n) - 7);
  for (const char* name : {"v.nii", "v.nii.gz"}) {
    ASSERT_TRUE(writeNifti(folder / name, volume));
    const auto read = readVolume(folder / name);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->voxels, volume.voxels);
    EXPECT_EQ(read->header.timePoints, 2);
    EXPECT_LT(cornerDistance(read->grid(), volume.grid()).value(), 1e-5);
    ReadOptions second;
    second.timePoint = 1;
    EXPECT_EQ(readVolume(folder / name, second)->voxels, std::vector<float>(volume.voxels.begin() + 60, volume.voxels.end()));
  }
}

// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/volume_words.h"
#include <gtest/gtest.h>

using namespace voxlab;

TEST(VolumeWords, SaysWhatAUserAsks) {
  VolumeHeader header;
  header.format = "NIfTI-1";
  header.grid = {{181, 217, 90}, {{{-1, 0, 0, 90}, {0, 1, 0, -125.5}, {0, 0, 2, -71}, {0, 0, 0, 1}}}};
  header.timePoints = 3;
  header.storedType = VoxelType::Int16;
  header.slope = 0.5;
  header.intercept = -100;
  header.description = "made up";
  header.notes = {"The axes are left-handed (LAS)."};
  EXPECT_EQ(headerInWords(header), "Format: NIfTI-1\n"
                                   "Size: 181 × 217 × 90 voxels, 3 time points\n"
                                   "Spacing: 1.00 × 1.00 × 2.00 mm, 181 × 217 × 180 mm in all\n"
                                   "Axes: LAS (i to the left, j to the front, k to the top)\n"
                                   "First voxel: at 90.0, -126, -71.0 mm (right, front, top)\n"
                                   "Stored as: 16-bit integers, times 0.500000 minus 100.000\n"
                                   "Description: made up\n"
                                   "Note: The axes are left-handed (LAS).\n");
}

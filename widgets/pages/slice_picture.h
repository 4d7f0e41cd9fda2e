// SPDX-License-Identifier: GPL-3.0-or-later
// Small grey pictures of a volume's middle slices, with its labels over them, for cards and strips. Pure functions over
// files: call them off the GUI thread.
#pragma once
#include "core/base/result.h"
#include "core/imaging/quality.h"
#include "core/imaging/volume.h"
#include <QImage>
#include <array>
#include <filesystem>

namespace voxlab {

enum class SlicePlane { Axial, Coronal, Sagittal };

// The middle slice along the grid's axis that lies nearest to the plane's normal, window from the 1st to the 99th
// percentile, right way up (superior or anterior on top, the subject's left on the right), square voxels in millimetres.
// `labels`, if given and on the same grid, colours each label above 0.
QImage middleSlice(const Volume& volume, SlicePlane plane, const Volume* labels = nullptr);

struct SlicePictures {
  std::array<QImage, 3> planes; // axial, coronal, sagittal
};
// Fails as readVolume() does; a mask that cannot be read or does not match is left out.
Result<SlicePictures> readSlicePictures(const std::filesystem::path& volume, const std::filesystem::path& labels = {});

// Two volumes on one grid and what the second adds to the first, by plane: both in the first's window, the difference blue (less) through
// white to red (more), reaching as far as the 99.5th percentile of its size.
struct SliceDifference {
  std::array<QImage, 3> first, second, difference;
  double reach = 0; // of the colours, in the volumes' unit
  double dataRange = 0; // the first's: referenceRange()
  VoxelDifference statistics; // PSNR against that range
};
// Fails with Data when the grids' sizes differ.
Result<SliceDifference> sliceDifference(const Volume& first, const Volume& second);
Result<SliceDifference> readSliceDifference(const std::filesystem::path& first, const std::filesystem::path& second);

} // namespace voxlab

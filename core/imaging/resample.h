// SPDX-License-Identifier: Apache-2.0
// Volumes on other grids: by world position, or axis by axis over the same field of view; cropping and padding.
#pragma once
#include "core/imaging/volume.h"
#include <span>

namespace voxlab {

enum class Interpolation { Unknown, Nearest, Linear };

// Each voxel of the target takes the value at its world position, every time point. Within half a voxel outside the
// source's outermost centres the edge is continued, beyond it `outside` is taken. Not smoothed: see resizedToSize for shrinking.
Volume resampled(const Volume& volume, const Grid& target, Interpolation interpolation, float outside);

// How values are made when the number of voxels along an axis changes over the same field of view. Output voxel i lies at
// (i + ½)·from/to − ½ of the input, limited to 0 … from − 1.
enum class AxisFilter {
  Unknown,
  Nearest,  // labels
  Linear,   // two neighbours, no smoothing, FP64: as the published programs do (parity/ARCHITECTURE.md, 6.3)
  Triangle, // Linear when growing; when shrinking, the triangle widened by the ratio, so that nothing aliases
};
using GridSize = std::array<std::int64_t, 3>; // along i, j, k
template <class T> // float or double
std::vector<T> resizedVoxels(std::span<const T> voxels, const GridSize& from, const GridSize& to, AxisFilter filter);
// The same for a volume; its grid becomes scaledGrid(grid, size).
Volume resizedToSize(const Volume& volume, const GridSize& size, AxisFilter filter);

// Centre crop or pad to a size: for a difference d, ceil(d/2) voxels at the low-index side and floor(d/2) at the high side.
// Voxels keep their world position (parity/ARCHITECTURE.md, 7.1).
Grid croppedOrPadded(const Grid& grid, const GridSize& size);
Volume croppedOrPadded(const Volume& volume, const GridSize& size, float fill);

} // namespace voxlab

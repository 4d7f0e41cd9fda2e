// SPDX-License-Identifier: GPL-3.0-or-later
// A smooth copy of coarse voxels for the ray casters. They take light and edges' opacity from differences of neighbouring voxels and
// interpolate those linearly; where a voxel is many pixels wide, each voxel shows, as rings and rows of dots on every surface.
#pragma once
#include <array>
#include <cstdint>
#include <vector>
#include <vtkSmartPointer.h>

class vtkImageData;

namespace voxlab {

// Voxels along i, j, k of the copy, `size` itself where it is fine enough: about cubes, of a third of the shortest edge where
// `voxelLimit` and the number of voxels of a whole head of 1 mm allow, whatever the millimetres. First and last voxels keep their places.
// Axes that are finer stay as they are where voxelLimit has room for them.
std::array<std::int64_t, 3> refinedSize(const std::array<std::int64_t, 3>& size, const std::array<double, 3>& spacing_mm, std::int64_t voxelLimit);

// How to take values at `to` places, evenly from the first of `from` voxels to the last: each a mean of its neighbours under a
// cubic B-spline a little wider than a voxel, or than a place where those are farther apart. It stays within the values' range, and an
// edge gets no ripples, which light would show. Beyond the ends lies more of the last voxel.
struct SplineTaps {
  int perPlace = 0;
  std::vector<std::int64_t> index; // to · perPlace
  std::vector<float> weight;       // likewise; a place's have the sum 1
};
SplineTaps splineTaps(std::int64_t from, std::int64_t to);

// Of unsigned short, one component, origin 0. Returns `image` itself where that is fine enough.
// Takes up to 10 bytes a voxel of the copy meanwhile.
vtkSmartPointer<vtkImageData> refinedForRays(const vtkSmartPointer<vtkImageData>& image, std::int64_t voxelLimit);

} // namespace voxlab

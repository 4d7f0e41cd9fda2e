// SPDX-License-Identifier: GPL-3.0-or-later
// Where a volume's tissue lies, for the camera, and the greys of its maximum projection.
#pragma once
#include "core/imaging/display_range.h"
#include "rendering/space.h"
#include <span>

namespace voxlab {

struct RayContent {
  Vec3d centre;         // world millimetres
  double radius_mm = 0; // of the sphere around the voxels that show; the middles of the grid's faces are always inside, to be dragged
};
// Of stored values: what lies between them does not show. Of data without a sign all that is low does not.
struct HiddenBand {
  double low = -1, high = 0;
};
// `stored` has the grid's size, i fastest. Where no voxel shows, the sphere is around the whole grid.
RayContent rayContentOf(std::span<const unsigned short> stored, const Grid& grid, HiddenBand hidden);

// The brightest voxel of nearly every ray lies above a range that suits slices: clipped at its upper end, a projection would be a white
// silhouette. What is brighter than the range therefore keeps greys of its own: the range's upper end gets the grey a third of the
// way to white from its place on a straight line between the lower end and the brightest voxels. Lowering the upper end brightens every grey.
struct ProjectionGreys {
  DisplayRange range;
  double brightest = 1; // intensity of white; the range's upper end where that is higher
  double knee = 1;      // grey of the range's upper end
  double intensityOf(double grey) const; // 0…1, ascending
  double greyOf(double intensity) const; // its inverse; beyond 0…1 outside
};
ProjectionGreys projectionGreys(DisplayRange range, double brightest);
double brightestOf(const Histogram& summary); // what next to no voxel exceeds

} // namespace voxlab

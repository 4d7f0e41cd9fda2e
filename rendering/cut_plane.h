// SPDX-License-Identifier: GPL-3.0-or-later
// A plane at any angle that cuts the volume rendering, and what is needed to draw it and to turn it by a knob. Millimetres, RAS+.
#pragma once
#include "rendering/slice_geometry.h"
#include <vector>

namespace voxlab {

struct CutPlane {
  Vec3d point;           // on the plane
  Vec3d normal{0, 1, 0}; // unit vector; what lies on its side is cut away
  bool operator==(const CutPlane&) const = default;
};

// Where the plane meets the grid's box (faces at the centres of its outer voxels): a convex polygon, corners in order; empty where
// it passes beside the box.
std::vector<Vec3d> outlineOf(const CutPlane& plane, const Grid& grid);
// The middle of that outline; the plane's point where there is none.
Vec3d middleOf(const CutPlane& plane, const Grid& grid);

// The slice in the plane: a square of edge² pixels around its outline; no pixels where there is none.
SliceGeometry sliceIn(const CutPlane& plane, const Grid& grid, int edge);

// Moved along its normal, but never so far that it leaves the box behind.
CutPlane moved(const CutPlane& plane, double distance_mm, const Grid& grid);

// The directions of a screen: unit vectors, `toViewer` out of it.
struct ViewDirections {
  Vec3d right, up, toViewer;
};
// The normal whose knob, a sphere's radius from its middle, is seen `right` and `up` of that middle (shares of the radius; orthographic).
// It stays in the half, before or behind the screen, in which it was, and comes to the front beyond the sphere's rim.
Vec3d turnedNormal(Vec3d normal, const ViewDirections& screen, double right, double up);

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/cut_plane.h"
#include <algorithm>

namespace voxlab {
namespace {

std::array<Vec3d, 8> cornersOf(const Grid& grid) {
  std::array<Vec3d, 8> corners;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3d index;
    for (int axis = 0; axis < 3; ++axis)
      index[axis] = (corner >> axis & 1) ? static_cast<double>(grid.size[static_cast<std::size_t>(axis)] - 1) : 0;
    corners[static_cast<std::size_t>(corner)] = transformPoint(grid.affine, index);
  }
  return corners;
}

Vec3d unit(Vec3d v) { return v * (1 / length(v)); }

struct InPlane {
  Vec3d across, along; // unit vectors
};
InPlane directionsIn(Vec3d normal) {
  const Vec3d helper = std::abs(normal.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  const Vec3d across = unit(cross(normal, helper));
  return {across, cross(normal, across)};
}

Vec3d meanOf(const std::vector<Vec3d>& points) {
  Vec3d sum;
  for (const Vec3d p : points)
    sum = sum + p;
  return sum * (1 / static_cast<double>(points.size()));
}

} // namespace

std::vector<Vec3d> outlineOf(const CutPlane& plane, const Grid& grid) {
  const auto corners = cornersOf(grid);
  std::vector<Vec3d> points;
  for (std::size_t from = 0; from < 8; ++from)
    for (int axis = 0; axis < 3; ++axis) {
      const std::size_t to = from | std::size_t{1} << axis;
      if (to == from)
        continue;
      const double before = dot(corners[from] - plane.point, plane.normal), after = dot(corners[to] - plane.point, plane.normal);
      if ((before < 0) != (after < 0))
        points.push_back(corners[from] + (corners[to] - corners[from]) * (before / (before - after)));
    }
  if (points.size() < 3)
    return {};
  const Vec3d middle = meanOf(points);
  const auto [across, along] = directionsIn(plane.normal);
  const auto angle = [&, x = across, y = along](Vec3d p) { return std::atan2(dot(p - middle, y), dot(p - middle, x)); };
  std::sort(points.begin(), points.end(), [&](Vec3d a, Vec3d b) { return angle(a) < angle(b); });
  return points;
}

Vec3d middleOf(const CutPlane& plane, const Grid& grid) {
  const auto outline = outlineOf(plane, grid);
  return outline.empty() ? plane.point : meanOf(outline);
}

SliceGeometry sliceIn(const CutPlane& plane, const Grid& grid, int edge) {
  SliceGeometry slice;
  const auto outline = outlineOf(plane, grid);
  if (outline.empty() || edge < 2)
    return slice;
  const Vec3d middle = meanOf(outline);
  double reach = 0;
  for (const Vec3d corner : outline)
    reach = std::max(reach, length(corner - middle));
  const InPlane in = directionsIn(plane.normal);
  const double mm = 2 * reach / (edge - 1);
  slice.width = slice.height = edge;
  slice.across = in.across * mm;
  slice.down = in.along * mm;
  slice.origin = middle - (slice.across + slice.down) * ((edge - 1) / 2.0);
  return slice;
}

CutPlane moved(const CutPlane& plane, double distance_mm, const Grid& grid) {
  const auto corners = cornersOf(grid);
  double nearest = dot(corners[0], plane.normal), farthest = nearest;
  for (const Vec3d corner : corners) {
    nearest = std::min(nearest, dot(corner, plane.normal));
    farthest = std::max(farthest, dot(corner, plane.normal));
  }
  constexpr double kInside = 0.005; // of the way: something can always be seen and dragged
  const double margin = (farthest - nearest) * kInside, now = dot(plane.point, plane.normal);
  const double wanted = std::clamp(now + distance_mm, nearest + margin, farthest - margin);
  return {plane.point + plane.normal * (wanted - now), plane.normal};
}

Vec3d turnedNormal(Vec3d normal, const ViewDirections& screen, double right, double up) {
  const double off = std::hypot(right, up);
  if (off >= 1)
    return unit(screen.right * right + screen.up * up + screen.toViewer * 1e-3);
  const double out = std::sqrt(1 - off * off);
  const double side = dot(normal, screen.toViewer) < 0 ? -out : out;
  return unit(screen.right * right + screen.up * up + screen.toViewer * side);
}

} // namespace voxlab

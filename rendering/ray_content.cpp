// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/ray_content.h"
#include "rendering/parallel.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {

using Stored = std::span<const unsigned short>;

// First and last voxel of a row along i that shows; first > last where none does. What is farthest off is always one of them.
struct RowEnds {
  std::int64_t first = 1, last = 0;
};

std::vector<RowEnds> rowEnds(Stored stored, const std::array<std::int64_t, 3>& size, HiddenBand hidden) {
  std::vector<RowEnds> rows(static_cast<std::size_t>(size[1] * size[2]));
  parallelFor(0, size[1] * size[2], 256, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const Stored line = stored.subspan(static_cast<std::size_t>(row * size[0]), static_cast<std::size_t>(size[0]));
      const auto shows = [hidden](unsigned short v) { return v > hidden.high || v < hidden.low; };
      const auto first = std::find_if(line.begin(), line.end(), shows);
      if (first == line.end())
        continue;
      const auto last = std::find_if(line.rbegin(), line.rend(), shows);
      rows[static_cast<std::size_t>(row)] = {first - line.begin(), line.rend() - last - 1};
    }
  });
  return rows;
}

template <class Visit> void forEachEnd(const std::vector<RowEnds>& rows, const std::array<std::int64_t, 3>& size, Visit&& visit) {
  for (std::int64_t row = 0; row < size[1] * size[2]; ++row)
    if (const RowEnds& ends = rows[static_cast<std::size_t>(row)]; ends.first <= ends.last)
      for (const std::int64_t i : {ends.first, ends.last})
        visit(Vec3d{static_cast<double>(i), static_cast<double>(row % size[1]), static_cast<double>(row / size[1])});
}

} // namespace

RayContent rayContentOf(Stored stored, const Grid& grid, HiddenBand hidden) {
  const std::vector<RowEnds> rows = rowEnds(stored, grid.size, hidden);
  RayContent content;
  const Vec3d last{static_cast<double>(grid.size[0] - 1), static_cast<double>(grid.size[1] - 1), static_cast<double>(grid.size[2] - 1)};
  Vec3d low = last, high{0, 0, 0};
  bool any = false;
  forEachEnd(rows, grid.size, [&](Vec3d p) {
    any = true;
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  });
  content.centre = transformPoint(grid.affine, any ? (low + high) * 0.5 : last * 0.5);
  const auto include = [&](Vec3d voxel) { content.radius_mm = std::max(content.radius_mm, length(transformPoint(grid.affine, voxel) - content.centre)); };
  forEachEnd(rows, grid.size, include);
  for (int axis = 0; axis < 3; ++axis)
    for (const double end : {-0.5, last[axis] + 0.5}) {
      Vec3d face = last * 0.5;
      face[axis] = end;
      include(face);
    }
  for (int corner = 0; !any && corner < 8; ++corner)
    include({corner & 1 ? last.x : 0, corner & 2 ? last.y : 0, corner & 4 ? last.z : 0});
  return content;
}

ProjectionGreys projectionGreys(DisplayRange range, double brightest) {
  ProjectionGreys greys{range, std::max(brightest, range.high), 1};
  constexpr double kClipped = 1.0 / 3; // of the way from the straight line to white
  if (range.high > range.low)
    greys.knee = kClipped + (1 - kClipped) * (range.high - range.low) / (greys.brightest - range.low);
  return greys;
}

double ProjectionGreys::intensityOf(double grey) const {
  if (grey <= knee)
    return range.low + grey / knee * (range.high - range.low);
  return range.high + (grey - knee) / (1 - knee) * (brightest - range.high);
}

double ProjectionGreys::greyOf(double intensity) const {
  if (intensity <= range.high || !(brightest > range.high))
    return knee * (intensity - range.low) / std::max(range.high - range.low, 1e-30);
  return knee + (1 - knee) * (intensity - range.high) / (brightest - range.high);
}

double brightestOf(const Histogram& summary) { return summary.percentile(0.9999); }

} // namespace voxlab

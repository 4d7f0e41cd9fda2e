// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/mask_edit.h"
#include "core/imaging/geometry.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {

struct IndexBox {
  std::array<std::int64_t, 3> low{}, high{}; // high is included
};

// Where a ball of that radius can reach: a row of the inverse affine has the length of the index step per millimetre.
IndexBox boxAround(const Affine& toIndex, const Grid& grid, const Brush& brush) {
  const auto centre = applyAffine(toIndex, brush.centre_mm);
  IndexBox box;
  for (int axis = 0; axis < 3; ++axis) {
    const auto& row = toIndex[axis];
    const double reach = brush.radius_mm * std::sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
    const auto last = static_cast<double>(grid.size[axis] - 1);
    box.low[axis] = static_cast<std::int64_t>(std::ceil(std::clamp(centre[axis] - reach, 0.0, last + 1)));
    box.high[axis] = static_cast<std::int64_t>(std::floor(std::clamp(centre[axis] + reach, -1.0, last)));
  }
  return box;
}

bool isInside(const Brush& brush, const std::array<double, 3>& p) {
  double squared = 0, along = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double d = p[axis] - brush.centre_mm[axis];
    squared += d * d;
    along += d * brush.normal[axis];
  }
  if (squared > brush.radius_mm * brush.radius_mm)
    return false;
  return brush.shape != BrushShape::Disc || std::abs(along) <= brush.thickness_mm / 2 * 1.0001;
}

} // namespace

MaskChange paint(Volume& mask, const Brush& brush) {
  MaskChange change;
  const auto toIndex = inverse(mask.grid().affine);
  const auto& size = mask.grid().size;
  if (!toIndex || mask.voxels.size() < static_cast<std::size_t>(mask.grid().voxelCount()))
    return change;
  const IndexBox box = boxAround(*toIndex, mask.grid(), brush);
  for (std::int64_t k = box.low[2]; k <= box.high[2]; ++k)
    for (std::int64_t j = box.low[1]; j <= box.high[1]; ++j)
      for (std::int64_t i = box.low[0]; i <= box.high[0]; ++i) {
        const std::int64_t index = i + size[0] * (j + size[1] * k);
        float& voxel = mask.voxels[static_cast<std::size_t>(index)];
        if (voxel == brush.value ||
            !isInside(brush, applyAffine(mask.grid().affine, {static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)})))
          continue;
        change.push_back({index, voxel, brush.value});
        voxel = brush.value;
      }
  return change;
}

MaskChange paintLine(Volume& mask, Brush brush, const std::array<double, 3>& to_mm) {
  const auto from = brush.centre_mm;
  double distance = 0;
  for (int axis = 0; axis < 3; ++axis)
    distance += (to_mm[axis] - from[axis]) * (to_mm[axis] - from[axis]);
  constexpr int kMostSteps = 2000;
  const int steps = std::clamp(static_cast<int>(std::sqrt(distance) / std::max(brush.radius_mm * 0.4, 0.1)) + 1, 1, kMostSteps);
  MaskChange whole;
  for (int step = 1; step <= steps; ++step) {
    for (int axis = 0; axis < 3; ++axis)
      brush.centre_mm[axis] = from[axis] + (to_mm[axis] - from[axis]) * step / steps;
    const MaskChange part = paint(mask, brush);
    whole.insert(whole.end(), part.begin(), part.end());
  }
  return whole;
}

void undo(Volume& mask, const MaskChange& change) {
  for (auto it = change.rbegin(); it != change.rend(); ++it)
    mask.voxels[static_cast<std::size_t>(it->index)] = it->before;
}

void redo(Volume& mask, const MaskChange& change) {
  for (const auto& voxel : change)
    mask.voxels[static_cast<std::size_t>(voxel.index)] = voxel.after;
}

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes that are computed, with known places in the world.
#pragma once
#include "core/imaging/volume.h"
#include "rendering/space.h"
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

namespace voxlab {

inline std::shared_ptr<Volume> volumeOf(const Grid& grid, const std::function<float(Vec3d world)>& value) {
  auto volume = std::make_shared<Volume>();
  volume->header.grid = grid;
  volume->voxels.reserve(static_cast<std::size_t>(grid.voxelCount()));
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i)
        volume->voxels.push_back(value(transformPoint(grid.affine, {static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)})));
  return volume;
}

// Axes as a three-letter code ("LIA": i to left, j to inferior, k to anterior), centred on the origin.
inline Grid gridOf(const std::string& code, std::array<std::int64_t, 3> size, std::array<double, 3> spacing = {1, 1, 1}) {
  Grid grid;
  grid.size = size;
  grid.affine = Affine{};
  grid.affine[3][3] = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const int world = code[axis] == 'R' || code[axis] == 'L' ? 0 : code[axis] == 'A' || code[axis] == 'P' ? 1 : 2;
    const double sign = code[axis] == 'R' || code[axis] == 'A' || code[axis] == 'S' ? 1 : -1;
    grid.affine[world][axis] = sign * spacing[axis];
    grid.affine[world][3] -= sign * spacing[axis] * static_cast<double>(size[axis] - 1) / 2;
  }
  return grid;
}

// Turned about the superior axis through the origin.
inline Grid turned(const Grid& grid, double degrees) {
  const double c = std::cos(degrees * 3.14159265358979 / 180), s = std::sin(degrees * 3.14159265358979 / 180);
  Grid result = grid;
  result.affine = product(Affine{{{c, -s, 0, 0}, {s, c, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}}, grid.affine);
  return result;
}

// A head of intensity 100 with brain (60…80) and a bright ball in the patient's right, anterior, superior eighth.
inline float headAt(Vec3d p) {
  if (length(p - Vec3d{11, 12, 9}) < 5)
    return 160;
  const double shape = (p.x * p.x) / (24.0 * 24) + (p.y * p.y) / (28.0 * 28) + (p.z * p.z) / (22.0 * 22);
  if (shape > 1)
    return 0;
  return shape > 0.75 ? 100.0f : 60.0f + 20.0f * static_cast<float>(std::sin(p.x * 0.5) * std::cos(p.y * 0.4) * std::cos(p.z * 0.4));
}

inline float headLabelAt(Vec3d p) {
  if (length(p - Vec3d{11, 12, 9}) < 5)
    return 3;
  const float v = headAt(p);
  return v == 0 ? 0.0f : v == 100 ? 1.0f : 2.0f;
}

} // namespace voxlab

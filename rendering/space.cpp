// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/space.h"
#include <algorithm>
#include <limits>

namespace voxlab {
namespace {

using Matrix3 = std::array<Vec3d, 3>; // three columns

double determinant(const Matrix3& m) { return dot(m[0], cross(m[1], m[2])); }

// Columns of the inverse transpose.
Matrix3 inverseTranspose(const Matrix3& m) {
  const double d = determinant(m);
  return {cross(m[1], m[2]) * (1 / d), cross(m[2], m[0]) * (1 / d), cross(m[0], m[1]) * (1 / d)};
}

// Higham, "Computing the polar decomposition", 1986, eq. 3.1.
Matrix3 nearestRotation(Matrix3 m) {
  for (int round = 0; round < 30; ++round) {
    const Matrix3 other = inverseTranspose(m);
    for (int c = 0; c < 3; ++c)
      m[c] = (m[c] + other[c]) * 0.5;
  }
  return m;
}

Vec3d unit(Vec3d v) {
  const double n = length(v);
  return n > 0 ? v * (1 / n) : v;
}

} // namespace

Vec3d transformPoint(const Affine& a, Vec3d p) {
  return transformDirection(a, p) + Vec3d{a[0][3], a[1][3], a[2][3]};
}

Vec3d transformDirection(const Affine& a, Vec3d d) {
  return {a[0][0] * d.x + a[0][1] * d.y + a[0][2] * d.z, a[1][0] * d.x + a[1][1] * d.y + a[1][2] * d.z,
          a[2][0] * d.x + a[2][1] * d.y + a[2][2] * d.z};
}

Vec3d columnOf(const Affine& a, int c) { return {a[0][c], a[1][c], a[2][c]}; }

std::optional<Affine> inverted(const Affine& a) {
  const Matrix3 columns{columnOf(a, 0), columnOf(a, 1), columnOf(a, 2)};
  const double d = determinant(columns);
  if (!std::isfinite(d) || std::abs(d) < std::numeric_limits<double>::min())
    return std::nullopt;
  const Matrix3 rows = inverseTranspose(columns); // columns of the inverse transpose are the rows of the inverse
  Affine result = kIdentityAffine;
  const Vec3d t = columnOf(a, 3);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c)
      result[r][c] = rows[r][c];
    result[r][3] = -dot(rows[r], t);
  }
  return result;
}

Affine product(const Affine& a, const Affine& b) {
  Affine result{};
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c)
      for (int k = 0; k < 4; ++k)
        result[r][c] += a[r][k] * b[k][c];
  return result;
}

std::array<int, 3> closestVoxelAxes(const Affine& affine) {
  const Matrix3 columns{unit(columnOf(affine, 0)), unit(columnOf(affine, 1)), unit(columnOf(affine, 2))};
  std::array<int, 3> order{0, 1, 2}, best = order;
  double bestSum = -1;
  do {
    double sum = 0;
    for (int world = 0; world < 3; ++world)
      sum += std::abs(columns[order[world]][world]);
    if (sum > bestSum + 1e-9) {
      bestSum = sum;
      best = order;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

SliceFrame alignedFrame(const Grid& grid) {
  const auto axes = closestVoxelAxes(grid.affine);
  SliceFrame frame = worldFrame(grid);
  Matrix3 directions;
  for (int world = 0; world < 3; ++world) {
    const Vec3d column = unit(columnOf(grid.affine, axes[world]));
    directions[world] = column[world] < 0 ? column * -1 : column;
  }
  if (!(std::abs(determinant(directions)) > 1e-6))
    return frame; // degenerate grid: the world's axes
  directions = nearestRotation(directions);
  frame.right = directions[0];
  frame.anterior = directions[1];
  frame.superior = directions[2];
  return frame;
}

SliceFrame worldFrame(const Grid& grid) {
  const auto axes = closestVoxelAxes(grid.affine);
  SliceFrame frame;
  for (int world = 0; world < 3; ++world) {
    const double step = length(columnOf(grid.affine, axes[world]));
    frame.step_mm[world] = step > 1e-6 && std::isfinite(step) ? step : 1;
  }
  return frame;
}

Bounds boundsIn(const SliceFrame& frame, const Grid& grid) {
  const double huge = std::numeric_limits<double>::max();
  Bounds bounds{{huge, huge, huge}, {-huge, -huge, -huge}};
  for (int corner = 0; corner < 8; ++corner) {
    Vec3d index;
    for (int axis = 0; axis < 3; ++axis)
      index[axis] = (corner >> axis & 1) ? static_cast<double>(grid.size[axis]) - 0.5 : -0.5;
    const Vec3d p = frame.toFrame(transformPoint(grid.affine, index));
    for (int axis = 0; axis < 3; ++axis) {
      bounds.low[axis] = std::min(bounds.low[axis], p[axis]);
      bounds.high[axis] = std::max(bounds.high[axis], p[axis]);
    }
  }
  return bounds;
}

std::string directionLetters(Vec3d direction) {
  const Vec3d d = unit(direction);
  constexpr double kNoticeable = 0.342; // sin 20°
  std::array<int, 3> order{0, 1, 2};
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return std::abs(d[a]) > std::abs(d[b]); });
  std::string letters;
  for (const int axis : order)
    if (letters.empty() || std::abs(d[axis]) > kNoticeable)
      letters += d[axis] < 0 ? "LPI"[axis] : "RAS"[axis];
  return letters;
}

std::string orientationCode(const Affine& affine) {
  const auto axes = closestVoxelAxes(affine);
  std::string code = "???";
  for (int world = 0; world < 3; ++world)
    code[axes[world]] = columnOf(affine, axes[world])[world] < 0 ? "LPI"[world] : "RAS"[world];
  return code;
}

} // namespace voxlab

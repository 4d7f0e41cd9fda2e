// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/geometry.h"
#include "core/base/text.h"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace voxlab {
namespace {
constexpr const char* kPositive = "RAS";
constexpr const char* kNegative = "LPI";

Vec3 column(const Affine& a, int j) {
  const auto c = static_cast<std::size_t>(j);
  return {a[0][c], a[1][c], a[2][c]};
}
double norm(const Vec3& v) { return std::hypot(v[0], v[1], v[2]); }
double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Direction cosines; a zero column stays zero.
Affine unitColumns(const Affine& affine) {
  Affine out = affine;
  const Vec3 lengths = spacingOf(affine);
  for (auto& row : out)
    for (std::size_t j = 0; j < 3; ++j)
      row[j] = lengths[j] > 0 ? row[j] / lengths[j] : 0;
  return out;
}

// For each voxel axis the world axis that it follows. As nibabel's io_orientation: by the closest rotation, the axis with the
// largest cosine chooses first.
std::array<int, 3> worldAxes(const Affine& affine) {
  const auto r = isUsable(affine) ? closestRotation(affine) : std::array<Vec3, 3>{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  const auto largest = [&](std::size_t j) { return std::max({std::abs(r[0][j]), std::abs(r[1][j]), std::abs(r[2][j])}); };
  std::array<std::size_t, 3> order{0, 1, 2};
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return largest(a) > largest(b); });
  std::array<int, 3> out{};
  std::array<bool, 3> taken{};
  for (const std::size_t j : order) {
    std::size_t best = 3;
    for (std::size_t w = 0; w < 3; ++w)
      if (!taken[w] && (best == 3 || std::abs(r[w][j]) > std::abs(r[best][j])))
        best = w;
    taken[best] = true;
    out[j] = static_cast<int>(best);
  }
  return out;
}

using Matrix3 = std::array<Vec3, 3>;
Matrix3 inverse3(const Matrix3& m, double det) {
  Matrix3 out;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t r = (j + 1) % 3, s = (j + 2) % 3, t = (i + 1) % 3, u = (i + 2) % 3;
      out[i][j] = (m[r][t] * m[s][u] - m[r][u] * m[s][t]) / det;
    }
  return out;
}
} // namespace

Vec3 applyAffine(const Affine& a, const Vec3& p) {
  Vec3 out;
  for (std::size_t i = 0; i < 3; ++i)
    out[i] = a[i][0] * p[0] + a[i][1] * p[1] + a[i][2] * p[2] + a[i][3];
  return out;
}

Affine compose(const Affine& outer, const Affine& inner) {
  Affine out{};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t k = 0; k < 4; ++k)
        out[i][j] += outer[i][k] * inner[k][j];
  return out;
}

double determinant(const Affine& a) {
  return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
         a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

bool isFinite(const Affine& affine) {
  return std::all_of(affine.begin(), affine.end(),
                     [](const auto& row) { return std::all_of(row.begin(), row.end(), [](double v) { return std::isfinite(v); }); });
}

bool isUsable(const Affine& affine) {
  if (!isFinite(affine) || affine[3] != std::array<double, 4>{0, 0, 0, 1})
    return false;
  const Vec3 lengths = spacingOf(affine);
  for (const double length : lengths)
    if (!(length > 1e-12 && length < 1e12))
      return false;
  return std::abs(determinant(unitColumns(affine))) > 1e-6;
}

std::optional<Affine> inverse(const Affine& affine) {
  if (!isUsable(affine))
    return std::nullopt;
  const Matrix3 m{Vec3{affine[0][0], affine[0][1], affine[0][2]}, Vec3{affine[1][0], affine[1][1], affine[1][2]},
                  Vec3{affine[2][0], affine[2][1], affine[2][2]}};
  const Matrix3 inv = inverse3(m, determinant(affine));
  Affine out = kIdentityAffine;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      out[i][j] = inv[i][j];
    out[i][3] = -(inv[i][0] * affine[0][3] + inv[i][1] * affine[1][3] + inv[i][2] * affine[2][3]);
  }
  return out;
}

Affine rasFromLps(const Affine& affine) {
  Affine out = affine;
  for (std::size_t i = 0; i < 2; ++i)
    for (auto& value : out[i])
      value = value == 0 ? 0 : -value; // no negative zeros in print
  return out;
}

Vec3 spacingOf(const Affine& affine) { return {norm(column(affine, 0)), norm(column(affine, 1)), norm(column(affine, 2))}; }

double shearDegrees(const Affine& affine) {
  const Affine unit = unitColumns(affine);
  double largest = 0;
  for (int a = 0; a < 3; ++a)
    for (int b = a + 1; b < 3; ++b)
      largest = std::max(largest, std::asin(std::min(1.0, std::abs(dot(column(unit, a), column(unit, b))))));
  return largest * 180 / std::numbers::pi;
}

bool isLeftHanded(const Affine& affine) { return determinant(affine) < 0; }

std::string axisCodes(const Affine& affine) {
  const auto axes = worldAxes(affine);
  std::string codes;
  for (std::size_t j = 0; j < 3; ++j) {
    const auto world = static_cast<std::size_t>(axes[j]);
    codes += affine[world][j] < 0 ? kNegative[world] : kPositive[world];
  }
  return codes;
}

std::array<Vec3, 3> closestRotation(const Affine& affine) {
  const Affine unit = unitColumns(affine);
  Matrix3 m{Vec3{unit[0][0], unit[0][1], unit[0][2]}, Vec3{unit[1][0], unit[1][1], unit[1][2]}, Vec3{unit[2][0], unit[2][1], unit[2][2]}};
  // Newton's iteration for the polar factor: M ← (M + M⁻ᵀ)/2 converges quadratically (Higham 1986).
  for (int step = 0; step < 100; ++step) {
    const double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                       m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    const Matrix3 inv = inverse3(m, det);
    double change = 0;
    Matrix3 next;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        next[i][j] = 0.5 * (m[i][j] + inv[j][i]);
        change = std::max(change, std::abs(next[i][j] - m[i][j]));
      }
    m = next;
    if (!(change > 1e-15))
      break;
  }
  return m;
}

std::optional<double> cornerDistance(const Grid& a, const Grid& b) {
  if (a.size != b.size)
    return std::nullopt;
  double largest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 index;
    for (std::size_t axis = 0; axis < 3; ++axis)
      index[axis] = (corner >> axis) & 1 ? static_cast<double>(a.size[axis] - 1) : 0;
    const Vec3 p = applyAffine(a.affine, index), q = applyAffine(b.affine, index);
    largest = std::max(largest, norm({p[0] - q[0], p[1] - q[1], p[2] - q[2]}));
  }
  return largest;
}

bool sameGrid(const Grid& a, const Grid& b, double toleranceVoxels) {
  const auto distance = cornerDistance(a, b);
  const Vec3 spacing = spacingOf(a.affine);
  return distance && *distance <= toleranceVoxels * std::min({spacing[0], spacing[1], spacing[2]});
}

Grid scaledGrid(const Grid& grid, const std::array<std::int64_t, 3>& size) {
  // old index = (new index + ½)·ratio − ½
  Affine fromNew = kIdentityAffine;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double ratio = static_cast<double>(grid.size[axis]) / static_cast<double>(size[axis]);
    fromNew[axis][axis] = ratio;
    fromNew[axis][3] = 0.5 * ratio - 0.5;
  }
  return {size, compose(grid.affine, fromNew)};
}

AxisOrder orderTowards(const Affine& affine, const std::string& codes) {
  const std::string current = axisCodes(affine);
  const auto sameAxis = [](char a, char b) {
    constexpr std::array<const char*, 3> pairs{"RL", "AP", "SI"};
    return std::any_of(pairs.begin(), pairs.end(), [&](const char* p) { return (a == p[0] || a == p[1]) && (b == p[0] || b == p[1]); });
  };
  AxisOrder order;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t j = 0; j < 3; ++j)
      if (sameAxis(codes[a], current[j])) {
        order.source[a] = static_cast<int>(j);
        order.flipped[a] = codes[a] != current[j];
      }
  return order;
}

Grid reoriented(const Grid& grid, const AxisOrder& order) {
  Grid out;
  Affine oldFromNew{};
  oldFromNew[3][3] = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto old = static_cast<std::size_t>(order.source[a]);
    out.size[a] = grid.size[old];
    oldFromNew[old][a] = order.flipped[a] ? -1 : 1;
    oldFromNew[old][3] = order.flipped[a] ? static_cast<double>(grid.size[old] - 1) : 0;
  }
  out.affine = compose(grid.affine, oldFromNew);
  return out;
}

Volume reoriented(const Volume& volume, const AxisOrder& order) {
  if (order.isIdentity())
    return volume;
  const Grid& from = volume.grid();
  Volume out;
  out.header = volume.header;
  out.header.grid = reoriented(from, order);
  out.header.sform.reset(); // they described the axes as stored in the file
  out.header.qform.reset();
  out.voxels.resize(volume.voxels.size());
  const std::array<std::int64_t, 3> oldStride{1, from.size[0], from.size[0] * from.size[1]};
  std::array<std::int64_t, 3> step;
  std::int64_t start = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto old = static_cast<std::size_t>(order.source[a]);
    step[a] = order.flipped[a] ? -oldStride[old] : oldStride[old];
    start += order.flipped[a] ? oldStride[old] * (from.size[old] - 1) : 0;
  }
  const auto& size = out.header.grid.size;
  auto to = out.voxels.begin();
  for (std::int64_t t = 0; t < volume.header.timePoints; ++t)
    for (std::int64_t k = 0; k < size[2]; ++k)
      for (std::int64_t j = 0; j < size[1]; ++j) {
        const float* line = volume.voxels.data() + t * from.voxelCount() + start + k * step[2] + j * step[1];
        for (std::int64_t i = 0; i < size[0]; ++i)
          *to++ = line[i * step[0]];
      }
  return out;
}

std::vector<std::string> geometryNotes(const Grid& grid) {
  std::vector<std::string> notes;
  if (isLeftHanded(grid.affine))
    notes.push_back("The axes are left-handed (" + axisCodes(grid.affine) + ").");
  const double shear = shearDegrees(grid.affine);
  if (shear > 0.05)
    notes.push_back("The axes are sheared: they depart from right angles by up to " + formatSignificant(shear) + "°.");
  const Vec3 spacing = spacingOf(grid.affine);
  const auto [smallest, largest] = std::minmax_element(spacing.begin(), spacing.end());
  if (*largest > 4 * *smallest)
    notes.push_back("The spacing is very uneven: " + formatSignificant(*smallest) + " to " + formatSignificant(*largest) + " mm.");
  if (*smallest < 0.01 || *largest > 50)
    notes.push_back("The spacing is unlikely for a head in millimetres: " + formatSignificant(*smallest) + " to " +
                    formatSignificant(*largest) + " mm.");
  return notes;
}

} // namespace voxlab

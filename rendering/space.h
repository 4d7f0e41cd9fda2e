// SPDX-License-Identifier: GPL-3.0-or-later
// Points and directions in millimetres (RAS+: x to the patient's right, y to anterior, z to superior), and the slice axes
// that a volume suggests.
#pragma once
#include "core/imaging/volume.h"
#include <array>
#include <cmath>
#include <optional>
#include <string>

namespace voxlab {

struct Vec3d {
  double x = 0, y = 0, z = 0;
  double operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  double& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
  bool operator==(const Vec3d&) const = default;
};
inline Vec3d operator+(Vec3d a, Vec3d b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3d operator-(Vec3d a, Vec3d b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3d operator*(Vec3d a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3d cross(Vec3d a, Vec3d b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(Vec3d a) { return std::sqrt(dot(a, a)); }

Vec3d transformPoint(const Affine& affine, Vec3d point);
Vec3d transformDirection(const Affine& affine, Vec3d direction); // without the translation
// nullopt where the affine is singular or not finite.
std::optional<Affine> inverted(const Affine& affine);
Affine product(const Affine& a, const Affine& b);

Vec3d columnOf(const Affine& affine, int column);

// Bounds in millimetres of the voxels' outer faces, along three directions.
struct Bounds {
  Vec3d low, high;
  Vec3d centre() const { return (low + high) * 0.5; }
  Vec3d extent() const { return high - low; }
};

// Orthonormal directions that the slices follow, and how far one slice is from the next along each.
struct SliceFrame {
  Vec3d right{1, 0, 0}, anterior{0, 1, 0}, superior{0, 0, 1};
  Vec3d step_mm{1, 1, 1}; // along right, anterior, superior
  Vec3d toFrame(Vec3d world) const { return {dot(world, right), dot(world, anterior), dot(world, superior)}; }
  Vec3d toWorld(Vec3d frame) const { return right * frame.x + anterior * frame.y + superior * frame.z; }
};

// The volume's own axes, each given to the anatomical direction closest to it, made orthonormal (nearest rotation by
// Higham's iteration) where the grid is sheared: slices of an oblique scan are then the scanner's own slices.
SliceFrame alignedFrame(const Grid& grid);
// The world's axes; steps as in alignedFrame.
SliceFrame worldFrame(const Grid& grid);

// Which voxel axis runs along right, anterior and superior.
std::array<int, 3> closestVoxelAxes(const Affine& affine);

Bounds boundsIn(const SliceFrame& frame, const Grid& grid);

// Anatomical letters of a direction: "R", or "RA" where the second part is more than 20° off the axis.
std::string directionLetters(Vec3d direction);
// Three letters such as "RAS" or "LIA": where the voxel axes i, j, k run to.
std::string orientationCode(const Affine& affine);

} // namespace voxlab

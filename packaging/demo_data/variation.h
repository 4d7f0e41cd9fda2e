// SPDX-License-Identifier: Apache-2.0
// One way to vary a head: turned, scaled, shifted, bent smoothly, mirrored, with other contrast and coil sensitivity.
// Drawn from a seed, so that the same call makes the same data anywhere.
#pragma once
#include "core/imaging/geometry.h"
#include <cstdint>
#include <string>

namespace voxlab {

// A smooth field over the cube [0, 1]³: a uniform cubic B-spline over 4×4×4 control values.
class SmoothField {
public:
  static constexpr std::size_t kSide = 4;
  std::array<double, kSide * kSide * kSide> control{};
  double at(const Vec3& position) const; // positions outside are taken to the border
};

enum class Mirror { None, LeftRight };

struct Variation {
  Vec3 rotation_degrees{}; // about x, y, z
  Vec3 scale{1, 1, 1};
  Vec3 shift_mm{};
  Mirror mirror = Mirror::None;
  std::array<SmoothField, 3> bend_mm{};
  SmoothField gain; // logarithm of a factor on the intensity
  double gamma = 1; // exponent on the intensity in 0…1

  // From a point of the varied head to the point of the original it shows, both in mm from the head's centre: place() of
  // it, plus bend(), which changes slowly. `extent_mm` is the edge of the cube around the centre that the fields span.
  Affine place() const;
  Vec3 bend(const Vec3& point, double extent_mm) const;
  double intensity(double value, const Vec3& point, double extent_mm) const; // of 0…1
};

// Number 0 is the head as it is. Others: up to 8° about each axis, ±7 % along each axis, ±8 mm, bent by some 3 mm, half of
// them mirrored, gamma 0.8 to 1.25, gain ±10 %.
Variation drawVariation(std::uint64_t seed, const std::string& subject, int number);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "packaging/demo_data/variation.h"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace voxlab {
namespace {

// SplitMix64 (Steele, Lea, Flood 2014): the standard library's distributions differ between libraries, this does not.
class Draw {
public:
  Draw(std::uint64_t seed, const std::string& subject, int number) : m_state(seed) {
    for (const char c : subject)
      m_state = next() ^ static_cast<unsigned char>(c);
    m_state = next() ^ static_cast<std::uint64_t>(number);
  }
  std::uint64_t next() {
    std::uint64_t z = (m_state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double uniform(double low, double high) { return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1p-53); }
  Vec3 uniform3(double low, double high) { return {uniform(low, high), uniform(low, high), uniform(low, high)}; }
  SmoothField field(double largest) {
    SmoothField field;
    for (double& value : field.control)
      value = uniform(-largest, largest);
    return field;
  }

private:
  std::uint64_t m_state;
};

Affine rotation(std::size_t axis, double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  const std::size_t a = (axis + 1) % 3, b = (axis + 2) % 3;
  Affine turn = kIdentityAffine;
  turn[a][a] = turn[b][b] = std::cos(angle);
  turn[a][b] = -std::sin(angle);
  turn[b][a] = std::sin(angle);
  return turn;
}

Vec3 inUnitCube(const Vec3& point, double extent_mm) {
  return {point[0] / extent_mm + 0.5, point[1] / extent_mm + 0.5, point[2] / extent_mm + 0.5};
}

} // namespace

double SmoothField::at(const Vec3& position) const {
  // Four control values a side carry one span of the cubic basis.
  std::array<std::array<double, kSide>, 3> weight;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double t = std::clamp(position[axis], 0.0, 1.0), u = 1 - t;
    weight[axis] = {u * u * u / 6, (3 * t * t * t - 6 * t * t + 4) / 6, (3 * u * u * u - 6 * u * u + 4) / 6, t * t * t / 6};
  }
  double sum = 0;
  for (std::size_t k = 0; k < kSide; ++k)
    for (std::size_t j = 0; j < kSide; ++j) {
      double row = 0;
      for (std::size_t i = 0; i < kSide; ++i)
        row += weight[0][i] * control[i + kSide * (j + kSide * k)];
      sum += row * weight[1][j] * weight[2][k];
    }
  return sum;
}

Affine Variation::place() const {
  Affine map = kIdentityAffine;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    map[axis][axis] = 1 / scale[axis];
    map[axis][3] = -shift_mm[axis] / scale[axis];
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
    map = compose(rotation(axis, rotation_degrees[axis]), map);
  if (mirror == Mirror::LeftRight)
    for (double& value : map[0])
      value = -value;
  return map;
}

Vec3 Variation::bend(const Vec3& point, double extent_mm) const {
  const Vec3 place = inUnitCube(point, extent_mm);
  return {bend_mm[0].at(place), bend_mm[1].at(place), bend_mm[2].at(place)};
}

double Variation::intensity(double value, const Vec3& point, double extent_mm) const {
  return std::pow(std::clamp(value, 0.0, 1.0), gamma) * std::exp(gain.at(inUnitCube(point, extent_mm)));
}

Variation drawVariation(std::uint64_t seed, const std::string& subject, int number) {
  Variation v;
  if (number == 0)
    return v;
  Draw draw(seed, subject, number);
  v.rotation_degrees = draw.uniform3(-8, 8);
  v.scale = draw.uniform3(0.93, 1.07);
  v.shift_mm = draw.uniform3(-8, 8);
  v.mirror = draw.next() >> 63 ? Mirror::LeftRight : Mirror::None;
  for (auto& bend : v.bend_mm)
    bend = draw.field(14); // the basis averages neighbours: some 3 mm remain
  v.gain = draw.field(0.3);
  v.gamma = std::exp(draw.uniform(std::log(0.8), std::log(1.25)));
  return v;
}

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/slice_sampler.h"
#include "rendering/parallel.h"
#include "core/imaging/display_range.h"
#include <algorithm>
#include <cmath>
#include <limits>


namespace voxlab {
namespace {

constexpr float kOutside = std::numeric_limits<float>::quiet_NaN();

struct VoxelBlock {
  const float* data;
  std::array<std::int64_t, 3> size;
  float at(std::int64_t i, std::int64_t j, std::int64_t k) const { return data[i + size[0] * (j + size[1] * k)]; }
  bool holds(Vec3d p) const {
    return p.x >= -0.5 && p.y >= -0.5 && p.z >= -0.5 && p.x < static_cast<double>(size[0]) - 0.5 &&
           p.y < static_cast<double>(size[1]) - 0.5 && p.z < static_cast<double>(size[2]) - 0.5;
  }
};

float nearest(const VoxelBlock& b, Vec3d p) {
  return b.at(static_cast<std::int64_t>(p.x + 0.5), static_cast<std::int64_t>(p.y + 0.5), static_cast<std::int64_t>(p.z + 0.5));
}

struct Neighbours {
  std::int64_t low, high;
  float share; // of high
};
inline Neighbours neighbours(double position, std::int64_t size) {
  const double clamped = std::clamp(position, 0.0, static_cast<double>(size - 1));
  const auto low = static_cast<std::int64_t>(clamped);
  return {low, std::min(low + 1, size - 1), static_cast<float>(clamped - static_cast<double>(low))};
}

float linear(const VoxelBlock& b, Vec3d p) {
  constexpr float kNothing = 1e-4f; // slices through voxel centres need half the voxels
  const Neighbours x = neighbours(p.x, b.size[0]), y = neighbours(p.y, b.size[1]), z = neighbours(p.z, b.size[2]);
  const auto row = [&](std::int64_t j, std::int64_t k) {
    const float a = b.at(x.low, j, k);
    return x.share < kNothing ? a : a + x.share * (b.at(x.high, j, k) - a);
  };
  const auto area = [&](std::int64_t k) {
    const float a = row(y.low, k);
    return y.share < kNothing ? a : a + y.share * (row(y.high, k) - a);
  };
  const float a = area(z.low);
  return z.share < kNothing ? a : a + z.share * (area(z.high) - a);
}

} // namespace

std::optional<SampledVolume> SampledVolume::of(std::shared_ptr<const Volume> volume, std::int64_t timePoint) {
  if (!volume)
    return std::nullopt;
  SampledVolume sampled;
  const auto inverse = inverted(volume->grid().affine);
  sampled.m_voxels = timePointOf(*volume, timePoint);
  if (!inverse || sampled.m_voxels.empty())
    return std::nullopt;
  sampled.m_worldToVoxel = *inverse;
  sampled.m_volume = std::move(volume);
  return sampled;
}

std::optional<std::array<std::int64_t, 3>> SampledVolume::voxelAt(Vec3d world) const {
  const Vec3d p = toVoxel(world);
  if (!VoxelBlock{m_voxels.data(), grid().size}.holds(p))
    return std::nullopt;
  return std::array{static_cast<std::int64_t>(std::floor(p.x + 0.5)), static_cast<std::int64_t>(std::floor(p.y + 0.5)),
                    static_cast<std::int64_t>(std::floor(p.z + 0.5))};
}

std::optional<float> SampledVolume::valueAt(Vec3d world) const {
  const auto index = voxelAt(world);
  if (!index)
    return std::nullopt;
  return VoxelBlock{m_voxels.data(), grid().size}.at((*index)[0], (*index)[1], (*index)[2]);
}

void SampledVolume::sample(const SliceGeometry& plane, Interpolation interpolation, std::vector<float>& values) const {
  values.resize(static_cast<std::size_t>(plane.width) * static_cast<std::size_t>(plane.height));
  const VoxelBlock block{m_voxels.data(), grid().size};
  const Vec3d origin = toVoxel(plane.origin), across = transformDirection(m_worldToVoxel, plane.across),
             down = transformDirection(m_worldToVoxel, plane.down);
  parallelFor(0, plane.height, 16, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first; row < last; ++row) {
      float* out = values.data() + row * plane.width;
      const Vec3d start = origin + down * static_cast<double>(row);
      for (int column = 0; column < plane.width; ++column) {
        const Vec3d p = start + across * column;
        out[column] = !block.holds(p) ? kOutside : interpolation == Interpolation::Linear ? linear(block, p) : nearest(block, p);
      }
    }
  });
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/resample.h"
#include "core/imaging/geometry.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
// --- by world position -----------------------------------------------------------------------------------------------
constexpr double kEdge = 0.5 + 1e-6; // how far outside the outermost centres a voxel still reaches

class Sampler {
public:
  Sampler(const float* voxels, const GridSize& size, float outside) : m_voxels(voxels), m_size(size), m_outside(outside) {}

  float nearest(const Vec3& p) const {
    if (!inside(p))
      return m_outside;
    GridSize index;
    for (std::size_t a = 0; a < 3; ++a)
      index[a] = std::clamp<std::int64_t>(std::llround(p[a]), 0, m_size[a] - 1);
    return at(index[0], index[1], index[2]);
  }

  float linear(const Vec3& p) const {
    if (!inside(p))
      return m_outside;
    GridSize low, high;
    Vec3 w;
    for (std::size_t a = 0; a < 3; ++a) {
      const double x = std::clamp(p[a], 0.0, static_cast<double>(m_size[a] - 1));
      low[a] = static_cast<std::int64_t>(x);
      high[a] = std::min(low[a] + 1, m_size[a] - 1);
      w[a] = x - static_cast<double>(low[a]);
    }
    const auto alongX = [&](std::int64_t j, std::int64_t k) { return mix(at(low[0], j, k), at(high[0], j, k), w[0]); };
    const double front = mix(alongX(low[1], low[2]), alongX(high[1], low[2]), w[1]);
    const double back = mix(alongX(low[1], high[2]), alongX(high[1], high[2]), w[1]);
    return static_cast<float>(mix(front, back, w[2]));
  }

private:
  // A weight of zero keeps a neighbour's NaN out.
  static double mix(double a, double b, double w) { return w == 0 ? a : a + (b - a) * w; }
  bool inside(const Vec3& p) const {
    for (std::size_t a = 0; a < 3; ++a)
      if (!(p[a] >= -kEdge && p[a] <= static_cast<double>(m_size[a] - 1) + kEdge))
        return false;
    return true;
  }
  float at(std::int64_t i, std::int64_t j, std::int64_t k) const { return m_voxels[i + m_size[0] * (j + m_size[1] * k)]; }

  const float* m_voxels;
  GridSize m_size;
  float m_outside;
};

// --- axis by axis ----------------------------------------------------------------------------------------------------
// Output i = Σ weights[i][n] · input[first[i] + n].
struct AxisTable {
  std::vector<std::int64_t> first;
  std::vector<std::vector<double>> weights;
};

AxisTable axisTable(std::int64_t from, std::int64_t to, AxisFilter filter) {
  AxisTable table;
  const double ratio = static_cast<double>(from) / static_cast<double>(to);
  for (std::int64_t i = 0; i < to; ++i) {
    const double centre = std::clamp((static_cast<double>(i) + 0.5) * ratio - 0.5, 0.0, static_cast<double>(from - 1));
    if (filter == AxisFilter::Nearest) {
      table.first.push_back(std::min<std::int64_t>(static_cast<std::int64_t>((static_cast<double>(i) + 0.5) * ratio), from - 1));
      table.weights.push_back({1});
    } else if (filter == AxisFilter::Linear || ratio <= 1) {
      const auto low = static_cast<std::int64_t>(centre);
      const double w = centre - static_cast<double>(low);
      table.first.push_back(low);
      table.weights.push_back(w > 0 && low + 1 < from ? std::vector{1 - w, w} : std::vector{1.0});
    } else {
      const auto low = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(centre - ratio)));
      const auto high = std::min<std::int64_t>(from - 1, static_cast<std::int64_t>(std::floor(centre + ratio)));
      std::vector<double> weights;
      double sum = 0;
      for (std::int64_t n = low; n <= high; ++n) {
        weights.push_back(std::max(0.0, 1 - std::abs(static_cast<double>(n) - centre) / ratio));
        sum += weights.back();
      }
      for (double& w : weights)
        w /= sum;
      table.first.push_back(low);
      table.weights.push_back(std::move(weights));
    }
  }
  return table;
}

// The array seen as (outer, length, inner), inner fastest; only the middle axis changes.
template <class T> std::vector<T> resizedAxis(const std::vector<T>& in, std::int64_t outer, std::int64_t inner, std::int64_t from, const AxisTable& table) {
  const auto to = static_cast<std::int64_t>(table.first.size());
  std::vector<T> out(static_cast<std::size_t>(outer * to * inner));
  std::vector<double> line(static_cast<std::size_t>(inner));
  T* target = out.data();
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < to; ++i) {
      const auto& weights = table.weights[static_cast<std::size_t>(i)];
      const T* source = in.data() + (o * from + table.first[static_cast<std::size_t>(i)]) * inner;
      std::fill(line.begin(), line.end(), 0.0);
      for (const double w : weights) {
        for (std::int64_t n = 0; n < inner; ++n)
          line[static_cast<std::size_t>(n)] += w * static_cast<double>(source[n]);
        source += inner;
      }
      target = std::transform(line.begin(), line.end(), target, [](double v) { return static_cast<T>(v); });
    }
  return out;
}

std::int64_t atLowSide(std::int64_t difference) { return (difference + 1) / 2; } // ceil(d/2) for d ≥ 0

// Index of the source voxel that becomes voxel 0: positive when cropping, negative when padding.
GridSize firstKept(const GridSize& from, const GridSize& to) {
  GridSize first;
  for (std::size_t a = 0; a < 3; ++a)
    first[a] = from[a] >= to[a] ? atLowSide(from[a] - to[a]) : -atLowSide(to[a] - from[a]);
  return first;
}
} // namespace

Volume resampled(const Volume& volume, const Grid& target, Interpolation interpolation, float outside) {
  Volume out;
  out.header = volume.header;
  out.header.grid = target;
  out.header.sform.reset();
  out.header.qform.reset();
  const auto count = static_cast<std::size_t>(target.voxelCount());
  out.voxels.resize(count * static_cast<std::size_t>(volume.header.timePoints));
  const auto fromWorld = inverse(volume.grid().affine);
  if (!fromWorld) {
    std::fill(out.voxels.begin(), out.voxels.end(), outside);
    return out;
  }
  const Affine sourceFromTarget = compose(*fromWorld, target.affine);
  float* to = out.voxels.data();
  for (std::int64_t t = 0; t < volume.header.timePoints; ++t) {
    const Sampler sampler(volume.voxels.data() + t * volume.grid().voxelCount(), volume.grid().size, outside);
    for (std::int64_t k = 0; k < target.size[2]; ++k)
      for (std::int64_t j = 0; j < target.size[1]; ++j)
        for (std::int64_t i = 0; i < target.size[0]; ++i) {
          const Vec3 p = applyAffine(sourceFromTarget, {static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)});
          *to++ = interpolation == Interpolation::Nearest ? sampler.nearest(p) : sampler.linear(p);
        }
  }
  return out;
}

template <class T>
std::vector<T> resizedVoxels(std::span<const T> voxels, const GridSize& from, const GridSize& to, AxisFilter filter) {
  std::vector<T> values(voxels.begin(), voxels.end());
  GridSize size = from;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (size[axis] == to[axis])
      continue;
    std::int64_t inner = 1, outer = 1;
    for (std::size_t a = 0; a < 3; ++a)
      (a < axis ? inner : outer) *= a == axis ? 1 : size[a];
    values = resizedAxis(values, outer, inner, size[axis], axisTable(size[axis], to[axis], filter));
    size[axis] = to[axis];
  }
  return values;
}
template std::vector<float> resizedVoxels(std::span<const float>, const GridSize&, const GridSize&, AxisFilter);
template std::vector<double> resizedVoxels(std::span<const double>, const GridSize&, const GridSize&, AxisFilter);

Volume resizedToSize(const Volume& volume, const GridSize& size, AxisFilter filter) {
  Volume out;
  out.header = volume.header;
  out.header.grid = scaledGrid(volume.grid(), size);
  out.header.sform.reset();
  out.header.qform.reset();
  const auto count = static_cast<std::size_t>(volume.grid().voxelCount());
  for (std::int64_t t = 0; t < volume.header.timePoints; ++t) {
    const std::span<const float> one(volume.voxels.data() + static_cast<std::size_t>(t) * count, count);
    const auto resized = resizedVoxels<float>(one, volume.grid().size, size, filter);
    out.voxels.insert(out.voxels.end(), resized.begin(), resized.end());
  }
  return out;
}

Grid croppedOrPadded(const Grid& grid, const GridSize& size) {
  const GridSize first = firstKept(grid.size, size);
  Grid out{size, grid.affine};
  const Vec3 origin = applyAffine(grid.affine, {static_cast<double>(first[0]), static_cast<double>(first[1]), static_cast<double>(first[2])});
  for (std::size_t i = 0; i < 3; ++i)
    out.affine[i][3] = origin[i];
  return out;
}

Volume croppedOrPadded(const Volume& volume, const GridSize& size, float fill) {
  const GridSize& from = volume.grid().size;
  const GridSize first = firstKept(from, size);
  Volume out;
  out.header = volume.header;
  out.header.grid = croppedOrPadded(volume.grid(), size);
  out.header.sform.reset();
  out.header.qform.reset();
  out.voxels.assign(static_cast<std::size_t>(out.grid().voxelCount() * volume.header.timePoints), fill);
  const std::int64_t begin = std::max<std::int64_t>(0, -first[0]); // of a line within the output
  const std::int64_t end = std::min(size[0], from[0] - first[0]);
  for (std::int64_t t = 0; t < volume.header.timePoints; ++t)
    for (std::int64_t k = 0; k < size[2]; ++k)
      for (std::int64_t j = 0; j < size[1]; ++j) {
        const std::int64_t sj = j + first[1], sk = k + first[2];
        if (sj < 0 || sj >= from[1] || sk < 0 || sk >= from[2])
          continue;
        const float* source = volume.voxels.data() + first[0] + from[0] * (sj + from[1] * (sk + from[2] * t));
        float* target = out.voxels.data() + size[0] * (j + size[1] * (k + size[2] * t));
        std::copy(source + begin, source + end, target + begin);
      }
  return out;
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/thinning_sink.h"
#include "core/imaging/geometry.h"
#include <algorithm>

namespace voxlab {

Thinning thinningFor(const GridSize& size, std::int64_t timePoints, std::size_t bytesPerVoxel, std::uint64_t limitBytes) {
  Thinning out;
  const std::int64_t longest = *std::max_element(size.begin(), size.end());
  for (; out.step < longest; ++out.step) {
    for (std::size_t a = 0; a < 3; ++a)
      out.first[a] = (std::min(out.step, size[a]) - 1) / 2;
    const GridSize kept = thinned(size, out);
    const auto voxels = static_cast<std::uint64_t>(kept[0]) * static_cast<std::uint64_t>(kept[1]) * static_cast<std::uint64_t>(kept[2]);
    if (voxels * static_cast<std::uint64_t>(timePoints) * bytesPerVoxel <= limitBytes)
      break;
  }
  return out;
}

GridSize thinned(const GridSize& size, const Thinning& thinning) {
  GridSize out;
  for (std::size_t a = 0; a < 3; ++a)
    out[a] = (size[a] - thinning.first[a] + thinning.step - 1) / thinning.step;
  return out;
}

Grid thinned(const Grid& grid, const Thinning& thinning) {
  Affine oldFromNew = kIdentityAffine;
  for (std::size_t a = 0; a < 3; ++a) {
    oldFromNew[a][a] = static_cast<double>(thinning.step);
    oldFromNew[a][3] = static_cast<double>(thinning.first[a]);
  }
  return {thinned(grid.size, thinning), compose(grid.affine, oldFromNew)};
}

template <class T> void ThinningSink<T>::reserve(std::size_t voxels) {
  const auto perVolume = static_cast<std::size_t>(m_size[0] * m_size[1] * m_size[2]);
  const GridSize kept = thinned(m_size, m_thinning);
  voxelsTaken.reserve(voxels / perVolume * static_cast<std::size_t>(kept[0] * kept[1] * kept[2]));
}

template <class T> void ThinningSink<T>::append(const RawBlock& block) {
  m_chunk.voxelsTaken.clear();
  m_chunk.append(block);
  m_nonFinite = m_chunk.nonFinite();
  for (std::size_t n = 0; n < block.count;) {
    const std::int64_t i = m_index % m_size[0], row = m_index / m_size[0];
    const auto length = std::min(block.count - n, static_cast<std::size_t>(m_size[0] - i)); // to the end of the row
    if (keeps(row % m_size[1], 1) && keeps(row / m_size[1] % m_size[2], 2))
      for (std::size_t x = 0; x < length; ++x)
        if (keeps(i + static_cast<std::int64_t>(x), 0))
          voxelsTaken.push_back(m_chunk.voxelsTaken[n + x]);
    n += length;
    m_index += static_cast<std::int64_t>(length);
  }
}
template class ThinningSink<float>;
template class ThinningSink<double>;

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// A sink that keeps every n-th voxel along each axis, for volumes that do not fit into memory.
#pragma once
#include "core/imaging/resample.h"
#include "core/imaging/voxel_sink.h"

namespace voxlab {

struct Thinning {
  std::int64_t step = 1;
  GridSize first{}; // index of the first voxel that is kept, about the middle of each group
};
// The smallest step with which so many time points of a grid take at most that many bytes.
Thinning thinningFor(const GridSize& size, std::int64_t timePoints, std::size_t bytesPerVoxel, std::uint64_t limitBytes);
GridSize thinned(const GridSize& size, const Thinning& thinning);
Grid thinned(const Grid& grid, const Thinning& thinning); // voxels that are kept stay where they are in the world

template <class T> class ThinningSink final : public VoxelSink {
public:
  ThinningSink(const GridSize& size, const Thinning& thinning) : m_size(size), m_thinning(thinning) {}
  std::size_t bytesPerVoxel() const override { return 0; } // of the file's voxels; what is kept has been counted
  void reserve(std::size_t voxels) override;
  void append(const RawBlock& block) override;
  std::vector<T> voxelsTaken;

private:
  bool keeps(std::int64_t index, std::size_t axis) const {
    return index >= m_thinning.first[axis] && (index - m_thinning.first[axis]) % m_thinning.step == 0;
  }
  GridSize m_size;
  Thinning m_thinning;
  std::int64_t m_index = 0; // of the next voxel of the file
  VectorSink<T> m_chunk;
};

} // namespace voxlab

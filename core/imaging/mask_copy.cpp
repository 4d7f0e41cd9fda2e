// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/mask_copy.h"
#include <algorithm>

namespace voxlab {

MaskCopy::MaskCopy(std::shared_ptr<const Volume> mask) : m_mask(std::move(mask)), m_copy(std::make_shared<Volume>()) {
  m_copy->header = m_mask->header;
  m_copy->voxels.reserve(m_mask->voxels.size()); // no page of it is touched yet
}

void MaskCopy::keep(std::int64_t index, float before) {
  if (static_cast<std::size_t>(index) >= m_copy->voxels.size())
    m_before.try_emplace(index, before); // what it held first counts
}

void MaskCopy::wasMade(const MaskChange& change) {
  for (const VoxelChange& voxel : change)
    keep(voxel.index, voxel.before);
}

void MaskCopy::wasUndone(const MaskChange& change) {
  for (auto voxel = change.rbegin(); voxel != change.rend(); ++voxel)
    keep(voxel->index, voxel->after);
}

std::shared_ptr<const Volume> MaskCopy::advance(std::size_t voxels) {
  auto& copied = m_copy->voxels;
  const auto first = static_cast<std::ptrdiff_t>(copied.size());
  const auto last = first + static_cast<std::ptrdiff_t>(std::min(voxels, m_mask->voxels.size() - copied.size()));
  copied.insert(copied.end(), m_mask->voxels.begin() + first, m_mask->voxels.begin() + last);
  if (copied.size() < m_mask->voxels.size())
    return nullptr;
  for (const auto& [index, before] : m_before)
    copied[static_cast<std::size_t>(index)] = before;
  return std::move(m_copy);
}

} // namespace voxlab

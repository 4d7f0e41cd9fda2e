// SPDX-License-Identifier: Apache-2.0
// A copy of a mask that goes on being painted on: made piece by piece, so that no piece takes long, and holding the mask as it
// was when the copy was begun. Not thread-safe: for the thread that paints.
#pragma once
#include "core/imaging/mask_edit.h"
#include <memory>
#include <unordered_map>

namespace voxlab {

class MaskCopy {
public:
  explicit MaskCopy(std::shared_ptr<const Volume> mask);

  const std::shared_ptr<const Volume>& mask() const { return m_mask; }
  // The change that was just made in the mask, or taken back in it. To be told of each.
  void wasMade(const MaskChange& change);
  void wasUndone(const MaskChange& change);
  // Copies at most so many voxels more. The copy when nothing is left to do, null before; to be called no more after that.
  std::shared_ptr<const Volume> advance(std::size_t voxels);

private:
  void keep(std::int64_t index, float before);

  std::shared_ptr<const Volume> m_mask;
  std::shared_ptr<Volume> m_copy;
  std::unordered_map<std::int64_t, float> m_before; // of voxels that changed before they were copied
};

} // namespace voxlab

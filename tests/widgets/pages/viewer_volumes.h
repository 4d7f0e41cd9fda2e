// SPDX-License-Identifier: GPL-3.0-or-later
// Computed volumes, prepared for the viewer.
#pragma once
#include "tests/rendering/phantoms.h"
#include "widgets/pages/viewer_volume.h"

namespace voxlab {

inline ViewerVolume prepared(std::shared_ptr<const Volume> volume, const std::string& title) {
  auto result = prepareViewerVolume(std::move(volume), {}, {});
  result->title = title;
  return *result;
}
inline ViewerVolume headVolume(const Grid& grid = gridOf("RAS", {64, 64, 48})) { return prepared(volumeOf(grid, headAt), "head"); }
inline ViewerVolume labelVolume(const Grid& grid = gridOf("RAS", {64, 64, 48})) { return prepared(volumeOf(grid, headLabelAt), "labels"); }

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
// Where the views of volumes stand that are compared side by side: each volume in three planes, one row or one column of them a
// volume, or all volumes in one plane.
#pragma once
#include "rendering/slice_geometry.h"
#include <QSize>
#include <vector>

namespace voxlab {

inline constexpr int kMostCompared = 8; // volumes; more would be too small to be judged

enum class ComparePlanes { Automatic, Three, Axial, Coronal, Sagittal };

struct CompareArrangement {
  std::vector<SliceAxis> axes; // of each volume
  int rows = 1, columns = 1;
  enum class Volume { Row, Column, Cell } each = Volume::Row; // what a volume fills
  struct Place {
    int row = 0, column = 0;
  };
  Place placeOf(int volume, int plane) const;
  bool operator==(const CompareArrangement&) const = default;
};

// The largest views that fit into the room. Automatic: three planes where each view is large enough to be judged, else the axial one.
CompareArrangement compareArrangement(int volumes, QSize room, ComparePlanes wanted);

} // namespace voxlab

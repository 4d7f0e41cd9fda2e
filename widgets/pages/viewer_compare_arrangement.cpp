// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_compare_arrangement.h"
#include <algorithm>
#include <utility>

namespace voxlab {
namespace {
constexpr int kJudged_px = 120; // a smaller view shows little of three planes

int edgeOf(QSize room, int rows, int columns) { return std::min(room.width() / columns, room.height() / rows); }

CompareArrangement threePlanes(int volumes, QSize room) {
  CompareArrangement found{{SliceAxis::Axial, SliceAxis::Coronal, SliceAxis::Sagittal}, volumes, 3, CompareArrangement::Volume::Row};
  if (volumes > 2 && edgeOf(room, 3, volumes) > edgeOf(room, volumes, 3)) { // two stand below each other, as one is used to
    std::swap(found.rows, found.columns);
    found.each = CompareArrangement::Volume::Column;
  }
  return found;
}

CompareArrangement onePlane(int volumes, QSize room, SliceAxis axis) {
  CompareArrangement found{{axis}, 1, volumes, CompareArrangement::Volume::Cell};
  for (int columns = volumes - 1; columns >= 1; --columns) {
    const int rows = (volumes + columns - 1) / columns;
    if (edgeOf(room, rows, columns) > edgeOf(room, found.rows, found.columns)) {
      found.rows = rows;
      found.columns = columns;
    }
  }
  return found;
}
} // namespace

CompareArrangement::Place CompareArrangement::placeOf(int volume, int plane) const {
  switch (each) {
  case Volume::Row: return {volume, plane};
  case Volume::Column: return {plane, volume};
  case Volume::Cell: break;
  }
  return {volume / columns, volume % columns};
}

CompareArrangement compareArrangement(int volumes, QSize room, ComparePlanes wanted) {
  volumes = std::clamp(volumes, 1, kMostCompared);
  const CompareArrangement three = threePlanes(volumes, room);
  switch (wanted) {
  case ComparePlanes::Three: return three;
  case ComparePlanes::Axial: return onePlane(volumes, room, SliceAxis::Axial);
  case ComparePlanes::Coronal: return onePlane(volumes, room, SliceAxis::Coronal);
  case ComparePlanes::Sagittal: return onePlane(volumes, room, SliceAxis::Sagittal);
  case ComparePlanes::Automatic: break;
  }
  const bool isSmall = volumes > 2 && edgeOf(room, three.rows, three.columns) < kJudged_px;
  return isSmall ? onePlane(volumes, room, SliceAxis::Axial) : three;
}

} // namespace voxlab

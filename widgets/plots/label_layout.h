// SPDX-License-Identifier: GPL-3.0-or-later
// Where names of points stand, so that they can be read: none on another, on a point or out of the plot. A name stands beside its
// point, nearer to it than to any other, where there is room; else further off, with a line that leads to it; else nowhere, and pointing at its point tells it.
#pragma once
#include <QLineF>
#include <QRectF>
#include <optional>
#include <vector>

namespace voxlab {

struct LabelRequest {
  QPointF at;
  double radius = 0;   // of the point's circle, pixels
  QSizeF size;         // of the words; empty: a point without a name, which no name may hide
  int importance = 0;  // the more important ones are placed first; above zero further off, too
};

struct LabelField {
  QRectF area;
  std::vector<LabelRequest> points;
  std::vector<QLineF> lines;  // better not crossed
  std::vector<QRectF> taken;  // other words
};

struct PlacedLabel {
  std::size_t point = 0;
  QRectF box;
  std::optional<QLineF> leader; // from the circle's edge to the words
};

// In pixels, y down. Greedy: by importance, then as given; the same input gives the same places.
std::vector<PlacedLabel> layOutLabels(const LabelField& field);

} // namespace voxlab

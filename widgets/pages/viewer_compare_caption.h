// SPDX-License-Identifier: GPL-3.0-or-later
// Which of two compared volumes is seen where in a picture that shows both: beside the swipe's edge, in which tiles, how much of
// each, or now.
#pragma once
#include "rendering/slice_scene.h"
#include <QFontMetrics>
#include <QSizeF>
#include <QStringList>

class QPainter;

namespace voxlab {

// A volume's name in a picture: whole where there is room, else what tells it from the others.
struct LayerName {
  QStringList forms; // the longest first; without any it has no name
  QString fitting(const QFontMetrics& metrics, int room_px) const; // the last shortened in its middle if it must be
  bool fits(const QFontMetrics& metrics, int room_px) const;
};

struct CompareCaption {
  CompareMode mode = CompareMode::None;
  LayerName first, second; // of flicker the first is the one that is seen
  double share = 0.5;      // swipe: of the width, the first's; blend: of the second
  int number = 1, count = 2; // flicker

  void paint(QPainter& painter, QSizeF size, double top) const; // a line whose upper edge is there
};

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
// The cells of a contact sheet as pictures: one slice of a volume under its caption. For any thread.
#pragma once
#include "rendering/slice_scene.h"
#include <QColor>
#include <QFont>
#include <QImage>
#include <QStringList>
#include <memory>
#include <vector>

class QPainter;

namespace voxlab {

struct CellSlice {
  SliceAxis axis = SliceAxis::Axial;
  double share = 0.5; // of the way through the volume
  DisplayRange range;
  int edge = 0; // pixels
};

QImage slicePicture(const std::shared_ptr<const Volume>& volume, const CellSlice& slice);

// A title in as few lines as it fits into, two at most, parted where " · " parts it; what is too long for a line is cut in its middle.
QStringList captionLines(const QString& title, const QFontMetrics& metrics, int width);

struct SheetCell {
  QRect box; // of the picture; the caption stands over it
  QStringList caption;
  QImage picture;                       // drawn already, or null
  std::shared_ptr<const Volume> volume; // to draw it from
  QString words;                        // in place of a picture
  void paint(QPainter& painter, const QColor& text) const;
};

// A sheet at one moment.
struct SheetStill {
  std::vector<SheetCell> cells; // without pictures: they are drawn as large as they are needed
  QSize size;                   // on the screen, in its pixels over `ratio`
  double ratio = 1;             // the screen's pixels to a pixel of `size`
  CellSlice slice;              // its edge at scale 1 and ratio 1
  QColor background, text;
  QFont font;
  QImage paint(double scale) const; // scale times as many pixels as on the screen
};

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/outlined_text.h"
#include <QPainter>

namespace voxlab {
namespace {
const QColor kRim(0, 0, 0, 225);
// Whole pixels: paths of letters, and letters between pixels, are not the same on every thread.
const QPointF kAround[]{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}, {-2, 0}, {2, 0}, {0, -2}, {0, 2}};
} // namespace

void drawOutlined(QPainter& painter, const QRectF& box, int alignment, const QString& text, const QColor& colour) {
  painter.setPen(kRim);
  for (const QPointF offset : kAround)
    painter.drawText(box.translated(offset), alignment, text);
  painter.setPen(colour);
  painter.drawText(box, alignment, text);
}

void drawOnPlate(QPainter& painter, const QRectF& box, int alignment, const QString& text, const QColor& colour) {
  painter.setPen(colour);
  const QRectF letters = painter.boundingRect(box, alignment, text); // empty while there is no pen
  painter.setPen(Qt::NoPen);
  painter.setBrush(kPlateColour);
  painter.drawRoundedRect(letters.adjusted(-4, -1, 4, 1), 3, 3);
  painter.setPen(colour);
  painter.drawText(box, alignment, text);
}

} // namespace voxlab

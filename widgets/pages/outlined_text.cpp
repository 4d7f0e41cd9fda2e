// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/outlined_text.h"
#include <QPainter>
#include <QPainterPath>

namespace voxlab {
namespace {
const QColor kRim(0, 0, 0, 225);
constexpr double kRim_px = 3.2; // half of it beyond the letters' edges
} // namespace

void drawOutlined(QPainter& painter, const QRectF& box, int alignment, const QString& text, const QColor& colour) {
  const QRectF place = painter.boundingRect(box, alignment, text);
  QPainterPath letters;
  letters.addText(place.left(), place.top() + painter.fontMetrics().ascent(), painter.font(), text);
  painter.strokePath(letters, QPen(kRim, kRim_px, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setPen(colour);
  painter.drawText(box, alignment, text);
}

void drawOnPlate(QPainter& painter, const QRectF& box, int alignment, const QString& text, const QColor& colour) {
  painter.setPen(Qt::NoPen);
  painter.setBrush(kPlateColour);
  painter.drawRoundedRect(painter.boundingRect(box, alignment, text).adjusted(-4, -1, 4, 1), 3, 3);
  painter.setPen(colour);
  painter.drawText(box, alignment, text);
}

} // namespace voxlab

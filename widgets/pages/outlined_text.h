// SPDX-License-Identifier: GPL-3.0-or-later
// Words over a picture, readable on black, on white and on every colour map.
#pragma once
#include <QColor>
#include <QRectF>
#include <QString>

class QPainter;

namespace voxlab {

inline const QColor kPlateColour(18, 20, 24, 200), kPaleColour(225, 228, 230);

// With the painter's font, one line.
void drawOutlined(QPainter& painter, const QRectF& box, int alignment, const QString& text, const QColor& colour); // a dark rim around the letters
void drawOnPlate(QPainter& painter, const QRectF& box, int alignment, const QString& text, const QColor& colour);  // a dark plate behind them

} // namespace voxlab

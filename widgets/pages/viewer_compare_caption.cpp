// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_compare_caption.h"
#include "widgets/pages/outlined_text.h"
#include <QPainter>
#include <cmath>

namespace voxlab {
namespace {
constexpr int kMargin_px = 11, kGap_px = 8, kLeast_px = 26; // no name fits into less

// Four tiles with those marked in which the volume is seen, counted from the picture's upper left corner.
void paintTiles(QPainter& painter, QPointF corner, double edge, bool isFirst) {
  painter.setPen(QPen(kPaleColour, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(QRectF(corner, QSizeF(edge, edge)));
  const double half = edge / 2;
  for (const QPointF tile : {QPointF(isFirst ? 0 : half, 0), QPointF(isFirst ? half : 0, half)})
    painter.fillRect(QRectF(corner + tile, QSizeF(half, half)), kPaleColour);
}
} // namespace

QString LayerName::fitting(const QFontMetrics& metrics, int room_px) const {
  for (const QString& form : forms)
    if (metrics.horizontalAdvance(form) <= room_px)
      return form;
  return metrics.elidedText(forms.value(forms.size() - 1), Qt::ElideMiddle, room_px);
}

bool LayerName::fits(const QFontMetrics& metrics, int room_px) const { return metrics.horizontalAdvance(forms.value(forms.size() - 1)) <= room_px; }

void CompareCaption::paint(QPainter& painter, QSizeF size, double top) const {
  const QFontMetrics metrics = painter.fontMetrics();
  const double line = metrics.height(), width = size.width();
  const auto write = [&](double left, double right, int alignment, const QString& text) {
    if (right - left >= kLeast_px)
      drawOnPlate(painter, QRectF(left, top, right - left, line), alignment | Qt::AlignVCenter, text, kPaleColour);
  };
  const auto fit = [&](const LayerName& name, double room) { return name.fitting(metrics, static_cast<int>(room)); };
  switch (mode) {
  case CompareMode::Swipe: {
    const double edge = share * width;
    write(kMargin_px, edge - kGap_px, Qt::AlignRight, fit(first, edge - kGap_px - kMargin_px));
    write(edge + kGap_px, width - kMargin_px, Qt::AlignLeft, fit(second, width - edge - kGap_px - kMargin_px));
    return;
  }
  case CompareMode::Checkerboard: {
    const double edge = std::floor(line * 0.35) * 2, room = (width - 2 * kMargin_px - 4 * kGap_px) / 2 - edge;
    double left = kMargin_px;
    for (const bool isFirst : {true, false}) {
      const QString text = fit(isFirst ? first : second, room);
      const double letters = metrics.horizontalAdvance(text);
      if (room < kLeast_px)
        return;
      painter.setPen(Qt::NoPen);
      painter.setBrush(kPlateColour);
      painter.drawRoundedRect(QRectF(left - 4, top - 1, edge + kGap_px + letters + 8, line + 2), 3, 3);
      paintTiles(painter, QPointF(left, top + std::floor((line - edge) / 2)), edge, isFirst);
      painter.setPen(kPaleColour);
      painter.drawText(QRectF(left + edge + kGap_px, top, letters + 2, line), static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), text);
      left += edge + kGap_px + letters + 2 * kGap_px;
    }
    return;
  }
  case CompareMode::Flicker: {
    const QString which = QStringLiteral("%1/%2  ").arg(number).arg(count);
    write(kMargin_px, width - kMargin_px, Qt::AlignLeft, which + fit(first, width - 2 * kMargin_px - metrics.horizontalAdvance(which)));
    return;
  }
  case CompareMode::Blend: {
    const int percent = static_cast<int>(std::lround(100 * share));
    const QString parts = QStringLiteral(" %1 % + "), one = parts.arg(100 - percent), other = QStringLiteral(" %1 %").arg(percent);
    const double room = (width - 2 * kMargin_px - metrics.horizontalAdvance(one + other)) / 2;
    if (room >= kLeast_px)
      write(kMargin_px, width - kMargin_px, Qt::AlignLeft, fit(first, room) + one + fit(second, room) + other);
    return;
  }
  default: return;
  }
}

} // namespace voxlab

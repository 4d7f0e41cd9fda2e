// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_slice_still.h"
#include "core/base/text.h"
#include "widgets/pages/outlined_text.h"
#include "widgets/pages/viewer_colours.h"
#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("ViewerSliceView", text); }

using DrawText = void (*)(QPainter&, const QRectF&, int, const QString&, const QColor&);

// Under a thin line, so that it is seen on white too.
QPen underlay(double width_px) { return {QColor(0, 0, 0, 110), width_px, Qt::SolidLine, Qt::FlatCap}; }

} // namespace

void SliceDecorations::paint(QPainter& painter, const SliceGeometry& where, QSizeF size, double pixelRatio) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(font);
  if (crosshair)
    paintCrosshair(painter, where, size, pixelRatio);
  if (swipe)
    paintSwipe(painter, size);
  if (annotations == Visibility::Hidden)
    return;
  paintLetters(painter, where, size);
  paintScaleBar(painter, where, size, pixelRatio);
  paintColourBar(painter, size);
}

void SliceDecorations::paintSwipe(QPainter& painter, QSizeF size) const {
  const double x = *swipe * size.width();
  for (const QPen& pen : {underlay(3.5), QPen(QColor(255, 255, 255, 200), 1.5)}) {
    painter.setPen(pen);
    painter.drawLine(QPointF(x, 0), QPointF(x, size.height()));
  }
  painter.setBrush(QColor(255, 255, 255, 230));
  painter.setPen(QPen(QColor(0, 0, 0, 140), 1));
  painter.drawEllipse(QPointF(x, size.height() / 2), 5, 5);
}

void SliceDecorations::paintCrosshair(QPainter& painter, const SliceGeometry& where, QSizeF size, double pixelRatio) const {
  const PixelPosition pixel = pixelOf(where, *crosshair);
  const QPointF p(std::floor((pixel.column + 0.5) / pixelRatio) + 0.5, std::floor((pixel.row + 0.5) / pixelRatio) + 0.5);
  constexpr double kGap = 7;
  // Each line is the edge of the view that it stands for.
  const SliceAxis vertical = axis == SliceAxis::Sagittal ? SliceAxis::Coronal : SliceAxis::Sagittal;
  const SliceAxis horizontal = axis == SliceAxis::Axial ? SliceAxis::Coronal : SliceAxis::Axial;
  const auto pen = [](SliceAxis edge) {
    QColor colour = axisColour(edge);
    colour.setAlpha(170);
    return QPen(colour, 1);
  };
  const QLineF up(QPointF(p.x(), 0), QPointF(p.x(), p.y() - kGap)), down(QPointF(p.x(), p.y() + kGap), QPointF(p.x(), size.height()));
  const QLineF left(QPointF(0, p.y()), QPointF(p.x() - kGap, p.y())), right(QPointF(p.x() + kGap, p.y()), QPointF(size.width(), p.y()));
  painter.setPen(underlay(3));
  painter.drawLines({up, down, left, right});
  painter.setPen(pen(vertical));
  painter.drawLines({up, down});
  painter.setPen(pen(horizontal));
  painter.drawLines({left, right});
}

void SliceDecorations::paintLetters(QPainter& painter, const SliceGeometry& where, QSizeF size) const {
  const QColor colour = axisColour(axis);
  const DrawText draw = difference ? drawOnPlate : drawOutlined; // most of a difference is white
  const QRectF box = QRectF(QPointF(0, 0), size).adjusted(7, 5, -7, -5);
  QFont bold = painter.font();
  bold.setBold(true);
  painter.setFont(bold);
  const OrientationLetters letters = orientationLetters(where);
  draw(painter, box, Qt::AlignLeft | Qt::AlignVCenter, QString::fromStdString(letters.left), colour);
  draw(painter, box, Qt::AlignRight | Qt::AlignVCenter, QString::fromStdString(letters.right), colour);
  draw(painter, box, Qt::AlignHCenter | Qt::AlignBottom, QString::fromStdString(letters.bottom), colour);
  painter.setFont(font);
  paintHeader(painter, size, QString::fromStdString(letters.top));
}

// With the letter that the reading gives the coordinate; an oblique slice has it at the cross-hair only.
QString SliceDecorations::numberText(double width_px) const {
  constexpr double kLeast_px = 150, kShort_px = 260, kLong_px = 380;
  if (width_px < kLeast_px)
    return {};
  if (number == 0)
    return tr("outside");
  const QString slice = tr("%1/%2").arg(number).arg(count);
  if (width_px < kShort_px)
    return slice;
  const QString coordinate = axis == SliceAxis::Axial ? QStringLiteral("z") : axis == SliceAxis::Coronal ? QStringLiteral("y") : QStringLiteral("x");
  const QString place = tr("%1 %2 mm").arg(coordinate, QString::number(std::abs(position_mm) < 0.05 ? 0.0 : position_mm, 'f', 1).replace('-', QChar(0x2212)));
  return (isOblique && width_px >= kLong_px ? tr("oblique, %1 at the cross-hair · %2") : tr("%1 · %2")).arg(place, slice);
}

// Name, letter and place in a line; a long name takes the letter's room, which then stands below.
void SliceDecorations::paintHeader(QPainter& painter, QSizeF size, const QString& letter) const {
  const QColor colour = axisColour(axis), quiet(205, 208, 212);
  const DrawText draw = difference ? drawOnPlate : drawOutlined;
  const QRectF box = QRectF(QPointF(0, 0), size).adjusted(7, 5, -7, -5);
  const QFontMetrics metrics = painter.fontMetrics();
  const QRectF below = box.adjusted(0, metrics.height() + 2, 0, 0);
  const QString place = numberText(size.width());
  const bool isNamed = !layer.forms.isEmpty();
  const int taken = place.isEmpty() ? 0 : metrics.horizontalAdvance(place) + 12, whole = static_cast<int>(box.width()) - taken;
  const int half = std::min(static_cast<int>(size.width() / 2 - 24), whole);
  const bool isCrowded = (isNamed && !layer.fits(metrics, half)) || taken > size.width() / 2 - 10;
  const bool isBelow = isCrowded && size.height() > 5 * metrics.height();
  QFont bold = font;
  bold.setBold(true);
  painter.setFont(bold);
  draw(painter, isBelow ? below : box, Qt::AlignHCenter | Qt::AlignTop, letter, colour);
  painter.setFont(font);
  if (isNamed)
    draw(painter, box, Qt::AlignLeft | Qt::AlignTop, layer.fitting(metrics, isBelow ? whole : half), colour);
  else if (!place.isEmpty())
    draw(painter, box, Qt::AlignLeft | Qt::AlignTop, axisName(axis), colour);
  if (!place.isEmpty())
    draw(painter, box, Qt::AlignRight | Qt::AlignTop, place, quiet);
  if (!layerNote.isEmpty() && metrics.horizontalAdvance(layerNote) < half)
    draw(painter, below, Qt::AlignLeft | Qt::AlignTop, layerNote, quiet);
  compared.paint(painter, size, below.top() + 2 + (isBelow ? metrics.height() + 2 : 0));
}

void SliceDecorations::paintScaleBar(QPainter& painter, const SliceGeometry& where, QSizeF size, double pixelRatio) const {
  const auto bar = scaleBar(where);
  if (!bar || size.width() < 150 || size.height() < 120)
    return;
  const double length_px = bar->length_px / pixelRatio, right = size.width() - 10, y = size.height() - 10;
  const QColor colour = kPaleColour;
  const DrawText draw = difference ? drawOnPlate : drawOutlined; // most of a difference is white
  painter.setPen(QPen(QColor(0, 0, 0, 225), 5, Qt::SolidLine, Qt::FlatCap));
  painter.drawLine(QPointF(right - length_px - 1, y), QPointF(right + 1, y));
  painter.setPen(QPen(colour, 2, Qt::SolidLine, Qt::FlatCap));
  painter.drawLine(QPointF(right - length_px, y), QPointF(right, y));
  draw(painter, QRectF(right - length_px - 60, y - 24, length_px + 60, 20), Qt::AlignRight | Qt::AlignBottom,
               QString::fromStdString(bar->text), colour);
}

QRectF SliceDecorations::colourBar(QSizeF size) const {
  constexpr double kLeast_px = 190, kMost_px = 260, kLow_px = 120, kThick_px = 9, kMargin_px = 14;
  if (!difference || !difference->hasColourBar || size.width() < kLeast_px || size.height() < kLow_px)
    return {};
  const double length_px = std::min(size.width() / 2 - 2 * kMargin_px, kMost_px), line_px = QFontMetrics(font).height();
  return {kMargin_px, size.height() - kMargin_px - line_px - kThick_px, length_px, kThick_px};
}

// Which is subtracted from which over the colours, what their ends and their middle stand for below them.
void SliceDecorations::paintColourBar(QPainter& painter, QSizeF size) const {
  const QRectF bar = colourBar(size);
  if (bar.isEmpty())
    return;
  const double line_px = painter.fontMetrics().height();
  painter.setPen(Qt::NoPen);
  painter.setBrush(kPlateColour);
  painter.drawRoundedRect(bar.adjusted(-6, -line_px - 4, 6, line_px + 4), 4, 4);
  QLinearGradient colours(bar.topLeft(), bar.topRight());
  const auto& table = colourTable(ColourMap::BlueWhiteRed);
  for (std::size_t i = 0; i < table.size(); i += 15)
    colours.setColorAt(static_cast<double>(i) / static_cast<double>(table.size() - 1), QColor(table[i].r, table[i].g, table[i].b));
  painter.fillRect(bar, colours);
  const QString reach = QString::fromStdString(formatSignificant(difference->reach, 2));
  const QRectF above(bar.left(), bar.top() - line_px - 2, bar.width(), line_px), below(bar.left(), bar.bottom() + 2, bar.width(), line_px);
  painter.setPen(kPaleColour);
  painter.drawText(above, static_cast<int>(Qt::AlignCenter), difference->name.fitting(painter.fontMetrics(), static_cast<int>(bar.width())));
  painter.drawText(below, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), QChar(0x2212) + reach);
  const QString middle = difference->isMeasured ? QStringLiteral("0") : tr("measuring…");
  const auto width_px = [&painter](const QString& text) { return painter.fontMetrics().horizontalAdvance(text + QLatin1Char(' ')); };
  if (width_px(middle) + 2 * width_px(QLatin1Char('+') + reach) <= bar.width())
    painter.drawText(below, static_cast<int>(Qt::AlignCenter), middle);
  painter.drawText(below, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), QLatin1Char('+') + reach);
}

void SliceStill::hold(const SteadyMask& mask) {
  if (!scene || !mask.copy)
    return;
  auto held = std::make_shared<SliceScene>(*scene);
  for (SliceLayer& layer : held->layers)
    if (&layer.source.volume() == mask.painted.get())
      layer.source = *SampledVolume::of(mask.copy);
  scene = std::move(held);
}

QImage SliceStill::paint() const {
  QImage image(plane.width, plane.height, QImage::Format_RGB32);
  image.fill(Qt::black);
  if (!scene || scene->layers.empty())
    return image;
  QPainter painter(&image);
  const Picture picture = scene->drawView(onlyLayer, subtracted, plane);
  painter.drawImage(0, 0, QImage(reinterpret_cast<const uchar*>(picture.pixels.data()), picture.width, picture.height, QImage::Format_RGB32));
  painter.scale(pixelRatio, pixelRatio);
  if (decorations)
    decorations->paint(painter, plane, QSizeF(image.size()) / pixelRatio, pixelRatio);
  return image;
}

} // namespace voxlab

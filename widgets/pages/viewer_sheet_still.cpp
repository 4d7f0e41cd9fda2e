// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_sheet_still.h"
#include <QFontMetrics>
#include <QPainter>
#include <cmath>

namespace voxlab {

QImage slicePicture(const std::shared_ptr<const Volume>& volume, const CellSlice& slice) {
  const auto sampled = SampledVolume::of(volume);
  if (!sampled)
    return {};
  SliceLayer layer{*sampled};
  layer.range = slice.range;
  const SliceScene scene{{layer}};
  const SliceFrame frame = alignedFrame(volume->grid());
  const Bounds bounds = boundsIn(frame, volume->grid());
  Vec3d at = bounds.centre();
  const int through = throughComponent(slice.axis);
  at[through] = bounds.low[through] + bounds.extent()[through] * (0.02 + 0.96 * slice.share);
  SliceCamera camera;
  camera.axis = slice.axis;
  const Picture picture = scene.draw(sliceGeometry(camera, frame, bounds, frame.toWorld(at), slice.edge, slice.edge));
  return QImage(reinterpret_cast<const uchar*>(picture.pixels.data()), picture.width, picture.height, QImage::Format_RGB32).copy();
}

QStringList captionLines(const QString& title, const QFontMetrics& metrics, int width) {
  if (metrics.horizontalAdvance(title) <= width)
    return {title};
  static const QString kBetween = QStringLiteral(" · ");
  QStringList rest = title.split(kBetween);
  QString first = rest.takeFirst();
  while (rest.size() > 1 && metrics.horizontalAdvance(first + kBetween + rest.first()) <= width)
    first += kBetween + rest.takeFirst();
  QStringList lines{first};
  if (!rest.isEmpty())
    lines << rest.join(kBetween);
  for (QString& line : lines)
    line = metrics.elidedText(line, Qt::ElideMiddle, width);
  return lines;
}

void SheetCell::paint(QPainter& painter, const QColor& text) const {
  constexpr int kUnderCaption_px = 4;
  painter.fillRect(box, Qt::black);
  painter.setPen(text);
  int baseline = box.top() - kUnderCaption_px - painter.fontMetrics().descent();
  for (auto line = caption.crbegin(); line != caption.crend(); ++line, baseline -= painter.fontMetrics().height())
    painter.drawText(box.left(), baseline, *line);
  if (!picture.isNull()) {
    painter.drawImage(box, picture);
    return;
  }
  painter.setPen(QColor(0x9a, 0xa0, 0xa6));
  painter.drawText(box.adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap, words);
}

QImage SheetStill::paint(double scale) const {
  const double pixels = ratio * scale;
  QImage image((QSizeF(size) * pixels).toSize(), QImage::Format_RGB32);
  image.fill(background);
  QPainter painter(&image);
  painter.scale(pixels, pixels);
  painter.setFont(font);
  CellSlice wanted = slice;
  wanted.edge = static_cast<int>(std::lround(slice.edge * pixels));
  for (SheetCell cell : cells) {
    if (cell.volume)
      cell.picture = slicePicture(cell.volume, wanted);
    cell.paint(painter, text);
  }
  return image;
}

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_slice_view.h"
#include "core/base/text.h"
#include "widgets/pages/viewer_colours.h"
#include "widgets/pages/viewer_document.h"
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {

constexpr double kDragThreshold_px = 3, kGrab_px = 10;

} // namespace

ViewerSliceView::ViewerSliceView(ViewerDocument& document, SliceAxis axis, QWidget* parent)
    : QWidget(parent), m_document(document), m_axis(axis) {
  setMinimumSize(80, 80);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setToolTipDuration(8000);
  connect(&document, &ViewerDocument::layersChanged, this, &ViewerSliceView::redraw);
  connect(&document, &ViewerDocument::appearanceChanged, this, &ViewerSliceView::redraw);
  connect(&document, &ViewerDocument::cursorChanged, this, &ViewerSliceView::redraw);
  connect(&document, &ViewerDocument::cameraChanged, this, &ViewerSliceView::redraw);
  connect(&document, &ViewerDocument::decorationsChanged, this, qOverload<>(&QWidget::update));
  describe();
}

void ViewerSliceView::describe() {
  setAccessibleName(tr("%1 slices").arg(axisName(m_axis)));
  setAccessibleDescription(tr("Wheel or arrow keys scroll the slices, a click sets the cross-hair"));
  setToolTip(tr("<b>%1</b><br>Click: cross-hair&nbsp;&nbsp;·&nbsp;&nbsp;Wheel: slices&nbsp;&nbsp;·&nbsp;&nbsp;Ctrl+wheel: zoom<br>"
                "Left drag: brightness and contrast&nbsp;&nbsp;·&nbsp;&nbsp;Ctrl+drag: range from a region<br>"
                "Shift+drag: move the cross-hair&nbsp;&nbsp;·&nbsp;&nbsp;Middle drag: pan&nbsp;&nbsp;·&nbsp;&nbsp;Right drag: zoom<br>"
                "Double click: enlarge")
                 .arg(axisName(m_axis)));
}

void ViewerSliceView::setAxis(SliceAxis axis) {
  m_axis = axis;
  describe();
  redraw();
}

void ViewerSliceView::setOnlyLayer(std::optional<int> layer) {
  m_onlyLayer = layer;
  redraw();
}

void ViewerSliceView::redraw() {
  m_stale = true;
  update();
}

SliceGeometry ViewerSliceView::plane() const {
  const double ratio = devicePixelRatioF();
  return m_document.plane(m_axis, static_cast<int>(std::lround(width() * ratio)), static_cast<int>(std::lround(height() * ratio)));
}

Vec3d ViewerSliceView::worldAt(QPointF position) const {
  const double ratio = devicePixelRatioF();
  return plane().worldAt(position.x() * ratio - 0.5, position.y() * ratio - 0.5);
}

QPointF ViewerSliceView::crosshairPosition() const {
  const PixelPosition p = pixelOf(plane(), m_document.cursor());
  return QPointF(p.column + 0.5, p.row + 0.5) / devicePixelRatioF();
}

// --- painting --------------------------------------------------------------------------------------------------------

void ViewerSliceView::paintScene(QPainter& painter, const SliceGeometry& plane, double pixelRatio) const {
  const SliceScene& scene = m_document.scene();
  m_picture = m_onlyLayer ? scene.drawOnly(static_cast<std::size_t>(*m_onlyLayer), plane) : scene.draw(plane);
  QImage image(reinterpret_cast<const uchar*>(m_picture.pixels.data()), m_picture.width, m_picture.height, QImage::Format_RGB32);
  image.setDevicePixelRatio(pixelRatio);
  painter.drawImage(QPointF(0, 0), image);
}

void ViewerSliceView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const double ratio = devicePixelRatioF();
  const SliceGeometry where = plane();
  if (m_document.isEmpty()) {
    painter.fillRect(rect(), Qt::black);
    return;
  }
  if (m_stale || m_picture.width != where.width || m_picture.height != where.height) {
    paintScene(painter, where, ratio);
    m_stale = false;
  } else {
    QImage image(reinterpret_cast<const uchar*>(m_picture.pixels.data()), m_picture.width, m_picture.height, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    painter.drawImage(QPointF(0, 0), image);
  }
  paintDecorations(painter, where, QSizeF(size()), ratio);
  if (m_drag == Drag::Region) {
    painter.setPen(QPen(axisColour(m_axis), 1, Qt::DashLine));
    painter.setBrush(QColor(255, 255, 255, 24));
    painter.drawRect(QRectF(m_pressed, m_last).normalized());
  }
  if (hasFocus()) {
    painter.setPen(QPen(axisColour(m_axis), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
  }
}

QImage ViewerSliceView::capture(QSize pixels, double pixelRatio, Decoration decoration) const {
  QImage image(pixels, QImage::Format_RGB32);
  image.fill(Qt::black);
  if (m_document.isEmpty())
    return image;
  const SliceGeometry where = m_document.plane(m_axis, pixels.width(), pixels.height());
  QPainter painter(&image);
  const SliceScene& scene = m_document.scene();
  const Picture picture = m_onlyLayer ? scene.drawOnly(static_cast<std::size_t>(*m_onlyLayer), where) : scene.draw(where);
  painter.drawImage(0, 0, QImage(reinterpret_cast<const uchar*>(picture.pixels.data()), picture.width, picture.height, QImage::Format_RGB32));
  painter.scale(pixelRatio, pixelRatio);
  if (decoration == Decoration::Full)
    paintDecorations(painter, where, QSizeF(pixels) / pixelRatio, pixelRatio);
  return image;
}

void ViewerSliceView::paintDecorations(QPainter& painter, const SliceGeometry& where, QSizeF size, double pixelRatio) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(font());
  if (m_document.crosshair() == Visibility::Shown)
    paintCrosshair(painter, where, size, pixelRatio);
  const Comparison& comparison = m_document.comparison();
  if (comparison.mode == CompareMode::Swipe && !m_onlyLayer) {
    const double x = comparison.position * size.width();
    painter.setPen(QPen(QColor(255, 255, 255, 200), 1.5));
    painter.drawLine(QPointF(x, 0), QPointF(x, size.height()));
    painter.setBrush(QColor(255, 255, 255, 230));
    painter.setPen(Qt::NoPen);
    painter.drawEllipse(QPointF(x, size.height() / 2), 5, 5);
  }
  if (m_document.annotations() == Visibility::Hidden)
    return;
  paintLetters(painter, where, size);
  paintScaleBar(painter, where, size, pixelRatio);
  paintColourBar(painter, size);
}

void ViewerSliceView::paintCrosshair(QPainter& painter, const SliceGeometry& where, QSizeF size, double pixelRatio) const {
  const PixelPosition pixel = pixelOf(where, m_document.cursor());
  const QPointF p(std::floor((pixel.column + 0.5) / pixelRatio) + 0.5, std::floor((pixel.row + 0.5) / pixelRatio) + 0.5);
  constexpr double kGap = 7;
  // Each line is the edge of the view that it stands for.
  const SliceAxis vertical = m_axis == SliceAxis::Sagittal ? SliceAxis::Coronal : SliceAxis::Sagittal;
  const SliceAxis horizontal = m_axis == SliceAxis::Axial ? SliceAxis::Coronal : SliceAxis::Axial;
  const auto pen = [](SliceAxis axis) {
    QColor colour = axisColour(axis);
    colour.setAlpha(170);
    return QPen(colour, 1);
  };
  painter.setPen(pen(vertical));
  painter.drawLine(QPointF(p.x(), 0), QPointF(p.x(), p.y() - kGap));
  painter.drawLine(QPointF(p.x(), p.y() + kGap), QPointF(p.x(), size.height()));
  painter.setPen(pen(horizontal));
  painter.drawLine(QPointF(0, p.y()), QPointF(p.x() - kGap, p.y()));
  painter.drawLine(QPointF(p.x() + kGap, p.y()), QPointF(size.width(), p.y()));
}

namespace {

enum class Backing { Rim, Plate };
const QColor kPlate(18, 20, 24, 190), kPale(225, 228, 230);

// Text with a dark rim, so that it can be read on bright tissue too; on the white of a difference with a plate behind it.
void drawOutlined(QPainter& painter, const QRectF& box, int alignment, const QString& text, const QColor& colour, Backing backing) {
  if (backing == Backing::Plate) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(kPlate);
    painter.drawRoundedRect(painter.boundingRect(box, alignment, text).adjusted(-4, -1, 4, 1), 3, 3);
    painter.setPen(colour);
    painter.drawText(box, alignment, text);
    return;
  }
  painter.setPen(QColor(0, 0, 0, 190));
  for (const QPointF offset : {QPointF(-1, 0), QPointF(1, 0), QPointF(0, -1), QPointF(0, 1)})
    painter.drawText(box.translated(offset), alignment, text);
  painter.setPen(colour);
  painter.drawText(box, alignment, text);
}

} // namespace

void ViewerSliceView::paintLetters(QPainter& painter, const SliceGeometry& where, QSizeF size) const {
  const QColor colour = axisColour(m_axis);
  const Backing backing = showsDifference() ? Backing::Plate : Backing::Rim;
  const QRectF box = QRectF(QPointF(0, 0), size).adjusted(7, 5, -7, -5);
  QFont bold = painter.font();
  bold.setBold(true);
  painter.setFont(bold);
  const OrientationLetters letters = orientationLetters(where);
  drawOutlined(painter, box, Qt::AlignLeft | Qt::AlignVCenter, QString::fromStdString(letters.left), colour, backing);
  drawOutlined(painter, box, Qt::AlignRight | Qt::AlignVCenter, QString::fromStdString(letters.right), colour, backing);
  drawOutlined(painter, box, Qt::AlignHCenter | Qt::AlignTop, QString::fromStdString(letters.top), colour, backing);
  drawOutlined(painter, box, Qt::AlignHCenter | Qt::AlignBottom, QString::fromStdString(letters.bottom), colour, backing);
  painter.setFont(font());
  if (size.width() < 150)
    return;
  const auto slice = m_document.sliceNumber(m_axis);
  QString title = axisName(m_axis);
  if (m_onlyLayer && *m_onlyLayer < m_document.layerCount())
    title = painter.fontMetrics().elidedText(QString::fromStdString(m_document.layer(*m_onlyLayer).title), Qt::ElideMiddle,
                                             static_cast<int>(size.width() / 2 - 24));
  drawOutlined(painter, box, Qt::AlignLeft | Qt::AlignTop, title, colour, backing);
  QString position = QString::number(slice.position_mm, 'f', 1).replace('-', QChar(0x2212));
  drawOutlined(painter, box, Qt::AlignRight | Qt::AlignTop,
               size.width() < 260 ? tr("%1/%2").arg(slice.number).arg(slice.count)
                                  : tr("%1 mm · %2/%3").arg(position).arg(slice.number).arg(slice.count),
               QColor(205, 208, 212), backing);
}

void ViewerSliceView::paintScaleBar(QPainter& painter, const SliceGeometry& where, QSizeF size, double pixelRatio) const {
  const auto bar = scaleBar(where);
  if (!bar || size.width() < 150 || size.height() < 120)
    return;
  const double length_px = bar->length_px / pixelRatio, right = size.width() - 10, y = size.height() - 10;
  const QColor colour = kPale;
  const Backing backing = showsDifference() ? Backing::Plate : Backing::Rim;
  painter.setPen(QPen(QColor(0, 0, 0, 170), 4, Qt::SolidLine, Qt::FlatCap));
  painter.drawLine(QPointF(right - length_px - 1, y), QPointF(right + 1, y));
  painter.setPen(QPen(colour, 2, Qt::SolidLine, Qt::FlatCap));
  painter.drawLine(QPointF(right - length_px, y), QPointF(right, y));
  drawOutlined(painter, QRectF(right - length_px - 60, y - 24, length_px + 60, 20), Qt::AlignRight | Qt::AlignBottom,
               QString::fromStdString(bar->text), colour, backing);
}

bool ViewerSliceView::showsDifference() const { return !m_onlyLayer && m_document.showsDifference(); }

QRectF ViewerSliceView::colourBar(QSizeF size) const {
  constexpr double kLeast_px = 220, kMost_px = 260, kLow_px = 150, kThick_px = 9, kMargin_px = 14;
  if (!showsDifference() || size.width() < kLeast_px || size.height() < kLow_px)
    return {};
  const double length_px = std::min(size.width() / 2 - 2 * kMargin_px, kMost_px), line_px = fontMetrics().height();
  return {kMargin_px, size.height() - kMargin_px - line_px - kThick_px, length_px, kThick_px};
}

// Which is subtracted from which over the colours, what their ends and their middle stand for below them.
void ViewerSliceView::paintColourBar(QPainter& painter, QSizeF size) const {
  const QRectF bar = colourBar(size);
  if (bar.isEmpty())
    return;
  const double line_px = painter.fontMetrics().height();
  painter.setPen(Qt::NoPen);
  painter.setBrush(kPlate);
  painter.drawRoundedRect(bar.adjusted(-6, -line_px - 4, 6, line_px + 4), 4, 4);
  QLinearGradient colours(bar.topLeft(), bar.topRight());
  const auto& table = colourTable(ColourMap::BlueWhiteRed);
  for (std::size_t i = 0; i < table.size(); i += 15)
    colours.setColorAt(static_cast<double>(i) / static_cast<double>(table.size() - 1), QColor(table[i].r, table[i].g, table[i].b));
  painter.fillRect(bar, colours);
  const QString reach = QString::fromStdString(formatSignificant(m_document.comparison().differenceReach, 2));
  const QRectF above(bar.left(), bar.top() - line_px - 2, bar.width(), line_px), below(bar.left(), bar.bottom() + 2, bar.width(), line_px);
  painter.setPen(kPale);
  painter.drawText(above, static_cast<int>(Qt::AlignCenter), painter.fontMetrics().elidedText(m_document.differenceText(), Qt::ElideMiddle, static_cast<int>(bar.width())));
  painter.drawText(below, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), QChar(0x2212) + reach);
  painter.drawText(below, static_cast<int>(Qt::AlignCenter), QStringLiteral("0"));
  painter.drawText(below, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), QLatin1Char('+') + reach);
}

// --- mouse and keys --------------------------------------------------------------------------------------------------

bool ViewerSliceView::isNearSwipe(QPointF position) const {
  return m_document.comparison().mode == CompareMode::Swipe && !m_onlyLayer &&
         std::abs(position.x() - m_document.comparison().position * width()) < kGrab_px;
}

void ViewerSliceView::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  if (m_document.isEmpty())
    return;
  m_pressed = m_last = event->position();
  beginDrag(event);
  event->accept();
}

void ViewerSliceView::beginDrag(QMouseEvent* event) {
  const QPointF toCrosshair = event->position() - crosshairPosition();
  if (event->button() == Qt::MiddleButton)
    m_drag = Drag::Pan;
  else if (event->button() == Qt::RightButton)
    m_drag = Drag::Pending; // a click asks for the menu, a drag zooms
  else if (event->button() != Qt::LeftButton)
    m_drag = Drag::None;
  else if (m_toolActive) {
    m_drag = Drag::Tool;
    emit toolStroke(worldAt(event->position()), m_axis, 0);
  } else if (isNearSwipe(event->position()))
    m_drag = Drag::Swipe;
  else if (event->modifiers() & Qt::ControlModifier)
    m_drag = Drag::Region;
  else if ((event->modifiers() & Qt::ShiftModifier) ||
           (m_document.crosshair() == Visibility::Shown && std::hypot(toCrosshair.x(), toCrosshair.y()) < kGrab_px))
    m_drag = Drag::Crosshair;
  else
    m_drag = Drag::Pending;
}

void ViewerSliceView::mouseMoveEvent(QMouseEvent* event) {
  emit hovered(worldAt(event->position()));
  if (m_drag == Drag::None) {
    setCursor(m_toolActive ? Qt::CrossCursor : isNearSwipe(event->position()) ? Qt::SplitHCursor : Qt::ArrowCursor);
    return;
  }
  if (m_drag == Drag::Pending) {
    const QPointF moved = event->position() - m_pressed;
    if (std::hypot(moved.x(), moved.y()) < kDragThreshold_px)
      return;
    m_drag = (event->buttons() & Qt::RightButton) ? Drag::Zoom : Drag::Range;
  }
  dragTo(event);
}

void ViewerSliceView::dragTo(QMouseEvent* event) {
  const QPointF delta = event->position() - m_last;
  switch (m_drag) {
  case Drag::Range: dragRange(delta); break;
  case Drag::Crosshair: m_document.setCursor(worldAt(event->position())); break;
  case Drag::Pan: m_document.panBy(worldAt(m_last) - worldAt(event->position())); break;
  case Drag::Zoom: m_document.setZoom(m_document.zoom() * std::exp(-delta.y() / 120.0)); break;
  case Drag::Tool: emit toolStroke(worldAt(event->position()), m_axis, 1); break;
  case Drag::Region: update(); break;
  case Drag::Swipe: {
    Comparison comparison = m_document.comparison();
    comparison.position = std::clamp(event->position().x() / std::max(width(), 1), 0.0, 1.0);
    m_document.setComparison(comparison);
    break;
  }
  default: break;
  }
  m_last = event->position();
}

// To the right: wider, flatter contrast. Up: brighter.
void ViewerSliceView::dragRange(QPointF delta) {
  const int index = m_onlyLayer.value_or(m_document.imageLayer());
  if (index < 0)
    return;
  const Histogram& summary = m_document.source(index).summary;
  const double unit = std::max(summary.percentile(0.999) - summary.percentile(0.0), 1e-12) / 400.0;
  m_document.editLayer(index, [&](SliceLayer& layer) {
    double level = (layer.range.low + layer.range.high) / 2, window = layer.range.high - layer.range.low;
    window = std::max(window + delta.x() * unit, unit / 4);
    level += delta.y() * unit;
    layer.range = {level - window / 2, level + window / 2};
  });
}

// The 1st to 99th percentile of what lies in the rectangle.
void ViewerSliceView::applyRegion() {
  const int index = m_onlyLayer.value_or(m_document.imageLayer());
  const QRectF box = QRectF(m_pressed, m_last).normalized();
  if (index < 0 || box.width() < 3 || box.height() < 3)
    return;
  SliceGeometry region = plane();
  const double ratio = devicePixelRatioF();
  region.origin = region.worldAt(box.left() * ratio, box.top() * ratio);
  region.width = static_cast<int>(box.width() * ratio);
  region.height = static_cast<int>(box.height() * ratio);
  std::vector<float> values;
  m_document.layer(index).source.sample(region, Interpolation::Nearest, values);
  std::erase_if(values, [](float v) { return !std::isfinite(v); });
  if (values.size() < 4)
    return;
  std::sort(values.begin(), values.end());
  const float low = values[values.size() / 100], high = values[values.size() - 1 - values.size() / 100];
  if (high > low)
    m_document.editLayer(index, [&](SliceLayer& layer) { layer.range = {low, high}; });
}

void ViewerSliceView::mouseReleaseEvent(QMouseEvent* event) {
  const Drag drag = std::exchange(m_drag, Drag::None);
  if (drag == Drag::Pending && event->button() == Qt::LeftButton)
    m_document.setCursor(worldAt(event->position()));
  else if (drag == Drag::Pending && event->button() == Qt::RightButton)
    emit menuRequested(event->globalPosition().toPoint());
  else if (drag == Drag::Region)
    applyRegion();
  else if (drag == Drag::Tool)
    emit toolStroke(worldAt(event->position()), m_axis, 2);
  update();
}

void ViewerSliceView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && !m_toolActive)
    emit enlargeRequested();
}

void ViewerSliceView::wheelEvent(QWheelEvent* event) {
  event->accept();
  const int delta = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
  if (event->modifiers() & Qt::ControlModifier) {
    const Vec3d before = worldAt(event->position());
    m_document.setZoom(m_document.zoom() * std::pow(1.2, delta / 120.0));
    m_document.panBy(before - worldAt(event->position())); // what is under the pointer stays there
    return;
  }
  m_wheel += delta; // touch pads send small pieces
  const int steps = m_wheel / 120;
  m_wheel -= steps * 120;
  if (steps != 0)
    m_document.step(m_axis, steps);
}

void ViewerSliceView::keyPressEvent(QKeyEvent* event) {
  const int stride = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
  switch (event->key()) {
  case Qt::Key_Up:
  case Qt::Key_Right: m_document.step(m_axis, stride); break;
  case Qt::Key_Down:
  case Qt::Key_Left: m_document.step(m_axis, -stride); break;
  case Qt::Key_PageUp: m_document.step(m_axis, 10); break;
  case Qt::Key_PageDown: m_document.step(m_axis, -10); break;
  case Qt::Key_Home: m_document.setSliceNumber(m_axis, 1); break;
  case Qt::Key_End: m_document.setSliceNumber(m_axis, m_document.sliceNumber(m_axis).count); break;
  default: QWidget::keyPressEvent(event);
  }
}

void ViewerSliceView::leaveEvent(QEvent*) { emit left(); }

void ViewerSliceView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange)
    describe();
  QWidget::changeEvent(event);
}

void ViewerSliceView::focusInEvent(QFocusEvent* event) {
  update();
  QWidget::focusInEvent(event);
}
void ViewerSliceView::focusOutEvent(QFocusEvent* event) {
  update();
  QWidget::focusOutEvent(event);
}

} // namespace voxlab

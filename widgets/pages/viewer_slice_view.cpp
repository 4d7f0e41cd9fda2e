// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_slice_view.h"
#include "widgets/pages/viewer_colours.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_reading.h"
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {

constexpr double kDragThreshold_px = 3, kGrab_px = 10;

LayerName minus(LayerName from, const LayerName& subtracted) {
  from.forms.resize(std::min(from.forms.size(), subtracted.forms.size()));
  for (qsizetype i = 0; i < from.forms.size(); ++i)
    from.forms[i] += QStringLiteral(" − ") + subtracted.forms[i];
  return from;
}

std::optional<std::size_t> indexOf(std::optional<int> layer) { return layer ? std::optional(static_cast<std::size_t>(*layer)) : std::nullopt; }

QString lookingTip() {
  return ViewerSliceView::tr("Wheel: slices · Click: cross-hair · Drag: window, level · Ctrl+wheel: zoom · Middle drag: pan · ?: more");
}

} // namespace

ViewerSliceView::ViewerSliceView(ViewerDocument& document, SliceAxis axis, QWidget* parent)
    : QWidget(parent), m_document(document), m_axis(axis) {
  setMinimumSize(80, 80);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
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
  // In the window's status line: whoever rests the pointer on a voxel reads its value, and a tool tip would lie over the picture.
  if (!m_toolRadius_mm)
    setStatusTip(lookingTip());
}

void ViewerSliceView::setAxis(SliceAxis axis) {
  m_axis = axis;
  describe();
  redraw();
}

void ViewerSliceView::setShown(const Shown& shown) {
  m_shown = shown;
  redraw();
}

void ViewerSliceView::setTool(std::optional<double> radius_mm) {
  if (m_toolRadius_mm.has_value() != radius_mm.has_value())
    setStatusTip(radius_mm ? tr("Drag: paint or erase · [ ]: radius · Shift+drag: cross-hair · Wheel: slices · Ctrl+wheel: zoom · Middle drag: pan · ?: all") : lookingTip());
  m_toolRadius_mm = radius_mm;
  update();
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

std::optional<Vec3d> ViewerSliceView::pointedAt() const {
  return m_pointer && isVisible() ? std::optional(worldAt(*m_pointer)) : std::nullopt;
}

QPointF ViewerSliceView::crosshairPosition() const {
  const PixelPosition p = pixelOf(plane(), m_document.cursor());
  return QPointF(p.column + 0.5, p.row + 0.5) / devicePixelRatioF();
}

// --- painting --------------------------------------------------------------------------------------------------------

void ViewerSliceView::paintScene(QPainter& painter, const SliceGeometry& plane, double pixelRatio) const {
  m_picture = m_document.scene().drawView(indexOf(m_shown.layer), indexOf(m_shown.subtracted), plane);
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
  decorationsAt(m_document.cursor()).paint(painter, where, QSizeF(size()), ratio);
  if (m_toolRadius_mm && m_pointer) { // what a press would paint
    const double radius = *m_toolRadius_mm / (length(where.across) * ratio);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (const auto& [colour, width] : {std::pair(QColor(0, 0, 0, 160), 3.0), std::pair(QColor(255, 255, 255), 1.0)}) {
      painter.setPen(QPen(colour, width));
      painter.drawEllipse(*m_pointer, radius, radius);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
  }
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

SliceStill ViewerSliceView::still(QSize pixels, double pixelRatio, Decoration decoration) const {
  SliceStill still;
  still.scene = std::make_shared<const SliceScene>(m_document.scene());
  still.onlyLayer = indexOf(m_shown.layer);
  still.subtracted = indexOf(m_shown.subtracted);
  still.plane = m_document.plane(m_axis, pixels.width(), pixels.height());
  still.pixelRatio = pixelRatio;
  if (decoration == Decoration::Full)
    still.decorations = decorationsAt(m_document.cursor());
  return still;
}

std::vector<SliceStill> ViewerSliceView::stillsOfAllSlices(SliceAxis along, QSize pixels, double pixelRatio, Decoration decoration) const {
  std::vector<SliceStill> stills(static_cast<std::size_t>(m_document.sliceNumber(along).count), still(pixels, pixelRatio, decoration));
  int number = 0;
  for (SliceStill& still : stills) {
    const Vec3d cursor = m_document.cursorInSlice(along, ++number);
    still.plane = m_document.planeThrough(cursor, m_axis, pixels.width(), pixels.height());
    if (still.decorations) // names are made once: hundreds of times they would keep the window from answering
      placeAt(*still.decorations, cursor);
  }
  return stills;
}

QImage ViewerSliceView::capture(QSize pixels, double pixelRatio, Decoration decoration) const {
  return still(pixels, pixelRatio, decoration).paint();
}

SliceDecorations ViewerSliceView::decorationsAt(Vec3d cursor) const {
  SliceDecorations over;
  over.axis = m_axis;
  over.font = font();
  over.annotations = m_document.annotations();
  placeAt(over, cursor);
  if (showsOneLayer())
    nameLayer(over);
  else
    nameCompared(over);
  return over;
}

bool ViewerSliceView::showsOneLayer() const { return m_shown.layer && *m_shown.layer < m_document.layerCount(); }

void ViewerSliceView::placeAt(SliceDecorations& over, Vec3d cursor) const {
  over.crosshair.reset();
  if (m_document.crosshair() == Visibility::Shown)
    over.crosshair = cursor;
  const auto slice = showsOneLayer() ? m_document.sliceNumberOf(*m_shown.layer, cursor, m_axis) : m_document.sliceNumberAt(cursor, m_axis);
  over.number = slice.number;
  over.count = slice.count;
  over.position_mm = slice.position_mm;
  over.isOblique = slice.isOblique;
}

void ViewerSliceView::nameLayer(SliceDecorations& over) const {
  const Comparison& comparison = m_document.comparison();
  const int layer = *m_shown.layer;
  over.layer = layerName(m_document, layer);
  if (!m_shown.subtracted) {
    const bool isReference = !comparison.members.empty() && static_cast<int>(comparison.members.front()) == layer;
    over.layerNote = isReference ? tr("reference") : QString();
    return;
  }
  const LayerName reference = layerName(m_document, *m_shown.subtracted);
  over.layer = minus(over.layer, reference);
  const bool hasBar = m_shown.colourBar == Shown::ColourBar::Here;
  over.difference = {minus({QStringList(reference.forms.size(), tr("each"))}, reference), comparison.differenceReach, comparison.isReachMeasured, hasBar};
}

// Of a view that shows two volumes in one picture, or one of them at a time.
void ViewerSliceView::nameCompared(SliceDecorations& over) const {
  const Comparison& comparison = m_document.comparison();
  if (comparison.mode == CompareMode::Swipe)
    over.swipe = comparison.position;
  if (m_document.showsDifference())
    over.difference = {minus(layerName(m_document, static_cast<int>(comparison.second)), layerName(m_document, static_cast<int>(comparison.first))), comparison.differenceReach, comparison.isReachMeasured, true};
  else if (comparison.mode == CompareMode::Flicker) {
    const std::vector<int> layers = comparedLayers(m_document);
    const auto which = std::find(layers.begin(), layers.end(), static_cast<int>(comparison.flickered));
    if (which != layers.end())
      over.compared = CompareCaption{comparison.mode, layerName(m_document, *which), {}, 0.5, static_cast<int>(which - layers.begin()) + 1, static_cast<int>(layers.size())};
  } else if (comparison.mode != CompareMode::None && static_cast<int>(std::max(comparison.first, comparison.second)) < m_document.layerCount())
    over.compared = CompareCaption{comparison.mode, layerName(m_document, static_cast<int>(comparison.first)), layerName(m_document, static_cast<int>(comparison.second)), comparison.position, 1, 2};
}

QRectF ViewerSliceView::colourBar(QSizeF size) const { return decorationsAt(m_document.cursor()).colourBar(size); }

// --- mouse and keys --------------------------------------------------------------------------------------------------

bool ViewerSliceView::isNearSwipe(QPointF position) const {
  return m_document.comparison().mode == CompareMode::Swipe && !m_shown.layer &&
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
  else if (m_toolRadius_mm && !(event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier))) { // which keep their own meaning
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
  m_pointer = event->position();
  if (m_toolRadius_mm)
    update(); // the ring goes with it
  emit hovered(worldAt(event->position()));
  if (m_drag == Drag::None) {
    setCursor(m_toolRadius_mm ? Qt::CrossCursor : isNearSwipe(event->position()) ? Qt::SplitHCursor : Qt::ArrowCursor);
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
  const int index = m_shown.layer.value_or(m_document.imageLayer());
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
  const int index = m_shown.layer.value_or(m_document.imageLayer());
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
    m_document.chooseRange(index, {low, high});
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
  if (event->button() == Qt::LeftButton && !m_toolRadius_mm)
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

void ViewerSliceView::leaveEvent(QEvent*) {
  m_pointer.reset();
  update();
  emit left();
}

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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_curve_editor.h"
#include "rendering/ray_content.h"
#include <QColorDialog>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
constexpr double kMargin = 8, kRamp = 14, kReach = 9;
}

ViewerCurveEditor::ViewerCurveEditor(QWidget* parent) : QWidget(parent) {
  setMinimumHeight(110);
  setMouseTracking(true);
  setAccessibleName(tr("Opacity and colours of the 3D view"));
  setToolTip(tr("Drag points to change opacity and colours. Double click adds a point or opens a colour, right click removes a point."));
}

void ViewerCurveEditor::setTransfer(const Transfer& transfer) {
  m_transfer = transfer;
  update();
}

void ViewerCurveEditor::setHistogram(const Histogram& histogram, DisplayRange range) {
  m_histogram = histogram;
  m_range = range;
  update();
}

QRectF ViewerCurveEditor::curveArea() const { return QRectF(kMargin, kMargin, width() - 2 * kMargin, height() - 3 * kMargin - kRamp); }
QRectF ViewerCurveEditor::rampArea() const { return QRectF(kMargin, height() - kMargin - kRamp, width() - 2 * kMargin, kRamp); }

QPointF ViewerCurveEditor::pointPosition(int index) const {
  const OpacityPoint& p = m_transfer.opacity.at(static_cast<std::size_t>(index));
  const QRectF area = curveArea();
  return {area.left() + p.position * area.width(), area.bottom() - p.opacity * area.height()};
}

int ViewerCurveEditor::opacityPointAt(QPointF position) const {
  for (int i = static_cast<int>(m_transfer.opacity.size()) - 1; i >= 0; --i)
    if (const QPointF d = pointPosition(i) - position; std::hypot(d.x(), d.y()) < kReach)
      return i;
  return -1;
}

int ViewerCurveEditor::colourPointAt(QPointF position) const {
  const QRectF area = rampArea().adjusted(0, -4, 0, 4);
  if (position.y() < area.top() || position.y() > area.bottom())
    return -1;
  for (int i = static_cast<int>(m_transfer.colours.size()) - 1; i >= 0; --i)
    if (std::abs(area.left() + m_transfer.colours[static_cast<std::size_t>(i)].position * area.width() - position.x()) < kReach)
      return i;
  return -1;
}

void ViewerCurveEditor::paintHistogram(QPainter& painter) const {
  if (m_histogram.finiteCount == 0 || !(m_range.high > m_range.low))
    return;
  const QRectF area = curveArea();
  const bool isProjection = m_transfer.blend == BlendMode::MaximumIntensity;
  const ProjectionGreys greys = projectionGreys(m_range, isProjection ? brightestOf(m_histogram) : m_range.high);
  double most = 1;
  for (std::size_t bin = 1; bin < m_histogram.counts.size(); ++bin)
    most = std::max(most, std::sqrt(static_cast<double>(m_histogram.counts[bin])));
  QPainterPath path(area.bottomLeft());
  for (std::size_t bin = 0; bin < m_histogram.counts.size(); ++bin) {
    const double value = m_histogram.minimum + (static_cast<double>(bin) + 0.5) * m_histogram.binWidth;
    const double share = greys.greyOf(value);
    if (share < 0 || share > 1)
      continue;
    const double h = std::min(1.0, std::sqrt(static_cast<double>(m_histogram.counts[bin])) / most);
    path.lineTo(area.left() + share * area.width(), area.bottom() - h * area.height());
  }
  path.lineTo(path.currentPosition().x(), area.bottom());
  QColor fill = palette().color(QPalette::Text);
  fill.setAlpha(40);
  painter.fillPath(path, fill);
}

void ViewerCurveEditor::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(palette().color(QPalette::Mid));
  painter.setBrush(palette().color(QPalette::Base));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  paintHistogram(painter);
  if (m_transfer.opacity.size() < 2 || m_transfer.colours.size() < 2)
    return;
  const QColor accent = palette().color(QPalette::Highlight);
  QPolygonF line;
  line << QPointF(curveArea().left(), pointPosition(0).y());
  for (int i = 0; i < static_cast<int>(m_transfer.opacity.size()); ++i)
    line << pointPosition(i);
  line << QPointF(curveArea().right(), line.last().y());
  painter.setPen(QPen(accent, 1.8));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(line);
  for (int i = 0; i < static_cast<int>(m_transfer.opacity.size()); ++i) {
    painter.setBrush(i == m_point ? accent : palette().color(QPalette::Base));
    painter.drawEllipse(pointPosition(i), 4, 4);
  }
  const QRectF ramp = rampArea();
  for (double x = ramp.left(); x < ramp.right(); ++x) {
    const Rgb c = colourAt(m_transfer, (x - ramp.left()) / ramp.width());
    painter.fillRect(QRectF(x, ramp.top(), 1.5, ramp.height()), QColor(c.r, c.g, c.b));
  }
  painter.setPen(QPen(palette().color(QPalette::Mid), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(ramp);
  for (const auto& point : m_transfer.colours) {
    painter.setPen(QPen(palette().color(QPalette::Text), 1.2));
    painter.setBrush(QColor(point.colour.r, point.colour.g, point.colour.b));
    painter.drawEllipse(QPointF(ramp.left() + point.position * ramp.width(), ramp.center().y()), 5, 5);
  }
}

void ViewerCurveEditor::changed() {
  update();
  emit edited(m_transfer);
}

void ViewerCurveEditor::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::RightButton)
    return removePointAt(event->position());
  m_point = opacityPointAt(event->position());
  m_colour = m_point < 0 ? colourPointAt(event->position()) : -1;
  update();
}

void ViewerCurveEditor::removePointAt(QPointF position) {
  if (const int i = opacityPointAt(position); i >= 0 && m_transfer.opacity.size() > 2)
    m_transfer.opacity.erase(m_transfer.opacity.begin() + i);
  else if (const int c = colourPointAt(position); c >= 0 && m_transfer.colours.size() > 2)
    m_transfer.colours.erase(m_transfer.colours.begin() + c);
  else
    return;
  changed();
}

void ViewerCurveEditor::dragOpacity(QPointF position) {
  const QRectF area = curveArea();
  const auto i = static_cast<std::size_t>(m_point);
  auto& points = m_transfer.opacity;
  const double low = i > 0 ? points[i - 1].position : 0, high = i + 1 < points.size() ? points[i + 1].position : 1;
  points[i] = {std::clamp((position.x() - area.left()) / area.width(), low, high),
               std::clamp((area.bottom() - position.y()) / area.height(), 0.0, 1.0)};
}

void ViewerCurveEditor::dragColour(QPointF position) {
  const QRectF area = rampArea();
  const auto i = static_cast<std::size_t>(m_colour);
  auto& points = m_transfer.colours;
  const double low = i > 0 ? points[i - 1].position : 0, high = i + 1 < points.size() ? points[i + 1].position : 1;
  points[i].position = std::clamp((position.x() - area.left()) / area.width(), low, high);
}

void ViewerCurveEditor::mouseMoveEvent(QMouseEvent* event) {
  if (m_point >= 0)
    dragOpacity(event->position());
  else if (m_colour >= 0)
    dragColour(event->position());
  else {
    setCursor(opacityPointAt(event->position()) >= 0 || colourPointAt(event->position()) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    return;
  }
  changed();
}

void ViewerCurveEditor::mouseReleaseEvent(QMouseEvent*) {
  m_point = m_colour = -1;
  update();
}

void ViewerCurveEditor::chooseColour(int index) {
  Rgb& colour = m_transfer.colours[static_cast<std::size_t>(index)].colour;
  const QColor chosen = QColorDialog::getColor(QColor(colour.r, colour.g, colour.b), this);
  if (!chosen.isValid())
    return;
  colour = {static_cast<std::uint8_t>(chosen.red()), static_cast<std::uint8_t>(chosen.green()), static_cast<std::uint8_t>(chosen.blue())};
  changed();
}

void ViewerCurveEditor::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton)
    return;
  const QPointF at = event->position();
  if (const int c = colourPointAt(at); c >= 0)
    return chooseColour(c);
  const auto byPosition = [](const auto& a, const auto& b) { return a.position < b.position; };
  if (rampArea().contains(at)) {
    const double position = (at.x() - rampArea().left()) / rampArea().width();
    const ColourPoint point{position, colourAt(m_transfer, position)};
    m_transfer.colours.insert(std::upper_bound(m_transfer.colours.begin(), m_transfer.colours.end(), point, byPosition), point);
  } else if (curveArea().contains(at) && opacityPointAt(at) < 0) {
    const OpacityPoint point{(at.x() - curveArea().left()) / curveArea().width(), (curveArea().bottom() - at.y()) / curveArea().height()};
    m_transfer.opacity.insert(std::upper_bound(m_transfer.opacity.begin(), m_transfer.opacity.end(), point, byPosition), point);
  } else
    return;
  changed();
}

} // namespace voxlab

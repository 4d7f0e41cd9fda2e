// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_histogram.h"
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
constexpr double kGrip_px = 6, kRamp_px = 8, kMargin_px = 7;
}

ViewerHistogram::ViewerHistogram(QWidget* parent) : QWidget(parent) {
  setMinimumHeight(64);
  setMouseTracking(true);
  setFocusPolicy(Qt::TabFocus);
  setAccessibleName(tr("Histogram and display range"));
  setToolTip(tr("Drag an edge, or the middle to move both. Double click: automatic range."));
}

void ViewerHistogram::setSummary(const Histogram& summary) {
  m_summary = summary;
  // The brightest voxel in a million would squeeze everything else.
  const double high = summary.percentile(0.9995), reserve = (high - summary.minimum) * 0.08;
  m_first = summary.minimum;
  m_last = std::max(std::min(high + reserve, summary.maximum), summary.minimum + 1e-9);
  update();
}

void ViewerHistogram::setRange(DisplayRange range, ColourMap map) {
  m_range = range;
  m_map = map;
  update();
}

double ViewerHistogram::positionOf(double value) const {
  return kMargin_px + (value - m_first) / (m_last - m_first) * (width() - 2 * kMargin_px);
}

double ViewerHistogram::valueAt(double x) const { return m_first + (x - kMargin_px) / (width() - 2 * kMargin_px) * (m_last - m_first); }

void ViewerHistogram::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QPalette& colours = palette();
  painter.setPen(colours.color(QPalette::Mid));
  painter.setBrush(colours.color(QPalette::Base));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  const double bottom = height() - kRamp_px - 5, top = 6;
  const double low = std::clamp(positionOf(m_range.low), 1.0, width() - 2.0), high = std::clamp(positionOf(m_range.high), 1.0, width() - 2.0);

  QColor inside = colours.color(QPalette::Highlight);
  inside.setAlpha(38);
  painter.fillRect(QRectF(QPointF(low, 1), QPointF(high, bottom)), inside);
  if (m_summary.finiteCount > 0) {
    // The background's bin towers over the tissue: scale to the highest of the others.
    double most = 1;
    for (std::size_t bin = 1; bin < m_summary.counts.size(); ++bin)
      most = std::max(most, std::sqrt(static_cast<double>(m_summary.counts[bin])));
    QPainterPath path(QPointF(positionOf(m_summary.minimum), bottom));
    for (std::size_t bin = 0; bin < m_summary.counts.size(); ++bin) {
      const double value = m_summary.minimum + (static_cast<double>(bin) + 0.5) * m_summary.binWidth;
      if (value > m_last)
        break;
      const double share = std::min(1.0, std::sqrt(static_cast<double>(m_summary.counts[bin])) / most);
      path.lineTo(positionOf(value), bottom - share * (bottom - top));
    }
    path.lineTo(path.currentPosition().x(), bottom);
    QColor fill = colours.color(QPalette::Text);
    fill.setAlpha(110);
    painter.fillPath(path, fill);
  }
  for (int x = 2; x < width() - 2; ++x) {
    const double share = m_range.shareOf(valueAt(x));
    const Rgb c = colourTable(m_map)[static_cast<std::size_t>(std::clamp(share * 255, 0.0, 255.0))];
    painter.fillRect(QRectF(x, bottom + 1, 1, kRamp_px), QColor(c.r, c.g, c.b));
  }
  for (const double x : {low, high}) {
    painter.setPen(QPen(colours.color(QPalette::Highlight), hasFocus() ? 3 : 2));
    painter.drawLine(QPointF(x, 2), QPointF(x, bottom + kRamp_px));
    painter.setBrush(colours.color(QPalette::Highlight));
    painter.setPen(Qt::NoPen);
    painter.drawEllipse(QPointF(x, bottom / 2 + 2), 3.5, 3.5);
  }
}

ViewerHistogram::Grip ViewerHistogram::gripAt(double x) const {
  const double low = std::clamp(positionOf(m_range.low), 1.0, width() - 2.0), high = std::clamp(positionOf(m_range.high), 1.0, width() - 2.0);
  if (std::abs(x - high) < kGrip_px && std::abs(x - high) <= std::abs(x - low))
    return Grip::High;
  if (std::abs(x - low) < kGrip_px)
    return Grip::Low;
  return x > low && x < high ? Grip::Both : Grip::None;
}

void ViewerHistogram::edit(DisplayRange range) {
  const double least = (m_last - m_first) / 1000;
  if (range.high - range.low < least)
    (m_grip == Grip::Low ? range.low : range.high) = m_grip == Grip::Low ? range.high - least : range.low + least;
  m_range = range;
  update();
  emit rangeEdited(range);
}

void ViewerHistogram::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton)
    return;
  m_grip = gripAt(event->position().x());
  m_grabbed = valueAt(event->position().x());
  m_atPress = m_range;
}

void ViewerHistogram::mouseMoveEvent(QMouseEvent* event) {
  const double x = event->position().x();
  if (m_grip == Grip::None) {
    const Grip hover = gripAt(x);
    setCursor(hover == Grip::None ? Qt::ArrowCursor : hover == Grip::Both ? Qt::OpenHandCursor : Qt::SizeHorCursor);
    return;
  }
  const double moved = valueAt(x) - m_grabbed;
  DisplayRange range = m_atPress;
  if (m_grip != Grip::High)
    range.low += moved;
  if (m_grip != Grip::Low)
    range.high += moved;
  edit(range);
}

void ViewerHistogram::mouseReleaseEvent(QMouseEvent*) { m_grip = Grip::None; }
void ViewerHistogram::mouseDoubleClickEvent(QMouseEvent*) { emit autoRequested(); }

void ViewerHistogram::keyPressEvent(QKeyEvent* event) {
  const double step = (m_last - m_first) / 100 * (event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0);
  if (step == 0)
    return QWidget::keyPressEvent(event);
  const bool widen = event->modifiers() & Qt::ShiftModifier; // moves the upper edge alone
  edit({m_range.low + (widen ? 0 : step), m_range.high + step});
}

} // namespace voxlab

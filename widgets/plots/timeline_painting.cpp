// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/timeline_view.h"
#include "widgets/base/qt_text.h"
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
constexpr double kStandBack = 0.78;       // how far what is not selected fades
constexpr double kTickDistance = 88;      // pixels
constexpr double kLeastWords = 52;        // pixels that words in a rectangle need
constexpr int kLaneGap = 3;


QColor colourOf(KernelCategory category, const ThemeColours& colours) { return namedColour(text(categoryName(category)), colours.kind); }
} // namespace

void TimelineView::paint(QPainter& painter, const QSize& size) {
  const ThemeColours& colours = themeColours(palette());
  const Areas areas = areasFor(size);
  m_window.setWidth(areas.lanes.width());
  paintAxis(painter, areas, colours);
  paintSteps(painter, areas, colours);
  painter.save();
  painter.setClipRect(QRectF(0, areas.lanes.top(), areas.lanes.right() + 1, areas.lanes.height()));
  for (std::size_t lane = 0; lane < laneCount(); ++lane) {
    const QRectF area = laneArea(areas, lane).adjusted(0, 0, 0, -kLaneGap);
    if (area.bottom() < areas.lanes.top() || area.top() > areas.lanes.bottom())
      continue;
    if (const std::size_t streams = m_profile->timeline.lanes().size(); lane < streams)
      paintLane(painter, lane, area, colours);
    else
      paintBeside(painter, m_profile->besideStreams[lane - streams], area, colours);
  }
  painter.restore();
  paintRange(painter, areas, colours);
  paintOverview(painter, areas, colours);
}

void TimelineView::paintAxis(QPainter& painter, const Areas& areas, const ThemeColours& colours) const {
  for (const auto& tick : m_window.ticks(kTickDistance)) {
    const double x = areas.axis.left() + m_window.x(tick.time_ns);
    painter.setPen(colours.border);
    painter.drawLine(QPointF(x, areas.axis.bottom() - 4), QPointF(x, areas.lanes.bottom()));
    painter.setPen(colours.muted);
    const double width = painter.fontMetrics().horizontalAdvance(tick.text);
    const double left = x + 3 + width <= areas.axis.right() ? x + 3 : x - 3 - width; // the last one's words stand before it
    painter.drawText(QRectF(left, areas.axis.top(), width, areas.axis.height()), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, tick.text);
  }
}

void TimelineView::paintSteps(QPainter& painter, const Areas& areas, const ThemeColours& colours) const {
  painter.setPen(colours.muted);
  painter.drawText(QRectF(0, areas.steps.top(), areas.steps.left() - 10, areas.steps.height()), Qt::AlignRight | Qt::AlignVCenter, tr("Steps"));
  const auto& steps = m_profile->trace.steps;
  double drawnTo = -1e9; // steps narrower than a pixel are drawn once a pixel
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].end_ns < m_window.first_ns() || steps[i].start_ns > m_window.last_ns())
      continue;
    const double left = std::max(0.0, m_window.x(steps[i].start_ns)), right = std::min(areas.steps.width(), m_window.x(steps[i].end_ns));
    if (right - drawnTo < 1)
      continue;
    drawnTo = right;
    const QRectF area(areas.steps.left() + left, areas.steps.top() + 2, std::max(1.0, right - left - 1), areas.steps.height() - 4);
    painter.fillRect(area, i % 2 ? colours.border : blended(colours.border, colours.strongBorder, 0.35));
    const QString text = tr("%1 · %2").arg(steps.size() == 1 ? QString::fromStdString(steps[i].name) : tr("Step %1").arg(i + 1), spanText(steps[i].duration_ns()));
    painter.setPen(colours.text);
    if (painter.fontMetrics().horizontalAdvance(text) < area.width() - 10)
      painter.drawText(area.adjusted(6, 0, -4, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
  }
}

void TimelineView::paintLane(QPainter& painter, std::size_t lane, const QRectF& area, const ThemeColours& colours) const {
  const EventTimeline& all = m_profile->timeline;
  painter.fillRect(area, colours.raised);
  paintLaneName(painter, area, nameOf(lane), colours);
  const EventTimeline* chosen = m_selected ? m_selected->timeline.get() : nullptr;
  paintSlices(painter, all, lane, area, colours, chosen ? kStandBack : 0);
  if (!chosen)
    return;
  for (std::size_t other = 0; other < chosen->lanes().size(); ++other)
    if (chosen->lanes()[other].stream == all.lanes()[lane].stream)
      paintSlices(painter, *chosen, other, area, colours, 0);
}

void TimelineView::paintLaneName(QPainter& painter, const QRectF& area, const QString& name, const ThemeColours& colours) const {
  if (area.height() < 8)
    return;
  painter.setPen(colours.muted);
  painter.drawText(QRectF(0, area.top() - 2, area.left() - 10, area.height() + 4), Qt::AlignRight | Qt::AlignVCenter, painter.fontMetrics().elidedText(name, Qt::ElideLeft, static_cast<int>(area.left()) - 14));
}

QString TimelineView::nameOf(std::size_t lane) const {
  const auto& streams = m_profile->timeline.lanes();
  if (lane >= streams.size())
    return nameOf(m_profile->besideStreams[lane - streams.size()]);
  const TraceStream& stream = m_profile->trace.streams[streams[lane].stream];
  if (m_profile->isOfCounters)
    return tr("Launches");
  return m_profile->trace.hasGpu() ? tr("GPU %1 · stream %2").arg(stream.device).arg(stream.stream) : tr("Operators");
}

QString TimelineView::nameOf(const SpanLane& lane) const {
  if (lane.kind() == LaneKind::Idle)
    return tr("Idle");
  std::vector<std::uint16_t> threads; // in the order of their lanes
  for (const SpanLane& other : m_profile->besideStreams)
    if (other.kind() != LaneKind::Idle && (threads.empty() || threads.back() != other.thread()))
      threads.push_back(other.thread());
  const auto number = std::find(threads.begin(), threads.end(), lane.thread()) - threads.begin() + 1;
  const QString what = lane.kind() == LaneKind::Calls ? tr("calls") : m_profile->trace.hasGpu() ? tr("work") : tr("ranges");
  return threads.size() > 1 ? tr("Host %1 · %2").arg(number).arg(what) : tr("Host · %1").arg(what);
}

// The host stays grey, so that the eye goes to the GPU; idle time has the colours of its causes.
void TimelineView::paintBeside(QPainter& painter, const SpanLane& lane, const QRectF& area, const ThemeColours& colours) const {
  painter.fillRect(area, colours.raised);
  paintLaneName(painter, area, nameOf(lane), colours);
  const QColor range = blended(colours.border, colours.strongBorder, 0.3), work = blended(colours.strongBorder, colours.muted, 0.25);
  for (const SpanSlice& slice : lane.slices(m_window.first_ns(), m_window.last_ns(), static_cast<std::size_t>(std::max(1.0, area.width())))) {
    const double left = std::max(0.0, m_window.x(slice.start_ns)), right = std::max(left + 1, std::min(area.width(), m_window.x(slice.end_ns)));
    const double height = slice.count > 1 ? std::max(2.0, area.height() * slice.busy) : area.height();
    QRectF place(area.left() + left, area.bottom() - height, right - left, height);
    const bool isIdle = lane.kind() == LaneKind::Idle;
    const bool isRange = !isIdle && m_profile->trace.host[slice.id].kind != HostKind::Operator && lane.kind() == LaneKind::Work;
    const QColor colour = isIdle ? namedColour(text(idleName(static_cast<IdleCause>(slice.id))), colours.kind) : isRange ? range : work;
    if (place.width() > 3)
      place.setWidth(place.width() - 1);
    painter.fillRect(place, colour);
    if (slice.count == 1 && place.width() >= kLeastWords && place.height() >= 12)
      paintWords(painter, place, isIdle ? text(idleTitle(static_cast<IdleCause>(slice.id))) : text(m_profile->trace.name(m_profile->trace.host[slice.id].name)), colour);
  }
}

void TimelineView::paintSlices(QPainter& painter, const EventTimeline& timeline, std::size_t lane, const QRectF& area, const ThemeColours& colours, double standBack) const {
  const auto pixels = static_cast<std::size_t>(std::max(1.0, area.width()));
  for (const TimelineSlice& slice : timeline.slices(lane, m_window.first_ns(), m_window.last_ns(), pixels)) {
    const double left = std::max(0.0, m_window.x(slice.start_ns)), right = std::max(left + 1, std::min(area.width(), m_window.x(slice.end_ns)));
    // Many events in a pixel: as high as the pixel is busy.
    const double height = slice.count > 1 ? std::max(2.0, area.height() * slice.busy) : area.height();
    QRectF place(area.left() + left, area.bottom() - height, right - left, height);
    const QColor colour = blended(colourOf(slice.category, colours), colours.surface, standBack);
    if (place.width() > 3)
      place.setWidth(place.width() - 1); // neighbours stay apart
    painter.fillRect(place, colour);
    if (slice.event == kNoIndex || standBack > 0)
      continue;
    if (slice.event == m_marked) {
      painter.setPen(QPen(colours.text, 2));
      painter.drawRect(place.adjusted(0, 1, 0, -1));
    }
    if (place.width() >= kLeastWords && place.height() >= 12)
      paintWords(painter, place, QString::fromStdString(m_profile->index.of(m_profile->trace.gpu[slice.event]).title), colour);
  }
}

void TimelineView::paintWords(QPainter& painter, const QRectF& area, const QString& text, const QColor& ground) const {
  painter.setPen(readableOn(ground));
  painter.drawText(area.adjusted(4, 0, -2, 0), Qt::AlignLeft | Qt::AlignVCenter, painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(area.width()) - 6));
}

void TimelineView::paintRange(QPainter& painter, const Areas& areas, const ThemeColours& colours) const {
  if (!m_range)
    return;
  const double left = std::clamp(m_window.x(m_range->first), 0.0, areas.lanes.width()), right = std::clamp(m_window.x(m_range->second), 0.0, areas.lanes.width());
  QColor veil = colours.surface;
  veil.setAlphaF(0.62F);
  const double top = areas.steps.top(), height = areas.lanes.bottom() - top;
  painter.fillRect(QRectF(areas.lanes.left(), top, left, height), veil);
  painter.fillRect(QRectF(areas.lanes.left() + right, top, areas.lanes.width() - right, height), veil);
  painter.setPen(QPen(colours.accent, 2));
  for (const double x : {left, right})
    if (x > 0 && x < areas.lanes.width())
      painter.drawLine(QPointF(areas.lanes.left() + x, top), QPointF(areas.lanes.left() + x, top + height));
  const QString text = spanText(m_range->second - m_range->first);
  const double width = painter.fontMetrics().horizontalAdvance(text) + 12;
  const QRectF label(std::clamp(areas.lanes.left() + (left + right - width) / 2, areas.lanes.left(), areas.lanes.right() - width), areas.axis.top() + 1, width, areas.axis.height() - 3);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colours.accent);
  painter.drawRoundedRect(label, 4, 4);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(colours.onAccent);
  painter.drawText(label, Qt::AlignCenter, text);
}

void TimelineView::paintOverview(QPainter& painter, const Areas& areas, const ThemeColours& colours) const {
  const QRectF& area = areas.overview;
  painter.setPen(colours.muted);
  painter.drawText(QRectF(0, area.top(), area.left() - 10, area.height()), Qt::AlignRight | Qt::AlignVCenter, tr("Everything"));
  const auto extent = static_cast<double>(m_window.extentLast_ns() - m_window.extentFirst_ns());
  const auto x = [&](std::int64_t time_ns) { return area.left() + static_cast<double>(time_ns - m_window.extentFirst_ns()) / extent * area.width(); };
  painter.fillRect(area, colours.raised);
  for (std::size_t lane = 0; lane < m_profile->timeline.lanes().size(); ++lane)
    for (const auto& slice : m_profile->timeline.slices(lane, m_window.extentFirst_ns(), m_window.extentLast_ns(), static_cast<std::size_t>(area.width() / 2))) {
      const double height = std::max(1.0, (area.height() - 8) * slice.busy);
      painter.fillRect(QRectF(x(slice.start_ns), area.bottom() - 4 - height, std::max(1.0, x(slice.end_ns) - x(slice.start_ns)), height), blended(colourOf(slice.category, colours), colours.surface, 0.3));
    }
  if (m_range) {
    painter.fillRect(QRectF(x(m_range->first), area.bottom() - 3, std::max(2.0, x(m_range->second) - x(m_range->first)), 3), colours.accent);
  }
  QColor veil = colours.window;
  veil.setAlphaF(0.66F);
  painter.fillRect(QRectF(area.left(), area.top(), x(m_window.first_ns()) - area.left(), area.height()), veil);
  painter.fillRect(QRectF(x(m_window.last_ns()), area.top(), area.right() - x(m_window.last_ns()), area.height()), veil);
  painter.setPen(QPen(colours.accent, 1.5));
  painter.drawRect(QRectF(x(m_window.first_ns()), area.top() + 1, std::max(3.0, x(m_window.last_ns()) - x(m_window.first_ns())), area.height() - 2));
}

} // namespace voxlab

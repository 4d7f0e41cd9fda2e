// SPDX-License-Identifier: GPL-3.0-or-later
// What the user does to the time line; how it is drawn stands in timeline_painting.cpp.
#include "widgets/plots/timeline_view.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

namespace voxlab {
namespace {
constexpr double kZoomStep = 0.8; // a notch of the wheel
constexpr int kLeastGutter = 112, kMostGutter = 190, kGutterGap = 18, kAxis = 20, kSteps = 20, kOverview = 26, kTallestLane = 110, kTallestBeside = 30, kLeastBeside = 15, kLeastStream = 26;
constexpr int kBelowSteps = 4, kAboveOverview = 6, kScrollBar = 10, kScrollGap = 4;
constexpr double kStreamWeight = 2; // how much taller a stream is than what stands below
} // namespace

TimelineView::TimelineView(QWidget* parent) : PaintedPlot(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setExportName(QStringLiteral("timeline"));
  setAccessibleName(tr("Time line"));
  m_scroll = new QScrollBar(Qt::Vertical, this);
  m_scroll->hide();
  connect(m_scroll, &QScrollBar::valueChanged, this, qOverload<>(&TimelineView::update));
}

void TimelineView::setProfile(std::shared_ptr<const Profile> profile) {
  m_profile = std::move(profile);
  m_selected.reset();
  m_range.reset();
  m_marked = kNoIndex;
  std::int64_t first = 0, last = 1;
  if (showsData()) {
    first = m_profile->trace.gpu.front().start_ns;
    last = m_profile->timeline.end_ns();
  }
  m_window.setExtent(first, last);
  m_scroll->setValue(0);
  updateGutter();
  updateScrolling();
  update();
}

void TimelineView::setSelected(std::shared_ptr<const ProfileView> view) {
  m_selected = std::move(view);
  update();
}

void TimelineView::setTimeRange(TimeRange range) {
  m_range = range;
  update();
}

void TimelineView::setMarked(std::uint32_t event) {
  m_marked = event;
  if (m_profile && event < m_profile->trace.gpu.size()) {
    const GpuEvent& marked = m_profile->trace.gpu[event];
    if (marked.end_ns() < m_window.first_ns() || marked.start_ns > m_window.last_ns())
      m_window.show(marked.start_ns - m_window.length_ns() / 2, marked.start_ns + m_window.length_ns() / 2);
  }
  update();
}

void TimelineView::showRange(std::int64_t first_ns, std::int64_t last_ns) {
  m_window.show(first_ns, last_ns);
  update();
}

void TimelineView::resetView() {
  m_window.showAll();
  update();
}

std::size_t TimelineView::laneCount() const { return m_profile->timeline.lanes().size() + m_profile->besideStreams.size(); }

double TimelineView::leastLanes() const { return kLeastStream * static_cast<double>(m_profile->timeline.lanes().size()) + kLeastBeside * static_cast<double>(m_profile->besideStreams.size()); }

TimelineView::Areas TimelineView::areasFor(const QSize& size) const {
  Areas areas;
  const double top = kAxis + kSteps + kBelowSteps, bottom = size.height() - kOverview, room = std::max(1.0, bottom - kAboveOverview - top);
  areas.hidden = std::max(0.0, leastLanes() - room);
  areas.scrolled = std::min<double>(areas.hidden, m_scroll->value());
  const double width = std::max(1, size.width() - m_gutter - (areas.hidden > 0 ? kScrollBar + kScrollGap : 0));
  areas.axis = QRectF(m_gutter, 0, width, kAxis);
  areas.steps = QRectF(m_gutter, kAxis, width, kSteps);
  areas.overview = QRectF(m_gutter, bottom, width, kOverview);
  const auto streams = static_cast<double>(std::max<std::size_t>(1, m_profile->timeline.lanes().size())), beside = static_cast<double>(m_profile->besideStreams.size());
  // The streams are the tallest.
  areas.besideHeight = std::clamp<double>(room / (kStreamWeight * streams + beside), kLeastBeside, kTallestBeside);
  areas.besideHeight = std::min(areas.besideHeight, beside > 0 ? std::max<double>(kLeastBeside, (room - kLeastStream * streams) / beside) : kTallestBeside);
  areas.laneHeight = std::clamp<double>((room - areas.besideHeight * beside) / streams, kLeastStream, kTallestLane);
  areas.lanes = QRectF(m_gutter, top, width, std::min(room, areas.laneHeight * streams + areas.besideHeight * beside));
  return areas;
}

QSize TimelineView::pageSize() const {
  const QSize page = PaintedPlot::pageSize();
  return {page.width(), std::max(page.height(), kAxis + kSteps + kBelowSteps + kAboveOverview + kOverview + (showsData() ? static_cast<int>(leastLanes()) : 0))};
}

// As wide as the longest name of a lane.
void TimelineView::updateGutter() {
  const QFontMetrics metrics(smallFont());
  m_gutter = kLeastGutter;
  for (std::size_t lane = 0; showsData() && lane < laneCount(); ++lane)
    m_gutter = std::clamp(metrics.horizontalAdvance(nameOf(lane)) + kGutterGap, m_gutter, kMostGutter);
}

void TimelineView::updateScrolling() {
  const Areas areas = showsData() ? areasFor(size()) : Areas();
  m_scroll->setVisible(areas.hidden > 0);
  m_scroll->setRange(0, static_cast<int>(std::ceil(areas.hidden)));
  m_scroll->setPageStep(std::max(1, static_cast<int>(areas.lanes.height())));
  m_scroll->setSingleStep(kLeastBeside);
  m_scroll->setGeometry(width() - kScrollBar, static_cast<int>(areas.lanes.top()), kScrollBar, static_cast<int>(areas.lanes.height()));
}

void TimelineView::resizeEvent(QResizeEvent* event) {
  PaintedPlot::resizeEvent(event);
  updateGutter(); // the font may have been set since
  updateScrolling();
}

QRectF TimelineView::laneArea(const Areas& areas, std::size_t lane) const {
  const std::size_t streams = m_profile->timeline.lanes().size(), above = std::min(lane, streams);
  const double top = areas.lanes.top() - areas.scrolled + areas.laneHeight * static_cast<double>(above) + areas.besideHeight * static_cast<double>(lane - above);
  return {areas.lanes.left(), top, areas.lanes.width(), lane < streams ? areas.laneHeight : areas.besideHeight};
}

double TimelineView::localX(const QPointF& position) const { return position.x() - m_gutter; }

int TimelineView::laneAt(const QPointF& position) const {
  if (!showsData())
    return -1;
  const Areas areas = areasFor(size());
  if (!areas.lanes.contains(position))
    return -1;
  for (std::size_t lane = 0; lane < laneCount(); ++lane)
    if (laneArea(areas, lane).contains(position))
      return static_cast<int>(lane);
  return -1;
}

const SpanLane* TimelineView::besideAt(const QPointF& position) const {
  const int lane = laneAt(position), streams = showsData() ? static_cast<int>(m_profile->timeline.lanes().size()) : 0;
  return lane < streams ? nullptr : &m_profile->besideStreams[static_cast<std::size_t>(lane - streams)];
}

const LaneSpan* TimelineView::spanAt(const QPointF& position) const {
  const SpanLane* lane = besideAt(position);
  return lane ? lane->at(m_window.timeAt(localX(position))) : nullptr;
}

int TimelineView::stepAt(const QPointF& position) const {
  if (!showsData() || !areasFor(size()).steps.contains(position))
    return -1;
  const std::int64_t time = m_window.timeAt(localX(position));
  const auto& steps = m_profile->trace.steps;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].start_ns <= time && time < steps[i].end_ns)
      return static_cast<int>(i);
  return -1;
}

std::uint32_t TimelineView::eventAt(const QPointF& position) const {
  const int lane = laneAt(position);
  return lane < 0 || lane >= static_cast<int>(m_profile->timeline.lanes().size()) ? kNoIndex : m_profile->timeline.eventAt(static_cast<std::size_t>(lane), m_window.timeAt(localX(position)));
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
  if (!showsData() || event->button() == Qt::RightButton)
    return;
  m_pressed = event->position();
  m_movedFrom = event->position().x();
  const bool moves = event->button() == Qt::MiddleButton || event->modifiers() & Qt::ShiftModifier;
  m_drag = areasFor(size()).overview.contains(event->position()) ? Drag::Overview : moves ? Drag::Move : Drag::Select;
  if (m_drag == Drag::Overview)
    moveOverviewTo(localX(event->position()));
}

void TimelineView::moveOverviewTo(double x) {
  const double share = x / areasFor(size()).overview.width();
  const auto extent = static_cast<double>(m_window.extentLast_ns() - m_window.extentFirst_ns());
  const std::int64_t middle = m_window.extentFirst_ns() + std::llround(share * extent), half = m_window.length_ns() / 2;
  showRange(middle - half, middle - half + m_window.length_ns());
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
  const double x = event->position().x();
  if (m_drag == Drag::Move) {
    m_window.move(m_movedFrom - x);
    m_movedFrom = x;
    update();
  } else if (m_drag == Drag::Overview) {
    moveOverviewTo(localX(event->position()));
  } else if (m_drag == Drag::Select && std::abs(x - m_pressed.x()) >= QApplication::startDragDistance() / 2.0) {
    std::int64_t a = m_window.timeAt(localX(m_pressed)), b = m_window.timeAt(localX(event->position()));
    if (a > b)
      std::swap(a, b);
    m_range = {std::max(a, m_window.extentFirst_ns()), std::min(b, m_window.extentLast_ns())};
    update();
  } else if (m_drag == Drag::None) {
    setCursor(stepAt(event->position()) >= 0 || eventAt(event->position()) != kNoIndex ? Qt::PointingHandCursor : Qt::ArrowCursor);
  }
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
  const Drag drag = std::exchange(m_drag, Drag::None);
  if (drag != Drag::Select)
    return;
  if (std::abs(event->position().x() - m_pressed.x()) >= QApplication::startDragDistance() / 2.0) {
    emit timeRangeChosen(m_range);
    return;
  }
  if (const int step = stepAt(m_pressed); step >= 0)
    emit stepClicked(step);
  else if (const std::uint32_t at = eventAt(m_pressed); at != kNoIndex)
    emit eventClicked(at);
  else if (m_range)
    emit timeRangeChosen({});
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (!showsData())
    return;
  if (const std::uint32_t at = eventAt(event->position()); at != kNoIndex) {
    const GpuEvent& clicked = m_profile->trace.gpu[at];
    showRange(clicked.start_ns - 2 * clicked.duration_ns, clicked.end_ns() + 2 * clicked.duration_ns);
  } else if (const LaneSpan* span = spanAt(event->position())) {
    const std::int64_t length = span->end_ns - span->start_ns;
    showRange(span->start_ns - 2 * length, span->end_ns + 2 * length);
  } else if (const int step = stepAt(event->position()); step >= 0) {
    const TraceStep& clicked = m_profile->trace.steps[static_cast<std::size_t>(step)];
    showRange(clicked.start_ns, clicked.end_ns);
  } else {
    resetView();
  }
}

void TimelineView::wheelEvent(QWheelEvent* event) {
  if (!showsData())
    return;
  const QPoint turned = event->angleDelta();
  if (m_scroll->isVisible() && event->position().x() < m_gutter)
    m_scroll->setValue(m_scroll->value() - turned.y() * 3 * kLeastBeside / 120);
  else if (std::abs(turned.x()) > std::abs(turned.y()))
    m_window.move(-turned.x());
  else if (event->modifiers() & Qt::ShiftModifier)
    m_window.move(-turned.y());
  else
    m_window.zoom(std::pow(kZoomStep, turned.y() / 120.0), localX(event->position()));
  event->accept();
  update();
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
  const double width = showsData() ? areasFor(size()).lanes.width() : 1, cursor = std::clamp(localX(mapFromGlobal(QCursor::pos())), 0.0, width);
  switch (event->key()) {
  case Qt::Key_Left: m_window.move(-width / 8); break;
  case Qt::Key_Right: m_window.move(width / 8); break;
  case Qt::Key_Up:
  case Qt::Key_Plus: m_window.zoom(kZoomStep, underMouse() ? cursor : width / 2); break;
  case Qt::Key_Down:
  case Qt::Key_Minus: m_window.zoom(1 / kZoomStep, underMouse() ? cursor : width / 2); break;
  case Qt::Key_PageUp: m_scroll->triggerAction(QScrollBar::SliderPageStepSub); break;
  case Qt::Key_PageDown: m_scroll->triggerAction(QScrollBar::SliderPageStepAdd); break;
  case Qt::Key_R:
  case Qt::Key_Home: m_window.showAll(); break;
  case Qt::Key_Return:
    if (m_range)
      m_window.show(m_range->first, m_range->second);
    break;
  case Qt::Key_Escape:
    if (!m_range) {
      event->ignore();
      return;
    }
    emit timeRangeChosen({});
    break;
  default: PaintedPlot::keyPressEvent(event); return;
  }
  update();
}

QString TimelineView::hint(std::uint32_t index) const {
  const Trace& trace = m_profile->trace;
  const GpuEvent& event = trace.gpu[index];
  QStringList lines{text(m_profile->index.of(event).title), tr("%1 from %2").arg(spanText(event.duration_ns), spanText(event.start_ns - m_window.extentFirst_ns()))};
  if (event.opName)
    lines << tr("Operator: %1").arg(text(trace.name(event.opName)));
  if (event.module)
    lines << tr("Module: %1").arg(text(trace.name(event.module)));
  if (event.phase != Phase::Unknown)
    lines << tr("Phase: %1").arg(text(phaseName(event.phase)));
  if (event.bytes)
    lines << text(formatBytes(static_cast<double>(event.bytes)));
  return lines.join(QLatin1Char('\n'));
}

QString TimelineView::hint(const SpanLane& lane, const LaneSpan& span) const {
  const QString when = tr("%1 from %2").arg(spanText(span.end_ns - span.start_ns), spanText(span.start_ns - m_window.extentFirst_ns()));
  if (lane.kind() == LaneKind::Idle) {
    const std::string_view title = idleTitle(static_cast<IdleCause>(span.id));
    return text(title) + QLatin1Char('\n') + when;
  }
  const Trace& trace = m_profile->trace;
  const HostEvent& event = trace.host[span.id];
  QStringList lines{text(trace.name(event.name)), tr("%1 from %2").arg(spanText(event.duration_ns), spanText(event.start_ns - m_window.extentFirst_ns()))};
  for (const OperatorInput& input : operatorInputs(trace.name(event.inputs)))
    if (const auto shape = input.shape(); !shape.empty()) {
      QStringList sides;
      for (const std::int64_t side : shape)
        sides << QString::number(side);
      lines << tr("%1 of %2").arg(sides.join(QStringLiteral("×")), text(input.type));
    }
  const TraceThread& thread = trace.threads[event.thread];
  lines << tr("Thread: %1").arg(text(thread.name.empty() ? thread.thread : thread.name));
  return lines.join(QLatin1Char('\n'));
}

bool TimelineView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const std::uint32_t at = eventAt(help->pos()); at != kNoIndex)
      QToolTip::showText(help->globalPos(), hint(at), this);
    else if (const LaneSpan* span = spanAt(help->pos()))
      QToolTip::showText(help->globalPos(), hint(*besideAt(help->pos()), *span), this);
    else if (const int step = stepAt(help->pos()); step >= 0)
      QToolTip::showText(help->globalPos(), tr("Click to look at this step alone"), this);
    else
      QToolTip::hideText();
    return true;
  }
  if (event->type() == QEvent::ShortcutOverride) { // these keys mean something else elsewhere
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_R || key == Qt::Key_Escape || key == Qt::Key_Left || key == Qt::Key_Right)
      event->accept();
  }
  return PaintedPlot::event(event);
}

void TimelineView::addActions(QMenu& menu) {
  if (!m_range)
    return;
  menu.addAction(tr("Zoom to the selection"), this, [this] { showRange(m_range->first, m_range->second); });
  menu.addAction(tr("Select all times"), this, [this] { emit timeRangeChosen({}); });
}

QString TimelineView::tableText() const { return csvFrom(numbers(), m_profile->trace.gpu.size()).value_or(QString()); }

TableSource TimelineView::numbers() const {
  EventFilter inSight;
  inSight.time_ns = {m_window.first_ns(), m_window.last_ns()};
  return [profile = m_profile, inSight](const TakeRow& take) {
    const Trace& trace = profile->trace;
    const EventMatcher matches(inSight, trace, profile->index);
    More more = take({"start_ns", "duration_ns", "device", "stream", "name", "category", "operator", "module", "phase"}, 0);
    for (std::size_t i = 0; more == More::Yes && i < trace.gpu.size(); ++i) {
      const GpuEvent& event = trace.gpu[i];
      if (!matches(event))
        continue;
      const TraceStream& stream = trace.streams[event.stream];
      more = take({std::to_string(event.start_ns), std::to_string(event.duration_ns), std::to_string(stream.device), std::to_string(stream.stream), trace.name(event.name),
                   std::string(categoryName(profile->index.of(event).category)), trace.name(event.opName), trace.name(event.module), event.phase == Phase::Unknown ? std::string() : std::string(phaseName(event.phase))},
                  static_cast<double>(i) / static_cast<double>(trace.gpu.size()));
    }
  };
}

} // namespace voxlab

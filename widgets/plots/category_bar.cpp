// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/category_bar.h"
#include "core/base/milliseconds.h"
#include "widgets/base/qt_text.h"
#include <QHelpEvent>
#include <QMenu>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace voxlab {
namespace {
constexpr int kBarHeight = 28, kLegendTop = kBarHeight + 6, kLegendRow = 20, kLegendRows = 2, kSwatch = 9, kSwatchGap = 6, kGap = 16;
constexpr double kStandBack = 0.75; // how far those that are not chosen fade

QString percent(double share) { return QStringLiteral("%1 %").arg(share * 100, 0, 'f', share < 0.0995 ? 1 : 0); }
} // namespace

CategoryBar::CategoryBar(QWidget* parent) : PaintedPlot(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setExportName(QStringLiteral("categories"));
}

void CategoryBar::setParts(const StepBreakdown& parts) {
  m_segments.clear();
  m_total_ms = 0;
  for (std::size_t i = 1; i < parts.category_ms.size(); ++i)
    if (parts.category_ms[i] > 0) {
      const auto category = static_cast<KernelCategory>(i);
      m_segments.push_back({text(categoryName(category)), text(categoryTitle(category)), category, parts.category_ms[i]});
    }
  for (std::size_t i = 0; i < parts.idle_ms.size(); ++i)
    if (parts.idle_ms[i] > 0) {
      const auto cause = static_cast<IdleCause>(i);
      m_segments.push_back({text(idleName(cause)), text(idleTitle(cause)), KernelCategory::Unknown, parts.idle_ms[i]});
    }
  for (const Segment& segment : m_segments)
    m_total_ms += segment.time_ms;
  m_hovered = -1;
  update();
}

void CategoryBar::setChosen(std::set<KernelCategory> categories) {
  m_chosen = std::move(categories);
  update();
}

QColor CategoryBar::colourOf(const Segment& segment, const ThemeColours& colours) const {
  const QColor colour = namedColour(segment.name, colours.kind);
  return m_chosen.empty() || m_chosen.contains(segment.category) ? colour : blended(colour, colours.surface, kStandBack);
}

void CategoryBar::paint(QPainter& painter, const QSize& size) {
  const ThemeColours& colours = themeColours(palette());
  m_places.clear();
  paintBar(painter, QRectF(0, 0, size.width(), kBarHeight), colours);
  paintLegend(painter, QRectF(0, kLegendTop, size.width(), size.height() - kLegendTop), colours);
}

QSize CategoryBar::sizeHint() const { return {600, kLegendTop + kLegendRows * kLegendRow}; }

QSize CategoryBar::pageSize() const {
  const QFontMetrics metrics(smallFont());
  int x = 0, rows = 1;
  const int width = PaintedPlot::pageSize().width();
  for (const Segment& segment : m_segments) {
    const int wanted = kSwatch + kSwatchGap + metrics.horizontalAdvance(legendText(segment));
    if (x > 0 && x + wanted > width) {
      x = 0;
      ++rows;
    }
    x += wanted + kGap;
  }
  return {width, kLegendTop + (rows + 1) * kLegendRow}; // the legend is in another order, which may take a row more
}

void CategoryBar::paintBar(QPainter& painter, const QRectF& area, const ThemeColours& colours) {
  double x = area.left();
  for (std::size_t i = 0; i < m_segments.size(); ++i) {
    const Segment& segment = m_segments[i];
    const double width = area.width() * segment.time_ms / m_total_ms;
    const QRectF place(x, area.top(), width, area.height());
    QColor colour = colourOf(segment, colours);
    if (static_cast<int>(i) == m_hovered)
      colour = blended(colour, colours.text, 0.12);
    painter.fillRect(place.adjusted(0, 0, width > 3 ? -1 : 0, 0), colour);
    m_places.push_back({place, i});
    x += width;
    const QString share = percent(segment.time_ms / m_total_ms);
    const QString full = segment.title + QStringLiteral("  ") + share;
    const double room = width - 12;
    const QString& words = painter.fontMetrics().horizontalAdvance(full) <= room ? full : share;
    if (painter.fontMetrics().horizontalAdvance(words) > room)
      continue;
    painter.setPen(readableOn(colour));
    painter.drawText(place.adjusted(6, 0, -6, 0), Qt::AlignVCenter | Qt::AlignLeft, words);
  }
}

QString CategoryBar::legendText(const Segment& segment) { return tr("%1  %2 ms").arg(segment.title, text(formatMilliseconds(segment.time_ms))); }

void CategoryBar::paintLegend(QPainter& painter, const QRectF& area, const ThemeColours& colours) {
  std::vector<std::size_t> order(m_segments.size()); // what matters most first: the last may find no room
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return m_segments[a].time_ms > m_segments[b].time_ms; });
  m_left.clear();
  const double moreWidth = painter.fontMetrics().horizontalAdvance(moreText(order.size()));
  double x = area.left(), y = area.top();
  for (std::size_t place = 0; place < order.size(); ++place) {
    const Segment& segment = m_segments[order[place]];
    const QString text = legendText(segment);
    const double width = kSwatch + kSwatchGap + painter.fontMetrics().horizontalAdvance(text);
    const bool isLastRow = y + 2 * kLegendRow > area.bottom() + 1, isLast = place + 1 == order.size();
    const double right = area.right() - (isLastRow && !isLast ? moreWidth + kGap : 0); // in the last row there is room for "+7 more"
    if (x > area.left() && x + width > right) {
      if (isLastRow) {
        m_left.assign(order.begin() + static_cast<std::ptrdiff_t>(place), order.end());
        break;
      }
      x = area.left();
      y += kLegendRow;
    }
    const QRectF words(x, y, width, kLegendRow);
    painter.fillRect(QRectF(x, y + (kLegendRow - kSwatch) / 2.0, kSwatch, kSwatch), colourOf(segment, colours));
    const bool standsBack = !m_chosen.empty() && !m_chosen.contains(segment.category);
    painter.setPen(static_cast<int>(order[place]) == m_hovered ? colours.text : standsBack ? colours.disabled : colours.muted);
    painter.drawText(words.adjusted(kSwatch + kSwatchGap, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextDontClip, text);
    m_places.push_back({words, order[place]});
    x += width + kGap;
  }
  m_morePlace = m_left.empty() ? QRectF() : QRectF(x, y, painter.fontMetrics().horizontalAdvance(moreText(m_left.size())), kLegendRow);
  if (m_left.empty())
    return;
  painter.setPen(colours.accent);
  painter.drawText(m_morePlace, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextDontClip, moreText(m_left.size()));
}

QString CategoryBar::moreText(std::size_t count) { return tr("+%1 more").arg(count); }

// Those that the legend has no room for.
void CategoryBar::showMore(const QPoint& position) {
  QMenu menu(this);
  const ThemeColours& colours = themeColours(palette());
  for (const std::size_t i : m_left) {
    const Segment& segment = m_segments[i];
    QPixmap swatch(kSwatch, kSwatch);
    swatch.fill(namedColour(segment.name, colours.kind));
    QAction* action = menu.addAction(swatch, legendText(segment), this, [this, category = segment.category] { emit categoryClicked(category, false); });
    action->setEnabled(segment.category != KernelCategory::Unknown);
  }
  menu.exec(position);
}

int CategoryBar::segmentAt(const QPointF& position) const {
  for (const Place& place : m_places)
    if (place.area.contains(position))
      return static_cast<int>(place.segment);
  return -1;
}

void CategoryBar::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && m_morePlace.contains(event->position()))
    showMore(mapToGlobal(m_morePlace.bottomLeft().toPoint()));
  const int at = segmentAt(event->position());
  if (event->button() != Qt::LeftButton || at < 0)
    return;
  const Segment& segment = m_segments[static_cast<std::size_t>(at)];
  if (segment.category != KernelCategory::Unknown)
    emit categoryClicked(segment.category, event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier));
}

void CategoryBar::mouseMoveEvent(QMouseEvent* event) {
  const int at = segmentAt(event->position());
  const bool clickable = m_morePlace.contains(event->position()) || (at >= 0 && m_segments[static_cast<std::size_t>(at)].category != KernelCategory::Unknown);
  setCursor(clickable ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (at == m_hovered)
    return;
  m_hovered = at;
  update();
}

void CategoryBar::leaveEvent(QEvent*) {
  m_hovered = -1;
  update();
}

bool CategoryBar::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip)
    return PaintedPlot::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int at = segmentAt(help->pos());
  if (m_morePlace.contains(help->pos())) {
    QStringList lines;
    for (const std::size_t i : m_left)
      lines << legendText(m_segments[i]);
    QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this);
    return true;
  }
  if (at < 0) {
    QToolTip::hideText();
    return true;
  }
  const Segment& segment = m_segments[static_cast<std::size_t>(at)];
  QString words = tr("%1\n%2 ms%3, %4").arg(segment.title, text(formatMilliseconds(segment.time_ms)), m_per, percent(segment.time_ms / m_total_ms));
  if (segment.category != KernelCategory::Unknown)
    words += tr("\nClick to see only this; Ctrl+click to add it");
  QToolTip::showText(help->globalPos(), words, this);
  return true;
}

QString CategoryBar::tableText() const {
  QString out = QStringLiteral("category,ms_per_step\n");
  for (const Segment& segment : m_segments)
    out += QStringLiteral("%1,%2\n").arg(segment.name, QString::number(segment.time_ms, 'g', 9));
  return out;
}

} // namespace voxlab

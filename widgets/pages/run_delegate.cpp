// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/run_delegate.h"
#include "widgets/models/run_words.h"
#include "widgets/pages/page_parts.h"
#include <QPainter>

namespace voxlab {
namespace {
constexpr int kRowHeight = 58, kQueueRowHeight = 30, kGlyph = 12, kSide = 12;

QFont smallFont(const QFont& font) {
  QFont small = font;
  small.setPointSizeF(std::max(8.0, font.pointSizeF() - 1));
  return small;
}

// Draws text shortened to the room and returns the width it took.
int drawElided(QPainter& painter, const QRect& room, const QString& text, Qt::Alignment alignment) {
  const QString shown = painter.fontMetrics().elidedText(text, Qt::ElideRight, room.width());
  painter.drawText(room, static_cast<int>(alignment | Qt::AlignVCenter) | Qt::TextSingleLine, shown);
  return painter.fontMetrics().horizontalAdvance(shown);
}

void paintBar(QPainter& painter, const QRectF& room, double fraction, bool attention, const ThemeColours& theme) {
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.border);
  painter.drawRoundedRect(room, 1.5, 1.5);
  painter.setBrush(attention ? theme.warning : theme.accent);
  painter.drawRoundedRect(QRectF(room.x(), room.y(), room.width() * std::clamp(fraction, 0.0, 1.0), room.height()), 1.5, 1.5);
}
} // namespace

void paintStateGlyph(QPainter& painter, const QRectF& box, RunOutcome outcome, RunPhase phase, const ThemeColours& theme) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  const QPointF c = box.center();
  const double r = box.width() / 2;
  const auto pen = [](const QColor& colour) { return QPen(colour, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin); };
  switch (outcome) {
  case RunOutcome::Running:
    if (phase == RunPhase::Paused || phase == RunPhase::Pausing) {
      painter.setPen(QPen(theme.warning, 2.6, Qt::SolidLine, Qt::RoundCap));
      painter.drawLine(QPointF(c.x() - 2.6, c.y() - r + 2), QPointF(c.x() - 2.6, c.y() + r - 2));
      painter.drawLine(QPointF(c.x() + 2.6, c.y() - r + 2), QPointF(c.x() + 2.6, c.y() + r - 2));
      break;
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawEllipse(c, r - 1.5, r - 1.5);
    break;
  case RunOutcome::Finished:
    painter.setPen(pen(theme.accent));
    painter.drawPolyline(QPolygonF{QPointF(c.x() - r + 1.5, c.y() + 0.5), QPointF(c.x() - 1.5, c.y() + r - 2.5), QPointF(c.x() + r - 1, c.y() - r + 2.5)});
    break;
  case RunOutcome::Stopped:
    painter.setPen(pen(theme.muted));
    painter.drawRoundedRect(QRectF(c.x() - r + 2, c.y() - r + 2, 2 * r - 4, 2 * r - 4), 1.5, 1.5);
    break;
  case RunOutcome::Failed:
  case RunOutcome::Lost:
    painter.setPen(pen(theme.danger));
    painter.drawLine(QPointF(c.x() - r + 2, c.y() - r + 2), QPointF(c.x() + r - 2, c.y() + r - 2));
    painter.drawLine(QPointF(c.x() + r - 2, c.y() - r + 2), QPointF(c.x() - r + 2, c.y() + r - 2));
    break;
  case RunOutcome::Waiting:
  case RunOutcome::Unknown:
    painter.setPen(QPen(theme.muted, 1.5));
    painter.drawEllipse(c, r - 2, r - 2);
    break;
  }
  painter.restore();
}

namespace {
// Under the pointer, chosen, reached by the keyboard.
void paintRowGround(QPainter& painter, const QStyleOptionViewItem& option, const ThemeColours& theme) {
  const QRectF box = QRectF(option.rect).adjusted(6, 1, -6, -1);
  const bool selected = option.state & QStyle::State_Selected, hovered = option.state & QStyle::State_MouseOver;
  if (selected || hovered) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(selected ? theme.accentSoft : theme.raised);
    painter.drawRoundedRect(box, 6, 6);
  }
  if (option.state & QStyle::State_HasFocus && option.state & QStyle::State_KeyboardFocusChange) {
    painter.setPen(theme.accent);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  }
}
} // namespace

QSize RunDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const { return {200, kRowHeight}; }

void RunDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const ThemeColours& theme = themeColours(option.palette);
  const RunRow row = index.data(RunTableModel::RowRole).value<RunRow>();
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  paintRowGround(*painter, option, theme);
  const int left = option.rect.left() + kSide, top = option.rect.top() + kSpace;
  paintStateGlyph(*painter, QRectF(left, top + 3, kGlyph, kGlyph), row.outcome, row.phase, theme);
  const int textLeft = left + kGlyph + kSpace, right = option.rect.right() - kSide;
  const QFont small = smallFont(option.font);
  QFont strong = option.font;
  strong.setWeight(QFont::DemiBold);

  painter->setFont(small);
  painter->setPen(theme.muted);
  const QString age = index.data(RunTableModel::AgeRole).toString();
  const int ageWidth = painter->fontMetrics().horizontalAdvance(age);
  painter->drawText(QRect(right - ageWidth, top, ageWidth, 18), Qt::AlignVCenter, age);
  painter->setFont(strong);
  painter->setPen(theme.text);
  drawElided(*painter, QRect(textLeft, top, right - ageWidth - kSpace - textLeft, 18), row.title, Qt::AlignLeft);

  const bool bad = row.outcome == RunOutcome::Failed || row.outcome == RunOutcome::Lost;
  painter->setFont(small);
  painter->setPen(bad ? theme.danger : theme.muted);
  QString second = statusText(row);
  if (!row.mode.isEmpty() && !bad)
    second += QStringLiteral(" · ") + row.mode;
  drawElided(*painter, QRect(textLeft, top + 20, right - textLeft, 16), second, Qt::AlignLeft);
  if (row.outcome == RunOutcome::Running && row.fraction)
    paintBar(*painter, QRectF(textLeft, option.rect.bottom() - 9, right - textLeft, 3), *row.fraction, row.phase == RunPhase::Paused, theme);
  painter->restore();
}

QSize QueueDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const { return {200, kQueueRowHeight}; }

void QueueDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const ThemeColours& theme = themeColours(option.palette);
  const QRect& row = option.rect;
  const int left = row.left() + kSide, textLeft = left + kGlyph + kSpace, right = row.right() - kSide;
  const QString state = index.data(StateRole).toString();
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  paintRowGround(*painter, option, theme);
  painter->setFont(smallFont(option.font));
  painter->setPen(theme.muted);
  painter->drawText(QRect(left - kSpace, row.top(), kGlyph + kSpace, row.height()), static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), QString::number(index.row() + 1));
  const int stateWidth = state.isEmpty() ? 0 : std::min(painter->fontMetrics().horizontalAdvance(state), (right - textLeft) / 2);
  if (stateWidth > 0) {
    painter->setPen(theme.danger);
    drawElided(*painter, QRect(right - stateWidth, row.top(), stateWidth, row.height()), state, Qt::AlignRight);
  }
  painter->setFont(option.font);
  painter->setPen(theme.text);
  drawElided(*painter, QRect(textLeft, row.top(), right - textLeft - (stateWidth > 0 ? stateWidth + kSpace : 0), row.height()), index.data(TitleRole).toString(), Qt::AlignLeft);
  painter->restore();
}

} // namespace voxlab

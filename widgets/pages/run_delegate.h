// SPDX-License-Identifier: GPL-3.0-or-later
// A run in the list: state glyph, title, kind and mode, progress in words and as a bar, age. A job in the queue: its turn where the runs
// have their glyph, its title below theirs, and what hinders it.
#pragma once
#include "widgets/models/run_table_model.h"
#include "widgets/plots/theme_colours.h"
#include <QStyledItemDelegate>

namespace voxlab {

class RunDelegate : public QStyledItemDelegate {
  Q_OBJECT
public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

class QueueDelegate : public QStyledItemDelegate {
  Q_OBJECT
public:
  enum Role { IdRole = Qt::UserRole, TitleRole, StateRole }; // state: in words, when it needs saying
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// Filled circle: running; ring: waiting; tick: finished; square: stopped; cross: failed or lost; bars: paused.
void paintStateGlyph(QPainter& painter, const QRectF& box, RunOutcome outcome, RunPhase phase, const ThemeColours& theme);

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/priority_list.h"
#include "widgets/plots/theme_colours.h"
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>

namespace voxlab {
namespace {
constexpr int kSide = 10, kTop = 8, kBar = 4, kRank = 22;

class PriorityDelegate : public QStyledItemDelegate {
public:
  explicit PriorityDelegate(QListView* view) : QStyledItemDelegate(view), m_view(view) {}

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const int width = m_view->viewport()->width();
    const QFontMetrics small(smallFont(option.font));
    const QRect reason = small.boundingRect(QRect(0, 0, width - 2 * kSide - kRank, 10000), Qt::TextWordWrap, index.data(PriorityModel::ReasonRole).toString());
    return {width, 2 * kTop + option.fontMetrics.height() + small.height() + kBar + 8 + reason.height() + 4};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const ThemeColours& colours = themeColours(option.palette);
    painter->save();
    if (option.state & QStyle::State_Selected)
      painter->fillRect(option.rect, colours.accentSoft);
    else if (option.state & QStyle::State_MouseOver)
      painter->fillRect(option.rect, colours.raised);
    QRect area = option.rect.adjusted(kSide, kTop, -kSide, -kTop);
    painter->setFont(option.font);
    painter->setPen(colours.muted);
    painter->drawText(QRect(area.left(), area.top(), kRank, option.fontMetrics.height()), Qt::AlignLeft | Qt::AlignVCenter, QString::number(index.row() + 1));
    area.setLeft(area.left() + kRank);
    paintTitle(*painter, option, index, area, colours);
    painter->setFont(smallFont(option.font));
    const int line = painter->fontMetrics().height();
    painter->setPen(colours.text);
    paintFigures(*painter, QRect(area.left(), area.top(), area.width(), line), index, colours);
    area.setTop(area.top() + line + 4);
    const double best = index.data(PriorityModel::BestScoreRole).toDouble();
    const double length = best > 0 ? index.data(PriorityModel::ScoreRole).toDouble() / best : 0;
    painter->fillRect(QRect(area.left(), area.top(), area.width(), kBar), colours.border);
    painter->fillRect(QRectF(area.left(), area.top(), area.width() * length, kBar), namedColour(index.data(PriorityModel::ColourRole).toString(), colours.kind));
    area.setTop(area.top() + kBar + 4);
    painter->setPen(colours.muted);
    painter->drawText(area, Qt::AlignLeft | Qt::TextWordWrap, index.data(PriorityModel::ReasonRole).toString());
    painter->setPen(colours.border);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    painter->restore();
  }

private:
  static QFont smallFont(const QFont& font) {
    QFont small = font;
    small.setPointSizeF(std::max(8.0, font.pointSizeF() - 1));
    return small;
  }

  // Names that begin alike differ at their end.
  static void paintTitle(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, QRect& area, const ThemeColours& colours) {
    QFont bold = option.font;
    bold.setWeight(QFont::DemiBold);
    const int height = option.fontMetrics.height();
    painter.setFont(bold);
    painter.setPen(colours.text);
    painter.drawText(QRect(area.left(), area.top(), area.width(), height), Qt::AlignLeft | Qt::AlignVCenter, painter.fontMetrics().elidedText(index.data(PriorityModel::TitleRole).toString(), Qt::ElideMiddle, area.width()));
    area.setTop(area.top() + height + 2);
  }

  // At the right whether they were estimated without counters, where there is room; the tip says it too.
  static void paintFigures(QPainter& painter, const QRect& area, const QModelIndex& index, const ThemeColours& colours) {
    const QString figures = index.data(PriorityModel::FiguresRole).toString(), word = PriorityModel::tr("estimate");
    painter.drawText(area, Qt::AlignLeft, painter.fontMetrics().elidedText(figures, Qt::ElideRight, area.width()));
    if (!index.data(PriorityModel::EstimateRole).toBool() || painter.fontMetrics().horizontalAdvance(figures + QStringLiteral("   ") + word) > area.width())
      return;
    painter.setPen(colours.muted);
    painter.drawText(area, Qt::AlignRight, word);
  }

  QListView* m_view;
};
} // namespace

PriorityList::PriorityList(PriorityModel* model, QWidget* parent) : QListView(parent), m_model(model) {
  setModel(model);
  setItemDelegate(new PriorityDelegate(this));
  setMouseTracking(true);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  // Row heights depend on the width, which must not change with them: with rows there is a bar, whether it is needed or not.
  const auto showBar = [this] { setVerticalScrollBarPolicy(m_model->rowCount({}) > 0 ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff); };
  connect(m_model, &QAbstractItemModel::modelReset, this, showBar);
  showBar();
  setResizeMode(QListView::Adjust);
  setAccessibleName(tr("Priorities"));
  connect(this, &QAbstractItemView::clicked, this, [this](const QModelIndex& row) { emit kernelChosen(row.data(PriorityModel::KeyRole).toString()); });
  connect(this, &QAbstractItemView::activated, this, [this](const QModelIndex& row) { emit kernelOpened(row.data(PriorityModel::KeyRole).toString()); });
}

void PriorityList::setEmptyText(const QString& sentence) {
  m_emptyText = sentence;
  viewport()->update();
}

void PriorityList::paintEvent(QPaintEvent* event) {
  QListView::paintEvent(event);
  if (m_model->rowCount({}) > 0)
    return;
  QPainter painter(viewport());
  painter.setPen(themeColours(palette()).muted);
  painter.drawText(viewport()->rect().adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
}

void PriorityList::resizeEvent(QResizeEvent* event) {
  QListView::resizeEvent(event);
  scheduleDelayedItemsLayout();
}

void PriorityList::copyRow(const QModelIndex& row) {
  if (row.isValid())
    QApplication::clipboard()->setText(m_model->clipboardText(row.row()));
}

void PriorityList::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy))
    copyRow(currentIndex());
  else
    QListView::keyPressEvent(event);
}

void PriorityList::contextMenuEvent(QContextMenuEvent* event) {
  const QModelIndex row = indexAt(event->pos());
  if (!row.isValid())
    return;
  QMenu menu(this);
  menu.addAction(tr("Copy"), QKeySequence::Copy, this, [this, row] { copyRow(row); });
  menu.addAction(tr("Copy all as CSV"), this, [this] { QApplication::clipboard()->setText(m_model->csv()); });
  menu.exec(event->globalPos());
}

} // namespace voxlab

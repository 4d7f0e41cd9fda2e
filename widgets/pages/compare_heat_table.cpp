// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare_heat_table.h"
#include "widgets/pages/icons.h"
#include "widgets/plots/theme_colours.h"
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
constexpr int kRowHeight = 32, kMostRows = 14;
constexpr double kFullGain = 2; // four times as good, or as bad, has the full colour

class HeatDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const ThemeColours& colours = themeColours(option.palette);
    painter->save();
    const QVariant gain = index.data(ComparisonModel::GainRole);
    QColor ground = colours.surface;
    if (gain.isValid()) {
      QColor tint = gain.toDouble() >= 0 ? colours.accent : QColor(colours.kind == ThemeKind::Dark ? 0xe69f00 : 0xd98200);
      tint.setAlphaF(static_cast<float>(0.55 * std::min(1.0, std::abs(gain.toDouble()) / kFullGain)));
      painter->fillRect(option.rect, ground);
      ground = tint;
    }
    painter->fillRect(option.rect, ground);
    if (option.state & QStyle::State_Selected) {
      painter->setPen(QPen(colours.accent, 1.5));
      painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    }
    const bool baseline = index.data(ComparisonModel::BaselineRole).toBool();
    QRect room = option.rect.adjusted(10, 0, -10, 0);
    if (index.column() == 0 && index.data(ComparisonModel::PinnedRole).toBool()) {
      painter->drawPixmap(room.left(), room.center().y() - 6, tintedPixmap(QStringLiteral("arrow-up"), colours.muted, 12, painter->device()->devicePixelRatioF()));
      room.setLeft(room.left() + 18);
    }
    QFont font = option.font;
    font.setBold(baseline && index.column() == 0);
    painter->setFont(font);
    const bool known = index.column() == 0 || index.data(ComparisonModel::NormalisedRole).isValid() || index.data().toString() != QStringLiteral("–");
    painter->setPen(known ? colours.text : colours.disabled);
    const QString words = index.column() == 0 && baseline ? QObject::tr("%1 (baseline)").arg(index.data().toString()) : index.data().toString();
    const Qt::Alignment alignment = index.column() == 0 ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter;
    painter->drawText(room, static_cast<int>(alignment), QFontMetrics(font).elidedText(words, Qt::ElideRight, room.width()));
    painter->restore();
  }
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(index.column() == 0 ? 110 : 20, 0);
  }
};
} // namespace

CompareHeatTable::CompareHeatTable(ComparisonModel* model, QWidget* parent) : QTableView(parent), m_model(model), m_filter(new ComparisonFilter(this)) {
  m_filter->setSourceModel(model);
  m_filter->setSortCaseSensitivity(Qt::CaseInsensitive);
  setModel(m_filter);
  setItemDelegate(new HeatDelegate(this));
  setAccessibleName(tr("Measures of the modes"));
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  setShowGrid(false);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(kRowHeight);
  QHeaderView* head = horizontalHeader();
  head->setSectionsMovable(true);
  head->setSectionsClickable(true);
  head->setSortIndicatorShown(true);
  head->setSortIndicatorClearable(true);
  head->setSortIndicator(-1, Qt::AscendingOrder);
  head->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
  head->setHighlightSections(false);
  setSortingEnabled(true);
  connect(model, &QAbstractItemModel::modelReset, this, [this] {
    resizeColumnsToContents();
    fitHeight();
  });
  connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] { emit rowChosen(currentRow()); });
  connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) {
    if (index.column() > 0)
      emit columnChosen(index.column());
  });
}

int CompareHeatTable::currentRow() const {
  const QModelIndex index = m_filter->mapToSource(currentIndex());
  return index.isValid() ? index.row() : -1;
}

void CompareHeatTable::fitHeight() {
  const int rows = std::clamp(m_filter->rowCount(), 1, kMostRows);
  setFixedHeight(horizontalHeader()->sizeHint().height() + rows * kRowHeight + 14);
}

void CompareHeatTable::contextMenuEvent(QContextMenuEvent* event) {
  const QModelIndex index = indexAt(event->pos());
  const QModelIndex source = m_filter->mapToSource(index);
  if (!source.isValid())
    return;
  QMenu menu(this);
  menu.addAction(tr("Normalise to this"), this, [this, source] { emit baselineRequested(QString::fromStdString(m_model->side(source.row()).name)); });
  menu.addAction(m_model->isPinned(source.row()) ? tr("Unpin") : tr("Pin to the top"), this, [this, source] {
    m_model->togglePinned(source.row());
    m_filter->invalidate();
  });
  menu.addAction(tr("Rename…"), this, [this, index] { edit(index.siblingAtColumn(0)); });
  if (source.column() > 0)
    menu.addAction(tr("Hide this measure"), this, [this, source] { setColumnHidden(source.column(), true); });
  menu.addAction(tr("Show all measures"), this, [this] {
    for (int column = 0; column < m_filter->columnCount(); ++column)
      setColumnHidden(column, false);
  });
  menu.exec(event->globalPos());
}

} // namespace voxlab

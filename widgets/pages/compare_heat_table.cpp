// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare_heat_table.h"
#include "core/base/text.h"
#include "widgets/pages/icons.h"
#include "widgets/plots/table_text.h"
#include "widgets/plots/theme_colours.h"
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QHeaderView>
#include <QInputDialog>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
constexpr int kRowHeight = 32, kMostRows = 24;
constexpr int kNotchPixels = 96; // of a wheel
constexpr int kFrozenColumns = 2; // the mode and its wall clock
constexpr int kCellRoom = 8, kArrowRoom = 11; // as in headers, so that numbers stand below their titles
constexpr int kWidestName = 300, kWidestMeasure = 270;
constexpr double kFullGain = 2; // four times as good, or as bad, has the full colour

class HeatDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const ThemeColours& colours = themeColours(option.palette);
    painter->save();
    painter->fillRect(option.rect, colours.surface);
    if (const QVariant gain = index.data(ComparisonModel::GainRole); gain.isValid()) {
      QColor tint = gain.toDouble() >= 0 ? colours.accent : QColor(colours.kind == ThemeKind::Dark ? 0xe69f00 : 0xd98200);
      tint.setAlphaF(static_cast<float>(0.55 * std::min(1.0, std::abs(gain.toDouble()) / kFullGain)));
      painter->fillRect(option.rect, tint);
    }
    if (option.state & QStyle::State_Selected) {
      painter->setPen(QPen(colours.accent, 1.5));
      painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    }
    const QRect room = option.rect.adjusted(kCellRoom, 0, index.column() == 0 ? -kCellRoom : -kCellRoom - kArrowRoom, 0);
    if (index.column() == 0) {
      paintName(*painter, option, index, room, colours);
    } else {
      const bool known = index.data(ComparisonModel::NormalisedRole).isValid() || index.data().toString() != QString::fromUtf8(kUnknown.data());
      painter->setFont(option.font);
      painter->setPen(known ? colours.text : colours.disabled);
      painter->drawText(room, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), QFontMetrics(option.font).elidedText(index.data().toString(), Qt::ElideRight, room.width()));
    }
    painter->restore();
  }
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(index.column() == 0 ? 130 : 20 + kArrowRoom, 0);
  }

private:
  // The mode, what it is among the others, and below it the user's note.
  static void paintName(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, QRect room, const ThemeColours& colours) {
    const bool baseline = index.data(ComparisonModel::BaselineRole).toBool(), best = index.data(ComparisonModel::BestRole).toBool();
    if (index.data(ComparisonModel::PinnedRole).toBool()) {
      painter.drawPixmap(room.left(), room.center().y() - 6, tintedPixmap(QStringLiteral("arrow-up"), colours.muted, 12, painter.device()->devicePixelRatioF()));
      room.setLeft(room.left() + 18);
    }
    if (const QString note = index.data(ComparisonModel::NoteRole).toString(); !note.isEmpty()) {
      QFont small = option.font;
      small.setPointSizeF(small.pointSizeF() * 0.85);
      const QRect below(room.left(), room.center().y() + 1, room.width(), room.height() / 2);
      painter.setFont(small);
      painter.setPen(colours.muted);
      painter.drawText(below, static_cast<int>(Qt::AlignLeft | Qt::AlignTop), QFontMetrics(small).elidedText(QString(note).replace(QLatin1Char('\n'), QLatin1String(" · ")), Qt::ElideRight, below.width()));
      room.setBottom(below.top());
    }
    QFont font = option.font;
    font.setBold(baseline || best);
    QString words = index.data().toString();
    words = baseline && !words.contains(QLatin1String("baseline")) ? QObject::tr("%1 (baseline)").arg(words) : best ? QObject::tr("%1 (fastest)").arg(words) : words;
    painter.setFont(font);
    painter.setPen(colours.text);
    painter.drawText(room, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), QFontMetrics(font).elidedText(words, Qt::ElideRight, room.width()));
  }
};
} // namespace

CompareHeatTable::CompareHeatTable(ComparisonModel* model, QWidget* parent) : QTableView(parent), m_model(model), m_filter(new ComparisonFilter(this)), m_frozen(new QTableView(this)) {
  m_filter->setSourceModel(model);
  setModel(m_filter);
  setAccessibleName(tr("Measures of the modes"));
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  buildFrozen();
  for (QTableView* view : {static_cast<QTableView*>(this), m_frozen}) {
    view->setItemDelegate(new HeatDelegate(view));
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setSelectionMode(QAbstractItemView::SingleSelection);
    view->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    view->setShowGrid(false);
    view->setFrameShape(QFrame::NoFrame);
    view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(kRowHeight);
    view->horizontalHeader()->setSectionsClickable(true);
    view->horizontalHeader()->setSortIndicatorShown(true);
    view->horizontalHeader()->setSortIndicatorClearable(true);
    view->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    view->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    view->horizontalHeader()->setHighlightSections(false);
    view->horizontalHeader()->setTextElideMode(Qt::ElideRight); // the beginning of a long title says most
    view->setSortingEnabled(true);
    connect(view, &QTableView::clicked, this, [this](const QModelIndex& index) {
      if (index.column() > 0)
        emit columnChosen(index.column());
    });
  }
  horizontalHeader()->setSectionsMovable(true);
  connect(horizontalHeader(), &QHeaderView::sectionMoved, this, &CompareHeatTable::keepFrozenInFront);
  connect(model, &QAbstractItemModel::modelReset, this, [this] {
    applyHidden();
    fitColumns();
    fitHeight();
  });
  connect(model, &QAbstractItemModel::dataChanged, this, &CompareHeatTable::fitColumns);
  connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] { emit rowChosen(currentRow()); });
}

void CompareHeatTable::buildFrozen() {
  m_frozen->setModel(m_filter);
  m_frozen->setSelectionModel(selectionModel());
  m_frozen->setFocusPolicy(Qt::NoFocus);
  m_frozen->viewport()->installEventFilter(this); // its wheel and its menu are the table's
  m_frozen->setAccessibleName(tr("Modes and their wall clock"));
  m_frozen->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_frozen->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_frozen->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  viewport()->stackUnder(m_frozen);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, m_frozen->verticalScrollBar(), &QScrollBar::setValue);
  connect(m_frozen->verticalScrollBar(), &QScrollBar::valueChanged, verticalScrollBar(), &QScrollBar::setValue);
  connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this](int logical, int, int size) {
    if (logical < kFrozenColumns)
      m_frozen->setColumnWidth(logical, size);
    placeFrozen();
  });
}

void CompareHeatTable::fitColumns() {
  resizeColumnsToContents();
  for (int column = 0; column < m_filter->columnCount(); ++column) {
    setColumnWidth(column, std::min(columnWidth(column), column == 0 ? kWidestName : kWidestMeasure));
    m_frozen->setColumnWidth(column, columnWidth(column));
    m_frozen->setColumnHidden(column, column >= kFrozenColumns);
  }
  placeFrozen();
}

void CompareHeatTable::placeFrozen() {
  int width = 0;
  for (int column = 0; column < std::min(kFrozenColumns, m_filter->columnCount()); ++column)
    width += columnWidth(column);
  m_frozen->horizontalHeader()->setFixedHeight(horizontalHeader()->height());
  m_frozen->setGeometry(0, 0, std::min(width, viewport()->width() * 2 / 3), horizontalHeader()->height() + viewport()->height());
  m_frozen->setVisible(width > 0);
}

void CompareHeatTable::keepFrozenInFront(int, int, int) {
  for (int column = 0; column < std::min(kFrozenColumns, m_filter->columnCount()); ++column)
    if (horizontalHeader()->visualIndex(column) != column)
      horizontalHeader()->moveSection(horizontalHeader()->visualIndex(column), column);
}

void CompareHeatTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  placeFrozen();
}

int CompareHeatTable::currentRow() const {
  const QModelIndex index = m_filter->mapToSource(currentIndex());
  return index.isValid() ? index.row() : -1;
}

void CompareHeatTable::chooseRow(int row) { setCurrentIndex(m_filter->mapFromSource(m_model->index(row, 0))); }

void CompareHeatTable::fitHeight() {
  const int rows = std::clamp(m_filter->rowCount(), 1, kMostRows);
  setFixedHeight(horizontalHeader()->sizeHint().height() + rows * kRowHeight + horizontalScrollBar()->sizeHint().height() + 4);
  placeFrozen();
}

QStringList CompareHeatTable::hiddenMeasures() const { return m_hidden; }

void CompareHeatTable::setHiddenMeasures(const QStringList& names) {
  m_hidden = names;
  applyHidden();
}

void CompareHeatTable::applyHidden() {
  for (int column = 1; column < m_filter->columnCount(); ++column)
    setColumnHidden(column, column >= kFrozenColumns && m_hidden.contains(QString::fromStdString(m_model->measure(column).name)));
}

void CompareHeatTable::editNote(int row) {
  bool accepted = false;
  const QString note = QInputDialog::getMultiLineText(this, tr("Note"), tr("On %1:").arg(m_model->nameOf(row)), m_model->noteOf(row), &accepted);
  if (accepted)
    m_model->setNote(row, note);
}

void CompareHeatTable::keyPressEvent(QKeyEvent* event) {
  const int by = event->key() == Qt::Key_Up ? -1 : event->key() == Qt::Key_Down ? 1 : 0;
  if (by != 0 && event->modifiers() == Qt::AltModifier && currentRow() >= 0) {
    emit moveRequested(currentRow(), by);
    return;
  }
  QTableView::keyPressEvent(event);
}

// Sideways with Shift or a sideways wheel; otherwise up and down as far as there are rows, and on with the page.
void CompareHeatTable::wheelEvent(QWheelEvent* event) {
  const QPoint turned = event->angleDelta();
  const bool isSideways = std::abs(turned.x()) > std::abs(turned.y()) || (event->modifiers() & Qt::ShiftModifier);
  QScrollBar* bar = isSideways ? horizontalScrollBar() : verticalScrollBar();
  const int delta = std::abs(turned.x()) > std::abs(turned.y()) ? turned.x() : turned.y();
  const int by = -delta * kNotchPixels / QWheelEvent::DefaultDeltasPerStep, before = bar->value();
  bar->setValue(before + by);
  event->accept();
  if (isSideways || bar->value() != before)
    return;
  for (QWidget* parent = parentWidget(); parent; parent = parent->parentWidget())
    if (const auto* page = qobject_cast<QScrollArea*>(parent))
      return page->verticalScrollBar()->setValue(page->verticalScrollBar()->value() + by);
}

bool CompareHeatTable::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_frozen->viewport() && event->type() == QEvent::Wheel)
    wheelEvent(static_cast<QWheelEvent*>(event));
  else if (watched == m_frozen->viewport() && event->type() == QEvent::ContextMenu)
    contextMenuEvent(static_cast<QContextMenuEvent*>(event));
  else
    return QTableView::eventFilter(watched, event);
  return true;
}

void CompareHeatTable::contextMenuEvent(QContextMenuEvent* event) {
  const QPoint inFrozen = m_frozen->viewport()->mapFromGlobal(event->globalPos());
  const QModelIndex index = event->reason() == QContextMenuEvent::Keyboard            ? currentIndex()
                            : m_frozen->viewport()->rect().contains(inFrozen) ? m_frozen->indexAt(inFrozen)
                                                                              : indexAt(viewport()->mapFromGlobal(event->globalPos()));
  const QModelIndex source = m_filter->mapToSource(index);
  if (!source.isValid())
    return;
  const int row = source.row(), column = source.column();
  QMenu menu(this);
  menu.addAction(tr("Normalise to this"), this, [this, row] { emit baselineRequested(QString::fromStdString(m_model->side(row).name)); });
  menu.addAction(m_model->isPinned(row) ? tr("Unpin") : tr("Pin to the top"), this, [this, row] { m_model->togglePinned(row); });
  menu.addAction(tr("Rename…"), this, [this, index] { m_frozen->edit(index.siblingAtColumn(0)); });
  menu.addAction(tr("Note…"), this, [this, row] { editNote(row); });
  menu.addAction(tr("Move up\tAlt+Up"), this, [this, row] { emit moveRequested(row, -1); });
  menu.addAction(tr("Move down\tAlt+Down"), this, [this, row] { emit moveRequested(row, 1); });
  menu.addSeparator();
  if (column >= kFrozenColumns)
    menu.addAction(tr("Hide this measure"), this, [this, column] {
      m_hidden << QString::fromStdString(m_model->measure(column).name);
      applyHidden();
      emit hiddenChanged();
    });
  QAction* all = menu.addAction(tr("Show all measures"), this, [this] {
    setHiddenMeasures({});
    emit hiddenChanged();
  });
  all->setEnabled(!m_hidden.isEmpty());
  menu.addAction(tr("Save the table…"), this, &CompareHeatTable::exportInteractively);
  menu.exec(event->globalPos());
}

Status CompareHeatTable::exportTo(const QString& file) const { return writeTable(m_model->tableText(), file); }

void CompareHeatTable::exportInteractively() {
  const QString file = QFileDialog::getSaveFileName(this, tr("Save the table"), QStringLiteral("measures.csv"), tr("Tables (*.csv *.json)"));
  if (file.isEmpty())
    return;
  const Status written = exportTo(file);
  emit message(written ? tr("The table is in %1.").arg(file) : QString::fromStdString(written.error().message));
}

} // namespace voxlab

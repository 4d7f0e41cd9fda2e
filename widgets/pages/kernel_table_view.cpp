// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/kernel_table_view.h"
#include "core/analysis/profile_view.h"
#include "widgets/pages/icons.h"
#include "widgets/plots/painted_plot.h"
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QResizeEvent>
#include <QStyledItemDelegate>
#include <algorithm>

namespace voxlab {
namespace {
using M = KernelTableModel;
constexpr int kRowHeight = 26, kIndent = 18, kLeastName = 150, kMostName = 340;

// Names with the colour of their category before them, shares as bars.
class KernelDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override { return {QStyledItemDelegate::sizeHint(option, index).width() + 18, kRowHeight}; }

  void paint(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const override {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    option.state &= ~QStyle::State_HasFocus;
    const ThemeColours& colours = themeColours(option.palette);
    const QColor colour = namedColour(index.data(M::ColourRole).toString(), colours.kind);
    const QString text = option.text;
    option.text.clear();
    option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);
    QRect area = option.rect.adjusted(8, 0, -8, 0);
    if (index.column() == M::Name) {
      painter->fillRect(QRect(area.left(), area.center().y() - 4, 9, 9), colour);
      area.adjust(17, 0, 0, 0);
    } else if (index.column() == M::Share) {
      const double share = index.data(M::ShareRole).toDouble();
      const QRectF bar(area.left(), area.top() + 6, area.width() * share, area.height() - 12);
      painter->fillRect(bar, blended(colour, colours.surface, 0.45));
    }
    const bool quiet = index.column() > M::Maximum;
    painter->setPen(quiet ? colours.muted : colours.text);
    painter->setFont(option.font);
    painter->drawText(area, static_cast<int>(option.displayAlignment) | Qt::TextSingleLine, option.fontMetrics.elidedText(text, Qt::ElideRight, area.width()));
  }
};
} // namespace

KernelTableView::KernelTableView(KernelTableModel* model, QWidget* parent) : QTreeView(parent), m_model(model) {
  setModel(m_model);
  setItemDelegate(new KernelDelegate(this));
  setUniformRowHeights(true);
  setAllColumnsShowFocus(true);
  setSelectionMode(QAbstractItemView::ExtendedSelection);
  setSortingEnabled(true);
  setIndentation(kIndent);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  setExpandsOnDoubleClick(false);
  setAccessibleName(tr("Kernels"));
  setUpColumns();
  connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
    if (!m_isRestoring && now.isValid())
      emit rowChosen(now);
  });
  connect(this, &QAbstractItemView::activated, this, &KernelTableView::rowOpened);
}

void KernelTableView::setUpColumns() {
  QHeaderView* heading = header();
  heading->setSectionsMovable(true);
  heading->setStretchLastSection(false);
  heading->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(heading, &QHeaderView::customContextMenuRequested, this, [this](const QPoint& at) { columnsMenu(header()->mapToGlobal(at)); });
  const auto width = [this](const char* sample) { return fontMetrics().horizontalAdvance(QString::fromUtf8(sample)) + 26; };
  const std::pair<int, int> widths[] = {{M::Name, kMostName},        {M::Total, width("A step (ms)")},   {M::Share, 76},           {M::Calls, width("100 000")},    {M::Mean, width("Mean (ms)")},
                                        {M::Minimum, width("Min (ms)")}, {M::Maximum, width("Max (ms)")},   {M::Category, 170},       {M::Operator, 190},              {M::Module, 170},
                                        {M::Arithmetic, width("Arithmetic")}, {M::GridSize, width("65 536 × 16 × 1")}, {M::BlockSize, width("1024 × 1 × 1")}, {M::Registers, width("Registers")}, {M::SharedMemory, width("Shared mem.")},
                                        {M::Occupancy, width("Occupancy")}, {M::FullName, 420}};
  for (const auto& [column, pixels] : widths)
    heading->resizeSection(column, pixels);
  sortByColumn(M::Total, Qt::DescendingOrder);
}

// In a narrow view the names leave room for the first figures.
void KernelTableView::resizeEvent(QResizeEvent* event) {
  QTreeView::resizeEvent(event);
  const int figures = header()->sectionSize(M::Total) + header()->sectionSize(M::Share) + header()->sectionSize(M::Calls);
  if (event->oldSize().width() != event->size().width())
    header()->resizeSection(M::Name, std::clamp(event->size().width() - figures, kLeastName, kMostName));
}

QList<int> KernelTableView::shownColumns() const {
  QList<int> columns;
  for (int i = 0; i < M::ColumnCount; ++i)
    if (const int column = header()->logicalIndex(i); !isColumnHidden(column))
      columns << column;
  if (!columns.contains(M::FullName))
    columns << M::FullName;
  return columns;
}

void KernelTableView::columnsMenu(const QPoint& position) {
  QMenu menu(this);
  for (int column = M::Total; column < M::ColumnCount; ++column) {
    QAction* action = menu.addAction(kernelColumnTitle(column));
    action->setCheckable(true);
    action->setChecked(!isColumnHidden(column));
    connect(action, &QAction::toggled, this, [this, column](bool on) { setColumnHidden(column, !on); });
  }
  menu.exec(position);
}

void KernelTableView::showView(std::shared_ptr<const ProfileView> view) {
  const QString current = m_model->keyOf(currentIndex());
  const bool sameGrouping = view && view->query.grouping == m_model->grouping();
  QStringList open;
  for (int row = 0; sameGrouping && row < m_model->rowCount(); ++row)
    if (isExpanded(m_model->index(row, 0)))
      open << m_model->keyOf(m_model->index(row, 0));
  m_isRestoring = true;
  m_model->setView(std::move(view));
  setRootIsDecorated(m_model->rowCount() > 0 && m_model->isGroup(m_model->index(0, 0)));
  for (int row = 0; row < m_model->rowCount() && !open.isEmpty(); ++row)
    if (open.contains(m_model->keyOf(m_model->index(row, 0))))
      expand(m_model->index(row, 0));
  const QModelIndex again = current.isEmpty() ? QModelIndex() : m_model->find(current);
  setCurrentIndex(again.isValid() ? again : m_model->index(0, 0));
  m_isRestoring = false;
}

void KernelTableView::choose(const QString& kernelName) {
  const QModelIndex found = m_model->findKernel(kernelName);
  if (!found.isValid())
    return;
  setCurrentIndex(found);
  scrollTo(found, QAbstractItemView::PositionAtCenter);
}

void KernelTableView::copyRows() {
  QModelIndexList rows = selectionModel()->selectedRows();
  std::sort(rows.begin(), rows.end(), [this](const QModelIndex& a, const QModelIndex& b) { return visualRect(a).top() < visualRect(b).top(); });
  if (rows.isEmpty())
    for (int row = 0; row < m_model->rowCount(); ++row)
      rows << m_model->index(row, 0);
  QApplication::clipboard()->setText(m_model->tabbed(rows, shownColumns()));
}

void KernelTableView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy))
    copyRows();
  else
    QTreeView::keyPressEvent(event);
}

void KernelTableView::contextMenuEvent(QContextMenuEvent* event) {
  const QModelIndex at = indexAt(event->pos());
  const KernelRow* row = m_model->rowOf(at);
  if (!row)
    return;
  QMenu menu(this);
  menu.addAction(tr("Copy rows"), QKeySequence::Copy, this, &KernelTableView::copyRows);
  menu.addAction(m_model->isGroup(at) ? tr("Copy name") : tr("Copy full name"), this, [key = QString::fromStdString(row->key)] { QApplication::clipboard()->setText(key); });
  menu.addSeparator();
  menu.addAction(tr("Only this category"), this, [this, category = row->category] { emit onlyCategory(category); });
  if (!row->module.empty())
    menu.addAction(tr("Only module %1").arg(QString::fromStdString(row->module)), this, [this, path = QString::fromStdString(row->module)] { emit onlyModule(path); });
  if (!row->operatorName.empty())
    menu.addAction(tr("Only operator %1").arg(QString::fromStdString(row->operatorName)), this, [this, name = QString::fromStdString(row->operatorName)] { emit onlyOperator(name); });
  menu.exec(event->globalPos());
}

void KernelTableView::drawBranches(QPainter* painter, const QRect& area, const QModelIndex& index) const {
  const ThemeColours& colours = themeColours(palette());
  if (selectionModel()->isSelected(index))
    painter->fillRect(area, colours.accentSoft);
  if (!m_model->hasChildren(index))
    return;
  const QPixmap arrow = tintedPixmap(isExpanded(index) ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), colours.muted, 12, devicePixelRatioF());
  painter->drawPixmap(area.right() - 13, area.center().y() - 6, arrow);
}

} // namespace voxlab

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
constexpr int kRowHeight = 26, kIndent = 18;
constexpr int kSide = 8, kSwatch = 9, kSwatchGap = 8; // pixels in a cell
constexpr int kShareBar = 36, kShareGap = 6, kSortMark = 12;
constexpr int kBesideName = 2 * kSide + kSwatch + kSwatchGap;
constexpr const char* kUsualName = "xmma wgrad FP32 128x64x32 nhwc"; // that a column of names has room for

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
    QRect area = option.rect.adjusted(kSide, 0, -kSide, 0);
    if (index.column() == M::Name) {
      painter->fillRect(QRect(area.left(), area.center().y() - kSwatch / 2, kSwatch, kSwatch), colour);
      area.adjust(kSwatch + kSwatchGap, 0, 0, 0);
    } else if (index.column() == M::Share) {
      const double share = std::clamp(index.data(M::ShareRole).toDouble(), 0.0, 1.0);
      painter->fillRect(QRectF(area.left(), area.top() + 8, kShareBar, area.height() - 16), colours.border);
      painter->fillRect(QRectF(area.left(), area.top() + 8, kShareBar * share, area.height() - 16), colour);
      area.adjust(kShareBar + kShareGap, 0, 0, 0);
    }
    const bool quiet = index.column() > M::Maximum;
    painter->setPen(quiet ? colours.muted : colours.text);
    painter->setFont(option.font);
    painter->drawText(area, static_cast<int>(option.displayAlignment) | Qt::TextSingleLine, option.fontMetrics.elidedText(text, isWords(index.column()) ? Qt::ElideMiddle : Qt::ElideRight, area.width()));
  }

private:
  // Names that begin alike differ at their end.
  static bool isWords(int column) { return column == M::Name || column == M::Operator || column == M::Module; }
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
  connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
    if (const int whole = wholeNameWidth(); whole != m_fittedNames)
      fitNames();
  });
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
  // The heading's sort mark stands before its words.
  const auto width = [this](const char* sample) { return fontMetrics().horizontalAdvance(QString::fromUtf8(sample)) + 2 * kSide + kSortMark; };
  const std::pair<int, int> widths[] = {{M::Name, leastNameWidth()},     {M::Total, width("A step (ms)")},     {M::Share, kShareBar + kShareGap + fontMetrics().horizontalAdvance(QStringLiteral("99.9 %")) + 2 * kSide},
                                        {M::Calls, width("100 000")},    {M::Mean, width("Mean (ms)")},        {M::Minimum, width("Min (ms)")},
                                        {M::Maximum, width("Max (ms)")}, {M::Category, width("Convolution, weight gradient")}, {M::Operator, 210},
                                        {M::Module, 190},                {M::Arithmetic, width("Arithmetic")}, {M::GridSize, width("65 536 × 16 × 1")},
                                        {M::BlockSize, width("1024 × 1 × 1")}, {M::Registers, width("Registers")}, {M::SharedMemory, width("Shared mem.")},
                                        {M::AchievedOccupancy, width("Occupancy")}, {M::EstimatedOccupancy, width("Occ., estimate")}, {M::FullName, 420}};
  for (const auto& [column, pixels] : widths)
    heading->resizeSection(column, pixels);
  sortByColumn(M::Total, Qt::DescendingOrder);
}

int KernelTableView::leastNameWidth() const { return fontMetrics().horizontalAdvance(QString::fromLatin1(kUsualName)) + kBesideName; }

int KernelTableView::wholeNameWidth() const {
  constexpr int kMostRows = 100; // those that are seen first
  int width = leastNameWidth();
  for (int row = 0; row < std::min(m_model->rowCount(), kMostRows); ++row)
    width = std::max(width, fontMetrics().horizontalAdvance(m_model->index(row, M::Name).data().toString()) + kBesideName);
  return width;
}

// Names are whole where time and share have room beside them, and shortened in their middle otherwise. Then as many columns as there is
// room for, and the names take what is left: no column is cut before somebody scrolls.
void KernelTableView::fitNames() {
  const int room = viewport()->width(), besideTimeAndShare = room - header()->sectionSize(M::Total) - header()->sectionSize(M::Share);
  m_fittedNames = wholeNameWidth();
  const int least = std::min(std::max(leastNameWidth(), std::min(m_fittedNames, besideTimeAndShare)), room);
  int others = 0;
  for (int visual = 0; visual < header()->count(); ++visual) {
    const int column = header()->logicalIndex(visual);
    if (column == M::Name || isColumnHidden(column))
      continue;
    if (others + header()->sectionSize(column) + least > room)
      break;
    others += header()->sectionSize(column);
  }
  header()->resizeSection(M::Name, std::max(least, room - others));
}

void KernelTableView::paintEvent(QPaintEvent* event) {
  QTreeView::paintEvent(event);
  if (m_model->rowCount({}) > 0)
    return;
  QPainter painter(viewport());
  painter.setPen(themeColours(palette()).muted);
  painter.drawText(viewport()->rect().adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap, tr("No kernel matches. Take away a word of the search, or a part of the selection."));
}

void KernelTableView::resizeEvent(QResizeEvent* event) {
  QTreeView::resizeEvent(event);
  if (viewport()->width() != m_fittedWidth) {
    m_fittedWidth = viewport()->width();
    fitNames();
  }
}

// Below the last row that has room whole, nothing begins.
void KernelTableView::updateGeometries() {
  QTreeView::updateGeometries();
  const QMargins margins = viewportMargins();
  const int left = (viewport()->height() + margins.bottom()) % kRowHeight;
  if (left == margins.bottom() || m_isFitting)
    return;
  m_isFitting = true;
  setViewportMargins(margins.left(), margins.top(), margins.right(), left);
  m_isFitting = false;
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
    connect(action, &QAction::toggled, this, [this, column](bool on) {
      setColumnHidden(column, !on);
      fitNames();
    });
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
  if (const bool isUnnamed = m_model->isGroup(at) && row->key.empty(); isUnnamed && m_model->grouping() == KernelGrouping::Module)
    menu.addAction(tr("Only what has no module"), this, &KernelTableView::onlyWithoutModule);
  else if (isUnnamed && m_model->grouping() == KernelGrouping::Operator)
    menu.addAction(tr("Only what has no operator"), this, &KernelTableView::onlyWithoutOperator);
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

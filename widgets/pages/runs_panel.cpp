// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/runs_panel.h"
#include "widgets/pages/flow_layout.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/run_delegate.h"
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

namespace voxlab {
namespace {
constexpr int kQueueRowsShown = 5, kAgeInterval_ms = 30000;
}

RunsPanel::RunsPanel(RunTableModel* model, QWidget* parent) : QFrame(parent), m_model(model), m_filtered(new RunFilter(this)) {
  setRole(this, "side");
  setMinimumWidth(240);
  m_filtered->setSourceModel(model);
  m_filter = new QLineEdit(this);
  setRole(m_filter, "search");
  m_filter->setPlaceholderText(tr("Filter runs…"));
  m_filter->setAccessibleName(tr("Filter runs"));
  m_filter->setClearButtonEnabled(true);
  m_filter->installEventFilter(this);
  m_list = new QListView(this);
  m_list->setModel(m_filtered);
  m_list->setItemDelegate(new RunDelegate(m_list));
  m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_list->setUniformItemSizes(true);
  m_list->setMouseTracking(true);
  m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_list->setContextMenuPolicy(Qt::CustomContextMenu);
  m_list->setAccessibleName(tr("Runs"));
  m_list->installEventFilter(this);
  m_noMatch = makeWrappedLabel(tr("No run has these words."), "caption", this);
  m_noMatch->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  m_noMatch->setContentsMargins(kSpaceLarge, 32, kSpaceLarge, 0);
  m_stack = new QStackedWidget(this);
  m_stack->addWidget(m_list);
  m_stack->addWidget(m_noMatch);
  m_stack->addWidget(buildEmptyState());

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 12, 1, 0);
  column->setSpacing(kSpace);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(kSpaceLarge, 0, 12, 0);
  head->addWidget(makeLabel(tr("Runs"), "heading", this));
  head->addSpacing(kSpace);
  head->addWidget(m_filter, 1);
  column->addLayout(head);
  column->addWidget(m_stack, 1);
  column->addWidget(buildSeveral());
  column->addWidget(buildQueue());

  connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
    m_filtered->setWords(text);
    showRightPage();
  });
  connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    showSeveral();
    emit selectionChanged(selectedIds());
  });
  connect(m_list, &QListView::customContextMenuRequested, this, &RunsPanel::showMenu);
  connect(m_filtered, &QAbstractItemModel::rowsInserted, this, &RunsPanel::reselect);
  connect(m_filtered, &QAbstractItemModel::rowsRemoved, this, &RunsPanel::showRightPage);
  auto* ages = new QTimer(this);
  connect(ages, &QTimer::timeout, m_list->viewport(), qOverload<>(&QWidget::update));
  ages->start(kAgeInterval_ms);
  showRightPage();
}

QWidget* RunsPanel::buildEmptyState() {
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(24, 40, 24, 24);
  column->setSpacing(kSpace);
  QLabel* title = makeWrappedLabel(tr("No runs yet"), "heading", page);
  title->setAlignment(Qt::AlignCenter);
  QLabel* hint = makeWrappedLabel(tr("The demo trains a small network on real MRI for a few minutes and draws a new head with it."), "caption", page);
  hint->setAlignment(Qt::AlignCenter);
  QPushButton* demo = makeButton(tr("Start the demo"), "primary", QStringLiteral("play"), page);
  QPushButton* examples = makeButton(tr("Open the examples"), nullptr, QStringLiteral("folder"), page);
  examples->setToolTip(tr("Runs that were recorded on an NVIDIA H200."));
  column->addWidget(title);
  column->addWidget(hint);
  column->addSpacing(kSpace);
  column->addWidget(demo);
  column->addWidget(examples);
  column->addStretch();
  connect(demo, &QPushButton::clicked, this, &RunsPanel::demoClicked);
  connect(examples, &QPushButton::clicked, this, &RunsPanel::examplesClicked);
  return page;
}

QWidget* RunsPanel::buildSeveral() {
  m_several = new QWidget(this);
  auto* column = new QVBoxLayout(m_several);
  column->setContentsMargins(kSpaceLarge, 0, kSpace, kSpace);
  column->setSpacing(kSpaceSmall);
  m_severalText = makeLabel({}, "caption", m_several);
  QPushButton* compare = makeButton(tr("Compare"), "chip", QStringLiteral("compare"), m_several);
  compare->setToolTip(tr("Their speed, kernels and quality, on the page for comparing"));
  m_sameSeed = makeButton(tr("Same seed, side by side"), "chip", QStringLiteral("viewer-compare"), m_several);
  connect(compare, &QPushButton::clicked, this, [this] { emit actionChosen(QStringLiteral("compare"), selectedIds()); });
  connect(m_sameSeed, &QPushButton::clicked, this, [this] { emit actionChosen(QStringLiteral("compare-samples"), selectedIds()); });
  auto* buttons = new FlowLayout(kSpaceSmall, 0);
  buttons->addWidget(compare);
  buttons->addWidget(m_sameSeed);
  column->addWidget(m_severalText);
  column->addLayout(buttons);
  m_several->hide();
  return m_several;
}

void RunsPanel::showSeveral() {
  const QStringList ids = selectedIds();
  const auto draws = std::count_if(ids.begin(), ids.end(), [this](const QString& id) {
    const RunRow* row = m_model->find(id);
    return row && (row->kind == "train" || row->kind == "sample" || row->kind == "import");
  });
  m_severalText->setText(tr("%n run(s) selected", nullptr, static_cast<int>(ids.size())));
  m_sameSeed->setEnabled(draws > 1);
  m_sameSeed->setToolTip(draws > 1 ? tr("Their samples of the same seed and mask, in the viewer (Ctrl+Shift+E)") : tr("Two of them must have drawn volumes: training or sampling runs."));
  m_several->setVisible(ids.size() > 1);
}

QWidget* RunsPanel::buildQueue() {
  m_queueBox = new QWidget(this);
  auto* column = new QVBoxLayout(m_queueBox);
  column->setContentsMargins(0, 0, 0, kSpace);
  column->setSpacing(kSpaceSmall);
  column->addWidget(makeLine(m_queueBox));
  m_queueTitle = makeLabel({}, "heading", m_queueBox);
  m_queueTitle->setContentsMargins(kSpaceLarge, kSpaceSmall, 0, 0);
  m_queueTitle->setToolTip(tr("Each starts when the one before it has ended. Drag to reorder; Ctrl+Up and Ctrl+Down do the same."));
  column->addWidget(m_queueTitle);
  m_queue = new QListWidget(m_queueBox);
  m_queue->setDragDropMode(QAbstractItemView::InternalMove);
  m_queue->setContextMenuPolicy(Qt::CustomContextMenu);
  m_queue->setAccessibleName(tr("Queue"));
  m_queue->setItemDelegate(new QueueDelegate(m_queue));
  m_queue->setMouseTracking(true);
  m_queue->installEventFilter(this);
  column->addWidget(m_queue);
  connect(m_queue->model(), &QAbstractItemModel::rowsMoved, this, [this] {
    if (!m_fillingQueue)
      emit queueOrderChanged(queueOrder());
  });
  connect(m_queue, &QListWidget::customContextMenuRequested, this, &RunsPanel::showQueueMenu);
  m_queueBox->hide();
  return m_queueBox;
}

void RunsPanel::showRightPage() {
  if (m_model->rowCount() == 0)
    m_stack->setCurrentIndex(m_known ? 2 : 0);
  else
    m_stack->setCurrentIndex(m_filtered->rowCount() == 0 ? 1 : 0);
}

void RunsPanel::setRunsKnown(bool known) {
  m_known = known;
  showRightPage();
}

QStringList RunsPanel::selectedIds() const {
  QStringList ids;
  for (const QModelIndex& index : m_list->selectionModel()->selectedIndexes())
    ids << index.data(RunTableModel::IdRole).toString();
  return ids;
}

void RunsPanel::select(const QString& id) {
  m_wanted = id;
  reselect();
}

void RunsPanel::reselect() {
  showRightPage();
  if (m_wanted.isEmpty())
    return;
  const QModelIndex source = m_model->indexOf(m_wanted);
  if (!source.isValid())
    return;
  if (!m_filtered->mapFromSource(source).isValid())
    m_filter->clear();
  const QModelIndex index = m_filtered->mapFromSource(source);
  m_wanted.clear();
  m_list->setCurrentIndex(index);
  m_list->selectionModel()->select(index, QItemSelectionModel::ClearAndSelect);
  m_list->scrollTo(index);
}

bool RunsPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress)
    return QFrame::eventFilter(watched, event);
  auto* key = static_cast<QKeyEvent*>(event);
  if (watched == m_list && !key->text().isEmpty() && key->text().at(0).isLetterOrNumber() && !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier))) {
    if (key->key() >= Qt::Key_1 && key->key() <= Qt::Key_9)
      return false; // digits switch pages
    m_filter->setFocus();
    m_filter->setText(m_filter->text() + key->text());
    return true;
  }
  if (watched == m_filter && (key->key() == Qt::Key_Down || key->key() == Qt::Key_Return)) {
    m_list->setFocus();
    if (!m_list->currentIndex().isValid())
      m_list->setCurrentIndex(m_filtered->index(0, 0));
    return true;
  }
  if (watched == m_filter && key->key() == Qt::Key_Escape && !m_filter->text().isEmpty()) {
    m_filter->clear();
    return true;
  }
  if (watched == m_queue && key->modifiers() & Qt::ControlModifier && (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down)) {
    QStringList order = queueOrder();
    const int from = m_queue->currentRow(), to = from + (key->key() == Qt::Key_Up ? -1 : 1);
    if (from >= 0 && to >= 0 && to < order.size()) {
      order.move(from, to);
      emit queueOrderChanged(order);
      m_queue->setCurrentRow(to);
    }
    return true;
  }
  if (watched == m_queue && key->key() == Qt::Key_Delete && m_queue->currentItem()) {
    emit queueActionChosen(QStringLiteral("remove"), m_queue->currentItem()->data(QueueDelegate::IdRole).toString());
    return true;
  }
  return QFrame::eventFilter(watched, event);
}

void RunsPanel::showMenu(const QPoint& position) {
  const QStringList ids = selectedIds();
  if (ids.isEmpty())
    return;
  const RunRow* row = m_model->find(ids.first());
  if (!row)
    return;
  QMenu menu(this);
  const auto add = [&](const QString& icon, const QString& title, const QString& action) {
    return menu.addAction(themedIcon(icon, IconTint::Muted), title, this, [this, action, ids] { emit actionChosen(action, ids); });
  };
  const bool one = ids.size() == 1, live = row->outcome == RunOutcome::Running;
  if (one) {
    add(QStringLiteral("new-job"), tr("New job like this…"), QStringLiteral("again"));
    const bool resumable = row->outcome == RunOutcome::Stopped || row->outcome == RunOutcome::Failed || row->outcome == RunOutcome::Lost;
    if (resumable)
      add(QStringLiteral("retry"), tr("Go on from its last checkpoint"), QStringLiteral("resume"));
    if (row->outcome == RunOutcome::Waiting)
      add(QStringLiteral("play"), tr("Start now"), QStringLiteral("resume"));
    menu.addSeparator();
    add(QStringLiteral("folder"), tr("Open its folder"), QStringLiteral("open-folder"));
  }
  if (ids.size() > 1)
    add(QStringLiteral("compare"), tr("Compare their samples of the same seed"), QStringLiteral("compare-samples"));
  add(QStringLiteral("copy"), tr("Copy path", nullptr, static_cast<int>(ids.size())), QStringLiteral("copy-path"));
  menu.addSeparator();
  QAction* remove = add(QStringLiteral("trash"), tr("Move %n run(s) to the trash…", nullptr, static_cast<int>(ids.size())), QStringLiteral("remove"));
  remove->setEnabled(!live);
  menu.exec(m_list->viewport()->mapToGlobal(position));
}

QStringList RunsPanel::queueOrder() const {
  QStringList ids;
  for (int i = 0; i < m_queue->count(); ++i)
    ids << m_queue->item(i)->data(QueueDelegate::IdRole).toString();
  return ids;
}

void RunsPanel::setQueue(const QList<QueueRow>& rows) {
  m_fillingQueue = true;
  const int current = m_queue->currentRow();
  m_queue->clear();
  for (qsizetype i = 0; i < rows.size(); ++i) {
    QString text = QStringLiteral("%1  %2").arg(i + 1).arg(rows[i].title);
    if (!rows[i].state.isEmpty())
      text += QStringLiteral(" · ") + rows[i].state;
    auto* item = new QListWidgetItem(text, m_queue);
    item->setData(QueueDelegate::IdRole, rows[i].id);
    item->setData(QueueDelegate::TitleRole, rows[i].title);
    item->setData(QueueDelegate::StateRole, rows[i].state);
    item->setToolTip(text);
  }
  m_queue->setCurrentRow(std::min(current, m_queue->count() - 1));
  m_queue->setFixedHeight(m_queue->sizeHintForRow(0) * std::clamp(static_cast<int>(rows.size()), 1, kQueueRowsShown) + 2);
  m_queueTitle->setText(tr("Queue (%1)").arg(rows.size()));
  m_queueBox->setVisible(!rows.isEmpty());
  m_fillingQueue = false;
}

void RunsPanel::showQueueMenu(const QPoint& position) {
  QListWidgetItem* item = m_queue->itemAt(position);
  if (!item)
    return;
  const QString id = item->data(QueueDelegate::IdRole).toString();
  QMenu menu(this);
  const auto add = [&](const QString& icon, const QString& title, const QString& action) {
    menu.addAction(themedIcon(icon, IconTint::Muted), title, this, [this, action, id] { emit queueActionChosen(action, id); });
  };
  add(QStringLiteral("play"), tr("Start now"), QStringLiteral("start"));
  add(QStringLiteral("arrow-up"), tr("First in the queue"), QStringLiteral("first"));
  menu.addSeparator();
  add(QStringLiteral("trash"), tr("Remove from the queue"), QStringLiteral("remove"));
  menu.exec(m_queue->viewport()->mapToGlobal(position));
}

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
// How the kernels page is put together.
#include "widgets/pages/counters_panel.h"
#include "widgets/pages/fact_line.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/kernel_details.h"
#include "widgets/pages/kernel_table_view.h"
#include "widgets/pages/kernels_page.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/priority_list.h"
#include "widgets/pages/selection_bar.h"
#include "widgets/pages/tab_card.h"
#include "widgets/plots/category_bar.h"
#include "widgets/plots/icicle_view.h"
#include "widgets/plots/scatter_plot.h"
#include "widgets/plots/stacked_bar_plot.h"
#include "widgets/plots/timeline_view.h"
#include <QComboBox>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <functional>

namespace voxlab {
namespace {
constexpr int kHelpWidth = 420, kMostSource = 260;
constexpr int kLeastTable = 146, kLeastBottom = 180, kLeastNarrowBottom = 214; // pixels

QLabel* centred(QLabel* label) {
  label->setAlignment(Qt::AlignCenter);
  return label;
}

QWidget* padded(QWidget* inner, const QMargins& margins) {
  auto* outer = new QWidget;
  auto* column = new QVBoxLayout(outer);
  column->setContentsMargins(margins);
  column->addWidget(inner);
  return outer;
}
} // namespace

QWidget* KernelsPage::buildEmpty() {
  m_empty = new QWidget;
  auto* icon = new QLabel(m_empty);
  icon->setPixmap(themedIcon(QStringLiteral("kernels"), IconTint::Muted).pixmap(48, 48));
  m_emptyTitle = centred(makeWrappedLabel({}, "title", m_empty));
  m_emptyHelp = centred(makeWrappedLabel({}, "help", m_empty));
  m_emptyHelp->setFixedWidth(kHelpWidth);
  m_emptyTitle->setFixedWidth(kHelpWidth);
  QPushButton* open = makeButton(tr("Open a trace…"), "primary", QStringLiteral("open"), m_empty);
  m_record = makeButton(tr("Record a profile"), nullptr, QStringLiteral("profile"), m_empty);
  m_backFromEmpty = makeButton({}, nullptr, QStringLiteral("chevron-left"), m_empty);
  connect(m_backFromEmpty, &QPushButton::clicked, this, &KernelsPage::backToRun);
  connect(open, &QPushButton::clicked, this, &KernelsPage::openRequested);
  connect(m_record, &QPushButton::clicked, this, &KernelsPage::recordRequested);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(kSpace);
  buttons->addStretch(1);
  buttons->addWidget(open);
  buttons->addWidget(m_record);
  buttons->addWidget(m_backFromEmpty);
  buttons->addStretch(1);
  auto* column = new QVBoxLayout(m_empty);
  column->setSpacing(12);
  column->addStretch(2);
  column->addWidget(centred(icon));
  column->addLayout(makeCentredRow(m_emptyTitle));
  column->addLayout(makeCentredRow(m_emptyHelp));
  column->addLayout(buttons);
  column->addStretch(3);
  return m_empty;
}

QWidget* KernelsPage::buildLoading() {
  m_loading = new QWidget;
  m_loadingWhat = centred(makeLabel({}, "heading", m_loading));
  m_progress = new QProgressBar(m_loading);
  m_progress->setRange(0, 100);
  m_progress->setTextVisible(false);
  m_progress->setFixedWidth(kHelpWidth);
  QPushButton* cancel = makeButton(tr("Cancel"), nullptr, {}, m_loading);
  connect(cancel, &QPushButton::clicked, this, [this] {
    m_reader.cancel();
    showProblem(tr("Reading was cancelled."));
  });
  auto* column = new QVBoxLayout(m_loading);
  column->setSpacing(12);
  column->addStretch(2);
  column->addWidget(m_loadingWhat, 0, Qt::AlignHCenter);
  column->addWidget(m_progress, 0, Qt::AlignHCenter);
  column->addWidget(cancel, 0, Qt::AlignHCenter);
  column->addStretch(3);
  return m_loading;
}

// A narrow window has no room beside the table: what stands there goes to the tabs below it, the selection into a row of its own.
void KernelsPage::arrange(Width width) {
  if (width == m_width)
    return;
  static const QStringList besideTheTable{QStringLiteral("priorities"), QStringLiteral("kernel"), QStringLiteral("roofline"), QStringLiteral("counters")};
  const bool isNarrow = width == Width::Narrow;
  const QString inFront = m_bottom->shown();
  if (isNarrow) {
    m_sideShown = m_side->shown();
    m_bottomShown = inFront;
  }
  (isNarrow ? m_bottom : m_side)->takeTabs(isNarrow ? *m_side : *m_bottom, besideTheTable);
  if (!isNarrow) {
    m_side->showTab(besideTheTable.contains(inFront) ? inFront : m_sideShown);
    m_bottom->showTab(besideTheTable.contains(inFront) ? m_bottomShown : inFront);
  }
  m_side->setVisible(!isNarrow);
  m_bottom->setMinimumHeight(isNarrow ? kLeastNarrowBottom : kLeastBottom);
  m_all->setSizes(isNarrow ? QList<int>{400, 600} : QList<int>{570, 430});
  m_back->setText(isNarrow ? QString() : tr("Back to the run"));
  if (isNarrow) {
    m_tools->removeWidget(m_chips);
    m_column->insertWidget(1, m_chips);
  } else {
    m_column->removeWidget(m_chips);
    m_tools->insertWidget(m_tools->indexOf(m_search) + 1, m_chips, 2);
  }
  m_width = width;
}

QWidget* KernelsPage::buildContent() {
  m_content = new QWidget;
  auto* summary = makeCard({}, m_content);
  layoutOf(summary)->setContentsMargins(12, kSpace, 12, kSpace);
  layoutOf(summary)->setSpacing(6);
  m_headline = new FactLine(summary);
  m_bar = new CategoryBar(summary);
  m_bar->setFixedHeight(m_bar->sizeHint().height());
  layoutOf(summary)->addWidget(m_headline);
  layoutOf(summary)->addWidget(m_bar);

  auto* tableCard = new QFrame;
  setRole(tableCard, "card");
  auto* tableColumn = new QVBoxLayout(tableCard);
  tableColumn->setContentsMargins(1, 1, 1, 1);
  m_table = new KernelTableView(m_tableModel, tableCard);
  tableColumn->addWidget(m_table);
  tableCard->setMinimumHeight(kLeastTable);

  m_middle = new QSplitter(Qt::Horizontal);
  m_middle->setChildrenCollapsible(false);
  m_middle->setHandleWidth(kSpace);
  m_middle->addWidget(tableCard);
  m_middle->addWidget(buildSide());
  m_middle->setStretchFactor(0, 1);
  m_all = new QSplitter(Qt::Vertical);
  m_all->setChildrenCollapsible(false);
  m_all->setHandleWidth(kSpace);
  m_all->addWidget(m_middle);
  m_all->addWidget(buildBottom());
  m_all->setStretchFactor(0, 3);
  m_all->setStretchFactor(1, 2);
  for (QSplitter* splitter : {m_middle, m_all})
    splitter->setStyleSheet(QStringLiteral("QSplitter::handle { background: transparent; }"));

  m_column = new QVBoxLayout(m_content);
  m_column->setContentsMargins(kSpaceLarge, 12, kSpaceLarge, 12);
  m_column->setSpacing(kSpace);
  m_column->addWidget(buildToolRow());
  m_column->addWidget(summary);
  m_column->addWidget(m_all, 1);
  for (PlotWidget* plot : std::initializer_list<PlotWidget*>{m_bar, m_timeline, m_icicle, m_steps, m_roofline})
    plot->setNumbersWriter([this](const QString& file, TableSource numbers) { writeNumbers(file, std::move(numbers)); });
  arrange(Width::Wide);
  return m_content;
}

void KernelsPage::fillGroupings(QComboBox* box) {
  const std::pair<KernelGrouping, QString> groupings[] = {{KernelGrouping::Kernel, tr("Kernels")},          {KernelGrouping::Launch, tr("By launch")}, {KernelGrouping::Category, tr("By category")},
                                                          {KernelGrouping::Family, tr("By family")},       {KernelGrouping::Operator, tr("By operator")},     {KernelGrouping::Module, tr("By module")},
                                                          {KernelGrouping::Phase, tr("By phase")}};
  for (const auto& [grouping, title] : groupings)
    box->addItem(title, static_cast<int>(grouping));
  box->setAccessibleName(tr("Group by"));
  box->setToolTip(tr("How the table is grouped"));
  connect(box, &QComboBox::currentIndexChanged, this, [this, box] { setGrouping(static_cast<KernelGrouping>(box->currentData().toInt())); });
}

QWidget* KernelsPage::buildToolRow() {
  auto* row = new QWidget;
  m_tools = new QHBoxLayout(row);
  m_tools->setContentsMargins(0, 0, 0, 0);
  m_tools->setSpacing(kSpace);
  m_back = makeButton(tr("Back to the run"), nullptr, QStringLiteral("chevron-left"), row);
  m_back->setObjectName(QStringLiteral("backToRun"));
  connect(m_back, &QPushButton::clicked, this, &KernelsPage::backToRun);
  m_sourceBox = new QComboBox(row);
  m_sourceBox->setAccessibleName(tr("Profile"));
  m_sourceBox->setToolTip(tr("Which profile is shown"));
  m_sourceBox->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_sourceBox->setMaximumWidth(kMostSource);
  connect(m_sourceBox, &QComboBox::activated, this, [this](int index) { read(m_sources, static_cast<std::size_t>(index)); });
  m_groupBox = new QComboBox(row);
  fillGroupings(m_groupBox);
  m_search = new QLineEdit(row);
  setRole(m_search, "search");
  m_search->setPlaceholderText(tr("Search…"));
  m_search->setToolTip(tr("Words of kernels, operators and modules"));
  m_search->setClearButtonEnabled(true);
  m_search->setAccessibleName(tr("Search"));
  m_search->setMinimumWidth(100);
  m_search->setMaximumWidth(280);
  connect(m_search, &QLineEdit::textChanged, &m_selection, &ProfileSelection::setWords);
  QPushButton* save = makeButton(tr("Export"), nullptr, QStringLiteral("export"), row);
  buildExportMenu(save);
  QPushButton* open = makeButton(tr("Open…"), nullptr, QStringLiteral("open"), row);
  open->setToolTip(tr("Open a trace (Chrome, Kineto) or Nsight Compute's CSV"));
  connect(open, &QPushButton::clicked, this, &KernelsPage::openRequested);
  m_chips = new SelectionBar(&m_selection, row);
  m_tools->addWidget(m_back);
  m_tools->addWidget(m_sourceBox);
  m_tools->addWidget(m_groupBox);
  m_tools->addWidget(m_search, 1);
  m_tools->addStretch();
  m_tools->addWidget(open);
  m_tools->addWidget(save);
  return row;
}

QWidget* KernelsPage::buildSide() {
  m_side = new TabCard;
  m_priorities = new PriorityList(m_priorityModel);
  m_details = new KernelDetails;
  m_roofline = new ScatterPlot;
  m_roofline->setScales(AxisScale::Logarithmic, AxisScale::Logarithmic);
  m_roofline->setAxisTitles(tr("Arithmetic intensity (FLOP/B)"), tr("Achieved (FLOP/s)"));
  m_roofline->setExportName(QStringLiteral("roofline"));
  m_rooflineNote = makeWrappedLabel({}, "caption");
  m_rooflineNote->setToolTip(tr("Each circle is an operator, or a part of its work, with its shapes, as large as its time. Ceilings that were not measured are the vendor's."));
  auto* roof = new QWidget;
  auto* roofColumn = new QVBoxLayout(roof);
  roofColumn->setContentsMargins(4, kSpace, kSpace, kSpace);
  roofColumn->addWidget(m_roofline, 1);
  roofColumn->addWidget(padded(m_rooflineNote, {kSpace, 0, 0, 0}));
  m_counters = new CountersPanel;
  m_noCounters = centred(makeWrappedLabel(tr("No hardware counters were collected for this profile. Nsight Compute's CSV pages, raw and details, lie in the run's profiles folder beside its trace."), "help"));
  auto* counters = new QWidget;
  auto* counterColumn = new QVBoxLayout(counters);
  counterColumn->setContentsMargins(12, kSpace, 12, 12);
  counterColumn->addWidget(m_noCounters, 1);
  counterColumn->addWidget(m_counters, 1);
  m_side->addTab(QStringLiteral("priorities"), tr("Priorities"), m_priorities);
  m_side->addTab(QStringLiteral("kernel"), tr("Kernel"), m_details);
  m_side->addTab(QStringLiteral("roofline"), tr("Roofline"), roof);
  m_side->addTab(QStringLiteral("counters"), tr("Counters"), makeScrollArea(counters));
  return m_side;
}

QWidget* KernelsPage::buildBottom() {
  m_bottom = new TabCard;
  m_timeline = new TimelineView;
  m_icicle = new IcicleView;
  m_icicle->setEmptyText(tr("Nothing is selected."));
  m_steps = new StackedBarPlot;
  m_steps->setAxisTitles(tr("Time (ms)"), {});
  m_steps->setLegendVisible(false);
  m_steps->setExportName(QStringLiteral("steps"));
  m_steps->setEmptyText(tr("No steps were found in this profile."));
  const QMargins margins(12, kSpace, 12, kSpace);
  m_bottom->addTab(QStringLiteral("timeline"), tr("Time line"), padded(m_timeline, margins));
  m_bottom->addTab(QStringLiteral("modules"), tr("Modules"), padded(m_icicle, margins));
  m_bottom->addTab(QStringLiteral("steps"), tr("Steps"), padded(m_steps, margins));
  return m_bottom;
}

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
// How the compare page is put together.
#include "widgets/pages/compare_charts.h"
#include "widgets/pages/compare_counters.h"
#include "widgets/pages/compare_differences.h"
#include "widgets/pages/compare_heat_table.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/compare_planning.h"
#include "widgets/pages/compare_triptych.h"
#include "widgets/pages/flow_layout.h"
#include "widgets/pages/page_parts.h"
#include <QComboBox>
#include <QFrame>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>

namespace voxlab {
namespace {
constexpr int kSaveDelay_ms = 400;    // after the last change
constexpr int kLeastCombo = 10;       // characters
constexpr int kLeastButton = 40, kLeastTabs = 140, kEmptyWords = 480;

void narrow(QComboBox* box) { // long names are shortened rather than the window widened
  box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  box->setMinimumContentsLength(kLeastCombo);
  box->setMaximumWidth(260);
}
} // namespace

ComparePage::ComparePage(QWidget* parent) : QWidget(parent), m_model(new ComparisonModel(this)), m_stack(new QStackedWidget), m_saveTimer(new QTimer(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildBar());
  buildExperiments();
  column->addWidget(m_experiments);
  m_stack->addWidget(buildEmpty());
  m_stack->addWidget(buildContent());
  m_parts->setVisible(false); // until something is read
  m_reportButton->setEnabled(false);
  column->addWidget(m_stack, 1);
  m_saveTimer->setSingleShot(true);
  m_saveTimer->setInterval(kSaveDelay_ms);
  connect(m_saveTimer, &QTimer::timeout, this, [this] {
    if (const Status saved = saveNow(); !saved)
      emit message(QString::fromStdString(saved.error().message));
  });
  connectContent();
}

QWidget* ComparePage::buildBar() {
  auto* bar = new QFrame;
  m_bar = new QHBoxLayout(bar);
  m_runsButton = makeButton(tr("Choose runs…"), nullptr, QStringLiteral("runs"));
  m_savedButton = makeButton(tr("Saved"), nullptr, QStringLiteral("viewer-save"));
  m_savedButton->setToolTip(tr("Names, notes, order, prices and the choice of runs are kept; under several names, if you like"));
  m_savedMenu = new QMenu(m_savedButton);
  m_savedButton->setMenu(m_savedMenu);
  m_parts = new QTabBar;
  m_parts->setDrawBase(false);
  m_parts->setExpanding(false);
  m_parts->setUsesScrollButtons(true); // in narrow windows
  m_parts->setAccessibleName(tr("What is compared"));
  for (const QString& title : {tr("Training step"), tr("Sampling step"), tr("Volumes")})
    m_parts->addTab(title);
  m_busy = new QProgressBar;
  m_busy->setRange(0, 0);
  m_busy->setFixedWidth(60);
  m_busy->setVisible(false);
  m_reportButton = makeButton(tr("Report…"), nullptr, QStringLiteral("export"));
  m_reportButton->setToolTip(tr("Writes everything as a web page, PDF, CSV, JSON, text or Markdown"));
  m_modesButton = makeButton(tr("Compare modes…"), "primary", QStringLiteral("compare"));
  for (QWidget* widget : {static_cast<QWidget*>(m_parts), static_cast<QWidget*>(m_runsButton), static_cast<QWidget*>(m_savedButton), static_cast<QWidget*>(m_busy)})
    m_bar->addWidget(widget);
  m_bar->addStretch(1);
  m_bar->addWidget(m_reportButton);
  m_bar->addWidget(m_modesButton);
  m_runsButton->setAccessibleName(tr("Choose runs"));
  m_savedButton->setAccessibleName(tr("Saved comparisons"));
  m_reportButton->setAccessibleName(tr("Report"));
  m_modesButton->setAccessibleName(tr("Compare modes…"));
  connect(m_runsButton, &QPushButton::clicked, this, &ComparePage::chooseInteractively);
  connect(m_savedMenu, &QMenu::aboutToShow, this, &ComparePage::fillSavedMenu);
  connect(m_reportButton, &QPushButton::clicked, this, &ComparePage::exportInteractively);
  connect(m_modesButton, &QPushButton::clicked, this, &ComparePage::compareModesRequested);
  for (QWidget* button : {m_runsButton, m_savedButton, m_reportButton})
    button->setMinimumWidth(kLeastButton); // so that a window can be made small in which they have words
  m_parts->setMinimumWidth(kLeastTabs);
  connect(m_parts, &QTabBar::currentChanged, this, [this](int index) {
    m_wantedPart = index;
    m_partAsked = false; // what is in front is there
    refresh();
  });
  return bar;
}

// Words where there is room for them; less of them, and less room between, in small windows.
void ComparePage::nameButtons() {
  const int runs = runCount();
  const QString counted = runs == 0 ? tr("Choose runs…") : tr("%n run(s)", nullptr, runs);
  m_runsButton->setToolTip(counted);
  const auto write = [&](bool words) {
    m_runsButton->setText(words ? counted : runs == 0 ? QString() : QString::number(runs));
    m_savedButton->setText(words ? tr("Saved") : QString());
    m_reportButton->setText(words ? tr("Report…") : QString());
    m_modesButton->setText(words ? tr("Compare modes…") : tr("Compare…"));
    m_parts->setTabText(0, words ? tr("Training step") : tr("Training"));
    m_parts->setTabText(1, words ? tr("Sampling step") : tr("Sampling"));
    m_bar->setContentsMargins(words ? 24 : kSpaceLarge, 12, words ? 24 : kSpaceLarge, kSpace);
    m_bar->setSpacing(words ? kSpace : kSpaceSmall);
    m_bar->invalidate();
    return m_bar->totalSizeHint().width();
  };
  if (write(true) > width())
    write(false);
}

void ComparePage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  nameButtons();
}

void ComparePage::buildExperiments() {
  m_experiments = new QFrame;
  auto* row = new QHBoxLayout(m_experiments);
  row->setContentsMargins(24, 0, 24, kSpace);
  row->setSpacing(kSpace);
  m_experimentBar = new QProgressBar;
  m_experimentBar->setFixedWidth(160);
  m_experimentBar->setTextVisible(false);
  m_experimentWords = new ElidedLabel("help");
  QPushButton* stop = makeButton(tr("Stop it"), "link");
  stop->setToolTip(tr("Takes the jobs that wait out of the queue; what has been measured stays"));
  row->addWidget(m_experimentBar);
  row->addWidget(m_experimentWords, 1);
  row->addWidget(stop);
  m_experiments->setVisible(false);
  connect(stop, &QPushButton::clicked, this, &ComparePage::experimentStopRequested);
}

QWidget* ComparePage::buildEmpty() {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(24, 24, 24, 24);
  column->addStretch(2);
  QLabel* title = makeLabel(tr("Nothing to compare yet"), "title");
  title->setAlignment(Qt::AlignCenter);
  m_emptyWords = makeWrappedLabel(tr("Compare modes runs every mode in turn on this machine and shows what each buys, in speed and in image quality. "
                                     "Runs recorded elsewhere, imported traces and the shipped examples can be compared as well; none of them needs a GPU."), "help");
  m_emptyWords->setAlignment(Qt::AlignCenter);
  m_emptyWords->setFixedWidth(kEmptyWords);
  QPushButton* modes = makeButton(tr("Compare modes…"), "primary", QStringLiteral("compare"));
  QPushButton* examples = makeButton(tr("Open the H200 examples"), nullptr, QStringLiteral("open"));
  auto* buttons = new QHBoxLayout;
  buttons->addStretch();
  buttons->addWidget(modes);
  buttons->addWidget(examples);
  buttons->addStretch();
  column->addWidget(title);
  column->addLayout(makeCentredRow(m_emptyWords));
  column->addSpacing(kSpaceLarge);
  column->addLayout(buttons);
  column->addStretch(3);
  connect(modes, &QPushButton::clicked, this, &ComparePage::compareModesRequested);
  connect(examples, &QPushButton::clicked, this, &ComparePage::examplesRequested);
  return page;
}

QFrame* ComparePage::buildHeatCard() {
  m_workloadBox = new QComboBox;
  m_workloadBox->setAccessibleName(tr("Size"));
  m_workloadBox->setToolTip(tr("What a step worked on: times of different sizes say nothing of modes"));
  m_deviceBox = new QComboBox;
  m_deviceBox->setAccessibleName(tr("Device"));
  m_repeatsBox = new QComboBox;
  m_repeatsBox->addItems({tr("Each mode once"), tr("All runs")});
  m_repeatsBox->setAccessibleName(tr("Modes that several runs measured"));
  m_repeatsBox->setToolTip(tr("Several runs measured the same modes: once each, from the run with most of them, or side by side"));
  m_repeatsBox->hide();
  m_baselineBox = new QComboBox;
  m_baselineBox->setAccessibleName(tr("Baseline"));
  m_baselineBox->setToolTip(tr("What everything is divided by"));
  m_show = new QComboBox;
  m_show->addItems({tr("Normalised"), tr("Absolute")});
  m_show->setAccessibleName(tr("Values of the table"));
  m_filter = new QLineEdit;
  m_filter->setPlaceholderText(tr("Filter modes…"));
  m_filter->setClearButtonEnabled(true);
  m_filter->setFixedWidth(150);
  setRole(m_filter, "search");
  QFrame* heat = makeCard();
  m_table = new CompareHeatTable(m_model);
  auto* controls = new QWidget;
  auto* flow = new FlowLayout(kSpace, 0, controls);
  QLabel* title = makeLabel(tr("Modes and measures"), "heading");
  title->setMinimumHeight(30);
  flow->addWidget(title);
  for (QWidget* control : {static_cast<QWidget*>(m_filter), static_cast<QWidget*>(m_workloadBox), static_cast<QWidget*>(m_deviceBox), static_cast<QWidget*>(m_repeatsBox), static_cast<QWidget*>(m_baselineBox), static_cast<QWidget*>(m_show)})
    flow->addWidget(control);
  for (QComboBox* box : {m_workloadBox, m_deviceBox, m_baselineBox})
    narrow(box);
  layoutOf(heat)->addWidget(controls);
  layoutOf(heat)->addWidget(m_table);
  layoutOf(heat)->addWidget(makeWrappedLabel(tr("Teal is better than the baseline, amber worse. Double click renames; a right click pins, moves, notes, hides and saves."), "help"));
  return heat;
}

QWidget* ComparePage::buildContent() {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(24, kSpace, 24, 24);
  column->setSpacing(kSpaceLarge);
  QFrame* summary = makeCard();
  m_headline = makeWrappedLabel({}, "heading");
  m_sentences = makeWrappedLabel({});
  m_notes = makeWrappedLabel({}, "help");
  m_lack = makeWrappedLabel({}, "warning");
  m_lack->hide();
  for (QLabel* words : {m_lack, m_headline, m_sentences, m_notes})
    layoutOf(summary)->addWidget(words);
  QFrame* heat = buildHeatCard();
  m_charts = new CompareCharts(m_model);
  m_differences = new CompareDifferences(m_model);
  m_counters = new CompareCounters(m_model);
  m_planning = new ComparePlanning;
  m_triptych = new CompareTriptych;
  for (QWidget* part : {static_cast<QWidget*>(summary), static_cast<QWidget*>(heat), static_cast<QWidget*>(m_charts), static_cast<QWidget*>(m_triptych), static_cast<QWidget*>(m_differences),
                        static_cast<QWidget*>(m_planning), static_cast<QWidget*>(m_counters)})
    column->addWidget(part);
  column->addStretch();
  m_scroll = makeScrollArea(content, this);
  content->installEventFilter(this);
  m_scroll->viewport()->installEventFilter(this);
  return m_scroll;
}

void ComparePage::connectContent() {
  connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& words) {
    m_table->setWords(words);
    m_table->fitHeight();
  });
  connect(m_show, &QComboBox::currentIndexChanged, this, [this](int index) { m_model->setShow(index == 0 ? ComparisonModel::Show::Normalised : ComparisonModel::Show::Absolute); });
  const auto choose = [this](QComboBox* box, QString SavedComparison::*field) {
    connect(box, &QComboBox::activated, this, [this, box, field] {
      m_saved.*field = box->currentData().toString();
      refresh();
      saveSoon();
    });
  };
  connect(m_repeatsBox, &QComboBox::activated, this, &ComparePage::refresh);
  choose(m_workloadBox, &SavedComparison::workload);
  choose(m_deviceBox, &SavedComparison::device);
  choose(m_baselineBox, &SavedComparison::baseline);
  connect(m_table, &CompareHeatTable::columnChosen, m_charts, &CompareCharts::chooseMeasure);
  connect(m_table, &CompareHeatTable::rowChosen, this, [this](int row) {
    if (row >= 0)
      m_differences->choose(QString::fromStdString(m_model->side(row).name));
  });
  connect(m_table, &CompareHeatTable::baselineRequested, this, [this](const QString& name) {
    m_saved.baseline = name;
    refresh();
    saveSoon();
  });
  connect(m_table, &CompareHeatTable::moveRequested, this, &ComparePage::moveSide);
  connect(m_table, &CompareHeatTable::hiddenChanged, this, [this] {
    m_saved.hiddenMeasures = m_table->hiddenMeasures();
    saveSoon();
  });
  connect(m_model, &ComparisonModel::dressed, this, [this] {
    const std::vector<std::string> order = m_saved.dress.order;
    m_saved.dress = m_model->dress();
    m_saved.dress.order = order;
    showNames();
    saveSoon();
  });
  connect(m_model, &ComparisonModel::dataChanged, m_charts, &CompareCharts::refresh);
  connect(m_model, &ComparisonModel::dataChanged, m_counters, &CompareCounters::refresh);
  connect(m_planning, &ComparePlanning::planChanged, this, [this] {
    m_saved.prices = m_planning->plan().prices;
    m_saved.samplingSteps = m_planning->plan().samplingSteps;
    m_saved.trainingSteps = m_planning->plan().trainingSteps;
    m_saved.currency = m_planning->currency();
    saveSoon();
  });
  connect(m_charts, &CompareCharts::volumeRequested, this, &ComparePage::volumeRequested);
  connect(m_charts, &CompareCharts::differenceRequested, this, &ComparePage::differenceRequested);
  connect(m_triptych, &CompareTriptych::differenceRequested, this, &ComparePage::differenceRequested);
  connect(m_charts, &CompareCharts::message, this, &ComparePage::message);
  connect(m_table, &CompareHeatTable::message, this, &ComparePage::message);
  connect(m_planning, &ComparePlanning::message, this, &ComparePage::message);
}

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare_page.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "widgets/models/comparison_model.h"
#include "widgets/pages/compare_charts.h"
#include "widgets/pages/compare_differences.h"
#include "widgets/pages/compare_heat_table.h"
#include "widgets/pages/page_parts.h"
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFrame>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>
#include <QtConcurrent>
#include <algorithm>

namespace voxlab {
namespace {
QString text(const std::string& value) { return QString::fromStdString(value); }

const ComparedMeasure* timeOf(const ComparedRun& side) {
  for (const char* name : {"duration_ms", "wall_ms", "full_volume_ms", "volume_ms"})
    if (const ComparedMeasure* m = side.measure(name))
      return m;
  return nullptr;
}
} // namespace

ComparePage::ComparePage(QWidget* parent) : QWidget(parent), m_model(new ComparisonModel(this)), m_stack(new QStackedWidget) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildBar());
  m_stack->addWidget(buildEmpty());
  m_stack->addWidget(buildContent());
  column->addWidget(m_stack, 1);
}

ComparePage::~ComparePage() { m_stop.request_stop(); }

QWidget* ComparePage::buildBar() {
  auto* bar = new QFrame;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(24, 12, 24, kSpace);
  row->setSpacing(kSpace);
  m_runsButton = makeButton(tr("Choose runs…"), nullptr, QStringLiteral("runs"));
  m_parts = new QTabBar;
  m_parts->setDrawBase(false);
  m_parts->setExpanding(false);
  m_parts->setUsesScrollButtons(true); // in narrow windows
  m_parts->setAccessibleName(tr("What is compared"));
  for (const QString& title : {tr("Training step"), tr("Sampling step"), tr("Volumes")})
    m_parts->addTab(title);
  m_baselineBox = new QComboBox;
  m_baselineBox->setAccessibleName(tr("Baseline"));
  m_baselineBox->setToolTip(tr("What everything is divided by"));
  m_baselineBox->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_show = new QComboBox;
  m_show->addItems({tr("Normalised"), tr("Absolute")});
  m_show->setAccessibleName(tr("Values of the table"));
  m_filter = new QLineEdit;
  m_filter->setPlaceholderText(tr("Filter modes…"));
  m_filter->setClearButtonEnabled(true);
  m_filter->setMaximumWidth(170);
  setRole(m_filter, "search");
  m_busy = new QProgressBar;
  m_busy->setRange(0, 0);
  m_busy->setFixedWidth(60);
  m_busy->setVisible(false);
  QPushButton* report = makeButton(tr("Report…"), nullptr, QStringLiteral("export"));
  report->setToolTip(tr("Writes everything as a web page, CSV, JSON, text or Markdown"));
  QPushButton* modes = makeButton(tr("Compare modes…"), "primary", QStringLiteral("compare"));
  for (QWidget* widget : {static_cast<QWidget*>(m_parts), static_cast<QWidget*>(m_runsButton), static_cast<QWidget*>(m_busy)})
    row->addWidget(widget);
  row->addStretch(1);
  row->addWidget(report);
  row->addWidget(modes);
  connect(m_runsButton, &QPushButton::clicked, this, &ComparePage::chooseInteractively);
  connect(report, &QPushButton::clicked, this, &ComparePage::exportInteractively);
  connect(modes, &QPushButton::clicked, this, &ComparePage::compareModesRequested);
  connect(m_parts, &QTabBar::currentChanged, this, &ComparePage::showPart);
  connect(m_baselineBox, &QComboBox::activated, this, [this] {
    m_baseline = m_baselineBox->currentData().toString().toStdString();
    showPart();
  });
  connect(m_show, &QComboBox::currentIndexChanged, this, [this](int index) { m_model->setShow(index == 0 ? ComparisonModel::Show::Normalised : ComparisonModel::Show::Absolute); });
  return bar;
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
  m_emptyWords->setMaximumWidth(560);
  QPushButton* modes = makeButton(tr("Compare modes…"), "primary", QStringLiteral("compare"));
  QPushButton* examples = makeButton(tr("Open the H200 examples"), nullptr, QStringLiteral("open"));
  auto* buttons = new QHBoxLayout;
  buttons->addStretch();
  buttons->addWidget(modes);
  buttons->addWidget(examples);
  buttons->addStretch();
  column->addWidget(title);
  column->addWidget(m_emptyWords, 0, Qt::AlignHCenter);
  column->addSpacing(kSpaceLarge);
  column->addLayout(buttons);
  column->addStretch(3);
  connect(modes, &QPushButton::clicked, this, &ComparePage::compareModesRequested);
  connect(examples, &QPushButton::clicked, this, &ComparePage::examplesRequested);
  return page;
}

QWidget* ComparePage::buildContent() {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(24, kSpace, 24, 24);
  column->setSpacing(kSpaceLarge);
  QFrame* summary = makeCard();
  m_sentences = makeWrappedLabel({});
  m_notes = makeWrappedLabel({}, "help");
  layoutOf(summary)->addWidget(m_sentences);
  layoutOf(summary)->addWidget(m_notes);
  QFrame* heat = makeCard();
  m_table = new CompareHeatTable(m_model);
  auto* controls = new QHBoxLayout;
  controls->addWidget(makeLabel(tr("Modes and measures"), "heading"));
  controls->addStretch();
  for (QWidget* control : {static_cast<QWidget*>(m_filter), static_cast<QWidget*>(m_baselineBox), static_cast<QWidget*>(m_show)})
    controls->addWidget(control);
  layoutOf(heat)->addLayout(controls);
  layoutOf(heat)->addWidget(m_table);
  layoutOf(heat)->addWidget(makeLabel(tr("Teal is better than the baseline, amber worse. Double click renames, a right click pins, hides or changes the baseline."), "help"));
  m_charts = new CompareCharts(m_model);
  m_differences = new CompareDifferences;
  for (QWidget* part : {static_cast<QWidget*>(summary), static_cast<QWidget*>(heat), static_cast<QWidget*>(m_charts), static_cast<QWidget*>(m_differences)})
    column->addWidget(part);
  column->addStretch();
  connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& words) {
    m_table->setWords(words);
    m_table->fitHeight();
  });
  connect(m_table, &CompareHeatTable::columnChosen, m_charts, &CompareCharts::chooseMeasure);
  connect(m_table, &CompareHeatTable::rowChosen, this, [this](int row) {
    if (row >= 0)
      m_differences->choose(text(m_model->side(row).name));
  });
  connect(m_table, &CompareHeatTable::baselineRequested, this, [this](const QString& name) {
    m_baseline = name.toStdString();
    showPart();
  });
  connect(m_model, &ComparisonModel::dataChanged, m_charts, &CompareCharts::refresh);
  connect(m_charts, &CompareCharts::volumeRequested, this, &ComparePage::volumeRequested);
  return makeScrollArea(content, this);
}

void ComparePage::setCandidates(const QList<CompareCandidate>& candidates) {
  if (candidates == m_candidates && !m_candidates.isEmpty())
    return;
  m_candidates = candidates;
  if (!m_userHasChosen) {
    m_chosen.clear();
    for (const CompareCandidate& candidate : candidates)
      m_chosen << candidate.id;
  }
  reload();
}

void ComparePage::chooseRuns(const QStringList& ids) {
  m_userHasChosen = true;
  if (ids == m_chosen)
    return;
  m_chosen = ids;
  reload();
}

void ComparePage::chooseInteractively() {
  QDialog dialog(this);
  dialog.setWindowTitle(tr("Runs to compare"));
  dialog.resize(560, 460);
  auto* list = new QListWidget;
  for (const CompareCandidate& candidate : m_candidates) {
    auto* item = new QListWidgetItem(QStringLiteral("%1 · %2").arg(candidate.kind, candidate.title), list);
    item->setData(Qt::UserRole, candidate.id);
    item->setToolTip(candidate.path);
    item->setCheckState(m_chosen.contains(candidate.id) ? Qt::Checked : Qt::Unchecked);
  }
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  auto* column = new QVBoxLayout(&dialog);
  column->addWidget(makeWrappedLabel(tr("Benchmarks, profiles, samples and quality results of one mode are brought together, whichever machine they come from."), "help"));
  column->addWidget(list, 1);
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  if (dialog.exec() != QDialog::Accepted)
    return;
  QStringList ids;
  for (int row = 0; row < list->count(); ++row)
    if (list->item(row)->checkState() == Qt::Checked)
      ids << list->item(row)->data(Qt::UserRole).toString();
  chooseRuns(ids);
}

// Traces can be large: nothing is read before somebody looks.
void ComparePage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_stale)
    reload();
}

void ComparePage::reload() {
  m_runsButton->setEnabled(!m_candidates.isEmpty());
  m_stale = !isVisible();
  if (m_stale)
    return;
  m_stop.request_stop();
  m_stop = std::stop_source();
  std::vector<std::filesystem::path> runs;
  for (const CompareCandidate& candidate : m_candidates)
    if (m_chosen.contains(candidate.id))
      runs.emplace_back(candidate.path.toStdString());
  m_runsButton->setText(runs.empty() ? tr("Choose runs…") : tr("%n run(s)", nullptr, static_cast<int>(runs.size())));
  m_loading = true;
  m_busy->setVisible(!runs.empty());
  const int generation = ++m_generation;
  QtConcurrent::run([runs, token = m_stop.get_token()] { return gatherComparison(runs, token); }).then(this, [this, generation](const ComparisonSet& set) {
    take(generation, set);
  });
}

void ComparePage::take(int generation, const ComparisonSet& set) {
  if (generation != m_generation)
    return; // a newer choice is on its way
  m_loading = false;
  m_busy->setVisible(false);
  m_set = set;
  m_volumes = volumeSides(m_set.points);
  const Part parts[] = {Part::Training, Part::Sampling, Part::Volumes};
  for (int index = 0; index < 3; ++index)
    m_parts->setTabEnabled(index, !sidesOf(parts[index]).empty());
  if (sidesOf(part()).empty())
    for (int index = 2; index >= 0; --index)
      if (!sidesOf(parts[index]).empty())
        m_parts->setCurrentIndex(index);
  m_stack->setCurrentIndex(m_set.empty() ? 0 : 1);
  m_charts->setSet(&m_set);
  showPart();
}

ComparePage::Part ComparePage::part() const {
  return m_parts->currentIndex() == 1 ? Part::Sampling : m_parts->currentIndex() == 2 ? Part::Volumes : Part::Training;
}

const std::vector<ComparedRun>& ComparePage::sidesOf(Part part) const {
  return part == Part::Training ? m_set.training : part == Part::Sampling ? m_set.sampling : m_volumes;
}

void ComparePage::showPart() {
  std::vector<ComparedRun> sides = sidesOf(part());
  auto baseline = baselineAmong(sides, m_set, m_baseline);
  if (!baseline)
    baseline = baselineAmong(sides, m_set, "");
  std::stable_partition(sides.begin(), sides.end(), [&](const ComparedRun& side) { return baseline && side.name == *baseline; }); // on top
  const auto comparison = baseline ? compareRuns(sides, *baseline) : Result<RunComparison>(RunComparison());
  m_model->setComparison(comparison ? *comparison : RunComparison());
  {
    const QSignalBlocker blocker(m_baselineBox);
    m_baselineBox->clear();
    for (const ComparedRun& side : sides)
      m_baselineBox->addItem(tr("÷ %1").arg(text(side.name)), text(side.name));
    m_baselineBox->setCurrentIndex(baseline ? m_baselineBox->findData(text(*baseline)) : -1);
  }
  m_charts->refresh();
  m_differences->setComparison(m_model->comparison());
  showSentences();
}

void ComparePage::showSentences() {
  const RunComparison& comparison = m_model->comparison();
  QStringList words;
  for (std::size_t n = 0; n < comparison.runs.size(); ++n) {
    const ComparedRun &side = comparison.runs[n], &base = comparison.runs[comparison.baseline];
    if (n == comparison.baseline || !sameWorkload(side, base))
      continue;
    const auto why = std::find_if(comparison.differences.begin(), comparison.differences.end(), [&](const RunDifference& d) { return d.other == side.name; });
    const ComparedMeasure *own = timeOf(base), *other = timeOf(side);
    if (why != comparison.differences.end())
      words << text(why->sentence);
    else if (own && other && own->name == other->name)
      words << text(speedWords(base.name, own->spread.median, side.name, other->spread.median, part() == Part::Volumes ? "ms a volume" : "ms a step")) + QLatin1Char('.');
  }
  m_sentences->setText(words.isEmpty() ? tr("One mode alone has nothing to be held against. Choose further runs, or compare modes.") : words.join(QLatin1Char('\n')));
  QStringList notes;
  for (const std::string& note : m_set.notes)
    notes << text(note);
  m_notes->setText(notes.join(QLatin1Char('\n')));
  m_notes->setVisible(!notes.isEmpty());
}

Status ComparePage::exportTo(const QString& file) const {
  const QString suffix = QFileInfo(file).suffix().toLower();
  const ReportFormat format = suffix == QLatin1String("txt")  ? ReportFormat::PlainText
                              : suffix == QLatin1String("md") ? ReportFormat::MarkdownText
                                                              : reportFormatFrom(suffix.toStdString());
  if (format == ReportFormat::Unknown)
    return fail(ExitCode::Usage, "A report is written as .html, .csv, .json, .txt or .md, not as ." + suffix.toStdString() + ".");
  ExperimentReportOptions options;
  options.baseline = m_model->comparison().runs.empty() ? "" : m_model->comparison().runs[m_model->comparison().baseline].name;
  const auto report = experimentReport(m_set, options);
  if (!report)
    return fail(report.error());
  return writeFileAtomically(file.toStdString(), writeReport(*report, format));
}

void ComparePage::exportInteractively() {
  const QString file = QFileDialog::getSaveFileName(this, tr("Write a report"), QStringLiteral("comparison.html"), tr("Web page (*.html);;Tables (*.csv);;JSON (*.json);;Text (*.txt);;Markdown (*.md)"));
  if (file.isEmpty())
    return;
  const Status written = exportTo(file);
  emit message(written ? tr("The report is in %1.").arg(file) : text(written.error().message));
}

} // namespace voxlab

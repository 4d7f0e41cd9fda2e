// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare_page.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"
#include "widgets/base/when_done.h"
#include "widgets/models/comparison_arrangement.h"
#include "widgets/models/comparison_model.h"
#include "widgets/pages/compare_charts.h"
#include "widgets/pages/compare_counters.h"
#include "widgets/pages/compare_differences.h"
#include "widgets/pages/compare_heat_table.h"
#include "widgets/pages/compare_planning.h"
#include "widgets/pages/compare_triptych.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/report_pdf.h"
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
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
const QString kAll = QStringLiteral("*");
const QString kOwnBaseline = QStringLiteral("@device"); // every device's own
constexpr qsizetype kMostReasons = 6;
constexpr int kMostSpeeds = 16, kFastestOfMany = 6; // told in a sentence; of more, only the fastest

bool isOf(const ComparedRun& side, const std::string& workload, const QString& device) {
  const bool size = workload.empty() || side.workload.empty() || side.workload == workload;
  return size && (device.isEmpty() || device == kAll || text(side.device) == device);
}

// What a side as recorded is called in a dressed set.
std::string nameIn(const ComparisonSet& set, const ComparedRun& side) {
  for (const auto* sides : {&set.training, &set.sampling})
    for (const ComparedRun& other : *sides)
      if (other.what == side.what && sideKey(other) == sideKey(side))
        return other.name;
  for (const VolumePoint& point : set.points)
    if (side.what == "volume" && point.recordedName() == side.name)
      return point.name();
  return side.name;
}
} // namespace

ComparePage::~ComparePage() {
  m_stop.request_stop();
  if (m_shelf)
    (void)saveNow();
}

bool ComparePage::isReady() const { return !m_loading && !m_triptych->isLoading(); }

int ComparePage::runCount() const {
  return static_cast<int>(std::count_if(m_candidates.begin(), m_candidates.end(), [this](const CompareCandidate& candidate) { return m_chosen.contains(candidate.id); }));
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
  m_saved.runs = ids.size() == m_candidates.size() ? QStringList() : ids; // all: also those to come
  m_userHasChosen = !m_saved.runs.isEmpty();
  m_chosen = ids;
  saveSoon();
  reload();
}

// Traces can be large: nothing is read before somebody looks.
void ComparePage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_stale)
    reload();
}

void ComparePage::reload() {
  m_runsButton->setEnabled(!m_candidates.isEmpty());
  emit choiceChanged();
  m_stale = !isVisible();
  if (m_stale)
    return;
  m_stop.request_stop();
  m_stop = std::stop_source();
  std::vector<std::filesystem::path> runs;
  for (const CompareCandidate& candidate : m_candidates)
    if (m_chosen.contains(candidate.id))
      runs.emplace_back(candidate.path.toStdString());
  nameButtons();
  m_loading = true;
  m_busy->setVisible(!runs.empty());
  const int generation = ++m_generation;
  const auto read = [this, generation](const std::vector<std::filesystem::path>& folders, Reading reading) {
    whenDone(QtConcurrent::run([folders, token = m_stop.get_token()] { return gatherComparison(folders, token); }), this, [this, generation, reading](const ComparisonSet& set) {
      take(generation, set, reading);
    });
  };
  std::vector<std::filesystem::path> benchmarks; // read in a moment: they are shown while traces are on their way
  for (const CompareCandidate& candidate : m_candidates)
    if (m_chosen.contains(candidate.id) && candidate.kind == QLatin1String("bench"))
      benchmarks.emplace_back(candidate.path.toStdString());
  if (m_set.empty() && !benchmarks.empty() && benchmarks.size() < runs.size())
    read(benchmarks, Reading::Beginning);
  read(runs, Reading::Everything);
}

void ComparePage::take(int generation, const ComparisonSet& set, Reading reading) {
  if (generation != m_generation || !m_loading)
    return; // a newer choice is on its way, or all of it has come first
  m_loading = reading != Reading::Everything;
  m_busy->setVisible(m_loading);
  m_set = set;
  m_volumes = volumeSides(m_set.points);
  const int wanted = m_wantedPart; // what is shown until there is something of it is nobody's choice
  const bool asked = m_partAsked;
  const Part parts[] = {Part::Training, Part::Sampling, Part::Volumes};
  for (int index = 0; index < 3; ++index) {
    m_parts->setTabEnabled(index, !sidesOf(parts[index]).empty());
    m_parts->setTabToolTip(index, m_parts->isTabEnabled(index) ? QString() : lackOf(parts[index]));
  }
  if (m_parts->isTabEnabled(wanted))
    m_parts->setCurrentIndex(wanted);
  if (sidesOf(part()).empty())
    for (int index = 2; index >= 0; --index)
      if (!sidesOf(parts[index]).empty())
        m_parts->setCurrentIndex(index);
  m_wantedPart = wanted;
  m_partAsked = asked;
  m_stack->setCurrentIndex(m_set.empty() ? 0 : 1);
  m_parts->setVisible(!m_set.empty());
  m_reportButton->setEnabled(!m_set.empty());
  nameButtons();
  m_charts->setSet(&m_set);
  refresh();
}

ComparePage::Part ComparePage::part() const {
  return m_parts->currentIndex() == 1 ? Part::Sampling : m_parts->currentIndex() == 2 ? Part::Volumes : Part::Training;
}

const std::vector<ComparedRun>& ComparePage::sidesOf(Part part) const {
  return part == Part::Training ? m_set.training : part == Part::Sampling ? m_set.sampling : m_volumes;
}

// As chosen; else the size that most sides worked on, which is nearly always the full one. nullopt: all sizes.
std::optional<std::string> ComparePage::workloadOf(Part part) const {
  const std::vector<ComparedRun>& sides = sidesOf(part);
  const std::vector<std::string> workloads = workloadsOf(sides);
  if (m_saved.workload == kAll || workloads.empty())
    return std::nullopt;
  const std::string chosen = m_saved.workload.toStdString();
  if (std::find(workloads.begin(), workloads.end(), chosen) != workloads.end())
    return chosen;
  const auto count = [&](const std::string& workload) { return std::count_if(sides.begin(), sides.end(), [&](const ComparedRun& s) { return s.workload == workload; }); };
  return *std::max_element(workloads.begin(), workloads.end(), [&](const std::string& a, const std::string& b) { return count(a) < count(b); });
}

std::vector<ComparedRun> ComparePage::shownOf(Part part) const {
  const std::string workload = workloadOf(part).value_or("");
  const std::vector<std::string> devices = devicesOf(sidesOf(part));
  const bool known = std::find(devices.begin(), devices.end(), m_saved.device.toStdString()) != devices.end();
  std::vector<ComparedRun> sides;
  for (const ComparedRun& side : sidesOf(part))
    if (isOf(side, workload, known ? m_saved.device : kAll))
      sides.push_back(side);
  if (part == Part::Volumes)
    return sides;
  if (m_repeatsBox->currentIndex() == 0)
    sides = eachModeOnce(sides, baselineModeOf(sides));
  nameSides(sides);
  return sides;
}

std::string ComparePage::baselineModeOf(const std::vector<ComparedRun>& sides) const {
  auto name = m_saved.baseline == kOwnBaseline ? std::nullopt : baselineAmong(sides, m_set, m_saved.baseline.toStdString());
  if (!name)
    name = baselineAmong(sides, m_set, "");
  const auto side = std::find_if(sides.begin(), sides.end(), [&](const ComparedRun& s) { return name && s.name == *name; });
  return side == sides.end() ? "" : side->mode;
}

QHash<QString, QString> ComparePage::namesOf(const std::vector<ComparedRun>& sides) const {
  QHash<QString, QString> names;
  for (std::size_t n = 0; n < sides.size(); ++n)
    if (const std::string name = givenTo(m_saved.dress.names, sides, n); !name.empty())
      names[text(sides[n].name)] = text(name);
  return names;
}

void ComparePage::refresh() {
  std::vector<ComparedRun> sides = shownOf(part());
  const bool own = m_saved.baseline == kOwnBaseline && devicesOf(sides).size() > 1;
  auto baseline = own ? std::nullopt : baselineAmong(sides, m_set, m_saved.baseline.toStdString());
  if (!baseline)
    baseline = baselineAmong(sides, m_set, "");
  std::stable_partition(sides.begin(), sides.end(), [&](const ComparedRun& side) { return baseline && side.name == *baseline; }); // on top
  orderSides(sides, m_saved.dress.order);
  auto comparison = baseline ? compareRuns(sides, *baseline, own ? DeviceScope::Within : DeviceScope::Across) : Result<RunComparison>(RunComparison());
  if (!comparison)
    comparison = RunComparison();
  orderMeasures(*comparison);
  m_model->setComparison(*comparison);
  fillBoxes(sidesOf(part()), comparison->runs);
  m_charts->refresh();
  m_counters->refresh();
  const std::vector<ComparedRun> sampling = shownOf(Part::Sampling), training = shownOf(Part::Training);
  m_planning->setVisible(!sampling.empty() || !training.empty());
  m_triptych->setVisible(!m_set.points.empty());
  m_charts->setFrontShown(!m_set.points.empty());
  const bool steps = part() != Part::Volumes;
  m_charts->setCategoriesShown(steps);
  m_counters->setVisible(steps);
  showNames();
}

// Whatever writes a side's name; bars, categories and counters follow the model by themselves.
void ComparePage::showNames() {
  m_differences->refresh();
  const std::vector<ComparedRun> sampling = shownOf(Part::Sampling), training = shownOf(Part::Training);
  QHash<QString, QString> names = namesOf(sampling);
  names.insert(namesOf(training));
  m_planning->setSides(sampling, training, names);
  const auto volumeBaseline = baselineAmong(m_volumes, m_set, "");
  const auto base = std::find_if(m_volumes.begin(), m_volumes.end(), [&](const ComparedRun& side) { return volumeBaseline && side.name == *volumeBaseline; });
  const QHash<QString, QString> volumeNames = namesOf(m_volumes);
  m_triptych->setPoints(m_set.points, base == m_volumes.end() ? "baseline" : base->mode, volumeNames);
  m_charts->setVolumeNames(volumeNames);
  for (int n = 0; n < m_model->rowCount(); ++n)
    m_baselineBox->setItemText(n, tr("÷ %1").arg(m_model->nameOf(n)));
  showHeadline();
  showSentences();
  showLack();
}

void ComparePage::fillBoxes(const std::vector<ComparedRun>& all, const std::vector<ComparedRun>& shown) {
  const QSignalBlocker blockers[] = {QSignalBlocker(m_workloadBox), QSignalBlocker(m_deviceBox), QSignalBlocker(m_baselineBox)};
  const auto fill = [&](QComboBox* box, const std::vector<std::string>& values, const QString& everything, const QString& current) {
    box->clear();
    for (const std::string& value : values)
      box->addItem(text(value), text(value));
    box->addItem(everything, kAll);
    box->setCurrentIndex(std::max(0, box->findData(current)));
    box->setVisible(values.size() > 1);
  };
  const auto workload = workloadOf(part());
  fill(m_workloadBox, workloadsOf(all), tr("All sizes"), workload ? text(*workload) : kAll);
  const std::vector<std::string> devices = devicesOf(all);
  const bool known = std::find(devices.begin(), devices.end(), m_saved.device.toStdString()) != devices.end();
  fill(m_deviceBox, devices, tr("All devices"), known ? m_saved.device : kAll);
  m_repeatsBox->setVisible(part() != Part::Volumes && eachModeOnce(all, baselineModeOf(all)).size() < all.size());
  m_baselineBox->clear();
  for (const ComparedRun& side : shown)
    m_baselineBox->addItem(tr("÷ %1").arg(text(side.name)), text(side.name));
  if (devicesOf(shown).size() > 1)
    m_baselineBox->addItem(tr("÷ each device's own"), kOwnBaseline);
  const RunComparison& comparison = m_model->comparison();
  const bool own = m_saved.baseline == kOwnBaseline && devicesOf(shown).size() > 1;
  m_baselineBox->setCurrentIndex(own ? m_baselineBox->count() - 1 : comparison.runs.empty() ? -1 : m_baselineBox->findData(text(comparison.runs[comparison.baseline].name)));
}

void ComparePage::showHeadline() {
  const RunComparison& comparison = m_model->comparison();
  const NormalisedMeasure* time = wallClock(comparison);
  const auto best = time ? fastestSide(comparison) : std::nullopt;
  if (comparison.runs.size() < 2 || !time) {
    m_headline->setText(comparison.runs.size() < 2 ? tr("One mode alone has nothing to be held against") : tr("Nothing here says how long a step takes"));
  } else if (!best) {
    m_headline->setText(tr("Nothing is faster than %1").arg(m_model->nameOf(static_cast<int>(comparison.baseline))));
  } else {
    const auto& value = time->values[*best];
    m_headline->setText(tr("%1 is the fastest: %2 a %3, %4 as fast as %5")
                            .arg(m_model->nameOf(static_cast<int>(*best)), measureText(value->median, time->unit), part() == Part::Volumes ? tr("volume") : tr("step"),
                                 text(timesWords(1 / *time->normalised[*best])), m_model->baselineNameOf(static_cast<int>(*best))));
  }
}

// What explains a mode first; of the others only how fast they are.
void ComparePage::showSentences() {
  const RunComparison& comparison = m_model->comparison();
  QStringList reasons;
  std::vector<std::pair<double, QString>> others; // relative time and words
  for (const RunDifference& difference : comparison.differences)
    if (reasons.size() < kMostReasons)
      reasons << text(m_model->named(difference).sentence);
  const NormalisedMeasure* time = wallClock(comparison);
  for (std::size_t n = 0; time && n < comparison.runs.size(); ++n) {
    const bool explained = std::any_of(comparison.differences.begin(), comparison.differences.end(), [&](const RunDifference& d) { return d.other == comparison.runs[n].name; });
    if (comparison.baselines[n] != n && !explained && time->normalised[n] && *time->normalised[n] > 0)
      others.emplace_back(*time->normalised[n], QStringLiteral("%1 %2 ×").arg(m_model->nameOf(static_cast<int>(n)), text(formatSignificant(1 / *time->normalised[n], 2))).replace(QLatin1Char(' '), QChar(0xa0))); // lines break between modes
  }
  const auto left = static_cast<int>(others.size()) > kMostSpeeds ? static_cast<int>(others.size()) - kFastestOfMany : 0;
  if (left > 0)
    std::stable_sort(others.begin(), others.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  QStringList speeds;
  for (const auto& [ratio, words] : others)
    if (left == 0 || speeds.size() < kFastestOfMany)
      speeds << words;
  if (!speeds.isEmpty())
    reasons << (reasons.isEmpty() ? tr("Speed against the baseline: %1%2.") : tr("Not profiled, speed against the baseline: %1%2.")).arg(speeds.join(QStringLiteral(", ")), left > 0 ? tr("; the table has %n more", nullptr, left) : QString());
  if (const QString own = m_model->ownBaselineSentence(); !own.isEmpty())
    reasons << own;
  m_sentences->setText(reasons.isEmpty() ? tr("Choose further runs, or compare modes.") : reasons.join(QLatin1Char('\n')));
  QStringList notes;
  for (const std::string& note : m_set.notes)
    notes << text(note);
  m_notes->setText(notes.join(QLatin1Char('\n')));
  m_notes->setVisible(!notes.isEmpty());
}

void ComparePage::moveSide(int row, int by) {
  std::vector<std::string> keys;
  for (const ComparedRun& side : m_model->comparison().runs)
    keys.push_back(sideKey(side));
  const int to = row + by, rows = static_cast<int>(keys.size());
  if (row < 0 || row >= rows || to < 0 || to >= rows)
    return;
  const std::string moved = keys[static_cast<std::size_t>(row)];
  std::swap(keys[static_cast<std::size_t>(row)], keys[static_cast<std::size_t>(to)]);
  std::vector<std::string> order = keys;
  for (const std::string& key : m_saved.dress.order) // of sides that are not shown now
    if (std::find(order.begin(), order.end(), key) == order.end())
      order.push_back(key);
  m_saved.dress.order = order;
  refresh();
  for (int at = 0; at < m_model->rowCount(); ++at)
    if (m_model->keyOf(at) == moved)
      m_table->chooseRow(at);
  saveSoon();
}

void ComparePage::setExperiments(const QList<ExperimentProgress>& experiments) {
  m_experiments->setVisible(!experiments.isEmpty());
  if (experiments.isEmpty())
    return;
  const ExperimentProgress& first = experiments.first();
  m_experimentBar->setRange(0, std::max(1, first.total));
  m_experimentBar->setValue(first.done);
  QString words = tr("%1: %2 of %3 jobs done").arg(first.title).arg(first.done).arg(first.total);
  if (first.failed > 0)
    words += tr(", %n failed", nullptr, first.failed);
  if (!first.now.isEmpty())
    words += tr("; now: %1").arg(first.now);
  if (experiments.size() > 1)
    words += tr("; %n more experiment(s) wait", nullptr, static_cast<int>(experiments.size()) - 1);
  static_cast<ElidedLabel*>(m_experimentWords)->setText(words);
}

Status ComparePage::exportTo(const QString& file) const {
  const QString suffix = QFileInfo(file).suffix().toLower();
  const ReportFormat format = suffix == QLatin1String("txt")  ? ReportFormat::PlainText
                              : suffix == QLatin1String("md") ? ReportFormat::MarkdownText
                                                              : reportFormatFrom(suffix.toStdString());
  const bool onPaper = suffix == QLatin1String("pdf");
  if (format == ReportFormat::Unknown && !onPaper)
    return fail(ExitCode::Usage, "A report is written as .html, .pdf, .csv, .json, .txt or .md, not as ." + suffix.toStdString() + ".");
  ExperimentReportOptions options;
  options.deployment = m_planning->plan();
  options.currency = m_planning->currency().toStdString();
  options.scope = m_saved.baseline == kOwnBaseline ? DeviceScope::Within : DeviceScope::Across;
  const ComparisonSet set = dressed(m_set, m_saved.dress);
  if (const RunComparison& comparison = m_model->comparison(); !comparison.runs.empty())
    options.baseline = nameIn(set, comparison.runs[comparison.baseline]);
  const auto report = experimentReport(set, options);
  if (!report)
    return fail(report.error());
  return onPaper ? writeReportPdf(*report, file) : writeFileAtomically(file.toStdString(), writeReport(*report, format));
}

void ComparePage::exportInteractively() {
  const QString file = QFileDialog::getSaveFileName(this, tr("Write a report"), QStringLiteral("comparison.html"), tr("Web page (*.html);;PDF (*.pdf);;Tables (*.csv);;JSON (*.json);;Text (*.txt);;Markdown (*.md)"));
  if (file.isEmpty())
    return;
  const Status written = exportTo(file);
  emit message(written ? tr("The report is in %1.").arg(file) : text(written.error().message));
}

} // namespace voxlab

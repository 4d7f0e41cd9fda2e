// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/launch_page.h"
#include "core/protocol/switch_table.h"
#include "widgets/models/run_words.h"
#include "widgets/pages/choice_cards.h"
#include "widgets/pages/dataset_card.h"
#include "widgets/pages/flow_layout.h"
#include "widgets/pages/form_group.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/job_summary.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/spec_form.h"
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace voxlab {
namespace {
constexpr int kDatasetDelay_ms = 400; // after the last keystroke
constexpr int kKindCardWidth = 172;
const QString kExperiment = QStringLiteral("experiment");
const QStringList kKinds{QStringLiteral("train"), QStringLiteral("sample"), QStringLiteral("bench"), QStringLiteral("profile"), QStringLiteral("verify"), QStringLiteral("quality")};
} // namespace

LaunchPage::LaunchPage(QWidget* parent) : QWidget(parent) {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(24, kSpaceLarge, 24, 24);
  column->setSpacing(kSpaceLarge);
  buildHeader(column);
  m_form = new SpecForm(content);
  column->addWidget(m_form);
  column->addStretch();
  m_dataset = new DatasetCard(this);
  m_dataset->hide();
  m_summary = new JobSummary(this);
  m_scroll = makeScrollArea(content);

  auto* page = new QWidget;
  auto* row = new QHBoxLayout(page);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(m_scroll, 1);
  row->addWidget(m_summary);
  m_stack = new QStackedWidget(this);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->addWidget(m_stack);
  buildProblemPage();
  m_stack->addWidget(page);

  m_datasetTimer = new QTimer(this);
  m_datasetTimer->setSingleShot(true);
  m_datasetTimer->setInterval(kDatasetDelay_ms);
  connect(m_datasetTimer, &QTimer::timeout, this, [this] {
    m_dataset->showChecking();
    emit datasetCheckRequested(spec());
  });
  connect(m_form, &SpecForm::specChanged, this, &LaunchPage::specChanged);
  connect(m_form, &SpecForm::revealed, this, [this](QWidget* shown) { m_scroll->ensureWidgetVisible(shown, 0, 80); });
  connect(m_summary, &JobSummary::problemClicked, m_form, &SpecForm::reveal);
  connect(m_summary, &JobSummary::startClicked, this, [this] { emit launchRequested(completed()); });
  connect(m_summary, &JobSummary::queueClicked, this, [this] { emit queueRequested(completed()); });
  connect(m_dataset, &DatasetCard::checkAgainClicked, this, [this] {
    m_checkedData.clear();
    scheduleDatasetCheck();
  });
  connect(m_dataset, &DatasetCard::cancelClicked, this, [this] {
    emit datasetCheckCancelled();
    DatasetReport report;
    report.failure = tr("The check was cancelled. The worker will look at the data itself before it trains.");
    m_dataset->showReport(report);
  });
}

void LaunchPage::buildHeader(QVBoxLayout* column) {
  auto* head = new QHBoxLayout;
  head->setSpacing(kSpace);
  head->addWidget(makeLabel(tr("New job"), "title"), 1);
  m_filter = new QLineEdit;
  setRole(m_filter, "search");
  m_filter->setPlaceholderText(tr("Find a setting…"));
  m_filter->setClearButtonEnabled(true);
  m_filter->setFixedWidth(200);
  m_filter->setAccessibleName(tr("Find a setting"));
  QToolButton* open = makeToolButton(QStringLiteral("folder"), tr("Open a job file…"));
  QToolButton* save = makeToolButton(QStringLiteral("export"), tr("Save as a job file…"));
  head->addWidget(m_filter);
  head->addWidget(open);
  head->addWidget(save);
  column->addLayout(head);
  m_kinds = new ChoiceCards(CardSelection::One, kKindCardWidth);
  column->addWidget(m_kinds);
  m_presetBox = new QWidget;
  m_presetBox->setLayout(new FlowLayout(kSpace));
  m_presetHelp = makeWrappedLabel({}, "help");
  auto* presets = new QVBoxLayout;
  presets->setSpacing(kSpaceSmall);
  presets->addWidget(m_presetBox);
  presets->addWidget(m_presetHelp);
  column->addLayout(presets);
  connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) { m_form->filter(text); });
  connect(open, &QToolButton::clicked, this, &LaunchPage::loadFile);
  connect(save, &QToolButton::clicked, this, &LaunchPage::saveFile);
  connect(m_kinds, &ChoiceCards::edited, this, [this] {
    const QString chosen = m_kinds->values().isEmpty() ? QString() : m_kinds->values().first();
    if (chosen == kExperiment) { // many jobs, which have a dialog of their own
      m_kinds->setValues({QString::fromStdString(m_kind)});
      emit experimentRequested();
    } else if (!chosen.isEmpty()) {
      selectKind(chosen);
    }
  });
}

void LaunchPage::buildProblemPage() {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setSpacing(kSpaceLarge);
  column->addStretch();
  column->addWidget(makeLabel(tr("New job"), "title"), 0, Qt::AlignHCenter);
  m_problemText = makeWrappedLabel(tr("Asking the worker what it can do…"), "caption");
  m_problemText->setAlignment(Qt::AlignCenter);
  m_problemText->setFixedWidth(480);
  column->addLayout(makeCentredRow(m_problemText));
  auto* buttons = new QHBoxLayout;
  QPushButton* again = makeButton(tr("Try again"), nullptr, QStringLiteral("retry"));
  QPushButton* settings = makeButton(tr("Settings"), nullptr, QStringLiteral("settings"));
  buttons->addStretch();
  buttons->addWidget(again);
  buttons->addWidget(settings);
  buttons->addStretch();
  column->addLayout(buttons);
  column->addStretch();
  m_stack->addWidget(page);
  connect(again, &QPushButton::clicked, this, [this] {
    m_problemText->setText(tr("Asking the worker what it can do…"));
    emit catalogRequested();
  });
  connect(settings, &QPushButton::clicked, this, &LaunchPage::workerSettingsRequested);
}

void LaunchPage::setCatalog(const Catalog& catalog) {
  const bool first = m_stack->currentIndex() == 0;
  m_catalog = catalog;
  QList<CardText> kinds;
  for (const QString& kind : kKinds)
    if (!m_catalog.forKind(kind.toStdString()).empty())
      kinds.append({kind, kindTitle(kind.toStdString()), kindExplanation(kind.toStdString()), {}, kindIcon(kind.toStdString())});
  if (!m_catalog.forKind("bench").empty())
    kinds.append({kExperiment, tr("Compare modes"), tr("Modes × samplers × steps: speed, profiles, volumes of equal seeds and their quality, in one go."), {}, QStringLiteral("compare")});
  m_kinds->setChoices(kinds);
  m_kinds->setValues({QString::fromStdString(m_kind)});
  m_stack->setCurrentIndex(1);
  rebuildPresets();
  rebuildForm();
  if (first)
    m_scroll->ensureVisible(0, 0);
}

void LaunchPage::setCatalogProblem(const QString& message) {
  m_problemText->setText(message);
  m_stack->setCurrentIndex(0);
}

void LaunchPage::selectKind(const QString& kind) {
  m_kinds->setValues({kind});
  if (kind.toStdString() == m_kind)
    return;
  m_kind = kind.toStdString();
  m_preset.clear();
  rebuildPresets();
  rebuildForm();
}

void LaunchPage::rebuildPresets() {
  qDeleteAll(m_presetButtons);
  m_presetButtons.clear();
  const auto add = [this](const QString& name, const QString& title, const QString& help) {
    QPushButton* chip = makeButton(title, "chip", {}, m_presetBox);
    chip->setCheckable(true);
    chip->setProperty("preset", name);
    chip->setToolTip(help);
    connect(chip, &QPushButton::clicked, this, [this, name] { applyPreset(name); });
    m_presetBox->layout()->addWidget(chip);
    chip->show();
    m_presetButtons << chip;
  };
  add({}, tr("Defaults"), tr("Every field as the worker suggests it."));
  for (const Preset& preset : m_catalog.presets)
    if (preset.kind == m_kind)
      add(QString::fromStdString(preset.name), QString::fromStdString(preset.title), QString::fromStdString(preset.explanation));
  m_presetBox->setVisible(m_presetButtons.size() > 1);
  m_presetHelp->setVisible(m_presetButtons.size() > 1);
  for (QPushButton* chip : m_presetButtons)
    chip->setChecked(chip->property("preset").toString() == m_preset);
}

void LaunchPage::rebuildForm() {
  m_dataset->setParent(this);
  m_dataset->hide();
  m_form->build(m_catalog, m_kind);
  placeDatasetCard();
  placeCompareButton();
}

void LaunchPage::placeDatasetCard() {
  FormGroup* group = m_form->row(QStringLiteral("data.images")) ? m_form->group(QStringLiteral("Data")) : nullptr;
  if (!group)
    return;
  const FormRow* masks = m_form->row(QStringLiteral("data.masks"));
  group->addExtra(m_dataset, masks ? masks : m_form->row(QStringLiteral("data.images")));
  m_dataset->show();
}

void LaunchPage::placeCompareButton() {
  const FormRow* mode = m_form->row(QStringLiteral("mode"));
  FormGroup* group = mode && !m_catalog.forKind("bench").empty() ? m_form->group(QStringLiteral("Execution")) : nullptr;
  if (!group)
    return;
  QPushButton* compare = makeButton(tr("Compare modes"), nullptr, QStringLiteral("bench"), group);
  compare->setObjectName(QStringLiteral("compareModes"));
  compare->setToolTip(tr("Queues a benchmark of every mode that runs here, with this network and size."));
  connect(compare, &QPushButton::clicked, this, [this] { emit queueRequested(comparison()); });
  group->addExtra(compare, mode);
}

JobSpec LaunchPage::comparison() const {
  const JobSpec now = completed();
  JobSpec bench("bench");
  for (const Parameter* parameter : m_catalog.forKind("bench"))
    if (now.has(parameter->key))
      bench.set(parameter->key, now.value(parameter->key));
  if (const Preset* all = m_catalog.preset("bench", "all"))
    bench.apply(*all);
  bench.fillDefaults(m_catalog);
  return bench;
}

void LaunchPage::applyPreset(const QString& name) {
  JobSpec spec(m_kind);
  for (const Parameter* parameter : m_catalog.forKind(m_kind)) {
    const bool place = parameter->type == ParameterType::File || parameter->type == ParameterType::Folder;
    spec.set(parameter->key, place ? m_form->spec().value(parameter->key) : parameter->defaultValue);
  }
  if (const Preset* preset = m_catalog.preset(m_kind, name.toStdString()))
    spec.apply(*preset);
  m_changingMany = true;
  m_form->setSpec(spec);
  m_changingMany = false;
  m_preset = name;
  specChanged();
}

void LaunchPage::setSpec(const JobSpec& spec) {
  selectKind(QString::fromStdString(spec.kind()));
  JobSpec apart = spec;
  separateModeSwitches(apart);
  m_form->setSpec(apart);
}

JobSpec LaunchPage::spec() const { return m_form->spec(); }

JobSpec LaunchPage::completed() const {
  JobSpec spec = m_form->spec();
  spec.fillDefaults(m_catalog);
  joinModeSwitches(spec);
  return spec;
}

void LaunchPage::setValue(const QString& key, const QString& value) { m_form->apply({{key.toStdString(), value.toStdString()}}); }

void LaunchPage::setSuggestions(const QString& key, const QList<Suggestion>& suggestions) { m_form->setSuggestions(key, suggestions); }

void LaunchPage::setBlocker(const QString& reason) {
  m_blocker = reason;
  showProblems();
}

void LaunchPage::showProblems() {
  const bool needsData = m_form->row(QStringLiteral("data.images")) != nullptr;
  m_summary->showProblems(m_form->problems(), m_catalog, m_blocker.isEmpty() && needsData ? m_dataBlocker : m_blocker);
}

void LaunchPage::specChanged() {
  if (m_changingMany)
    return;
  JobSpec spec = m_form->spec();
  joinModeSwitches(spec);
  const Preset* preset = m_catalog.preset(m_kind, m_preset.toStdString());
  m_presetHelp->setText(preset ? QString::fromStdString(preset->explanation) : tr("Every field as the worker suggests it; change what you like."));
  for (QPushButton* chip : m_presetButtons)
    chip->setChecked(chip->property("preset").toString() == m_preset);
  scheduleDatasetCheck();
  m_summary->showJob(specInWords(completed()), estimateJob(spec, m_catalog, m_volumes), QString::fromStdString(shellCommand(spec.commandLine(m_catalog))));
  showProblems();
}

void LaunchPage::scheduleDatasetCheck() {
  if (!m_form->row(QStringLiteral("data.images")))
    return;
  const JobSpec now = m_form->spec();
  const auto images = now.get<std::string>("data.images"), masks = now.get<std::string>("data.masks");
  // Whatever changes the verdict: folders, labels and what the labels must cover.
  const QString asked = QString::fromStdString(images + '\n' + masks + '\n' + compactJson(now.value("data.labels")) + '\n' +
                                               compactJson(now.value("model.condition_channels")) + compactJson(now.value("data.preprocessing")));
  if (asked == m_checkedData)
    return;
  m_checkedData = asked;
  m_volumes.reset();
  m_dataBlocker.clear();
  m_datasetTimer->stop();
  emit datasetCheckCancelled();
  if (images.empty())
    m_dataset->showHint();
  else
    m_datasetTimer->start();
}

void LaunchPage::setDatasetReport(const DatasetReport& report) {
  m_dataset->showReport(report);
  m_volumes = report.failure.isEmpty() ? std::optional(report.pairs) : std::nullopt;
  m_dataBlocker = m_volumes == 0 ? tr("The data hold nothing to train on: see what was found there.") : QString();
  specChanged();
}

void LaunchPage::loadFile() {
  const QString file = QFileDialog::getOpenFileName(this, tr("Open a job file"), {}, tr("Job files (*.json)"));
  if (file.isEmpty())
    return;
  if (const auto spec = JobSpec::read(file.toStdString()))
    setSpec(*spec);
  else
    QMessageBox::warning(this, tr("Not a job file"), QString::fromStdString(spec.error().message));
}

void LaunchPage::saveFile() {
  const QString file = QFileDialog::getSaveFileName(this, tr("Save as a job file"), QStringLiteral("%1.json").arg(QString::fromStdString(m_kind)), tr("Job files (*.json)"));
  if (file.isEmpty())
    return;
  if (const auto saved = writeJsonFile(file.toStdString(), completed().toJson()); !saved)
    QMessageBox::warning(this, tr("Not saved"), QString::fromStdString(saved.error().message));
}

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/experiment_dialog.h"
#include "widgets/base/qt_text.h"
#include "widgets/pages/field_editors.h"
#include "widgets/pages/flow_layout.h"
#include "widgets/pages/page_parts.h"
#include <QCheckBox>
#include <QFrame>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace voxlab {
namespace {
constexpr std::array<std::string_view, 7> kUsualModes{"baseline", "opt1", "opt2", "opt12", "bf16", "fused_tf32", "fused_bf16"};
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kUsualSteps{{{"dpm_solver", "20"}, {"ddim", "50"}, {"ddpm", "250"}}};
constexpr int kCardWidth = 196, kTitleWidth = 150;

// Numbers in a text: "20, 50" → 20 and 50; nullopt where something is no whole number from 0 on.
std::optional<std::vector<int>> stepsFrom(const QString& words) {
  std::vector<int> steps;
  for (const QString& word : words.split(QRegularExpression(QStringLiteral("[,;\\s]+")), Qt::SkipEmptyParts)) {
    bool isNumber = false;
    const int value = word.toInt(&isNumber);
    if (!isNumber || value < 0 || value > 100000)
      return std::nullopt;
    steps.push_back(value);
  }
  return steps;
}

bool canCompareEqualSeeds(const ExperimentPlan& plan) { // with nothing real at hand
  return plan.modes.size() > 1 && std::find(plan.modes.begin(), plan.modes.end(), kUsualModes.front()) != plan.modes.end();
}

QSpinBox* spinBox(int least, int most, int value, const QString& name) {
  auto* box = new QSpinBox;
  box->setRange(least, most);
  box->setValue(value);
  box->setAccessibleName(name);
  box->setButtonSymbols(QAbstractSpinBox::NoButtons);
  return box;
}
} // namespace

ExperimentDialog::ExperimentDialog(const Catalog& catalog, QWidget* parent)
    : QDialog(parent), m_catalog(catalog), m_title(new QLineEdit(tr("Comparison of modes"))), m_modes(new ChoiceCards(CardSelection::Several, kCardWidth)),
      m_devices(new ChoiceCards(CardSelection::Several, kCardWidth)), m_speed(new QCheckBox(tr("Speed: all modes in turn, on the full-size network"))),
      m_profile(new QCheckBox(tr("A profile of each mode: which kernels make the difference"))), m_draw(new QCheckBox(tr("Volumes: equal seeds in every mode, from trained weights"))),
      m_quality(new QCheckBox(tr("Their quality: against real volumes, and against Baseline's of the same seeds"))), m_size(spinBox(8, 512, 128, tr("Side of the volumes"))), m_benchSteps(spinBox(1, 1000, 9, tr("Timed steps a mode"))),
      m_seed(spinBox(0, 1000000000, 0, tr("Seed"))), m_checkpoint(new PathEditor(PathKind::FileOrFolder)), m_masks(new PathEditor(PathKind::FileOrFolder)), m_real(new PathEditor(PathKind::Folder)),
      m_words(makeWrappedLabel({}, "help")), m_queue(makeButton(tr("Queue the experiment"), "primary", QStringLiteral("queue"))) {
  setWindowTitle(tr("Compare modes"));
  resize(900, 640);
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(24, kSpaceLarge, 24, kSpaceLarge);
  column->setSpacing(kSpaceLarge);
  auto* head = new QHBoxLayout;
  head->addWidget(makeLabel(tr("Compare modes"), "title"));
  head->addSpacing(kSpaceLarge);
  m_title->setAccessibleName(tr("Name of the experiment"));
  m_title->setToolTip(m_title->accessibleName());
  m_seed->setToolTip(tr("Of everything in it: every mode begins with the same weights and draws from the same noise"));
  head->addWidget(m_title, 1);
  head->addSpacing(kSpaceLarge);
  head->addWidget(makeLabel(tr("Seed")));
  head->addWidget(m_seed);
  column->addLayout(head);
  for (QWidget* part : {buildModes(), buildSpeed(), buildVolumes()})
    column->addWidget(part);
  column->addStretch();
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(0);
  outer->addWidget(makeScrollArea(content), 1);
  outer->addWidget(buildFoot());
  for (QCheckBox* box : {m_speed, m_profile, m_draw, m_quality}) {
    box->setChecked(true);
    connect(box, &QCheckBox::toggled, this, &ExperimentDialog::check);
  }
  for (ChoiceCards* cards : {m_modes, m_devices})
    connect(cards, &ChoiceCards::edited, this, &ExperimentDialog::check);
  for (QSpinBox* box : {m_size, m_benchSteps, m_seed})
    connect(box, &QSpinBox::valueChanged, this, &ExperimentDialog::check);
  for (PathEditor* path : {m_checkpoint, m_masks, m_real})
    connect(path, &FieldEditor::edited, this, &ExperimentDialog::check);
  check();
}

QWidget* ExperimentDialog::buildModes() {
  const Parameter* modes = m_catalog.find("bench.modes");
  const Parameter* devices = m_catalog.find("device");
  if (modes) {
    m_modes->setChoices(cardTexts(modes->choices));
    QStringList usual;
    for (const std::string_view mode : kUsualModes)
      if (const ChoiceCard* card = m_modes->card(text(mode)); card && card->isEnabled())
        usual << text(mode);
    m_modes->setValues(usual);
  }
  if (devices) {
    m_devices->setChoices(cardTexts(devices->choices));
    m_devices->setValues({QStringLiteral("auto")});
  }
  QFrame* card = makeCard(tr("Modes"));
  layoutOf(card)->addWidget(m_modes);
  layoutOf(card)->addWidget(makeLabel(tr("On"), "heading"));
  layoutOf(card)->addWidget(m_devices);
  layoutOf(card)->addWidget(makeWrappedLabel(tr("Other GPUs come in by opening what was recorded on them (.voxrun); their figures are never made up."), "help"));
  return card;
}

QWidget* ExperimentDialog::buildSpeed() {
  QFrame* card = makeCard(tr("Speed"));
  layoutOf(card)->addWidget(m_speed);
  layoutOf(card)->addWidget(m_profile);
  auto* row = new QHBoxLayout;
  row->setSpacing(kSpace);
  row->addWidget(makeLabel(tr("Side of the volumes"), "help"));
  row->addWidget(m_size);
  row->addSpacing(kSpaceLarge);
  row->addWidget(makeLabel(tr("Timed steps a mode"), "help"));
  row->addWidget(m_benchSteps);
  row->addStretch();
  layoutOf(card)->addLayout(row);
  return card;
}

QWidget* ExperimentDialog::buildVolumes() {
  QFrame* card = makeCard(tr("Image quality"));
  layoutOf(card)->addWidget(m_draw);
  layoutOf(card)->addWidget(m_quality);
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(kSpaceLarge);
  grid->setVerticalSpacing(kSpace);
  grid->setColumnMinimumWidth(0, kTitleWidth);
  grid->setColumnStretch(1, 1);
  int row = 0;
  const auto add = [&](const QString& title, QWidget* field, QWidget* named) {
    named->setAccessibleName(title);
    grid->addWidget(makeLabel(title), row, 0);
    grid->addWidget(field, row++, 1);
  };
  add(tr("Trained weights"), m_checkpoint, m_checkpoint->focusTarget());
  add(tr("Masks"), m_masks, m_masks->focusTarget());
  add(tr("Real volumes"), m_real, m_real->focusTarget());
  if (const Parameter* samplers = m_catalog.find("sample.sampler"))
    for (const Choice& choice : samplers->choices) {
      auto* steps = new QLineEdit;
      const auto usual = std::find_if(kUsualSteps.begin(), kUsualSteps.end(), [&](const auto& pair) { return pair.first == choice.value; });
      steps->setText(usual == kUsualSteps.end() ? QString() : text(usual->second));
      steps->setPlaceholderText(tr("not with this sampler"));
      steps->setToolTip(tr("Numbers of steps, separated by commas; 0 is all; empty leaves the sampler out"));
      add(tr("Steps of %1").arg(text(choice.title)), steps, steps);
      connect(steps, &QLineEdit::textChanged, this, &ExperimentDialog::check);
      m_samplers.push_back({choice.value, steps});
    }
  layoutOf(card)->addLayout(grid);
  layoutOf(card)->addWidget(makeWrappedLabel(tr("Speed is measured with the full-size network, quality with the trained one at the size that it was trained at; the page says so wherever the two meet."), "help"));
  return card;
}

QWidget* ExperimentDialog::buildFoot() {
  auto* foot = new QFrame;
  setRole(foot, "header-top");
  auto* row = new QHBoxLayout(foot);
  row->setContentsMargins(24, 12, 24, 12);
  row->setSpacing(kSpace);
  QPushButton* cancel = makeButton(tr("Cancel"));
  row->addWidget(m_words, 1);
  row->addWidget(cancel);
  row->addWidget(m_queue);
  m_queue->setDefault(true);
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  connect(m_queue, &QPushButton::clicked, this, &QDialog::accept);
  return foot;
}

void ExperimentDialog::setCheckpoints(const QList<Suggestion>& suggestions) {
  m_checkpoint->setSuggestions(suggestions);
  if (!suggestions.isEmpty() && m_checkpoint->value().is_string() && m_checkpoint->value().get<std::string>().empty())
    m_checkpoint->setValue(suggestions.first().value.toStdString());
  check();
}

void ExperimentDialog::setData(const QString& masks, const QString& real) {
  m_masks->setValue(masks.toStdString());
  m_real->setValue(real.toStdString());
  check();
}

void ExperimentDialog::setSteps(const QString& sampler, const QString& steps) {
  for (const Sampler& row : m_samplers)
    if (text(row.name) == sampler)
      row.steps->setText(steps);
}

QString ExperimentDialog::title() const { return m_title->text().trimmed().isEmpty() ? tr("Comparison of modes") : m_title->text().trimmed(); }

ExperimentPlan ExperimentDialog::plan() const {
  const auto pathOf = [](const PathEditor* editor) { return std::filesystem::path(editor->value().is_string() ? editor->value().get<std::string>() : std::string()); };
  ExperimentPlan plan;
  plan.modes.clear();
  plan.devices.clear();
  plan.samplings.clear();
  for (const QString& mode : m_modes->values())
    plan.modes.push_back(mode.toStdString());
  for (const QString& device : m_devices->values())
    plan.devices.push_back(device.toStdString());
  plan.size.assign(3, m_size->value());
  plan.benchmarkSteps = m_speed->isChecked() ? m_benchSteps->value() : 0;
  plan.profileSteps = m_profile->isChecked() ? 1 : 0;
  plan.seed = m_seed->value();
  if (!m_draw->isChecked())
    return plan;
  plan.checkpoint = pathOf(m_checkpoint);
  plan.masks = pathOf(m_masks);
  plan.equalSeeds = m_quality->isChecked();
  if (plan.equalSeeds)
    plan.real = pathOf(m_real);
  for (const Sampler& sampler : m_samplers)
    for (const int steps : stepsFrom(sampler.steps->text()).value_or(std::vector<int>()))
      plan.samplings.push_back({sampler.name, steps, {}});
  return plan;
}

QString ExperimentDialog::words() const { return m_words->text(); }

void ExperimentDialog::check() {
  const bool draws = m_draw->isChecked();
  for (QWidget* field : {static_cast<QWidget*>(m_quality), static_cast<QWidget*>(m_checkpoint), static_cast<QWidget*>(m_masks)})
    field->setEnabled(draws);
  m_real->setEnabled(draws && m_quality->isChecked());
  for (const Sampler& sampler : m_samplers)
    sampler.steps->setEnabled(draws);
  const ExperimentPlan plan = this->plan();
  m_problem.clear();
  for (const Sampler& sampler : m_samplers)
    if (draws && !stepsFrom(sampler.steps->text()))
      m_problem = tr("Steps are whole numbers, separated by commas.");
  if (plan.modes.empty())
    m_problem = tr("Choose a mode.");
  else if (plan.devices.empty())
    m_problem = tr("Choose where it runs.");
  else if (m_draw->isChecked() && plan.checkpoint.empty())
    m_problem = tr("Drawing volumes needs trained weights. Name them, or leave volumes out.");
  else if (m_draw->isChecked() && plan.masks.empty())
    m_problem = tr("Drawing volumes needs a mask, or a folder of masks.");
  else if (m_draw->isChecked() && m_quality->isChecked() && plan.real.empty() && !canCompareEqualSeeds(plan))
    m_problem = tr("Quality is measured against real volumes, or against Baseline's. Name a folder, choose Baseline too, or leave quality out.");
  else if (m_draw->isChecked() && plan.samplings.empty() && m_problem.isEmpty())
    m_problem = tr("Say how many steps some sampler takes, or leave volumes out.");
  const auto jobs = plannedJobs(plan, {});
  if (m_problem.isEmpty() && !jobs)
    m_problem = text(jobs.error().message);
  m_queue->setEnabled(m_problem.isEmpty());
  const bool wrong = isVisible() && !m_problem.isEmpty(); // what nobody has filled in yet is asked for, not reproached
  setRole(m_words, wrong ? "problem" : "help");
  setStyleProperty(m_words, "wrong", wrong); // dresses it anew
  if (!m_problem.isEmpty()) {
    m_words->setText(m_problem);
    return;
  }
  const auto count = [&](const char* kind) { return static_cast<int>(std::count_if(jobs->begin(), jobs->end(), [&](const PlannedJob& job) { return job.spec.kind() == kind; })); };
  QStringList parts;
  if (const int n = count("bench"))
    parts << tr("%n benchmark(s) of all modes in turn", nullptr, n);
  if (const int n = count("sample"))
    parts << tr("%n way(s) of drawing volumes", nullptr, n);
  if (const int n = count("quality"))
    parts << tr("%n measurement(s) of quality", nullptr, n);
  if (const int n = count("profile"))
    parts << tr("%n profile(s)", nullptr, n);
  m_words->setText(tr("%n job(s): %1. They run one after the other, and go on after a restart.", nullptr, static_cast<int>(jobs->size())).arg(parts.join(QStringLiteral(", "))));
}

} // namespace voxlab

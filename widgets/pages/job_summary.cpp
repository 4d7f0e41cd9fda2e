// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/job_summary.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/page_parts.h"
#include <QApplication>
#include <QClipboard>
#include <QGridLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QTextOption>
#include <QToolButton>
#include <QVBoxLayout>

namespace voxlab {
namespace {
constexpr int kWidth = 320, kCommandHeight = 92;
constexpr std::size_t kProblemsShown = 4;

QString orDash(const std::optional<double>& value, std::string (*format)(double)) { return value ? text(format(*value)) : text(std::string(kUnknown)); }
} // namespace

JobSummary::JobSummary(QWidget* parent) : QFrame(parent) {
  setRole(this, "summary");
  setFixedWidth(kWidth);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(0);
  auto* body = new QWidget(this);
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(kSpaceLarge, kSpaceLarge, kSpaceLarge, kSpaceLarge);
  column->setSpacing(kSpace);
  column->addWidget(makeLabel(tr("Summary"), "heading", body));
  m_words = makeWrappedLabel({}, nullptr, body);
  column->addWidget(m_words);
  column->addSpacing(kSpaceSmall);
  buildFacts(column);
  buildCommand(column);
  column->addStretch();
  outer->addWidget(makeScrollArea(body, this), 1);
  buildButtons(outer);
}

QLabel* JobSummary::addFact(const char* key, const QString& title, const QString& explanation) {
  const int row = m_facts->rowCount();
  QLabel* name = makeLabel(title, "caption", this);
  name->setToolTip(explanation);
  QLabel* value = makeLabel(text(std::string(kUnknown)), nullptr, this);
  value->setAlignment(Qt::AlignRight);
  value->setToolTip(explanation);
  value->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_facts->addWidget(name, row, 0);
  m_facts->addWidget(value, row, 1);
  m_names[key] = name;
  m_values[key] = value;
  return value;
}

void JobSummary::setFact(const char* key, const QString& value) { m_values.value(key)->setText(value); }

void JobSummary::showFact(const char* key, bool shown) {
  m_names.value(key)->setVisible(shown);
  m_values.value(key)->setVisible(shown);
}

void JobSummary::buildFacts(QVBoxLayout* column) {
  m_facts = new QGridLayout;
  m_facts->setHorizontalSpacing(kSpace);
  m_facts->setVerticalSpacing(kSpaceSmall);
  m_facts->setColumnStretch(1, 1);
  addFact("device", tr("Device"), tr("Where the job will run."));
  addFact("parameters", tr("Parameters"), tr("Weights of the network."));
  addFact("work", tr("Work a step"), tr("Floating-point operations of one optimiser step, forward and backward."));
  addFact("length", tr("Steps"), tr("Of the optimiser."));
  addFact("volumes", tr("Volumes a mask"), tr("Drawn from each mask, with a seed of its own each."));
  addFact("passes", tr("Passes over the data"), tr("Known once the data set has been looked at."));
  addFact("disk", tr("Disk"), tr("Checkpoints that are kept and samples, before compression."));
  column->addLayout(m_facts);
  auto* memory = new QHBoxLayout; // its value is long: a line of its own
  const QString explanation = tr("Estimated need on the device, with what the CUDA libraries take.");
  QLabel* name = makeLabel(tr("Memory"), "caption", this);
  QLabel* value = makeLabel({}, nullptr, this);
  name->setToolTip(explanation);
  value->setToolTip(explanation);
  memory->addWidget(name, 1);
  memory->addWidget(value);
  m_names["memory"] = name;
  m_values["memory"] = value;
  column->addLayout(memory);
  m_memoryBar = new QProgressBar(this);
  m_memoryBar->setRange(0, 1000);
  m_memoryBar->setTextVisible(false);
  m_memoryBar->setAccessibleName(tr("Share of the device's memory"));
  column->addWidget(m_memoryBar);
  m_advice = makeWrappedLabel({}, "attention", this);
  column->addWidget(m_advice);
}

void JobSummary::buildCommand(QVBoxLayout* column) {
  column->addSpacing(kSpace);
  auto* row = new QHBoxLayout;
  row->addWidget(makeLabel(tr("The same as a command"), "caption", this), 1);
  QToolButton* copy = makeToolButton(QStringLiteral("copy"), tr("Copy the command line"), this);
  row->addWidget(copy);
  column->addLayout(row);
  m_command = new QPlainTextEdit(this);
  setRole(m_command, "mono");
  m_command->setReadOnly(true);
  m_command->setFixedHeight(kCommandHeight);
  m_command->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  m_command->setTabChangesFocus(true);
  m_command->setAccessibleName(tr("Command line"));
  column->addWidget(m_command);
  connect(copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(m_command->toPlainText()); });
}

void JobSummary::buildButtons(QVBoxLayout* outer) {
  outer->addWidget(makeLine(this));
  auto* foot = new QWidget(this);
  auto* column = new QVBoxLayout(foot);
  column->setContentsMargins(kSpaceLarge, 12, kSpaceLarge, kSpaceLarge);
  column->setSpacing(kSpace);
  m_problemBox = new QWidget(foot);
  auto* box = new QVBoxLayout(m_problemBox);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(0);
  m_problemTitle = makeLabel({}, "caption", m_problemBox);
  box->addWidget(m_problemTitle);
  m_problemList = new QVBoxLayout;
  m_problemList->setSpacing(0);
  box->addLayout(m_problemList);
  column->addWidget(m_problemBox);
  m_reason = makeWrappedLabel({}, "attention", foot);
  column->addWidget(m_reason);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(kSpace);
  m_queue = makeButton(tr("Add to queue"), nullptr, QStringLiteral("queue"), foot);
  m_start = makeButton(tr("Start"), "primary", QStringLiteral("play"), foot);
  buttons->addWidget(m_queue);
  buttons->addWidget(m_start, 1);
  column->addLayout(buttons);
  outer->addWidget(foot);
  connect(m_start, &QPushButton::clicked, this, &JobSummary::startClicked);
  connect(m_queue, &QPushButton::clicked, this, &JobSummary::queueClicked);
}

void JobSummary::showJob(const QString& words, const JobEstimate& estimate, const QString& commandLine) {
  m_words->setText(words + QLatin1Char('.'));
  setFact("device", estimate.device.isEmpty() ? text(std::string(kUnknown)) : estimate.device);
  setFact("parameters", estimate.parameters ? text(formatQuantity(static_cast<double>(*estimate.parameters), "")).trimmed() : text(std::string(kUnknown)));
  setFact("work", estimate.flopsPerStep ? text(formatQuantity(*estimate.flopsPerStep, "FLOP")) : text(std::string(kUnknown)));
  setFact("length", estimate.steps ? text(formatCount(*estimate.steps)) : text(std::string(kUnknown)));
  setFact("volumes", estimate.volumesPerMask ? text(formatCount(*estimate.volumesPerMask)) : text(std::string(kUnknown)));
  setFact("passes", estimate.passes ? text(formatSignificant(*estimate.passes)) : text(std::string(kUnknown)));
  setFact("disk", orDash(estimate.disk_bytes, formatBytes));
  showMemory(estimate);
  const bool samples = estimate.volumesPerMask.has_value(); // whose network is the checkpoint's: nothing is known of it here
  showFact("volumes", samples);
  for (const char* key : {"work", "length", "passes"})
    showFact(key, !samples);
  showFact("parameters", !samples || estimate.parameters);
  showFact("disk", !samples || estimate.disk_bytes);
  showFact("memory", !samples || estimate.memory_bytes);
  if (m_command->toPlainText() != commandLine)
    m_command->setPlainText(commandLine);
}

void JobSummary::showMemory(const JobEstimate& estimate) {
  QString value = estimate.memory_bytes ? tr("about %1").arg(text(formatBytes(*estimate.memory_bytes))) : text(std::string(kUnknown));
  if (estimate.memory_bytes && estimate.deviceMemory_bytes)
    value += tr(" of %1").arg(text(formatBytes(*estimate.deviceMemory_bytes)));
  setFact("memory", value);
  const bool compares = estimate.memory_bytes && estimate.deviceMemory_bytes && *estimate.deviceMemory_bytes > 0;
  m_memoryBar->setVisible(compares);
  if (compares)
    m_memoryBar->setValue(static_cast<int>(std::min(1.0, *estimate.memory_bytes / *estimate.deviceMemory_bytes) * 1000));
  m_advice->setText(estimate.advice);
  m_advice->setVisible(!estimate.advice.isEmpty());
}

void JobSummary::showProblems(const std::vector<SpecProblem>& problems, const Catalog& catalog, const QString& blocker) {
  while (QLayoutItem* item = m_problemList->takeAt(0)) {
    item->widget()->deleteLater();
    delete item;
  }
  for (std::size_t i = 0; i < std::min(problems.size(), kProblemsShown); ++i) {
    const Parameter* parameter = catalog.find(problems[i].key);
    const QString title = text(parameter ? parameter->title : problems[i].key);
    QPushButton* link = makeButton(title, "link", {}, m_problemBox);
    link->setToolTip(text(problems[i].message));
    link->setAccessibleDescription(text(problems[i].message));
    connect(link, &QPushButton::clicked, this, [this, key = text(problems[i].key)] { emit problemClicked(key); });
    m_problemList->addWidget(link, 0, Qt::AlignLeft);
  }
  const int count = static_cast<int>(problems.size());
  m_problemTitle->setText(tr("Before it can start, look at:", nullptr, count));
  m_problemBox->setVisible(count > 0);
  m_reason->setText(blocker);
  m_reason->setVisible(!blocker.isEmpty());
  const bool ready = problems.empty() && blocker.isEmpty();
  m_start->setEnabled(ready);
  m_queue->setEnabled(ready);
  const QString why = !blocker.isEmpty() ? blocker : count > 0 ? text(problems.front().message) : QString();
  m_start->setToolTip(why);
  m_queue->setToolTip(ready ? tr("Starts when the jobs before it have ended.") : why);
  m_start->setAccessibleDescription(why);
}

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/kernel_details.h"
#include "core/base/milliseconds.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"
#include "widgets/models/kernel_table_model.h"
#include "widgets/pages/counters_panel.h"
#include "widgets/pages/page_parts.h"
#include <QFormLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

namespace voxlab {
namespace {
constexpr std::size_t kMostRules = 6;
constexpr qsizetype kMostNameShown = 160; // letters; the whole name is in the tool tip

QString ms(double value) { return KernelDetails::tr("%1 ms").arg(text(formatMilliseconds(value))); }
QString percent(double fraction) { return text(formatSignificant(100 * fraction, 2)) + QStringLiteral(" %"); }

// Long names break after commas and brackets.
QString breakable(QString name) {
  if (name.size() > kMostNameShown)
    name = name.left(kMostNameShown) + QStringLiteral("…");
  for (const char* after : {",", "<", "(", "::", "_"})
    name.replace(QLatin1String(after), QLatin1String(after) + QChar(0x200b));
  return name;
}
} // namespace

KernelDetails::KernelDetails(QWidget* parent) : QWidget(parent) {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(12, kSpace, 12, 12);
  m_empty = makeWrappedLabel(tr("Choose a kernel in the table or on the time line to see all that is known of it."), "help", page);
  m_empty->setAlignment(Qt::AlignCenter);
  m_content = new QWidget(page);
  auto* content = new QVBoxLayout(m_content);
  content->setContentsMargins(0, 0, 0, 0);
  content->setSpacing(kSpace);
  m_title = makeWrappedLabel({}, "heading", m_content);
  m_name = makeWrappedLabel({}, "mono", m_content);
  m_advice = makeWrappedLabel({}, nullptr, m_content);
  m_facts = new QFormLayout;
  m_facts->setHorizontalSpacing(kSpaceLarge);
  m_facts->setVerticalSpacing(3);
  m_facts->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
  m_noCounters = makeWrappedLabel({}, "help", m_content);
  m_counters = new CountersPanel(m_content);
  m_rules = makeWrappedLabel({}, nullptr, m_content);
  m_rules->setTextFormat(Qt::RichText);
  content->addWidget(m_title);
  content->addWidget(m_name);
  content->addWidget(m_advice);
  content->addLayout(m_facts);
  content->addWidget(m_noCounters);
  content->addWidget(m_counters);
  content->addWidget(m_rules);
  content->addStretch(1);
  column->addWidget(m_empty, 1);
  column->addWidget(m_content, 1);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->addWidget(makeScrollArea(page, this));
  clear();
}

void KernelDetails::clear() {
  m_empty->show();
  m_content->hide();
  m_text.clear();
}

QString KernelDetails::clipboardText() const { return m_text.join(QLatin1Char('\n')); }

void KernelDetails::addFact(const QString& name, const QString& value, const QString& link) {
  if (value.isEmpty())
    return;
  m_text << name + QStringLiteral(": ") + value;
  QLabel* words = makeWrappedLabel(value);
  if (!link.isEmpty()) {
    words->setTextFormat(Qt::RichText);
    words->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    words->setText(QStringLiteral("<a href=\"%1\" style=\"text-decoration:none\">%2</a>").arg(link, value.toHtmlEscaped()));
    words->setToolTip(tr("Look at this alone"));
    connect(words, &QLabel::linkActivated, this, [this, value](const QString& what) {
      if (what == QLatin1String("module"))
        emit moduleClicked(value);
      else
        emit operatorClicked(value);
    });
  }
  m_facts->addRow(makeLabel(name, "caption"), words);
}

void KernelDetails::setRow(const Profile& profile, const ProfileView& view, const KernelRow& row, What what) {
  m_text.clear();
  while (m_facts->rowCount() > 0)
    m_facts->removeRow(0);
  m_empty->hide();
  m_content->show();
  m_title->setText(row.title.empty() ? tr("(none recorded)") : text(row.title));
  const QString name = what == What::Kernel ? text(row.key) : QString();
  m_name->setText(breakable(name));
  m_name->setToolTip(name);
  m_name->setVisible(!name.isEmpty() && name != m_title->text());
  m_text << m_title->text();
  if (!name.isEmpty())
    m_text << name;
  addFacts(view, row);
  addAdvice(view, what == What::Kernel ? row : KernelRow{});
  if (what == What::Kernel) {
    addCounters(profile, row);
    return;
  }
  m_counters->hide();
  m_noCounters->hide();
  m_rules->hide();
}

void KernelDetails::addFacts(const ProfileView& view, const KernelRow& row) {
  addFact(tr("Time"), tr("%1 in %2 calls, %3 of the selection").arg(ms(row.total_ms), text(formatCount(static_cast<std::int64_t>(row.calls))), percent(row.share)));
  if (view.stepCount > 1)
    addFact(tr("A step"), tr("%1 in %2 calls").arg(ms(row.total_ms / view.stepCount), text(formatSignificant(static_cast<double>(row.calls) / view.stepCount))));
  addFact(tr("A call"), tr("%1 mean, %2 to %3").arg(ms(row.mean_ms()), ms(row.minimum_ms), ms(row.maximum_ms)));
  addFact(tr("Category"), text(categoryTitle(row.category)));
  addFact(tr("Family"), text(row.family));
  if (row.arithmetic != KernelArithmetic::Unknown)
    addFact(tr("Arithmetic"), row.tensorCores ? tr("%1 on tensor cores").arg(text(arithmeticName(row.arithmetic))) : text(arithmeticName(row.arithmetic)));
  addFact(tr("Operator"), text(row.operatorName), QStringLiteral("operator"));
  addFact(tr("Module"), text(row.module), QStringLiteral("module"));
  if (row.phase != Phase::Unknown)
    addFact(tr("Phase"), text(phaseName(row.phase)));
  if (row.shape) {
    addFact(tr("Launch"), tr("%1 blocks of %2 threads").arg(shapeText(row.shape->grid), shapeText(row.shape->block)));
    if (row.shape->registersPerThread)
      addFact(tr("Uses"), tr("%1 registers a thread, %2 of shared memory a block").arg(row.shape->registersPerThread).arg(text(formatBytes(row.shape->sharedMemoryBytes))));
  } else if (row.calls > 1) {
    addFact(tr("Launch"), tr("in several sizes; group by launch to tell them apart"));
  }
  addOccupancy(row);
  if (row.bytes)
    addFact(tr("Copied"), text(formatBytes(static_cast<double>(row.bytes))));
}

// What counters measured; else what the tracer guessed, called a guess.
void KernelDetails::addOccupancy(const KernelRow& row) {
  QStringList words;
  if (row.achievedOccupancy_percent)
    words << tr("%1 % achieved").arg(*row.achievedOccupancy_percent, 0, 'f', 0);
  if (row.theoreticalOccupancy_percent)
    words << tr("%1 % theoretical").arg(*row.theoreticalOccupancy_percent, 0, 'f', 0);
  if (words.isEmpty() && row.shape && row.shape->occupancy_percent >= 0)
    words << tr("%1 %, achieved, as the tracer estimates it").arg(static_cast<double>(row.shape->occupancy_percent), 0, 'f', 0);
  if (!words.isEmpty())
    addFact(tr("Occupancy"), words.join(QStringLiteral(", ")));
}

void KernelDetails::addAdvice(const ProfileView& view, const KernelRow& row) {
  const auto item = std::find_if(view.priorities.begin(), view.priorities.end(), [&](const PriorityItem& it) { return !row.key.empty() && it.key == row.key; });
  const bool known = item != view.priorities.end();
  m_advice->setVisible(known);
  if (!known)
    return;
  m_advice->setText(item->score() > 0 ? tr("Priority %1: %2").arg(item - view.priorities.begin() + 1).arg(text(item->reason)) : tr("No gain is estimated: %1").arg(text(item->reason)));
  m_text << m_advice->text();
}

void KernelDetails::addCounters(const Profile& profile, const KernelRow& row) {
  const auto launches = launchesOf(profile.counters, row.key);
  m_counters->setVisible(!launches.empty());
  m_noCounters->setVisible(launches.empty());
  m_rules->hide();
  if (launches.empty()) {
    m_noCounters->setText(profile.hasCounters() ? tr("No launch of this kernel is among those that counters were collected for.")
                                                : tr("This profile has no hardware counters. Nsight Compute collects them; its CSV pages belong into the run's profiles folder."));
    return;
  }
  m_counters->setCounters(aggregateCounters(profile.counters, launches));
  if (const std::string limiter = occupancyLimiter(profile.counters, *launches.front()); !limiter.empty())
    addFact(tr("Limited by"), tr("%1 (occupancy)").arg(text(limiter)));
  std::vector<const NcuRule*> rules;
  for (const auto& rule : launches.front()->rules)
    if (rule.type != "INF" || rule.speedup_percent)
      rules.push_back(&rule);
  std::stable_sort(rules.begin(), rules.end(), [](const NcuRule* a, const NcuRule* b) { return a->speedup_percent.value_or(-1) > b->speedup_percent.value_or(-1); });
  QString html;
  for (std::size_t i = 0; i < std::min(rules.size(), kMostRules); ++i) {
    const QString gain = rules[i]->speedup_percent ? tr(" · up to %1 % less time").arg(text(formatSignificant(*rules[i]->speedup_percent, 2))) : QString();
    html += QStringLiteral("<p><b>%1</b>%2<br>%3</p>").arg(text(rules[i]->name.empty() ? rules[i]->section : rules[i]->name).toHtmlEscaped(), gain, text(rules[i]->description).toHtmlEscaped());
    m_text << text(rules[i]->name) + gain + QStringLiteral(": ") + text(rules[i]->description);
  }
  m_rules->setText(html);
  m_rules->setVisible(!html.isEmpty());
}

} // namespace voxlab

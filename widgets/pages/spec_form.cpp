// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/spec_form.h"
#include "widgets/pages/form_group.h"
#include "widgets/pages/page_parts.h"
#include <QResizeEvent>
#include <QVBoxLayout>

namespace voxlab {
namespace {
constexpr int kWidthForExplanationsBeside = 720;
// As one decides: with what, on what, how; groups that this list does not know follow.
const QStringList kGroupOrder{QStringLiteral("Data"), QStringLiteral("Model"), QStringLiteral("Execution"), QStringLiteral("Measuring"),
                              QStringLiteral("Training"), QStringLiteral("Sampling"), QStringLiteral("Diffusion")};
} // namespace

SpecForm::SpecForm(QWidget* parent) : QWidget(parent), m_column(new QVBoxLayout(this)) {
  m_column->setContentsMargins(0, 0, 0, 0);
  m_column->setSpacing(kSpaceLarge);
}

QStringList SpecForm::groupOrder() const {
  QStringList present;
  for (const Parameter* parameter : m_catalog.forKind(m_kind))
    if (const QString group = QString::fromStdString(parameter->group); !present.contains(group))
      present << group;
  QStringList ordered;
  for (const QString& group : kGroupOrder)
    if (present.removeOne(group))
      ordered << group;
  return ordered + present;
}

void SpecForm::clear() {
  for (auto row = m_rows.constBegin(); row != m_rows.constEnd(); ++row)
    m_kept[row.key().toStdString()] = row.value()->editor()->value();
  m_rows.clear();
  qDeleteAll(m_groups);
  m_groups.clear();
}

void SpecForm::build(const Catalog& catalog, const std::string& kind) {
  setUpdatesEnabled(false);
  clear();
  m_catalog = catalog;
  m_kind = kind;
  m_besideShown = -1;
  for (const QString& title : groupOrder()) {
    auto* group = new FormGroup(title, this);
    for (const Parameter* parameter : m_catalog.forKind(m_kind)) {
      if (QString::fromStdString(parameter->group) != title)
        continue;
      auto* row = new FormRow(*parameter, group);
      const QString key = QString::fromStdString(parameter->key);
      if (m_kept.contains(parameter->key))
        row->setValue(m_kept[parameter->key]);
      row->editor()->setSuggestions(m_suggestions.value(key));
      connect(row, &FormRow::edited, this, &SpecForm::check);
      group->addRow(row);
      m_rows.insert(key, row);
    }
    group->finish();
    m_column->addWidget(group);
    m_groups << group;
  }
  resizeEvent(nullptr);
  setUpdatesEnabled(true);
  check();
}

JobSpec SpecForm::spec() const {
  JobSpec spec(m_kind);
  for (const Parameter* parameter : m_catalog.forKind(m_kind)) {
    Json value = m_rows.value(QString::fromStdString(parameter->key))->editor()->value();
    if (!value.is_null())
      spec.set(parameter->key, std::move(value));
  }
  return spec;
}

void SpecForm::setSpec(const JobSpec& spec) {
  for (FormRow* row : m_rows) {
    const std::string& key = row->parameter().key;
    row->setValue(spec.has(key) ? spec.value(key) : row->parameter().defaultValue);
  }
  check();
}

void SpecForm::apply(const Json& values) {
  for (const auto& [key, value] : values.items())
    if (FormRow* found = row(QString::fromStdString(key)))
      found->setValue(value);
    else
      m_kept[key] = value;
  check();
}

void SpecForm::check() {
  m_problems = spec().problems(m_catalog);
  QHash<QString, QString> messages;
  for (const SpecProblem& problem : m_problems)
    messages[QString::fromStdString(problem.key)] = QString::fromStdString(problem.message);
  for (auto row = m_rows.constBegin(); row != m_rows.constEnd(); ++row)
    row.value()->setProblem(messages.value(row.key()));
  for (FormGroup* group : m_groups)
    group->countProblems();
  emit specChanged();
}

FormRow* SpecForm::row(const QString& key) const { return m_rows.value(key); }

FormGroup* SpecForm::group(const QString& title) const {
  for (FormGroup* group : m_groups)
    if (group->accessibleName() == title)
      return group;
  return nullptr;
}

void SpecForm::setSuggestions(const QString& key, const QList<Suggestion>& suggestions) {
  m_suggestions[key] = suggestions;
  if (FormRow* found = row(key))
    found->editor()->setSuggestions(suggestions);
}

void SpecForm::reveal(const QString& key) {
  FormRow* wanted = row(key);
  if (!wanted)
    return;
  for (FormGroup* group : m_groups)
    if (wanted->parameter().advanced && group->rows().contains(wanted))
      group->setAdvancedShown(true);
  wanted->touch();
  wanted->editor()->focusTarget()->setFocus(Qt::OtherFocusReason);
  emit revealed(wanted);
}

void SpecForm::filter(const QString& word) {
  for (FormGroup* group : m_groups)
    group->filter(word.trimmed());
}

void SpecForm::resizeEvent(QResizeEvent* event) {
  if (event)
    QWidget::resizeEvent(event);
  const int beside = width() >= kWidthForExplanationsBeside ? 1 : 0;
  if (beside == m_besideShown)
    return;
  m_besideShown = beside;
  for (FormGroup* group : m_groups)
    group->setExplanationsBeside(beside == 1);
}

} // namespace voxlab

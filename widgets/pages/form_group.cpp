// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/form_group.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/page_parts.h"
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace voxlab {
namespace {
constexpr int kRowSpacing = 12;
}

FormGroup::FormGroup(const QString& title, QWidget* parent) : QFrame(parent), m_column(new QVBoxLayout(this)) {
  setRole(this, "card");
  setAccessibleName(title);
  m_column->setContentsMargins(kSpaceLarge, 12, kSpaceLarge, 12);
  m_column->setSpacing(kRowSpacing);
  m_column->addWidget(makeLabel(title, "heading", this));
  m_advanced = new QWidget(this);
  m_advancedColumn = new QVBoxLayout(m_advanced);
  m_advancedColumn->setContentsMargins(0, 0, 0, 0);
  m_advancedColumn->setSpacing(kRowSpacing);
  m_advanced->hide();
  m_fold = makeButton({}, "link", {}, this);
  m_fold->setCheckable(true);
  m_fold->setIconSize({14, 14});
  connect(m_fold, &QPushButton::toggled, this, &FormGroup::setAdvancedShown);
}

void FormGroup::addRow(FormRow* row) {
  (row->parameter().advanced ? m_advancedColumn : m_column)->addWidget(row);
  m_rows << row;
}

void FormGroup::addExtra(QWidget* widget, const QWidget* after) { m_column->insertWidget(m_column->indexOf(after) + 1, widget); }

void FormGroup::finish() {
  m_column->addWidget(m_fold, 0, Qt::AlignLeft);
  m_column->addWidget(m_advanced);
  countProblems();
}

bool FormGroup::advancedShown() const { return m_fold->isChecked(); }

void FormGroup::setAdvancedShown(bool shown) {
  m_fold->setChecked(shown);
  m_advanced->setVisible(shown);
  countProblems();
}

void FormGroup::countProblems() {
  int advanced = 0, problems = 0;
  for (const FormRow* row : m_rows)
    if (row->parameter().advanced) {
      ++advanced;
      problems += row->problem().isEmpty() ? 0 : 1;
    }
  m_fold->setVisible(advanced > 0);
  m_fold->setIcon(themedIcon(advancedShown() ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), IconTint::Accent));
  m_fold->setText(problems > 0 ? tr("Advanced (%1), %n to look at", nullptr, problems).arg(advanced) : tr("Advanced (%1)").arg(advanced));
}

void FormGroup::setExplanationsBeside(bool beside) {
  for (FormRow* row : m_rows)
    row->setExplanationBeside(beside);
}

int FormGroup::filter(const QString& word) {
  int shown = 0;
  bool anyAdvanced = false;
  for (FormRow* row : m_rows) {
    const bool match = word.isEmpty() || row->matches(word);
    row->setVisible(match);
    shown += match ? 1 : 0;
    anyAdvanced = anyAdvanced || (match && row->parameter().advanced);
  }
  m_advanced->setVisible(word.isEmpty() ? advancedShown() : anyAdvanced);
  if (word.isEmpty())
    countProblems();
  else
    m_fold->hide();
  setVisible(shown > 0);
  return shown;
}

} // namespace voxlab

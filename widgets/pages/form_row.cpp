// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/form_row.h"
#include "widgets/pages/page_parts.h"
#include <QGridLayout>
#include <QLabel>
#include <QToolButton>

namespace voxlab {
namespace {
constexpr int kTitleWidth = 152, kEditorWidth = 296;
}

FormRow::FormRow(const Parameter& parameter, QWidget* parent)
    : QWidget(parent), m_parameter(parameter), m_editor(makeFieldEditor(parameter, this)), m_grid(new QGridLayout(this)) {
  m_grid->setContentsMargins(0, 0, 0, 0);
  m_grid->setHorizontalSpacing(kSpaceLarge);
  m_grid->setVerticalSpacing(kSpaceSmall);
  QLabel* title = makeWrappedLabel(QString::fromStdString(parameter.title), nullptr, this);
  title->setTextInteractionFlags(Qt::NoTextInteraction);
  title->setBuddy(m_editor->focusTarget());
  title->setToolTip(QString::fromStdString(parameter.key));
  title->setContentsMargins(0, 5, 0, 0);
  m_help = makeWrappedLabel(QString::fromStdString(parameter.explanation), "help", this);
  m_problem = makeWrappedLabel({}, "problem", this);
  m_problem->hide();
  m_reset = makeToolButton(QStringLiteral("undo"), tr("Back to the default: %1").arg(textFromValue(parameter.type, parameter.defaultValue)), this);
  m_editor->focusTarget()->setAccessibleName(title->text());
  m_editor->focusTarget()->setAccessibleDescription(m_help->text());

  QSizePolicy keepsSpace = m_reset->sizePolicy();
  keepsSpace.setRetainSizeWhenHidden(true);
  m_reset->setSizePolicy(keepsSpace);
  m_grid->addWidget(title, 0, 0, Qt::AlignTop);
  m_grid->addWidget(m_reset, 0, 2, Qt::AlignTop);
  m_grid->addWidget(m_problem, 2, 1, 1, 3);
  m_grid->setColumnMinimumWidth(0, kTitleWidth);
  m_grid->setColumnStretch(1, m_editor->wantsWholeWidth() ? 1 : 0);
  m_grid->setColumnStretch(3, 1);
  title->setFixedWidth(kTitleWidth);
  setExplanationBeside(false);
  connect(m_editor, &FieldEditor::edited, this, [this] {
    m_touched = true;
    showReset();
    emit edited();
  });
  connect(m_reset, &QToolButton::clicked, this, [this] {
    setValue(m_parameter.defaultValue);
    emit edited();
  });
  setValue(parameter.defaultValue);
}

void FormRow::setExplanationBeside(bool beside) {
  const bool whole = m_editor->wantsWholeWidth();
  m_grid->removeWidget(m_editor);
  m_grid->removeWidget(m_help);
  m_editor->setMaximumWidth(whole || !beside ? QWIDGETSIZE_MAX : kEditorWidth);
  m_editor->setMinimumWidth(whole || !beside ? 0 : kEditorWidth);
  m_grid->setColumnStretch(1, whole || !beside ? 1 : 0);
  m_grid->setColumnStretch(3, whole || !beside ? 0 : 1);
  if (whole) { // what it is about first, then the cards
    m_grid->addWidget(m_help, 0, 1);
    m_grid->addWidget(m_editor, 1, 1, 1, 3);
  } else if (beside) {
    m_grid->addWidget(m_editor, 0, 1, Qt::AlignTop);
    m_grid->addWidget(m_help, 0, 3, Qt::AlignTop);
  } else {
    m_grid->addWidget(m_editor, 0, 1, Qt::AlignTop);
    m_grid->addWidget(m_help, 1, 1, 1, 3);
  }
  m_help->setContentsMargins(0, beside && !whole ? 5 : whole ? 5 : 0, 0, 0);
}

void FormRow::setValue(const Json& value) {
  m_editor->setValue(value);
  showReset();
}

void FormRow::showReset() { m_reset->setVisible(m_editor->value() != m_parameter.defaultValue && !m_parameter.defaultValue.is_null()); }

void FormRow::setProblem(const QString& message) {
  m_problemText = message;
  showProblem();
}

void FormRow::touch() {
  m_touched = true;
  showProblem();
}

void FormRow::showProblem() {
  const Json value = m_editor->value();
  const bool isEmpty = value.is_null() || (value.is_string() && value == "") || (value.is_array() && value.empty());
  const bool shown = !m_problemText.isEmpty() && (m_touched || (!isEmpty && value != m_parameter.defaultValue));
  m_problem->setText(m_problemText);
  m_problem->setVisible(shown);
  m_editor->setProblem(shown);
}

bool FormRow::matches(const QString& word) const {
  const auto contains = [&](const std::string& text) { return QString::fromStdString(text).contains(word, Qt::CaseInsensitive); };
  return contains(m_parameter.title) || contains(m_parameter.key) || contains(m_parameter.explanation);
}

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
// One line of the form: title, editor, what it means, what is wrong with it, and a way back to the default.
#pragma once
#include "core/protocol/catalog.h"
#include "widgets/pages/field_editor.h"

class QGridLayout;
class QLabel;
class QToolButton;

namespace voxlab {

class FormRow : public QWidget {
  Q_OBJECT
public:
  explicit FormRow(const Parameter& parameter, QWidget* parent = nullptr);

  const Parameter& parameter() const { return m_parameter; }
  FieldEditor* editor() const { return m_editor; }
  void setValue(const Json& value);
  // Empty: nothing wrong. Of a field that nobody has touched yet, the problem is known but not shown.
  void setProblem(const QString& message);
  void touch(); // from now on it is shown
  const QString& problem() const { return m_problemText; }
  // With room, the explanation stands beside the editor, otherwise below it.
  void setExplanationBeside(bool beside);
  bool matches(const QString& word) const; // in title, key or explanation

signals:
  void edited();

private:
  void showReset();
  void showProblem();

  Parameter m_parameter;
  FieldEditor* m_editor;
  QGridLayout* m_grid;
  QLabel* m_help;
  QLabel* m_problem;
  QToolButton* m_reset;
  QString m_problemText;
  bool m_touched = false;
};

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
// A card of the form: the parameters of one heading, the advanced ones folded away at first.
#pragma once
#include "widgets/pages/form_row.h"
#include <QFrame>
#include <QList>

class QPushButton;
class QVBoxLayout;

namespace voxlab {

class FormGroup : public QFrame {
  Q_OBJECT
public:
  explicit FormGroup(const QString& title, QWidget* parent = nullptr);

  void addRow(FormRow* row);
  void addExtra(QWidget* widget, const QWidget* after); // below a row: the dataset card
  void finish();                  // after the last row
  const QList<FormRow*>& rows() const { return m_rows; }
  bool advancedShown() const;
  void setAdvancedShown(bool shown);
  void setExplanationsBeside(bool beside);
  // Only the rows that match, advanced or not; an empty word shows all as before. Returns how many are shown.
  int filter(const QString& word);
  void countProblems(); // onto the fold's handle

private:
  void showRows();
  QVBoxLayout* m_column;
  QVBoxLayout* m_advancedColumn = nullptr;
  QWidget* m_advanced = nullptr;
  QPushButton* m_fold = nullptr;
  QList<FormRow*> m_rows;
};

} // namespace voxlab

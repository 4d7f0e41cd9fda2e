// SPDX-License-Identifier: GPL-3.0-or-later
// Why one mode is faster than the baseline: a sentence, and differences by category, family and kernel or by operator.
#pragma once
#include "core/analysis/comparison.h"
#include <QFrame>

class QComboBox;
class QLabel;
class QTreeWidget;

namespace voxlab {

class ComparisonModel;

class CompareDifferences : public QFrame {
  Q_OBJECT
public:
  explicit CompareDifferences(const ComparisonModel* model, QWidget* parent = nullptr);
  void refresh(); // the model has changed
  void choose(const QString& side); // by name as recorded; sides without a profile are left alone
  QTreeWidget* tree() const { return m_tree; }
  QLabel* sentence() const { return m_sentence; }

private:
  void show();

  const ComparisonModel* m_model;
  std::vector<RunDifference> m_differences; // with the user's names
  QComboBox *m_other, *m_by;
  QLabel* m_sentence;
  QTreeWidget* m_tree;
};

} // namespace voxlab

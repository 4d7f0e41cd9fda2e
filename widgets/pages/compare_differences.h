// SPDX-License-Identifier: GPL-3.0-or-later
// Why one mode is faster than the baseline: a sentence, and differences by category, family and kernel or by operator.
#pragma once
#include "core/analysis/comparison.h"
#include <QFrame>

class QComboBox;
class QLabel;
class QTreeWidget;

namespace voxlab {

class CompareDifferences : public QFrame {
  Q_OBJECT
public:
  explicit CompareDifferences(QWidget* parent = nullptr);
  void setComparison(const RunComparison& comparison);
  void choose(const QString& side); // by name as recorded; sides without a profile are left alone
  QTreeWidget* tree() const { return m_tree; }

private:
  void show();

  RunComparison m_comparison;
  QComboBox *m_other, *m_by;
  QLabel* m_sentence;
  QTreeWidget* m_tree;
};

} // namespace voxlab

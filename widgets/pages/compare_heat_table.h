// SPDX-License-Identifier: GPL-3.0-or-later
// Modes × measures at a glance: teal is better than the baseline, amber worse, the stronger the more.
#pragma once
#include "widgets/models/comparison_model.h"
#include <QTableView>

namespace voxlab {

class CompareHeatTable : public QTableView {
  Q_OBJECT
public:
  explicit CompareHeatTable(ComparisonModel* model, QWidget* parent = nullptr);
  void setWords(const QString& words) { m_filter->setWords(words); }
  int currentRow() const; // of the model; -1: none
  void fitHeight();       // as tall as its rows, up to a limit

signals:
  void rowChosen(int row);
  void columnChosen(int column); // of the model
  void baselineRequested(const QString& name);

protected:
  void contextMenuEvent(QContextMenuEvent* event) override;

private:
  ComparisonModel* m_model;
  ComparisonFilter* m_filter;
};

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
// Modes × measures at a glance: teal is better than the baseline, amber worse, the stronger the more. The mode and its wall clock stay in
// sight while the other measures scroll, so that cycles and instructions never stand alone.
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
  void chooseRow(int row);
  void fitHeight();       // as tall as its rows, up to a limit
  QStringList hiddenMeasures() const; // names
  void setHiddenMeasures(const QStringList& names);
  QTableView* frozen() const { return m_frozen; } // the columns that stay
  // .csv or .json, told by the suffix; fails as writeTable() does.
  Status exportTo(const QString& file) const;

signals:
  void rowChosen(int row);
  void columnChosen(int column); // of the model
  void baselineRequested(const QString& name);
  void moveRequested(int row, int by); // of the model
  void hiddenChanged();
  void message(const QString& words);

protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void buildFrozen();
  void fitColumns();
  void placeFrozen();
  void applyHidden();
  void keepFrozenInFront(int logical, int oldPlace, int newPlace);
  void editNote(int row);
  void exportInteractively();

  ComparisonModel* m_model;
  ComparisonFilter* m_filter;
  QTableView* m_frozen;
  QStringList m_hidden;
};

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
// How far several volumes are from one of them: a row each, to be chosen from and copied.
#pragma once
#include <QTableWidget>

namespace voxlab {

struct ViewerStatistics;

class ViewerCompareTable : public QTableWidget {
  Q_OBJECT
public:
  explicit ViewerCompareTable(QWidget* parent = nullptr);
  void setVolumes(const QString& reference, const QStringList& others); // all of them still to be measured
  void setStatistics(int which, const ViewerStatistics& statistics);
  void setProblem(int which, const QString& sentence);
  void select(int which);
  QString text() const; // tabbed, with more digits than are shown, and what they were measured against
  void copy() const;    // the same, to the clipboard
  QSize sizeHint() const override; // all rows
  QSize minimumSizeHint() const override { return {60, sizeHint().height()}; }

signals:
  void chosen(int which); // by the user

protected:
  void keyPressEvent(QKeyEvent* event) override;

private:
  void write(int which, const QStringList& shown, const QStringList& copied, const QString& tip);

  QString m_reference, m_where; // where: "inside the labels"
};

} // namespace voxlab

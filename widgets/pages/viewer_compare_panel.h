// SPDX-License-Identifier: GPL-3.0-or-later
// How far volumes are from a reference, in full: of several a table; of the chosen one the figures with how they were measured, and the
// joint histogram.
#pragma once
#include "widgets/pages/viewer_statistics.h"
#include <QWidget>

class QLabel;
class QPushButton;

namespace voxlab {

class JointHistogramPlot;
class ViewerCompareTable;

class ViewerComparePanel : public QWidget {
  Q_OBJECT
public:
  explicit ViewerComparePanel(QWidget* parent = nullptr);
  void setVolumes(const QString& reference, const QStringList& others); // names; all still to be measured, the first chosen
  void setStatistics(int which, const ViewerStatistics& statistics);
  void setProblem(int which, const QString& sentence); // why there are none
  void choose(int which);
  int chosen() const { return m_chosen; }
  // Of the chosen one: the figures, or words in their place with a sentence.
  const std::optional<ViewerStatistics>& statistics() const;
  QString words() const;
  QString sentence() const;
  JointHistogramPlot& joint() const { return *m_joint; }
  ViewerCompareTable& table() const { return *m_table; }

signals:
  void chosenChanged(int which); // by the user

private:
  struct Volume {
    QString name, problem;
    std::optional<ViewerStatistics> statistics;
  };
  void showChosen();
  QString problem() const; // of the chosen one; empty while it is measured

  QString m_reference;
  std::vector<Volume> m_volumes;
  int m_chosen = 0;
  QLabel *m_scales, *m_figures;
  ViewerCompareTable* m_table;
  QPushButton* m_copy;
  QWidget* m_card;
  JointHistogramPlot* m_joint;
};

} // namespace voxlab

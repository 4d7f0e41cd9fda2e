// SPDX-License-Identifier: GPL-3.0-or-later
// How far two volumes are apart, in full: the figures with how they were measured, and the joint histogram.
#pragma once
#include <QWidget>

class QLabel;

namespace voxlab {

class JointHistogramPlot;
struct ViewerStatistics;

class ViewerComparePanel : public QWidget {
  Q_OBJECT
public:
  explicit ViewerComparePanel(QWidget* parent = nullptr);
  void setStatistics(const ViewerStatistics& statistics, const QString& first, const QString& second); // names of the two
  void setSentence(const QString& sentence); // while there are no figures, and why
  JointHistogramPlot& joint() const { return *m_joint; }

private:
  QLabel *m_scales, *m_figures;
  QWidget* m_card;
  JointHistogramPlot* m_joint;
};

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_compare_panel.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/plot_card.h"
#include "widgets/pages/viewer_statistics.h"
#include "widgets/plots/joint_histogram_plot.h"
#include <QVBoxLayout>

namespace voxlab {

ViewerComparePanel::ViewerComparePanel(QWidget* parent) : QWidget(parent) {
  m_scales = makeWrappedLabel({}, "attention", this);
  m_scales->hide();
  m_figures = makeWrappedLabel({}, nullptr, this);
  m_figures->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_figures->setAccessibleName(tr("How far the volumes are apart"));
  m_joint = new JointHistogramPlot(this);
  m_joint->setAccessibleName(tr("Joint histogram"));
  m_joint->setEmptyText(tr("No voxels in common yet"));
  m_joint->setFixedHeight(m_joint->sizeHint().height());
  QLabel* words = makeWrappedLabel(tr("Colour: how many voxels, logarithmic. Dashed: equal values. Right click: save or copy."), "help", this);
  m_card = new PlotCard(tr("Joint histogram"), withWordsBelow(m_joint, words), this);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kSpace);
  layout->addWidget(makeLabel(tr("Comparison"), "heading", this));
  layout->addWidget(m_scales);
  layout->addWidget(m_figures);
  layout->addWidget(m_card);
  layout->addStretch(1);
}

void ViewerComparePanel::setStatistics(const ViewerStatistics& statistics, const QString& first, const QString& second) {
  const QString scales = scalesText(statistics, first, second);
  m_scales->setText(scales);
  m_scales->setVisible(!scales.isEmpty());
  m_figures->setText(longText(statistics));
  m_joint->setData({{first, statistics.firstRange.low, statistics.firstRange.high},
                    {second, statistics.secondRange.low, statistics.secondRange.high},
                    kJointBins,
                    statistics.joint});
}

void ViewerComparePanel::setSentence(const QString& sentence) {
  m_scales->hide();
  m_figures->setText(sentence);
  m_joint->setData({});
}

} // namespace voxlab

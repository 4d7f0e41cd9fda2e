// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_compare_panel.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/plot_card.h"
#include "widgets/pages/viewer_compare_table.h"
#include "widgets/plots/joint_histogram_plot.h"
#include <QPushButton>
#include <QVBoxLayout>

namespace voxlab {

ViewerComparePanel::ViewerComparePanel(QWidget* parent) : QWidget(parent) {
  m_table = new ViewerCompareTable(this);
  m_copy = makeButton(tr("Copy the table"), "chip", QStringLiteral("copy"), this);
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
  layout->addWidget(m_table);
  layout->addWidget(m_copy, 0, Qt::AlignLeft);
  layout->addWidget(m_scales);
  layout->addWidget(m_figures);
  layout->addWidget(m_card);
  layout->addStretch(1);
  connect(m_copy, &QPushButton::clicked, m_table, &ViewerCompareTable::copy);
  connect(m_table, &ViewerCompareTable::chosen, this, [this](int which) {
    choose(which);
    emit chosenChanged(which);
  });
  setVolumes({}, {});
}

void ViewerComparePanel::setVolumes(const QString& reference, const QStringList& others) {
  m_reference = reference;
  m_volumes.clear();
  for (const QString& name : others)
    m_volumes.push_back({name, {}, {}});
  m_table->setVolumes(reference, others);
  for (QWidget* each : {static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_copy)})
    each->setVisible(others.size() > 1);
  choose(0);
}

void ViewerComparePanel::setStatistics(int which, const ViewerStatistics& statistics) {
  if (which < 0 || which >= std::ssize(m_volumes))
    return;
  m_volumes[static_cast<std::size_t>(which)].statistics = statistics;
  m_table->setStatistics(which, statistics);
  if (which == m_chosen)
    showChosen();
}

void ViewerComparePanel::setProblem(int which, const QString& sentence) {
  if (which < 0 || which >= std::ssize(m_volumes))
    return;
  m_volumes[static_cast<std::size_t>(which)].problem = sentence;
  m_table->setProblem(which, sentence);
  if (which == m_chosen)
    showChosen();
}

void ViewerComparePanel::choose(int which) {
  m_chosen = which;
  m_table->select(which);
  showChosen();
}

const std::optional<ViewerStatistics>& ViewerComparePanel::statistics() const {
  static const std::optional<ViewerStatistics> kNone;
  return m_chosen >= 0 && m_chosen < std::ssize(m_volumes) ? m_volumes[static_cast<std::size_t>(m_chosen)].statistics : kNone;
}

QString ViewerComparePanel::problem() const {
  const bool isThere = m_chosen >= 0 && m_chosen < std::ssize(m_volumes);
  return isThere ? m_volumes[static_cast<std::size_t>(m_chosen)].problem : QString();
}

QString ViewerComparePanel::words() const { return problem().isEmpty() ? tr("measuring…") : tr("not comparable"); }
QString ViewerComparePanel::sentence() const { return problem().isEmpty() ? tr("Measuring…") : problem(); }

void ViewerComparePanel::showChosen() {
  const auto& figures = statistics();
  m_scales->hide();
  if (!figures) {
    m_figures->setText(sentence());
    m_joint->setData({});
    return;
  }
  const QString name = m_volumes[static_cast<std::size_t>(m_chosen)].name, scales = scalesText(*figures, m_reference, name);
  m_scales->setText(scales);
  m_scales->setVisible(!scales.isEmpty());
  m_figures->setText(m_volumes.size() > 1 ? name + QLatin1Char('\n') + longText(*figures) : longText(*figures));
  m_joint->setData({{m_reference, figures->firstRange.low, figures->firstRange.high}, {name, figures->secondRange.low, figures->secondRange.high}, kJointBins, figures->joint});
}

} // namespace voxlab

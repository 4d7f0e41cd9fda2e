// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/loss_card.h"
#include "core/base/text.h"
#include "widgets/pages/page_parts.h"
#include "widgets/plots/series_plot.h"
#include <QCheckBox>
#include <QPushButton>
#include <QSlider>

namespace voxlab {
namespace {
constexpr int kSliderSteps = 99; // weight 0.01 … 0.99; 0: as the worker smooths
} // namespace

LossCard::LossCard(QWidget* parent) : LossCard(new SeriesPlot, parent) {}

LossCard::LossCard(SeriesPlot* plot, QWidget* parent) : PlotCard(tr("Loss"), plot, parent), m_plot(plot), m_smoothed(0) {
  m_plot->setAxisTitles(tr("Step"), tr("Loss"));
  m_plot->setEmptyText(tr("The loss appears with the first step that is logged."));
  m_plot->setExportName(QStringLiteral("loss"));
  m_rawLine = m_plot->addLine(tr("raw"), QStringLiteral("loss"), LineWeight::Thin, [this](double first, double last, std::size_t points) {
    return m_state ? m_state->series(Measure::Loss).between(first, last).thinned(points) : Series();
  });
  m_plot->addLine(tr("smoothed"), QStringLiteral("loss"), LineWeight::Strong,
                  [this](double first, double last, std::size_t points) { return smoothedLine().between(first, last).thinned(points); });
  buildControls();
}

void LossCard::buildControls() {
  auto* slider = new QSlider(Qt::Horizontal);
  slider->setRange(0, kSliderSteps);
  slider->setFixedWidth(84);
  slider->setToolTip(tr("Smoothing of the line. At the left end it is the worker's, which the figures tell too; further right a moving average of this weight."));
  slider->setAccessibleName(tr("Smoothing"));
  auto* raw = new QCheckBox(tr("raw"));
  raw->setChecked(true);
  auto* log = new QCheckBox(tr("log"));
  log->setToolTip(tr("Logarithmic axis"));
  log->setAccessibleName(tr("Logarithmic axis"));
  for (QWidget* control : {static_cast<QWidget*>(slider), static_cast<QWidget*>(raw), static_cast<QWidget*>(log)})
    addControl(control);
  connect(slider, &QSlider::valueChanged, this, [this](int value) {
    m_smoothed.setWeight(value / 100.0);
    refresh();
  });
  connect(raw, &QCheckBox::toggled, this, [this](bool on) { m_plot->setLineVisible(m_rawLine, on); });
  connect(log, &QCheckBox::toggled, this, [this](bool on) { m_plot->setYScale(on ? AxisScale::Logarithmic : AxisScale::Linear); });
}

void LossCard::setRun(std::shared_ptr<const RunState> state) {
  m_state = std::move(state);
  m_smoothed.setWeight(m_smoothed.weight());
  m_plot->resetView();
  refresh();
}

void LossCard::refresh() {
  if (!m_state)
    return;
  if (isOwnSmoothing())
    m_smoothed.follow(m_state->series(Measure::Loss));
  m_plot->refresh();
  showFigure();
}

bool LossCard::isOwnSmoothing() const { return m_smoothed.weight() > 0; }

const Series& LossCard::smoothedLine() const {
  return isOwnSmoothing() || !m_state ? m_smoothed.smoothed() : m_state->series(Measure::LossSmoothed);
}

// One smoothed loss everywhere: the worker's, whatever the line shows.
void LossCard::showFigure() {
  const auto smoothed = m_state->series(Measure::LossSmoothed).last();
  setFigure(smoothed ? QString::fromStdString(formatSignificant(*smoothed)) : QString());
}

} // namespace voxlab

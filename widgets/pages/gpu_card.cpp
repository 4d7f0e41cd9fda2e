// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/gpu_card.h"
#include "core/base/text.h"
#include "widgets/pages/page_parts.h"
#include "widgets/plots/series_plot.h"
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace voxlab {
namespace {
QString shown(const std::optional<double>& value, const QString& unit) {
  return value ? QString::fromStdString(formatSignificant(*value)) + QStringLiteral(" ") + unit : QString::fromStdString(std::string(kUnknown));
}
} // namespace

GpuCard::GpuCard(QWidget* parent) : QFrame(parent), m_plot(new SeriesPlot(this)) {
  setRole(this, "card");
  setAccessibleName(tr("GPU"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, kSpace, 12, kSpace);
  column->setSpacing(kSpace);
  auto* head = new QHBoxLayout;
  head->addWidget(makeLabel(tr("GPU"), "heading", this));
  m_throttle = makeLabel({}, "attention", this);
  m_throttle->setAlignment(Qt::AlignRight);
  head->addWidget(m_throttle, 1);
  column->addLayout(head);
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(kSpaceLarge);
  grid->setVerticalSpacing(0);
  addFigure(grid, 0, "load", tr("Load"));
  addFigure(grid, 1, "memory", tr("Memory"));
  addFigure(grid, 2, "power", tr("Power"));
  addFigure(grid, 3, "clock", tr("Clock"));
  addFigure(grid, 4, "temperature", tr("Temperature"));
  grid->setColumnStretch(5, 1);
  column->addLayout(grid);
  m_plot->setAxisTitles(tr("Run time"), tr("Load (%)"));
  m_plot->setXAxis(XAxis::Seconds);
  m_plot->setYStartsAtZero(true);
  m_plot->setEmptyText(tr("No figures from the GPU yet."));
  m_plot->setExportName(QStringLiteral("gpu-load"));
  m_plot->addLine(tr("Load"), QStringLiteral("utilisation"), LineWeight::Strong, [this](double first, double last, std::size_t points) {
    return m_state ? m_state->series(Measure::GpuUtilisation).between(first, last).thinned(points) : Series();
  });
  column->addWidget(m_plot, 1);
}

void GpuCard::addFigure(QGridLayout* grid, int column, const char* key, const QString& title) {
  grid->addWidget(makeLabel(title, "caption", this), 0, column);
  QLabel* value = makeLabel({}, nullptr, this);
  value->setTextInteractionFlags(Qt::TextSelectableByMouse);
  grid->addWidget(value, 1, column);
  m_figures[key] = value;
}

void GpuCard::setFigure(const char* key, const QString& value) { m_figures.value(key)->setText(value); }

bool GpuCard::hasFigures(const RunState& state) {
  return state.series(Measure::GpuUtilisation).last() || state.series(Measure::GpuMemory).last() || state.series(Measure::GpuPower).last();
}

void GpuCard::setRun(std::shared_ptr<const RunState> state) {
  m_state = std::move(state);
  refresh();
}

void GpuCard::refresh() {
  if (!m_state)
    return;
  setFigure("load", shown(m_state->series(Measure::GpuUtilisation).last(), tr("%")));
  const auto used = m_state->series(Measure::GpuMemory).last(), total = m_state->series(Measure::GpuMemoryTotal).last();
  QString memory = orUnknown(used, [](double bytes) { return formatBytes(bytes); }).c_str();
  if (used && total)
    memory = tr("%1 / %2").arg(QString::fromStdString(formatSignificant(*used / 1e9)), QString::fromStdString(formatBytes(*total)));
  setFigure("memory", memory);
  setFigure("power", shown(m_state->series(Measure::GpuPower).last(), tr("W")));
  setFigure("clock", shown(m_state->series(Measure::GpuSmClock).last(), tr("MHz")));
  setFigure("temperature", shown(m_state->series(Measure::GpuTemperature).last(), tr("°C")));
  m_throttle->setText(m_state->throttle().empty() ? QString() : tr("clocks lowered: %1").arg(QString::fromStdString(m_state->throttle())));
  m_plot->refresh();
}

} // namespace voxlab

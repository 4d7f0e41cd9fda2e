// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/monitor_page.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"
#include "widgets/pages/breakdown_card.h"
#include "widgets/pages/gpu_card.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/log_view.h"
#include "widgets/pages/loss_card.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/sample_strip.h"
#include "widgets/plots/bar_plot.h"
#include "widgets/plots/series_plot.h"
#include "widgets/plots/stacked_plot.h"
#include <QGridLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <map>

namespace voxlab {
namespace {
constexpr int kWideFrom = 700, kColumns = 12, kSampleRow = 2, kLastRow = 5;
constexpr double kGiga = 1e-9;

Series scaled(const Series& series, double factor) {
  Series out;
  for (std::size_t i = 0; i < series.size(); ++i)
    out.append(series.x()[i], std::isfinite(series.y()[i]) ? std::optional(series.y()[i] * factor) : std::nullopt);
  return out;
}
} // namespace

MonitorPage::MonitorPage(QWidget* parent) : QWidget(parent), m_stack(new QStackedWidget(this)) {
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->addWidget(m_stack);
  buildEmpty();
  buildCards();
}

void MonitorPage::buildEmpty() {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setSpacing(kSpace);
  column->addStretch();
  QLabel* title = makeLabel(tr("No run selected"), "heading");
  QLabel* hint = makeWrappedLabel(tr("Select a run at the left to follow it here, or start a new job."), "caption");
  hint->setAlignment(Qt::AlignCenter);
  hint->setFixedWidth(360);
  QPushButton* start = makeButton(tr("New job"), nullptr, QStringLiteral("new-job"));
  column->addWidget(title, 0, Qt::AlignHCenter);
  column->addLayout(makeCentredRow(hint));
  column->addSpacing(kSpace);
  column->addWidget(start, 0, Qt::AlignHCenter);
  column->addStretch();
  m_stack->addWidget(page);
  connect(start, &QPushButton::clicked, this, &MonitorPage::newJobClicked);
}

MonitorPage::Source MonitorPage::source(Measure measure, double factor) const {
  return [this, measure, factor](double first, double last, std::size_t points) {
    return m_state ? scaled(m_state->series(measure).between(first, last).thinned(points), factor) : Series();
  };
}

SeriesPlot* MonitorPage::makePlot(const QString& x, const QString& y, const char* exportName, const QString& empty) {
  auto* plot = new SeriesPlot;
  plot->setAxisTitles(x, y);
  plot->setEmptyText(empty);
  plot->setExportName(QLatin1String(exportName));
  return plot;
}

void MonitorPage::buildCards() {
  auto* content = new QWidget;
  m_grid = new QGridLayout(content);
  m_grid->setContentsMargins(24, kSpaceLarge, 24, 24);
  m_grid->setSpacing(kSpaceLarge);
  for (int column = 0; column < kColumns; ++column)
    m_grid->setColumnStretch(column, 1);
  m_loss = new LossCard(content);
  m_step = new StackedPlot;
  m_step->setAxisTitles(tr("Step"), tr("Time a step (ms)"));
  m_step->setEmptyText(tr("How each step's time splits into data, compute and host."));
  m_step->setExportName(QStringLiteral("step-time"));
  m_stepCard = new PlotCard(tr("Step time"), m_step, content);
  m_throughput = makePlot(tr("Step"), tr("Volumes/s"), "throughput", tr("Volumes per second, once steps are logged."));
  m_throughput->addLine(tr("volumes/s"), QStringLiteral("host"), LineWeight::Strong, source(Measure::VolumesPerSecond));
  m_throughput->setYStartsAtZero(true);
  m_throughputCard = new PlotCard(tr("Throughput"), m_throughput, content);
  m_memory = makePlot(tr("Run time"), tr("Memory (GB)"), "memory", tr("What the worker's allocator holds."));
  m_memory->setXAxis(XAxis::Seconds);
  m_memory->setYStartsAtZero(true);
  m_memory->addLine(tr("host"), QStringLiteral("host"), LineWeight::Strong, source(Measure::HostMemory, kGiga));
  m_memory->addLine(tr("reserved"), QStringLiteral("reserved"), LineWeight::Strong, source(Measure::ReservedMemory, kGiga));
  m_memory->addLine(tr("allocated"), QStringLiteral("allocated"), LineWeight::Strong, source(Measure::AllocatedMemory, kGiga));
  m_memoryCard = new PlotCard(tr("Memory"), m_memory, content);
  m_gradient = makePlot(tr("Step"), tr("Gradient norm"), "gradient-norm", tr("The gradient's norm, once steps are logged."));
  m_gradient->addLine(tr("gradient norm"), QStringLiteral("backward"), LineWeight::Strong, source(Measure::GradientNorm));
  m_gradientCard = new PlotCard(tr("Gradient norm"), m_gradient, content);
  m_bench = new BarPlot;
  m_bench->setAxisTitles(tr("Time (ms): median, with the spread from the 10th to the 90th percentile"), {});
  m_bench->setEmptyText(tr("Times appear as each mode is measured."));
  m_bench->setExportName(QStringLiteral("bench"));
  m_benchCard = new PlotCard(tr("Time by mode"), m_bench, content);
  m_gpu = new GpuCard(content);
  m_breakdown = new BreakdownCard(content);
  m_samples = new SampleStrip(content);
  m_log = new LogView(content);
  // The log stands beside the samples, or below everything when a GPU's figures have that place.
  m_places = {{m_benchCard, 12, 0, 280}, {m_loss, 7, 1, 240}, {m_stepCard, 5, 1, 240}, {m_samples, 7, 2, 252}, {m_gpu, 5, 2, 252},
              {m_log, 5, 2, 252}, {m_breakdown, 12, 3, 240}, {m_throughputCard, 4, 4, 180}, {m_memoryCard, 4, 4, 180}, {m_gradientCard, 4, 4, 180}};
  for (const Place& place : m_places)
    place.card->setMinimumHeight(std::max(place.height, place.card->minimumSizeHint().height()));
  m_scroll = makeScrollArea(content);
  m_stack->addWidget(m_scroll);
  connect(m_samples, &SampleStrip::openRequested, this, &MonitorPage::openSampleRequested);
  arrange();
}

void MonitorPage::arrange() {
  const bool wide = width() >= kWideFrom;
  int shown = wide ? 1 : 0;
  for (qsizetype i = 0; i < m_places.size(); ++i)
    shown |= m_places[i].card->isHidden() ? 0 : 2 << i; // the log's row follows from the GPU card
  if (shown == m_arranged)
    return;
  m_arranged = shown;
  for (const Place& place : m_places)
    m_grid->removeWidget(place.card);
  for (int row = 0; row < 16; ++row)
    m_grid->setRowStretch(row, 0);
  std::map<int, int> spanInRow; // of the shown cards, to fill a row whose neighbour is hidden
  for (const Place& place : m_places)
    if (!place.card->isHidden())
      spanInRow[place.row] += place.wideSpan;
  QList<Place> ordered = m_places;
  std::stable_sort(ordered.begin(), ordered.end(), [](const Place& a, const Place& b) { return a.row < b.row; });
  int narrowRow = 0, column = 0, lastRow = -1;
  for (const Place& place : ordered) {
    if (place.card->isHidden())
      continue;
    if (!wide) {
      m_grid->addWidget(place.card, narrowRow++, 0, 1, kColumns);
      continue;
    }
    column = place.row == lastRow ? column : 0;
    lastRow = place.row;
    const int span = place.wideSpan * kColumns / spanInRow[place.row];
    m_grid->addWidget(place.card, place.row, column, 1, span);
    m_grid->setRowStretch(place.row, place.height);
    column += span;
  }
}

void MonitorPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void MonitorPage::clear() {
  m_state.reset();
  m_stack->setCurrentIndex(0);
}

void MonitorPage::setRun(std::shared_ptr<const RunState> state, const QString& runFolder, const QString& kind) {
  m_state = std::move(state);
  m_kind = kind;
  m_stack->setCurrentIndex(1);
  m_samples->clear(runFolder);
  m_log->setText({});
  m_loss->setRun(m_state);
  m_gpu->setRun(m_state);
  m_breakdown->setRun(m_state);
  for (SeriesPlot* plot : {m_throughput, m_memory, m_gradient})
    plot->resetView();
  refresh();
}

void MonitorPage::chooseCards() {
  const bool training = m_kind == QLatin1String("train"), bench = m_kind == QLatin1String("bench") || !m_state->bench().empty();
  m_benchCard->setVisible(bench);
  m_loss->setVisible(training);
  m_gradientCard->setVisible(training);
  m_stepCard->setVisible(training || m_state->series(Measure::StepTime).last());
  m_throughputCard->setVisible(training || m_state->series(Measure::VolumesPerSecond).last());
  const bool gpu = GpuCard::hasFigures(*m_state);
  m_gpu->setVisible(gpu);
  m_breakdown->setVisible(BreakdownCard::hasFigures(*m_state));
  m_memoryCard->setVisible(training || m_state->series(Measure::HostMemory).last() || m_state->series(Measure::AllocatedMemory).last());
  for (Place& place : m_places)
    if (place.card == m_log)
      place.row = gpu ? kLastRow : kSampleRow;
  m_samples->setVisible(training || m_kind == QLatin1String("sample") || !m_state->samples().empty());
  arrange();
}

void MonitorPage::refresh() {
  if (!m_state)
    return;
  chooseCards();
  m_loss->refresh();
  m_step->setParts({{tr("Compute"), QStringLiteral("compute"), &m_state->series(Measure::ComputeTime)},
                    {tr("Data"), QStringLiteral("data"), &m_state->series(Measure::DataTime)},
                    {tr("Host"), QStringLiteral("host"), &m_state->series(Measure::HostTime)}});
  const auto stepTime = m_state->series(Measure::StepTime).median(20);
  m_stepCard->setFigure(stepTime ? tr("%1 a step").arg(text(formatDuration(*stepTime / 1000))) : QString());
  refreshThroughput();
  refreshMemory();
  m_gradient->refresh();
  const auto rate = m_state->series(Measure::LearningRate).last();
  m_gradientCard->setFigure(rate ? tr("learning rate %1").arg(QString::number(*rate, 'g', 3).replace(QStringLiteral("e-0"), QStringLiteral("e-"))) : QString());
  if (!m_gpu->isHidden())
    m_gpu->refresh();
  m_breakdown->refresh();
  refreshBench();
  m_samples->setSamples(m_state->samples());
  QStringList warnings;
  for (const WarningRecord& warning : m_state->warnings())
    warnings << text(warning.message);
  m_log->setWarnings(warnings.mid(std::max<qsizetype>(0, warnings.size() - 10)), m_state->warningCount());
}

void MonitorPage::refreshThroughput() {
  m_throughput->refresh();
  QStringList parts;
  if (const auto rate = m_state->series(Measure::VolumesPerSecond).median(20))
    parts << tr("%1 volumes/s").arg(text(formatSignificant(*rate)));
  if (const auto voxels = m_state->series(Measure::VoxelsPerSecond).median(20))
    parts << text(formatQuantity(*voxels, "voxel/s"));
  if (const auto flops = m_state->series(Measure::FlopsPerSecond).median(20))
    parts << text(formatQuantity(*flops, "FLOP/s"));
  if (const auto bound = m_state->series(Measure::BoundShare).median(20))
    parts << tr("%1 % of the bound").arg(text(formatSignificant(*bound)));
  m_throughputCard->setFigure(parts.join(QStringLiteral(" · ")));
}

void MonitorPage::refreshMemory() {
  m_memory->refresh();
  const auto peak = m_state->series(Measure::PeakAllocatedMemory).largest();
  const auto host = m_state->series(Measure::HostMemory).last();
  m_memoryCard->setFigure(peak ? tr("peak %1").arg(text(formatBytes(*peak))) : host ? tr("host %1").arg(text(formatBytes(*host))) : QString());
}

void MonitorPage::refreshBench() {
  if (m_benchCard->isHidden())
    return;
  QStringList modes, whats;
  std::map<std::pair<QString, QString>, std::vector<double>> times;
  for (const BenchRecord& record : m_state->bench()) {
    const QString mode = text(record.mode), what = text(record.what);
    if (!modes.contains(mode))
      modes << mode;
    if (!whats.contains(what))
      whats << what;
    if (record.duration_ms)
      times[{mode, what}].push_back(*record.duration_ms);
  }
  std::vector<BarPlot::Group> groups;
  for (const QString& what : whats) {
    BarPlot::Group group{what, what, {}};
    for (const QString& mode : modes) {
      auto& values = times[{mode, what}];
      std::sort(values.begin(), values.end());
      if (values.empty())
        group.bars.push_back({});
      else
        group.bars.push_back({values[values.size() / 2], (values[values.size() * 9 / 10] - values[values.size() / 10]) / 2});
    }
    groups.push_back(std::move(group));
  }
  m_bench->setBars(modes, std::move(groups));
}

void MonitorPage::setLog(const QString& tail) { m_log->setText(tail); }

void MonitorPage::showLog() {
  m_scroll->ensureWidgetVisible(m_log);
  m_log->edit()->setFocus();
}

bool MonitorPage::isReady() const { return m_state && !m_samples->isLoading(); }

} // namespace voxlab

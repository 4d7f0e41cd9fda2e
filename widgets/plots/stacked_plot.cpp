// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/stacked_plot.h"
#include "widgets/plots/tickers.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace voxlab {
namespace {
constexpr int kColumnPixels = 6;
constexpr int kMaximumColumns = 80;
} // namespace

std::vector<double> columnMeans(const Series& series, double first, double last, int columns) {
  std::vector<double> sums(static_cast<std::size_t>(columns), 0.0);
  std::vector<std::size_t> counts(sums.size(), 0);
  for (std::size_t i = 0; i < series.size(); ++i) {
    const double x = series.x()[i], y = series.y()[i];
    if (!std::isfinite(y) || x < first || x > last)
      continue;
    const auto column = std::min(sums.size() - 1, static_cast<std::size_t>((x - first) / (last - first) * columns));
    sums[column] += y;
    ++counts[column];
  }
  for (std::size_t column = 0; column < sums.size(); ++column)
    sums[column] = counts[column] ? sums[column] / static_cast<double>(counts[column]) : std::numeric_limits<double>::quiet_NaN();
  return sums;
}

StackedPlot::StackedPlot(QWidget* parent) : PlotView(parent) {
  canvas()->xAxis->setTicker(QSharedPointer<WholeNumberTicker>::create());
  canvas()->yAxis->setTicker(QSharedPointer<LinearTicker>::create());
  canvas()->setInteractions({});
}

void StackedPlot::setParts(const std::vector<Part>& parts) {
  double first = std::numeric_limits<double>::infinity(), last = -first;
  std::size_t points = 0;
  std::vector<const Part*> known;
  for (const Part& part : parts) {
    if (!part.series || !part.series->last())
      continue;
    known.push_back(&part);
    first = std::min(first, part.series->x().front());
    last = std::max(last, part.series->x().back());
    points = std::max(points, part.series->size());
  }
  if (known.empty()) {
    m_layers.clear();
    setShowsData(false);
    return;
  }
  const int room = std::clamp(canvas()->axisRect()->width() / kColumnPixels, 12, kMaximumColumns);
  const int columns = std::max(1, std::min(room, static_cast<int>(points)));
  m_first = first;
  m_width = last > first ? (last - first) / columns : 1;
  last = m_first + m_width * columns;
  m_centres.resize(static_cast<std::size_t>(columns));
  for (std::size_t i = 0; i < m_centres.size(); ++i)
    m_centres[i] = m_first + m_width * (static_cast<double>(i) + 0.5);
  std::vector<Layer> layers;
  for (const Part* part : known)
    layers.push_back({part->name, part->colour, columnMeans(*part->series, m_first, last, columns), nullptr});
  rebuild(std::move(layers));
}

void StackedPlot::rebuild(std::vector<Layer> layers) {
  canvas()->clearPlottables();
  m_layers = std::move(layers);
  const QVector<double> x(m_centres.begin(), m_centres.end());
  QCPBars* below = nullptr;
  for (Layer& layer : m_layers) {
    layer.bars = new QCPBars(canvas()->xAxis, canvas()->yAxis);
    layer.bars->setName(layer.name);
    layer.bars->setWidth(m_width * 0.86);
    layer.bars->setData(x, QVector<double>(layer.means.begin(), layer.means.end()), true);
    if (below)
      layer.bars->moveAbove(below);
    below = layer.bars;
  }
  setLegendShown(m_hasLegend && m_layers.size() > 1);
  applyColours(themeColours(palette()));
  rescale();
  setShowsData(true);
  redraw();
}

void StackedPlot::rescale() {
  double highest = 0;
  for (std::size_t i = 0; i < m_centres.size(); ++i) {
    double sum = 0;
    for (const Layer& layer : m_layers)
      sum += std::isfinite(layer.means[i]) ? layer.means[i] : 0;
    highest = std::max(highest, sum);
  }
  canvas()->yAxis->setRange(0, highest > 0 ? highest * 1.08 : 1);
  canvas()->xAxis->setRange(m_first, m_first + m_width * static_cast<double>(m_centres.size()));
}

void StackedPlot::applyColours(const ThemeColours& colours) {
  PlotView::applyColours(colours);
  for (const Layer& layer : m_layers) {
    layer.bars->setPen(Qt::NoPen);
    layer.bars->setBrush(namedColour(layer.colour, colours.kind));
  }
}

QString StackedPlot::tableText() const {
  QStringList header{canvas()->xAxis->label()};
  for (const Layer& layer : m_layers)
    header << layer.name;
  QString out = header.join(QLatin1Char(',')) + QLatin1Char('\n');
  for (std::size_t i = 0; i < m_centres.size(); ++i) {
    QStringList row{QString::number(m_centres[i], 'g', 12)};
    for (const Layer& layer : m_layers)
      row << (std::isfinite(layer.means[i]) ? QString::number(layer.means[i], 'g', 9) : QString());
    out += row.join(QLatin1Char(',')) + QLatin1Char('\n');
  }
  return out;
}

} // namespace voxlab

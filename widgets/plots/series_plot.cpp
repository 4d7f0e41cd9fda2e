// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/series_plot.h"
#include "core/base/text.h"
#include "widgets/plots/tickers.h"
#include <QToolTip>
#include <cmath>
#include <limits>

namespace voxlab {
namespace {
constexpr double kEverything = std::numeric_limits<double>::max();
constexpr std::size_t kCsvPoints = 1000000;

QVector<double> asVector(std::span<const double> values) { return {values.begin(), values.end()}; }

struct Extent {
  double low = kEverything, high = -kEverything;
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool known() const { return low <= high; }
};

Extent valueExtent(const QCPGraph& graph, AxisScale scale) {
  Extent extent;
  for (auto point = graph.data()->constBegin(); point != graph.data()->constEnd(); ++point)
    if (std::isfinite(point->value) && (scale == AxisScale::Linear || point->value > 0))
      extent.include(point->value);
  return extent;
}
} // namespace

SeriesPlot::SeriesPlot(QWidget* parent) : PlotView(parent) {
  canvas()->xAxis->setTicker(QSharedPointer<WholeNumberTicker>::create());
  canvas()->setMouseTracking(true);
  m_cursor = new QCPItemStraightLine(canvas());
  m_cursor->setVisible(false);
  connect(canvas(), &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) { showValuesAt(event->pos()); });
  setYScale(AxisScale::Linear);
  applyColours(themeColours(palette()));
}

int SeriesPlot::addLine(const QString& name, const QString& colour, LineWeight weight, Source source) {
  QCPGraph* graph = canvas()->addGraph();
  graph->setName(name);
  graph->setAdaptiveSampling(false); // the sources have thinned already
  m_lines.push_back({name, colour, weight, std::move(source), graph});
  setLegendShown(m_lines.size() > 1);
  applyColours(themeColours(palette()));
  return static_cast<int>(m_lines.size()) - 1;
}

void SeriesPlot::setLineVisible(int line, bool visible) {
  QCPGraph* graph = m_lines.at(static_cast<std::size_t>(line)).graph;
  graph->setVisible(visible);
  visible ? graph->addToLegend() : graph->removeFromLegend();
  refresh();
}

void SeriesPlot::setYScale(AxisScale scale) {
  m_scale = scale;
  QCPAxis* axis = canvas()->yAxis;
  axis->setScaleType(scale == AxisScale::Linear ? QCPAxis::stLinear : QCPAxis::stLogarithmic);
  if (scale == AxisScale::Linear)
    axis->setTicker(QSharedPointer<LinearTicker>::create());
  else
    axis->setTicker(QSharedPointer<LogTicker>::create());
  refresh();
}

void SeriesPlot::setXAxis(XAxis axis) {
  if (axis == XAxis::Steps)
    canvas()->xAxis->setTicker(QSharedPointer<WholeNumberTicker>::create());
  else
    canvas()->xAxis->setTicker(QSharedPointer<DurationTicker>::create());
}

void SeriesPlot::setYStartsAtZero(bool startsAtZero) { m_startsAtZero = startsAtZero; }

void SeriesPlot::refresh() {
  if (followsData()) {
    rescale();
  } else {
    fetch();
  }
  redraw();
}

void SeriesPlot::fetch() {
  const bool all = followsData();
  const QCPRange range = canvas()->xAxis->range();
  const auto points = static_cast<std::size_t>(std::max(200, 2 * canvas()->axisRect()->width()));
  bool any = false;
  for (const Line& line : m_lines) {
    if (!line.graph->visible())
      continue;
    const Series series = line.source(all ? -kEverything : range.lower, all ? kEverything : range.upper, points);
    line.graph->setData(asVector(series.x()), asVector(series.y()), true);
    any = any || series.last().has_value() || series.size() > 1;
  }
  setShowsData(any || (!all && showsData()));
}

void SeriesPlot::rescale() {
  fetch();
  Extent x, y;
  for (const Line& line : m_lines) {
    if (!line.graph->visible() || line.graph->data()->isEmpty())
      continue;
    x.include(line.graph->data()->constBegin()->key);
    x.include((line.graph->data()->constEnd() - 1)->key);
    const Extent values = valueExtent(*line.graph, m_scale);
    if (values.known()) {
      y.include(values.low);
      y.include(values.high);
    }
  }
  if (x.known())
    canvas()->xAxis->setRange(x.low, x.high > x.low ? x.high : x.low + 1);
  if (!y.known())
    return;
  if (m_scale == AxisScale::Logarithmic) {
    const double margin = std::max(1.05, std::pow(y.high / y.low, 0.06));
    canvas()->yAxis->setRange(y.low / margin, y.high * margin);
    return;
  }
  const double span = y.high > y.low ? y.high - y.low : std::max(std::abs(y.high), 1.0);
  const double low = m_startsAtZero && y.low >= 0 ? 0 : y.low - 0.06 * span;
  canvas()->yAxis->setRange(low, y.high + 0.08 * span);
}

void SeriesPlot::viewChanged() {
  if (m_lines.empty())
    return;
  fetch();
  redraw();
}

void SeriesPlot::applyColours(const ThemeColours& colours) {
  PlotView::applyColours(colours);
  for (const Line& line : m_lines) {
    QColor colour = namedColour(line.colour, colours.kind);
    if (line.weight == LineWeight::Thin)
      colour.setAlphaF(colours.kind == ThemeKind::Dark ? 0.55f : 0.4f);
    line.graph->setPen(QPen(colour, line.weight == LineWeight::Strong ? 2.0 : 1.0, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    // A lone point between two gaps has no line: give it a dot.
    line.graph->setScatterStyle(line.graph->data()->size() == 1 ? QCPScatterStyle(QCPScatterStyle::ssDisc, 5) : QCPScatterStyle());
  }
  if (m_cursor)
    m_cursor->setPen(QPen(colours.strongBorder, 1, Qt::DashLine));
}

QString SeriesPlot::valuesAt(double x) const {
  QString rows;
  double at = 0;
  for (const Line& line : m_lines) {
    if (!line.graph->visible() || line.graph->data()->isEmpty())
      continue;
    auto found = line.graph->data()->findBegin(x, true);
    const auto next = found + 1;
    if (next != line.graph->data()->constEnd() && std::abs(next->key - x) < std::abs(found->key - x))
      found = next;
    at = found->key;
    const QString value = std::isfinite(found->value) ? QString::fromStdString(formatSignificant(found->value, 4)) : tr("unknown");
    rows += QStringLiteral("<tr><td>%1&nbsp;</td><td align='right'><b>%2</b></td></tr>").arg(line.name.toHtmlEscaped(), value);
  }
  return rows.isEmpty() ? QString()
                        : QStringLiteral("<table><tr><td>%1&nbsp;</td><td align='right'>%2</td></tr>%3</table>")
                              .arg(canvas()->xAxis->label().toHtmlEscaped(), QString::fromStdString(formatSignificant(at, 6)), rows);
}

void SeriesPlot::showValuesAt(const QPoint& position) {
  if (!canvas()->axisRect()->rect().contains(position)) {
    hideValues();
    return;
  }
  const double x = canvas()->xAxis->pixelToCoord(position.x());
  m_cursor->point1->setCoords(x, canvas()->yAxis->range().lower);
  m_cursor->point2->setCoords(x, canvas()->yAxis->range().upper);
  m_cursor->setVisible(true);
  QToolTip::showText(canvas()->mapToGlobal(position + QPoint(12, 12)), valuesAt(x), canvas());
  redraw();
}

void SeriesPlot::hideValues() {
  if (!m_cursor->visible())
    return;
  m_cursor->setVisible(false);
  QToolTip::hideText();
  redraw();
}

QString SeriesPlot::tableText() const {
  QString out = QStringLiteral("line,%1,value\n").arg(canvas()->xAxis->label());
  for (const Line& line : m_lines) {
    const Series series = line.source(-kEverything, kEverything, kCsvPoints);
    for (std::size_t i = 0; i < series.size(); ++i) {
      const double y = series.y()[i];
      out += QStringLiteral("%1,%2,%3\n").arg(line.name, QString::number(series.x()[i], 'g', 12),
                                              std::isfinite(y) ? QString::number(y, 'g', 9) : QString());
    }
  }
  return out;
}

} // namespace voxlab

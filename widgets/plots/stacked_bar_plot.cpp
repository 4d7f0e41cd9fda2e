// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/stacked_bar_plot.h"
#include "core/base/text.h"
#include "widgets/plots/table_text.h"
#include "widgets/plots/tickers.h"
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
constexpr double kBarHeight = 0.72; // of the room that a name has
constexpr double kLeastRows = 2;    // a single bar is no wall
constexpr int kLegendColumn = 168;  // pixels
constexpr qsizetype kMostNames = 24;
} // namespace

StackedBarPlot::StackedBarPlot(QWidget* parent) : PlotView(parent) {
  canvas()->setInteractions({});
  canvas()->xAxis->setTicker(QSharedPointer<LinearTicker>::create());
  canvas()->yAxis->setRangeReversed(true);
  canvas()->setMouseTracking(true);
  connect(canvas(), &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) { showHint(event->pos()); });
  connect(canvas(), &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
    const auto [bar, part] = partAt(event->pos());
    if (event->button() == Qt::LeftButton && bar >= 0)
      emit partClicked(bar, part);
  });
}

QSize StackedBarPlot::sizeHint() const { return {420, std::clamp(80 + 24 * static_cast<int>(m_names.size()), 120, 640)}; }

void StackedBarPlot::setLegendVisible(bool visible) {
  m_legendVisible = visible;
  setLegendShown(m_legendVisible && m_parts.size() > 1);
  redraw();
}

void StackedBarPlot::setBars(const QStringList& names, std::vector<Part> parts) {
  m_names = names;
  m_parts = std::move(parts);
  canvas()->clearPlottables();
  canvas()->clearItems();
  for (std::size_t part = 0; part < m_parts.size(); ++part)
    addPart(part);
  addTotals();
  setLegendShown(m_legendVisible && m_parts.size() > 1);
  applyColours(themeColours(palette()));
  rescale();
  setShowsData(!m_names.isEmpty() && canvas()->plottableCount() > 0);
  updateGeometry();
  viewChanged();
  redraw();
}

void StackedBarPlot::addPart(std::size_t index) {
  const Part& part = m_parts[index];
  if (std::none_of(part.values.begin(), part.values.end(), [](const auto& value) { return value.value_or(0) > 0; }))
    return;
  auto* below = canvas()->plottableCount() ? static_cast<QCPBars*>(canvas()->plottable(canvas()->plottableCount() - 1)) : nullptr;
  auto* bars = new QCPBars(canvas()->yAxis, canvas()->xAxis);
  bars->setName(part.name);
  bars->setProperty("colour", part.colour);
  bars->setWidth(kBarHeight);
  if (!m_legendVisible)
    bars->removeFromLegend(); // it would keep its room
  for (std::size_t i = 0; i < part.values.size(); ++i)
    bars->addData(static_cast<double>(i), part.values[i].value_or(0));
  if (below)
    bars->moveAbove(below);
}

double StackedBarPlot::total(qsizetype bar) const {
  double sum = 0;
  for (const Part& part : m_parts)
    sum += static_cast<std::size_t>(bar) < part.values.size() ? part.values[static_cast<std::size_t>(bar)].value_or(0) : 0;
  return sum;
}

void StackedBarPlot::addTotals() {
  if (m_names.size() > 40)
    return;
  for (qsizetype i = 0; i < m_names.size(); ++i) {
    auto* label = new QCPItemText(canvas());
    label->setText(QStringLiteral(" ") + QString::fromStdString(formatSignificant(total(i))));
    label->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    label->position->setCoords(total(i), static_cast<double>(i));
  }
}

void StackedBarPlot::rescale() {
  double highest = 0;
  for (qsizetype i = 0; i < m_names.size(); ++i)
    highest = std::max(highest, total(i));
  canvas()->xAxis->setRange(0, highest > 0 ? highest * 1.2 : 1);
  canvas()->yAxis->setRange(-0.5, std::max(kLeastRows, static_cast<double>(m_names.size())) - 0.5);
}

void StackedBarPlot::viewChanged() {
  nameRows(m_names, std::max<qsizetype>(1, m_names.size() / kMostNames));
  canvas()->xAxis->ticker()->setTickCount(ticksFor(width() * 3 / 5));
  const int columns = std::max(1, canvas()->width() / kLegendColumn);
  if (canvas()->legend->wrap() != columns)
    canvas()->legend->setWrap(columns);
}

std::pair<int, int> StackedBarPlot::partAt(const QPoint& position) const {
  const double at = canvas()->yAxis->pixelToCoord(position.y()), value = canvas()->xAxis->pixelToCoord(position.x());
  const auto bar = static_cast<qsizetype>(std::lround(at));
  if (bar < 0 || bar >= m_names.size() || std::abs(at - static_cast<double>(bar)) > kBarHeight / 2 || value < 0)
    return {-1, -1};
  double reached = 0;
  for (std::size_t part = 0; part < m_parts.size(); ++part) {
    const auto& values = m_parts[part].values;
    reached += static_cast<std::size_t>(bar) < values.size() ? values[static_cast<std::size_t>(bar)].value_or(0) : 0;
    if (value < reached)
      return {static_cast<int>(bar), static_cast<int>(part)};
  }
  return {-1, -1};
}

void StackedBarPlot::showHint(const QPoint& position) {
  const auto [bar, index] = partAt(position);
  if (bar < 0) {
    QToolTip::hideText();
    return;
  }
  const Part& part = m_parts[static_cast<std::size_t>(index)];
  const double value = part.values[static_cast<std::size_t>(bar)].value_or(0);
  const QString unit = canvas()->xAxis->label();
  QToolTip::showText(canvas()->mapToGlobal(position),
                     tr("%1 · %2\n%3 of %4 (%5 %)%6")
                         .arg(m_names[bar], part.name, QString::fromStdString(formatSignificant(value)),
                              QString::fromStdString(formatSignificant(total(bar))),
                              QString::fromStdString(formatSignificant(100 * value / total(bar), 2)),
                              unit.isEmpty() ? QString() : QStringLiteral("\n") + unit),
                     canvas());
}

void StackedBarPlot::applyColours(const ThemeColours& colours) {
  PlotView::applyColours(colours);
  canvas()->yAxis->grid()->setVisible(false);
  canvas()->xAxis->grid()->setVisible(true);
  canvas()->yAxis->setTickLabelColor(colours.text);
  for (int i = 0; i < canvas()->plottableCount(); ++i) {
    canvas()->plottable(i)->setPen(QPen(colours.surface, 0.5)); // neighbours stay apart, also where hues are close
    canvas()->plottable(i)->setBrush(namedColour(canvas()->plottable(i)->property("colour").toString(), colours.kind));
  }
  for (int i = 0; i < canvas()->itemCount(); ++i)
    if (auto* label = qobject_cast<QCPItemText*>(canvas()->item(i))) {
      label->setColor(colours.muted);
      label->setFont(canvas()->xAxis->tickLabelFont());
    }
}

QString StackedBarPlot::tableText() const {
  QString out = QStringLiteral("name,part,value\n");
  for (qsizetype i = 0; i < m_names.size(); ++i)
    for (const Part& part : m_parts) {
      QString value; // GCC takes an optional that was copied for uninitialised at -O1
      if (const auto at = static_cast<std::size_t>(i); at < part.values.size() && part.values[at].has_value())
        value = QString::number(part.values[at].value(), 'g', 9);
      out += csvRow({m_names[i], part.name, value});
    }
  return out;
}

} // namespace voxlab

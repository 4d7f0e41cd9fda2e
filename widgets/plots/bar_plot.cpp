// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/bar_plot.h"
#include "core/base/text.h"
#include "widgets/plots/table_text.h"
#include "widgets/plots/tickers.h"
#include <cmath>

namespace voxlab {
namespace {
constexpr double kGroupHeight = 0.78; // of the room that a name has
constexpr double kLeastRows = 4;      // a single bar is no wall
}

BarPlot::BarPlot(QWidget* parent) : PlotView(parent) {
  canvas()->setInteractions({});
  canvas()->xAxis->setTicker(QSharedPointer<LinearTicker>::create());
  canvas()->yAxis->setRangeReversed(true); // first name on top
  connect(canvas(), &QCustomPlot::afterLayout, this, &BarPlot::rescale); // only then is it known how wide the words are in values
}

QSize BarPlot::sizeHint() const {
  const int bars = static_cast<int>(m_names.size() * std::max<qsizetype>(1, static_cast<qsizetype>(m_groups.size())));
  return {420, std::clamp(72 + 22 * bars, 140, 640)};
}

double BarPlot::position(std::size_t group, qsizetype name) const {
  const double height = kGroupHeight / static_cast<double>(m_groups.size());
  return static_cast<double>(name) + (static_cast<double>(group) + 0.5) * height - kGroupHeight / 2;
}

void BarPlot::setBars(const QStringList& names, std::vector<Group> groups) {
  m_names = names;
  m_groups = std::move(groups);
  canvas()->clearPlottables();
  canvas()->clearItems();
  for (std::size_t group = 0; group < m_groups.size(); ++group)
    addGroup(group);
  if (m_reference)
    addReference();
  setLegendShown(m_groups.size() > 1);
  applyColours(themeColours(palette()));
  nameRows(m_names);
  rescale();
  setShowsData(!m_names.isEmpty() && !m_groups.empty());
  updateGeometry();
  redraw();
}

void BarPlot::setReference(std::optional<double> value) {
  m_reference = value;
  setBars(m_names, std::move(m_groups));
}

std::vector<BarPlot::Group> BarPlot::normalised(std::vector<Group> groups, std::size_t baseline) {
  const std::vector<Bar> reference = groups.at(baseline).bars;
  for (Group& group : groups)
    for (std::size_t i = 0; i < group.bars.size(); ++i) {
      Bar& bar = group.bars[i];
      const double unit = i < reference.size() ? reference[i].value.value_or(0) : 0;
      if (unit == 0)
        bar = {};
      if (bar.value)
        bar.value = *bar.value / unit;
      if (bar.spread)
        bar.spread = *bar.spread / std::abs(unit);
    }
  return groups;
}

void BarPlot::addReference() {
  auto* line = new QCPItemStraightLine(canvas());
  line->point1->setCoords(*m_reference, 0);
  line->point2->setCoords(*m_reference, 1);
}

void BarPlot::addGroup(std::size_t index) {
  const Group& group = m_groups[index];
  auto* bars = new QCPBars(canvas()->yAxis, canvas()->xAxis);
  bars->setName(group.name);
  if (m_groups.size() < 2)
    bars->removeFromLegend(); // it would keep its room
  bars->setProperty("colour", group.colour);
  bars->setWidth(kGroupHeight / static_cast<double>(m_groups.size()) * 0.9);
  QVector<double> errors;
  for (std::size_t i = 0; i < group.bars.size(); ++i) {
    const Bar& bar = group.bars[i];
    if (!bar.value)
      continue;
    const double at = position(index, static_cast<qsizetype>(i));
    bars->addData(at, *bar.value);
    errors.append(bar.spread.value_or(qQNaN()));
    auto* label = new QCPItemText(canvas());
    label->setText(valueText(bar));
    label->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    label->position->setCoords(*bar.value + bar.spread.value_or(0), at);
  }
  auto* whiskers = new QCPErrorBars(canvas()->yAxis, canvas()->xAxis);
  whiskers->setErrorType(QCPErrorBars::etValueError);
  whiskers->setDataPlottable(bars);
  whiskers->setData(errors);
  whiskers->setWhiskerWidth(5);
  whiskers->removeFromLegend();
}

QString BarPlot::valueText(const Bar& bar) { return QStringLiteral(" ") + QString::fromStdString(formatSignificant(bar.value.value_or(0))); }

void BarPlot::setWhole(std::optional<double> value) {
  m_whole = value;
  rescale();
  redraw();
}

void BarPlot::rescale() {
  double highest = 0;
  for (const Group& group : m_groups)
    for (const Bar& bar : group.bars)
      highest = std::max(highest, bar.value.value_or(0) + bar.spread.value_or(0));
  highest = std::max(highest, m_reference.value_or(0));
  double last = m_whole.value_or(highest > 0 ? highest * 1.04 : 1);
  // Room for the values that are written at the bars' ends.
  const QFontMetrics metrics(canvas()->xAxis->tickLabelFont());
  const double width = std::max(60, canvas()->axisRect()->width());
  for (const Group& group : m_groups)
    for (const Bar& bar : group.bars)
      if (bar.value)
        last = std::max(last, (bar.value.value_or(0) + bar.spread.value_or(0)) / std::max(0.3, 1 - (metrics.horizontalAdvance(valueText(bar)) + 2) / width));
  canvas()->xAxis->setRange(0, last);
  canvas()->yAxis->setRange(-0.5, std::max(kLeastRows, static_cast<double>(m_names.size())) - 0.5);
}

void BarPlot::applyColours(const ThemeColours& colours) {
  PlotView::applyColours(colours);
  canvas()->yAxis->grid()->setVisible(false);
  canvas()->xAxis->grid()->setVisible(true);
  canvas()->yAxis->setTickLabelColor(colours.text);
  for (int i = 0; i < canvas()->plottableCount(); ++i) {
    QCPAbstractPlottable* plottable = canvas()->plottable(i);
    if (auto* whiskers = qobject_cast<QCPErrorBars*>(plottable)) {
      whiskers->setPen(QPen(colours.text, 1));
      continue;
    }
    plottable->setPen(Qt::NoPen);
    plottable->setBrush(namedColour(plottable->property("colour").toString(), colours.kind));
  }
  for (int i = 0; i < canvas()->itemCount(); ++i) {
    if (auto* label = qobject_cast<QCPItemText*>(canvas()->item(i))) {
      label->setColor(colours.muted);
      label->setFont(canvas()->xAxis->tickLabelFont());
    } else if (auto* line = qobject_cast<QCPItemStraightLine*>(canvas()->item(i))) {
      line->setPen(QPen(colours.muted, 1, Qt::DashLine));
    }
  }
}

void BarPlot::viewChanged() {
  nameRows(m_names);
  canvas()->xAxis->ticker()->setTickCount(ticksFor(width() * 3 / 5));
}

QString BarPlot::tableText() const {
  QString out = QStringLiteral("name,group,value,spread\n");
  const auto text = [](const std::optional<double>& value) { return value ? QString::number(*value, 'g', 9) : QString(); };
  for (qsizetype i = 0; i < m_names.size(); ++i)
    for (const Group& group : m_groups) {
      const Bar& bar = group.bars.at(static_cast<std::size_t>(i));
      out += csvRow({m_names[i], group.name, text(bar.value), text(bar.spread)});
    }
  return out;
}

} // namespace voxlab

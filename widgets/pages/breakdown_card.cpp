// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/breakdown_card.h"
#include "core/analysis/breakdown.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"
#include "widgets/pages/page_parts.h"
#include "widgets/plots/stacked_plot.h"
#include "widgets/plots/theme_colours.h"
#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

namespace voxlab {
namespace {
constexpr double kLeastShare = 0.01; // of the time: smaller parts are shown together

struct Known {
  std::string_view name, title;
};

// Every part that a step's time is told in, in the order in which it is shown.
std::vector<Known> knownParts() {
  std::vector<Known> parts;
  for (std::size_t i = 1; i < static_cast<std::size_t>(KernelCategory::Count); ++i)
    parts.push_back({categoryName(static_cast<KernelCategory>(i)), categoryTitle(static_cast<KernelCategory>(i))});
  for (std::size_t i = 0; i < static_cast<std::size_t>(IdleCause::Count); ++i)
    parts.push_back({idleName(static_cast<IdleCause>(i)), idleTitle(static_cast<IdleCause>(i))});
  return parts;
}

bool isLight(const ProfileRecord& record) { return record.path.empty() && record.step; }

double valueOf(const ProfileRecord& record, std::string_view name) {
  const auto it = std::find_if(record.categories_ms.begin(), record.categories_ms.end(), [name](const auto& part) { return part.first == name; });
  return it == record.categories_ms.end() ? 0 : it->second;
}

double sumOf(const Series& series) {
  double sum = 0;
  for (const double y : series.y())
    sum += y;
  return sum;
}

Series sumOf(const std::vector<const Series*>& parts) {
  Series sum;
  for (std::size_t i = 0; i < parts.front()->size(); ++i) {
    double y = 0;
    for (const Series* part : parts)
      y += part->y()[i];
    sum.append(parts.front()->x()[i], y);
  }
  return sum;
}

QWidget* bodyOf(QWidget* plot, QWidget* legend) {
  auto* body = new QWidget;
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(kSpaceSmall);
  column->addWidget(plot, 1);
  column->addWidget(legend);
  return body;
}

QString titleOf(const std::string& name) {
  for (const Known& part : knownParts())
    if (part.name == name)
      return text(part.title);
  return QString::fromStdString(name);
}
} // namespace

std::vector<CategorySeries> categoriesOverTime(const RunState& state) {
  std::vector<CategorySeries> found;
  for (const Known& part : knownParts()) {
    CategorySeries category{std::string(part.name), {}};
    for (const ProfileRecord& record : state.profiles())
      if (isLight(record))
        category.ms.append(static_cast<double>(*record.step), valueOf(record, part.name));
    if (sumOf(category.ms) > 0)
      found.push_back(std::move(category));
  }
  return found;
}

BreakdownCard::BreakdownCard(QWidget* parent) : BreakdownCard(new StackedPlot, makeWrappedLabel({}, "caption"), parent) {}

BreakdownCard::BreakdownCard(StackedPlot* plot, QLabel* legend, QWidget* parent) : PlotCard(tr("Kernels over time"), bodyOf(plot, legend), parent), m_plot(plot), m_legend(legend) {
  m_plot->setAxisTitles(tr("Step"), tr("Time a step (ms)"));
  m_plot->setEmptyText(tr("Which kinds of kernels take a step's time, once light recordings are made."));
  m_plot->setExportName(QStringLiteral("kernels-over-time"));
  m_plot->setLegendVisible(false); // there are too many for one row
  m_legend->setTextFormat(Qt::RichText);
}

void BreakdownCard::changeEvent(QEvent* event) {
  PlotCard::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    showLegend();
}

void BreakdownCard::showLegend() {
  const ThemeKind kind = themeColours(palette()).kind;
  QStringList words;
  for (const auto& [title, colour] : m_parts)
    words << QStringLiteral("<span style=\"color:%1\">■</span>&nbsp;%2").arg(namedColour(colour, kind).name(), title.toHtmlEscaped().replace(QLatin1Char(' '), QStringLiteral("&nbsp;")));
  m_legend->setText(words.join(QStringLiteral(" &nbsp; ")));
}

bool BreakdownCard::hasFigures(const RunState& state) { return std::any_of(state.profiles().begin(), state.profiles().end(), isLight); }

void BreakdownCard::setRun(std::shared_ptr<const RunState> state) {
  m_state = std::move(state);
  m_shown = 0;
}

void BreakdownCard::refresh() {
  if (!m_state || m_state->profiles().size() == m_shown)
    return;
  m_shown = m_state->profiles().size();
  const auto categories = categoriesOverTime(*m_state);
  double all = 0;
  for (const CategorySeries& category : categories)
    all += sumOf(category.ms);
  std::vector<StackedPlot::Part> parts;
  std::vector<const Series*> small;
  for (const CategorySeries& category : categories)
    if (sumOf(category.ms) < kLeastShare * all)
      small.push_back(&category.ms);
    else
      parts.push_back({titleOf(category.name), QString::fromStdString(category.name), &category.ms});
  const Series rest = small.empty() ? Series() : sumOf(small);
  if (!small.empty())
    parts.push_back({tr("Less than 1 % each"), QStringLiteral("other"), &rest});
  m_plot->setParts(parts);
  m_parts.clear();
  for (const StackedPlot::Part& part : parts)
    m_parts.emplace_back(part.name, part.colour);
  showLegend();
  const auto& profiles = m_state->profiles();
  const auto newest = std::find_if(profiles.rbegin(), profiles.rend(), isLight);
  QStringList words;
  if (newest != profiles.rend() && newest->everySteps)
    words << tr("one step in %1").arg(QString::fromStdString(formatCount(*newest->everySteps)));
  if (newest != profiles.rend() && newest->overhead_percent)
    words << tr("costs %1 % of the time").arg(QString::fromStdString(formatSignificant(*newest->overhead_percent, 2)));
  setFigure(words.join(QStringLiteral(" · ")));
}

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare_charts.h"
#include "core/analysis/quality_report.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"
#include "widgets/models/comparison_arrangement.h"
#include "widgets/models/volume_pairs.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/plot_card.h"
#include "widgets/plots/bar_plot.h"
#include "widgets/plots/scatter_plot.h"
#include "widgets/plots/stacked_bar_plot.h"
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QSignalBlocker>
#include <algorithm>

namespace voxlab {
namespace {
constexpr int kLeastCombo = 120, kLeastFront = 340; // pixels: room for names beside the points
constexpr std::string_view kBaseline = "baseline"; // the mode

// Names with their colours: of a name, and of what namedColour() knows it by.
QString legendOf(const QList<std::pair<QString, QString>>& names, ThemeKind kind) {
  QStringList legend;
  for (const auto& [name, colour] : names)
    legend << QStringLiteral("<span style=\"color:%1\">■</span>&nbsp;%2").arg(namedColour(colour, kind).name(), name.toHtmlEscaped().replace(QLatin1Char(' '), QStringLiteral("&nbsp;")));
  return legend.join(QStringLiteral(" &nbsp; "));
}
} // namespace

CompareCharts::CompareCharts(const ComparisonModel* model, QWidget* parent)
    : CardGrid(900, parent), m_model(model), m_bars(new BarPlot), m_categories(new StackedBarPlot), m_front(new ScatterPlot), m_measure(new QComboBox), m_quality(new QComboBox),
      m_shares(new QCheckBox(tr("100 %"))), m_frontWords(makeWrappedLabel({}, "help")), m_legend(makeWrappedLabel({}, "help")), m_frontLegend(makeWrappedLabel({}, "help")) {
  m_barsCard = new PlotCard(tr("Normalised to the baseline"), m_bars);
  m_barsCard->addControl(m_measure);
  m_categoriesCard = new PlotCard(tr("Where a step's time goes"), withWordsBelow(m_categories, m_legend));
  m_categoriesCard->addControl(m_shares);
  m_frontCard = new PlotCard(tr("Quality against speed"), withWordsBelow(withWordsBelow(m_front, m_frontLegend), m_frontWords));
  m_frontCard->addControl(m_quality);
  m_measure->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  for (QComboBox* box : {m_measure, m_quality})
    box->setMinimumWidth(kLeastCombo); // long titles do not widen the page
  m_categories->setLegendVisible(false); // it has too many rows for a plot
  for (QLabel* legend : {m_legend, m_frontLegend})
    legend->setTextFormat(Qt::RichText);
  m_measure->setAccessibleName(tr("Measure"));
  m_quality->setAccessibleName(tr("Measure of quality"));
  m_shares->setToolTip(tr("Every mode's parts as shares of its own time"));
  m_bars->setExportName(QStringLiteral("normalised"));
  m_categories->setExportName(QStringLiteral("categories"));
  m_front->setMinimumHeight(kLeastFront);
  m_front->setExportName(QStringLiteral("quality_speed"));
  m_bars->setEmptyText(tr("The baseline has no value of this measure."));
  m_categories->setEmptyText(tr("No mode was profiled. A job of kind profile, or an imported trace, shows where the time goes."));
  m_front->setEmptyText(tr("Draw volumes with some modes and samplers, measure their quality, and choose those runs too."));
  add(m_barsCard);
  add(m_frontCard);
  add(m_categoriesCard, Span::All);
  connect(m_measure, &QComboBox::currentIndexChanged, this, &CompareCharts::showBars);
  connect(m_measure, &QComboBox::activated, this, [this] { m_measureChosen = true; });
  connect(m_quality, &QComboBox::currentIndexChanged, this, &CompareCharts::showFront);
  connect(m_shares, &QCheckBox::toggled, this, &CompareCharts::showCategories);
  connect(m_front, &ScatterPlot::pointClicked, this, &CompareCharts::choosePoint);
}

void CompareCharts::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::PaletteChange)
    return;
  showCategories(); // legends have colours of their own
  showFrontLegend();
}

void CompareCharts::setSet(const ComparisonSet* set) {
  m_set = set;
  const QString wanted = m_quality->currentData().toString();
  const QSignalBlocker blocker(m_quality);
  m_quality->clear();
  if (set)
    for (const auto& [name, title] : qualityMeasures(set->points))
      if (qualityFront(set->points, name))
        m_quality->addItem(text(title), text(name));
  m_quality->setVisible(m_quality->count() > 0);
  const int ssim = m_quality->findData(QStringLiteral("ssim")), kept = m_quality->findData(wanted);
  m_quality->setCurrentIndex(kept >= 0 ? kept : std::max(0, ssim));
  showFront();
}

void CompareCharts::refresh() {
  fillMeasures();
  showBars();
  showCategories();
}

void CompareCharts::setVolumeNames(const QHash<QString, QString>& names) {
  if (names == m_volumeNames)
    return;
  m_volumeNames = names;
  showFront();
}

void CompareCharts::fillMeasures() {
  const QString wanted = m_measure->currentData().toString();
  const QSignalBlocker blocker(m_measure);
  m_measure->clear();
  std::ptrdiff_t most = 0;
  int fullest = 0; // the first of those that most sides have: times first
  for (const NormalisedMeasure& m : m_model->comparison().measures)
    if (const auto known = std::count_if(m.normalised.begin(), m.normalised.end(), [](const auto& value) { return value.has_value(); }); known > 0) {
      if (known > most) {
        most = known;
        fullest = m_measure->count();
      }
      m_measure->addItem(text(m.title), text(m.name));
    }
  const int chosen = m_measureChosen ? m_measure->findData(wanted) : -1; // until the user chooses, what shows most
  m_measure->setCurrentIndex(chosen >= 0 ? chosen : fullest);
}

void CompareCharts::chooseMeasure(int column) {
  if (const int index = m_measure->findData(text(m_model->measure(column).name)); index >= 0) {
    m_measureChosen = true;
    m_measure->setCurrentIndex(index);
  }
}

void CompareCharts::setFrontShown(bool shown) { setShown(m_frontCard, shown); }
void CompareCharts::setCategoriesShown(bool shown) { setShown(m_categoriesCard, shown); }

void CompareCharts::showBars() {
  const RunComparison& comparison = m_model->comparison();
  const std::string wanted = m_measure->currentData().toString().toStdString();
  const auto it = std::find_if(comparison.measures.begin(), comparison.measures.end(), [&](const NormalisedMeasure& m) { return m.name == wanted; });
  if (it == comparison.measures.end()) {
    m_bars->setBars({}, {});
    return;
  }
  QStringList names;
  const auto groupOf = [&](const NormalisedMeasure& m) {
    BarPlot::Group group{text(m.title), &m == &*it ? QStringLiteral("compute") : QStringLiteral("host"), {}};
    for (std::size_t n = 0; n < comparison.runs.size(); ++n) {
      if (!it->normalised[n])
        continue;
      BarPlot::Bar bar{m.normalised[n], {}};
      if (m.normalised[n] && m.values[n]->count > 1)
        bar.spread = std::abs((m.values[n]->upperQuartile - m.values[n]->lowerQuartile) / 2 / m.values[*comparison.baselines[n]]->median);
      group.bars.push_back(bar);
    }
    return group;
  };
  for (std::size_t n = 0; n < comparison.runs.size(); ++n)
    if (it->normalised[n])
      names << QStringLiteral("%1 · %2").arg(m_model->nameOf(static_cast<int>(n)), measureText(it->values[n]->median, it->unit));
  std::vector<BarPlot::Group> groups{groupOf(*it)};
  if (const NormalisedMeasure* wall = wallClock(comparison); wall && needsWallClock(it->name))
    groups.push_back(groupOf(*wall));
  m_bars->setBars(names, std::move(groups));
  m_bars->setReference(1.0);
  m_bars->setAxisTitles(m_model->hasOwnBaselines() ? tr("÷ each one's own %1").arg(text(comparison.runs[comparison.baseline].mode)) : tr("÷ %1").arg(m_model->nameOf(static_cast<int>(comparison.baseline))), {});
  m_bars->setMinimumHeight(std::max(220, 40 + 30 * static_cast<int>(names.size())));
}

void CompareCharts::showCategories() {
  const RunComparison& comparison = m_model->comparison();
  QStringList names;
  std::vector<const ComparedRun*> sides;
  for (std::size_t n = 0; n < comparison.runs.size(); ++n)
    if (comparison.runs[n].profiled()) {
      sides.push_back(&comparison.runs[n]);
      names << m_model->nameOf(static_cast<int>(n));
    }
  std::vector<StackedBarPlot::Part> parts;
  const auto add = [&](std::string_view title, std::string_view name, auto value) {
    StackedBarPlot::Part part{text(std::string(title)), text(std::string(name)), {}};
    for (const ComparedRun* side : sides) {
      const double ms = value(*side);
      part.values.emplace_back(m_shares->isChecked() && side->wall_ms > 0 ? 100 * ms / side->wall_ms : ms);
    }
    if (std::any_of(part.values.begin(), part.values.end(), [](const auto& v) { return v.value_or(0) > 0; }))
      parts.push_back(std::move(part));
  };
  for (std::size_t i = 0; i < static_cast<std::size_t>(KernelCategory::Count); ++i) {
    const auto category = static_cast<KernelCategory>(i);
    add(categoryTitle(category), categoryName(category), [category](const ComparedRun& side) {
      double ms = 0;
      for (const ComparedWork& work : side.work)
        ms += work.category == category ? work.time_ms : 0;
      return ms;
    });
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(IdleCause::Count); ++i)
    add(idleTitle(static_cast<IdleCause>(i)), idleName(static_cast<IdleCause>(i)), [i](const ComparedRun& side) { return side.idle_ms[i]; });
  QList<std::pair<QString, QString>> legend;
  for (const StackedBarPlot::Part& part : parts)
    legend.emplace_back(part.name, part.colour);
  m_legend->setText(legendOf(legend, themeColours(palette()).kind));
  m_legend->setVisible(!parts.empty());
  m_categories->setBars(names, std::move(parts));
  m_categories->setAxisTitles(m_shares->isChecked() ? tr("Share of the step (%)") : tr("Time of a step (ms)"), {});
  m_shares->setEnabled(!sides.empty());
}

void CompareCharts::showFront() {
  m_frontPoints.clear();
  const auto front = m_set ? qualityFront(m_set->points, m_quality->currentData().toString().toStdString()) : std::nullopt;
  if (!front) {
    m_front->setPoints({});
    setFrontNote({});
    return showFrontLegend();
  }
  std::vector<ScatterPlot::Point> points;
  ScatterPlot::Line line;
  bool joined = false;
  for (const auto& entry : front->entries) {
    const VolumePoint& volume = m_set->points[entry.point];
    ScatterPlot::Point point;
    point.x = entry.time_ms / 1000;
    point.y = entry.value;
    point.label = m_volumeNames.value(text(volume.name()), text(volume.name()));
    point.colour = text(volume.mode);
    point.isHollow = entry.joined;
    point.hint = tr("%1: %2 a volume, %3 %4%5").arg(point.label, text(formatDuration(point.x)), text(front->title), text(formatSignificant(entry.value)),
                                                   volume.samples.empty() ? QString() : tr("; click to see it"));
    if (entry.joined)
      point.hint += tr("\nTime: %1 steps of the network at %2. Quality: volumes drawn at %3.").arg(volume.steps).arg(text(volume.stepSize.empty() ? "the benchmark's size" : volume.stepSize), text(volume.size.empty() ? "their own size" : volume.size));
    for (const QualityMeasure& m : volume.quality)
      if (m.name == front->measure && m.interval)
        point.ySpread = (m.interval->high - m.interval->low) / 2;
    point.importance = entry.onFront ? 1 : 0;
    if (entry.onFront)
      line.points.emplace_back(point.x, point.y);
    joined |= entry.joined;
    points.push_back(std::move(point));
    m_frontPoints.push_back(entry.point);
  }
  m_front->setScales(AxisScale::Logarithmic, AxisScale::Linear);
  m_front->setAxisTitles(tr("Time a volume (s)"), tr("%1 (%2 is better)").arg(text(front->title), front->higherIsBetter ? tr("higher") : tr("lower")));
  std::vector<ScatterPlot::Line> lines;
  if (line.points.size() > 1)
    lines.push_back(std::move(line));
  m_front->setPoints(std::move(points), std::move(lines));
  const QString how = tr("The line joins those that no other beats in both. A click opens a volume; Ctrl and a click on a second point opens their difference.");
  setFrontNote((joined ? tr("Rings join two measurements: time of the full-size network by benchmark, quality of volumes from a network trained at a smaller size. ")
                       : tr("Time and quality of the same volumes. ")) + how);
  showFrontLegend();
}

// Copies of the training set do well in every measure of similarity: told above all else, as in the report.
void CompareCharts::setFrontNote(const QString& note) {
  QStringList notes{m_set ? text(memorisationWords(m_set->points)) : QString(), note};
  notes.removeAll(QString());
  m_frontNote = notes.join(QLatin1Char('\n'));
  showFrontWords({});
}

void CompareCharts::showFrontWords(const QString& problem) {
  m_frontWords->setText(problem.isEmpty() ? m_frontNote : problem + QLatin1Char('\n') + m_frontNote);
  m_frontWords->setVisible(!m_frontWords->text().isEmpty());
}

void CompareCharts::showFrontLegend() {
  QList<std::pair<QString, QString>> modes; // each once, as they come
  for (const ScatterPlot::Point& point : m_front->points())
    if (const std::pair<QString, QString> mode(point.colour, point.colour); !modes.contains(mode))
      modes << mode;
  m_frontLegend->setText(legendOf(modes, themeColours(palette()).kind));
  m_frontLegend->setVisible(!modes.isEmpty());
}

const VolumePoint* CompareCharts::pointOf(int point) const {
  const bool known = m_set && point >= 0 && static_cast<std::size_t>(point) < m_frontPoints.size();
  return known ? &m_set->points[m_frontPoints[static_cast<std::size_t>(point)]] : nullptr;
}

// A click opens a volume; with Ctrl or Shift a second point joins the first, and their difference is opened.
void CompareCharts::choosePoint(int point, Qt::KeyboardModifiers modifiers) {
  const VolumePoint* chosen = pointOf(point);
  if (!chosen)
    return;
  showFrontWords({});
  if (!(modifiers & (Qt::ControlModifier | Qt::ShiftModifier))) {
    m_front->setSelected(point);
    if (chosen->samples.empty())
      emit message(tr("None of the volumes of %1 lies beside these runs: only its measures can be shown.").arg(text(chosen->name())));
    else
      emit volumeRequested(text(chosen->samples.front().file.string()));
    return;
  }
  const std::vector<int> before = m_front->selected();
  if (before.size() != 1 || before.front() == point) {
    m_front->setSelected(point);
    return;
  }
  m_front->setSelected({before.front(), point});
  const VolumePoint* first = pointOf(before.front());
  if (first && chosen->mode == kBaseline && first->mode != kBaseline)
    std::swap(first, chosen); // the baseline is what is subtracted, as everywhere on this page
  if (const auto pair = first ? equalNoise(*first, *chosen) : std::nullopt)
    emit differenceRequested(text(pair->first.string()), text(pair->second.string()));
  else
    showFrontWords(tr("%1 and %2 have no volume of the same seed and mask here, so their difference would say nothing.").arg(first ? text(first->name()) : QString(), text(chosen->name())));
}

} // namespace voxlab

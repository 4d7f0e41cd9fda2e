// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_compare_bar.h"
#include "widgets/pages/flow_layout.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_reading.h"
#include "widgets/pages/viewer_statistics.h"
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <utility>

namespace voxlab {
namespace {

constexpr int kFlicker_ms = 500, kLeastCharacters = 6, kMostCharacters = 24; // as much as "fused_bf16, dpm_solver 20"

// How far the colours of a difference reach until it is measured: what most of both ranges would need.
double reachFor(const SliceLayer& a, const SliceLayer& b, DifferenceScale scale) {
  const double wide = std::max(a.range.high - a.range.low, b.range.high - b.range.low);
  return scale == DifferenceScale::Values ? wide / 2 : 0.5;
}

} // namespace

ViewerCompareBar::ViewerCompareBar(ViewerDocument& document, QWidget* parent) : QWidget(parent), m_document(document) {
  m_first = new QComboBox(this);
  m_second = new QComboBox(this);
  m_mode = new QComboBox(this);
  m_first->setAccessibleName(tr("First volume"));
  m_second->setAccessibleName(tr("Second volume"));
  m_between = makeLabel({}, "caption", this);
  m_mode->setAccessibleName(tr("How they are compared"));
  for (QComboBox* box : {m_first, m_second})
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  const std::pair<QString, CompareMode> modes[]{{tr("Side by side"), CompareMode::None},      {tr("Checkerboard"), CompareMode::Checkerboard},
                                                {tr("Swipe"), CompareMode::Swipe},            {tr("Flicker"), CompareMode::Flicker},
                                                {tr("Blend"), CompareMode::Blend},            {tr("Difference"), CompareMode::Difference}};
  for (const auto& [title, mode] : modes)
    m_mode->addItem(title, static_cast<int>(mode));
  m_oneRange = new QCheckBox(tr("One range"), this);
  m_oneRange->setToolTip(tr("Both volumes are shown with the same brightness and contrast."));
  m_inside = new QCheckBox(tr("Inside the labels"), this);
  m_inside->setToolTip(tr("The figures count the voxels inside the labels only, not those of the whole volume."));
  m_inside->setChecked(true);
  m_position = new QSlider(Qt::Horizontal, this);
  m_position->setRange(0, 100);
  m_position->setValue(50);
  m_position->setMaximumWidth(160);
  m_figures = new FlowingLabel(nullptr, this);
  m_scales = makeLabel(tr("different scales"), "attention", this);
  m_scales->hide();
  QPushButton* details = makeButton(tr("Joint histogram"), "chip", {}, this);
  details->setToolTip(tr("How these figures are measured, and how often which values meet, in the panel at the right"));
  connect(details, &QPushButton::clicked, this, &ViewerCompareBar::detailsRequested);
  QToolButton* close = makeToolButton(QStringLiteral("close"), tr("End the comparison"), this);
  m_flicker.setInterval(kFlicker_ms);

  auto* tools = new FlowLayout(kSpace, 0); // in a narrow window in two rows: a bar must not widen it
  for (QWidget* widget : std::initializer_list<QWidget*>{m_first, m_between, m_second, m_mode, m_oneRange, m_inside, m_position, m_figures, m_scales, details})
    tools->addWidget(widget);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(kSpace, kSpaceSmall, kSpaceSmall, kSpaceSmall);
  layout->setSpacing(kSpace);
  layout->addLayout(tools, 1);
  layout->addWidget(close, 0, Qt::AlignTop);

  for (QComboBox* box : {m_first, m_second, m_mode})
    connect(box, &QComboBox::activated, this, &ViewerCompareBar::apply);
  connect(m_oneRange, &QCheckBox::toggled, this, [this](bool on) {
    if (on && m_first->count() > 1) {
      m_range = m_document.layer(first()).range;
      m_document.editLayer(second(), [this](SliceLayer& layer) { layer.range = m_range; });
    }
  });
  connect(m_inside, &QCheckBox::toggled, this, [this] {
    if (m_first->count() > 1)
      emit compared(first(), second(), mode());
  });
  connect(&document, &ViewerDocument::appearanceChanged, this, &ViewerCompareBar::linkRanges);
  connect(m_position, &QSlider::valueChanged, this, [this](int percent) {
    Comparison comparison = m_document.comparison();
    if (comparison.mode == CompareMode::Checkerboard)
      comparison.tile_px = 8 + percent * 2;
    else if (comparison.mode == CompareMode::Difference)
      return showReach();
    else
      comparison.position = percent / 100.0;
    m_document.setComparison(comparison);
  });
  connect(&m_flicker, &QTimer::timeout, this, [this] {
    Comparison comparison = m_document.comparison();
    comparison.phase = comparison.phase == FlickerPhase::First ? FlickerPhase::Second : FlickerPhase::First;
    m_document.setComparison(comparison);
  });
  connect(close, &QToolButton::clicked, this, &ViewerCompareBar::closed);
  connect(&document, &ViewerDocument::layersChanged, this, &ViewerCompareBar::fillLayers);
}

bool ViewerCompareBar::measuresInsideLabels() const { return m_document.labelLayer() >= 0 && m_inside->isChecked(); }
CompareMode ViewerCompareBar::mode() const { return static_cast<CompareMode>(m_mode->currentData().toInt()); }
int ViewerCompareBar::first() const { return m_first->currentIndex() < 0 ? -1 : m_first->currentData().toInt(); }
int ViewerCompareBar::second() const { return m_second->currentIndex() < 0 ? -1 : m_second->currentData().toInt(); }

QStringList ViewerCompareBar::names() const {
  const bool known = first() >= 0 && second() >= 0 && std::max(first(), second()) < m_document.layerCount();
  return known ? shortNames(m_document, {first(), second()}) : QStringList{QString(), QString()};
}

void ViewerCompareBar::fillLayers() {
  const int before[2]{m_first->currentIndex(), m_second->currentIndex()};
  int slot = 0;
  for (QComboBox* box : {m_first, m_second}) {
    const QSignalBlocker quiet(box);
    box->clear();
    for (int i = 0; i < m_document.layerCount(); ++i)
      if (m_document.layer(i).kind == LayerKind::Image) {
        const ViewerVolume& source = m_document.source(i); // first what tells samples of one mask apart: a box shows a text's beginning
        box->addItem(QString::fromStdString(source.origin.empty() ? m_document.layer(i).title : source.origin + " · " + source.title), i);
        box->setItemData(box->count() - 1, QString::fromStdString(source.path.string()), Qt::ToolTipRole);
      }
    int longest = kLeastCharacters; // short names leave room in a narrow window
    for (int item = 0; item < box->count(); ++item)
      longest = std::max(longest, static_cast<int>(box->itemText(item).size()));
    box->setMinimumContentsLength(std::min(longest, kMostCharacters));
    box->setCurrentIndex(before[slot] >= 0 && before[slot] < box->count() ? before[slot] : std::min(slot, box->count() - 1));
    ++slot;
  }
  m_inside->setVisible(m_document.labelLayer() >= 0);
  if (m_first->count() < 2 && isVisible())
    emit closed();
}

void ViewerCompareBar::start(CompareMode mode) {
  fillLayers();
  if (m_first->currentIndex() == m_second->currentIndex()) {
    m_first->setCurrentIndex(0);
    m_second->setCurrentIndex(std::min(1, m_second->count() - 1));
  }
  m_mode->setCurrentIndex(m_mode->findData(static_cast<int>(mode)));
  apply();
}

void ViewerCompareBar::end() {
  m_flicker.stop();
  Comparison comparison = m_document.comparison();
  if (std::exchange(comparison.mode, CompareMode::None) != CompareMode::None)
    m_document.setComparison(comparison);
}

void ViewerCompareBar::linkRanges() {
  if (m_linking || !isVisible() || !m_oneRange->isChecked() || first() < 0 || second() < 0)
    return;
  const DisplayRange a = m_document.layer(first()).range, b = m_document.layer(second()).range;
  if (a == b)
    return;
  m_linking = true;
  const bool secondChanged = a == m_range;
  m_range = secondChanged ? b : a;
  m_document.editLayer(secondChanged ? first() : second(), [this](SliceLayer& layer) { layer.range = m_range; });
  m_linking = false;
}

void ViewerCompareBar::apply() {
  if (m_first->count() < 2)
    return;
  // Volumes on one scale are judged with one range; a T1 and a normalised sample cannot share one.
  const auto& one = m_document.source(first()).summary;
  const auto& other = m_document.source(second()).summary;
  const double ratio = (one.maximum - one.minimum) / std::max(other.maximum - other.minimum, 1e-12);
  {
    const QSignalBlocker quiet(m_oneRange);
    m_oneRange->setChecked(false);
  }
  m_oneRange->setChecked(ratio > 0.5 && ratio < 2);
  Comparison comparison = m_document.comparison();
  comparison.mode = mode();
  comparison.first = static_cast<std::size_t>(first());
  comparison.second = static_cast<std::size_t>(second());
  comparison.position = 0.5;
  comparison.differenceReach = m_reach = reachFor(m_document.layer(first()), m_document.layer(second()), comparison.scale);
  nameParts();
  {
    const QSignalBlocker quiet(m_position);
    m_position->setValue(comparison.mode == CompareMode::Checkerboard ? 20 : 50);
  }
  m_position->setVisible(comparison.mode != CompareMode::None && comparison.mode != CompareMode::Flicker);
  m_position->setToolTip(comparison.mode == CompareMode::Checkerboard ? tr("Size of the tiles")
                         : comparison.mode == CompareMode::Difference ? tr("Reach of the colours")
                                                                      : tr("From the first to the second"));
  m_position->setAccessibleName(m_position->toolTip());
  if (comparison.mode == CompareMode::Flicker)
    m_flicker.start();
  else
    m_flicker.stop();
  m_document.setComparison(comparison);
  emit compared(first(), second(), comparison.mode);
}

void ViewerCompareBar::nameParts() {
  const bool isDifference = mode() == CompareMode::Difference;
  m_between->setText(isDifference ? tr("subtracted from") : tr("and"));
  m_first->setAccessibleName(isDifference ? tr("The reference, which is subtracted") : tr("First volume"));
  m_second->setAccessibleName(isDifference ? tr("The volume that the reference is subtracted from") : tr("Second volume"));
  for (QComboBox* box : {m_first, m_second})
    box->setToolTip(box->accessibleName() + QLatin1Char('\n') + box->currentText());
}

// Middle: the default reach; ends: sixteen times finer or coarser.
void ViewerCompareBar::showReach() {
  Comparison comparison = m_document.comparison();
  comparison.differenceReach = m_reach * std::pow(16.0, (m_position->value() - 50) / 50.0);
  m_document.setComparison(comparison);
}

void ViewerCompareBar::setStatistics(const ViewerStatistics& statistics) {
  const Comparison& comparison = m_document.comparison();
  if (comparison.mode == CompareMode::Difference && comparison.scale == DifferenceScale::Values && statistics.reach > 0) {
    m_reach = statistics.reach;
    showReach();
  }
  setFigures(shortText(statistics), longText(statistics));
  m_scales->setToolTip(scalesText(statistics, names()[0], names()[1]));
  m_scales->setVisible(haveUnlikeScales(statistics));
}

void ViewerCompareBar::setFigures(const QString& text, const QString& details) {
  m_figures->setText(text);
  m_figures->setToolTip(details);
  m_scales->hide();
}

} // namespace voxlab

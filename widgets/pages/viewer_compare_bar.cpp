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
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
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
constexpr int kPlanes = 4, kNarrow_px = 560, kNarrowCharacters = 9;

// How far the colours of a difference reach until it is measured: what most of all ranges would need.
double guessedReach(const ViewerDocument& document, const std::vector<int>& layers, DifferenceScale scale) {
  double widest = 0;
  for (const int layer : layers)
    widest = std::max(widest, document.layer(layer).range.high - document.layer(layer).range.low);
  return scale == DifferenceScale::Values ? widest / 2 : 0.5;
}

// Volumes on one scale are judged with one range; a T1 and a normalised sample cannot share one.
bool areOnOneScale(const ViewerDocument& document, const std::vector<int>& layers) {
  const auto spanOf = [&](int layer) { return std::max(document.source(layer).summary.maximum - document.source(layer).summary.minimum, 1e-12); };
  const double reference = spanOf(layers.front());
  return std::all_of(layers.begin(), layers.end(), [&](int layer) { return spanOf(layer) > reference / 2 && spanOf(layer) < reference * 2; });
}

// From half a picture a second to eight.
int flickerInterval_ms(int percent) { return static_cast<int>(kFlicker_ms * std::pow(4.0, (50 - percent) / 50.0)); }

bool showsPair(CompareMode mode) { return mode == CompareMode::Checkerboard || mode == CompareMode::Swipe || mode == CompareMode::Blend; }

// As wide as its widest words so far, so that the bar is not arranged anew, and the pictures do not jump, with every other figure.
class SteadyLabel : public FlowingLabel {
public:
  using FlowingLabel::FlowingLabel;
  QSize sizeHint() const override {
    const QSize hint = FlowingLabel::sizeHint();
    m_widest = std::max({m_widest, hint.width(), fontMetrics().horizontalAdvance(usual())});
    return {m_widest, hint.height()};
  }
  int heightForWidth(int width) const override {
    return std::max(FlowingLabel::heightForWidth(width), fontMetrics().boundingRect(QRect(0, 0, width, 1000), Qt::TextWordWrap, usual()).height());
  }

private:
  static QString usual() { return QStringLiteral("MAE 0.000  ·  RMSE 0.000  ·  PSNR 00.0 dB (R 000)  ·  SSIM 0.000"); }
  mutable int m_widest = 0;
};

// Stays open while its items are switched on and off.
class StayingMenu : public QMenu {
public:
  using QMenu::QMenu;

protected:
  void mouseReleaseEvent(QMouseEvent* event) override {
    if (!toggle(actionAt(event->position().toPoint())))
      QMenu::mouseReleaseEvent(event);
  }
  void keyPressEvent(QKeyEvent* event) override {
    if (event->key() != Qt::Key_Space || !toggle(activeAction()))
      QMenu::keyPressEvent(event);
  }

private:
  static bool toggle(QAction* action) {
    if (!action || !action->isEnabled() || !action->isCheckable())
      return false;
    action->trigger();
    return true;
  }
};

} // namespace

ViewerCompareBar::ViewerCompareBar(ViewerDocument& document, QWidget* parent) : QWidget(parent), m_document(document), m_choice(document), m_ranges(document) {
  m_reference = makeLabel(tr("Reference"), "caption", this);
  m_first = new QComboBox(this);
  m_second = new QComboBox(this);
  m_mode = new QComboBox(this);
  m_planes = new QComboBox(this);
  m_swap = makeToolButton(QStringLiteral("viewer-swap"), tr("Another reference"), this);
  m_between = makeLabel(tr("and"), "caption", this);
  m_mode->setAccessibleName(tr("How they are compared"));
  for (QComboBox* box : {m_first, m_second})
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  const std::pair<QString, CompareMode> modes[]{{tr("Side by side"), CompareMode::None},      {tr("Checkerboard"), CompareMode::Checkerboard},
                                                {tr("Swipe"), CompareMode::Swipe},            {tr("Flicker"), CompareMode::Flicker},
                                                {tr("Blend"), CompareMode::Blend},            {tr("Difference"), CompareMode::Difference}};
  for (const auto& [title, mode] : modes)
    m_mode->addItem(title, static_cast<int>(mode));
  m_planes->setAccessibleName(tr("Planes of each volume"));
  m_planes->setToolTip(tr("Planes of each volume (Shift+V)\nA double click in a view shows its plane alone, and all three again."));
  const std::pair<QString, ComparePlanes> planes[]{{tr("Three planes"), ComparePlanes::Three}, {tr("Axial"), ComparePlanes::Axial}, {tr("Coronal"), ComparePlanes::Coronal}, {tr("Sagittal"), ComparePlanes::Sagittal}};
  for (const auto& [title, plane] : planes)
    m_planes->addItem(title, static_cast<int>(plane));
  m_oneRange = new QCheckBox(tr("One range"), this);
  m_oneRange->setToolTip(tr("All of them are shown with the same brightness and contrast; each gets its own back when the comparison ends."));
  m_oneScale = new QCheckBox(tr("One scale"), this);
  m_oneScale->setToolTip(tr("For volumes on unlike scales, as 0 to 240 and −1 to 1: figures, differences and brightness are taken after the 0.5th percentile of all voxels of each was made 0 and the 99.5th 1."));
  m_inside = new QCheckBox(tr("Inside the labels"), this);
  m_inside->setToolTip(tr("The figures count the voxels inside the labels only, not those of the whole volume."));
  m_inside->setChecked(true);
  m_position = new QSlider(Qt::Horizontal, this);
  m_position->setRange(0, 100);
  m_position->setValue(50);
  m_position->setMaximumWidth(160);
  m_positionName = makeLabel({}, "caption", this);
  int widest = 0;
  for (const QString& name : {tr("Tiles"), tr("Edge"), tr("Speed"), tr("Share"), tr("Colours")})
    widest = std::max(widest, m_positionName->fontMetrics().horizontalAdvance(name));
  m_positionName->setFixedWidth(widest + 2);
  m_positionName->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_pause = makeToolButton(QStringLiteral("pause"), tr("Pause the flicker (Shift+D)"), this);
  m_pause->setCheckable(true);
  m_more = makeToolButton(QStringLiteral("more"), tr("More about the comparison"), this);
  m_more->setCheckable(true);
  m_more->hide();
  m_figures = new SteadyLabel(nullptr, this);
  m_scales = makeLabel(tr("different scales"), "attention", this);
  m_scales->hide();
  QPushButton* details = makeButton(tr("Joint histogram"), "chip", {}, this);
  details->setToolTip(tr("How these figures are measured, and how often which values meet, in the panel at the right"));
  connect(details, &QPushButton::clicked, this, &ViewerCompareBar::detailsRequested);
  m_lessNeeded = {m_reference, m_between, m_planes, m_oneRange, m_oneScale, m_positionName, m_position, m_pause, details};
  QToolButton* close = makeToolButton(QStringLiteral("close"), tr("End the comparison"), this);
  connect(close, &QToolButton::clicked, this, &ViewerCompareBar::closed);
  m_flicker.setInterval(kFlicker_ms);
  buildMembers();

  auto* tools = new FlowLayout(kSpace, 0); // in a narrow window in two rows: a bar must not widen it
  for (QWidget* widget : std::initializer_list<QWidget*>{m_reference, m_first, m_swap, m_between, m_second, m_members, m_mode, m_more, m_planes, m_oneRange, m_oneScale, m_inside, m_positionName, m_position, m_pause, m_figures, details, m_scales})
    tools->addWidget(widget);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(kSpace, kSpaceSmall, kSpaceSmall, kSpaceSmall);
  layout->setSpacing(kSpace);
  layout->addLayout(tools, 1);
  layout->addWidget(close, 0, Qt::AlignTop);
  connectParts();
}

void ViewerCompareBar::buildMembers() {
  m_members = makeButton({}, "chip", {}, this);
  m_members->setAccessibleName(tr("Which volumes are compared"));
  m_members->setToolTip(tr("Which volumes are compared (Shift+Y), at most %1").arg(kMostCompared));
  m_menu = new StayingMenu(m_members);
  m_menu->setToolTipsVisible(true);
  m_members->setMenu(m_menu);
}

void ViewerCompareBar::connectParts() {
  connect(m_first, &QComboBox::activated, this, [this] {
    m_choice.setFirst(m_first->currentData().toInt());
    apply();
  });
  connect(m_second, &QComboBox::activated, this, [this] { choose(m_second->currentData().toInt()); });
  connect(m_mode, &QComboBox::activated, this, &ViewerCompareBar::apply);
  connect(m_planes, &QComboBox::activated, this, [this] { emit planesChosen(static_cast<ComparePlanes>(m_planes->currentData().toInt())); });
  connect(m_swap, &QToolButton::clicked, this, &ViewerCompareBar::swap);
  connect(m_more, &QToolButton::toggled, this, &ViewerCompareBar::showControls);
  connect(m_oneRange, &QCheckBox::toggled, this, [this](bool on) { on ? m_ranges.link(m_choice.members(), scales()) : m_ranges.release(); });
  connect(m_oneScale, &QCheckBox::toggled, this, [this] {
    m_linked.clear(); // it is decided anew whether they can share a range
    m_reach.reset();
    if (m_choice.second() >= 0)
      apply();
  });
  connect(m_inside, &QCheckBox::toggled, this, [this] {
    if (m_choice.second() >= 0)
      emit compared();
  });
  connect(m_position, &QSlider::valueChanged, this, [this](int percent) {
    Comparison comparison = m_document.comparison();
    if (comparison.mode == CompareMode::Checkerboard)
      comparison.tile_px = 8 + percent * 2;
    else if (comparison.mode == CompareMode::Difference)
      return showReach();
    else if (comparison.mode == CompareMode::Flicker)
      return m_flicker.setInterval(flickerInterval_ms(percent));
    else
      comparison.position = percent / 100.0;
    m_document.setComparison(comparison);
  });
  connect(m_pause, &QToolButton::toggled, this, [this](bool on) {
    on || mode() != CompareMode::Flicker ? m_flicker.stop() : m_flicker.start();
  });
  connect(&m_flicker, &QTimer::timeout, this, &ViewerCompareBar::showNext);
  connect(&m_document, &ViewerDocument::layersChanged, this, &ViewerCompareBar::takeLayers);
}

// A mask that nothing is painted on yet has no inside.
bool ViewerCompareBar::measuresInsideLabels() const {
  const int labels = m_document.labelLayer();
  if (labels < 0 || !m_inside->isChecked())
    return false;
  const auto& counts = m_document.source(labels).counts;
  return std::any_of(counts.begin(), counts.end(), [](const auto& count) { return count.first != 0 && count.second > 0; });
}
std::vector<DisplayRange> ViewerCompareBar::scales() const {
  std::vector<DisplayRange> all;
  if (m_oneScale->isChecked())
    for (const int layer : m_choice.members())
      all.push_back(m_document.source(layer).commonScale);
  return all;
}

CompareMode ViewerCompareBar::mode() const { return static_cast<CompareMode>(m_mode->currentData().toInt()); }
bool ViewerCompareBar::isSideBySide() const { return mode() == CompareMode::None || (mode() == CompareMode::Difference && m_choice.members().size() > 2); }

QStringList ViewerCompareBar::names() const {
  const int first = m_choice.first(), second = m_choice.second();
  return first >= 0 && second >= 0 ? shortNames(m_document, {first, second}) : QStringList{QString(), QString()};
}

// --- which -----------------------------------------------------------------------------------------------------------

void ViewerCompareBar::start(CompareMode mode) {
  if (m_document.comparison().members.empty()) {
    const QSignalBlocker quiet(m_oneScale);
    m_oneScale->setChecked(false);
    m_choice.begin();
    if (const auto images = m_choice.images().size(); images > m_choice.members().size() && m_choice.isFull())
      emit said(tr("%1 of %2 volumes are compared: more would be too small to be judged. The menu in the bar tells which.").arg(kMostCompared).arg(images));
  }
  m_mode->setCurrentIndex(m_mode->findData(static_cast<int>(mode)));
  m_linked.clear();
  apply();
}

void ViewerCompareBar::end() {
  m_flicker.stop();
  m_ranges.release();
  Comparison comparison = m_document.comparison();
  if (comparison.mode == CompareMode::None && comparison.members.empty())
    return;
  comparison.mode = CompareMode::None;
  comparison.members.clear();
  comparison.scales.clear();
  comparison.scale = DifferenceScale::Values;
  m_document.setComparison(comparison);
}

// What was closed, opened, moved.
void ViewerCompareBar::takeLayers() {
  m_choice.refresh();
  showControls();
  if (isHidden())
    return;
  if (m_choice.members().size() < 2)
    return emit closed();
  apply();
}

void ViewerCompareBar::swap() {
  std::vector<int> members = m_choice.members();
  if (members.size() > 2 && !showsPair(mode())) { // in turn, as the layers lie
    const int before = m_choice.first();
    std::sort(members.begin(), members.end());
    const auto next = std::upper_bound(members.begin(), members.end(), before);
    m_choice.setFirst(next == members.end() ? members.front() : *next);
  } else
    m_choice.swap();
  apply();
}

void ViewerCompareBar::choose(int second) {
  if (second == m_choice.second())
    return;
  m_choice.setSecond(second);
  apply();
}

void ViewerCompareBar::takePart(int layer, bool wanted) {
  wanted ? m_choice.add(layer) : m_choice.remove(layer);
  apply();
}

void ViewerCompareBar::showMembers() {
  if (m_members->isVisible())
    m_members->showMenu();
}

void ViewerCompareBar::fillLayers() {
  const std::vector<int> images = m_choice.images();
  const QStringList brief = shortNames(m_document, images);
  for (QComboBox* box : {m_first, m_second}) {
    const QSignalBlocker quiet(box);
    box->clear();
    int longest = kLeastCharacters; // short names leave room in a narrow window
    for (const int i : images) {
      const ViewerVolume& source = m_document.source(i); // first what tells them apart: a box shows a text's beginning
      box->addItem(source.origin.empty() ? brief[box->count()] : QString::fromStdString(source.origin + " · " + source.title), i);
      box->setItemData(box->count() - 1, QString::fromStdString(source.path.empty() ? m_document.layer(i).title : source.path.string()), Qt::ToolTipRole);
      longest = std::max(longest, static_cast<int>(box->itemText(box->count() - 1).size()));
    }
    box->setMinimumContentsLength(std::min(longest, m_isNarrow ? kNarrowCharacters : kMostCharacters));
    box->setCurrentIndex(box->findData(box == m_first ? m_choice.first() : m_choice.second()));
  }
  fillMembers();
}

// Items are changed, not made anew: one of them may be what was just clicked.
void ViewerCompareBar::fillMembers() {
  const std::vector<int> images = m_choice.images();
  const std::size_t taken = m_choice.members().size();
  const QStringList names = shortNames(m_document, images);
  while (m_menu->actions().size() > static_cast<qsizetype>(images.size()))
    delete m_menu->actions().last();
  while (m_menu->actions().size() < static_cast<qsizetype>(images.size())) {
    QAction* action = m_menu->addAction(QString());
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, action](bool on) { takePart(action->data().toInt(), on); });
  }
  for (std::size_t i = 0; i < images.size(); ++i) {
    QAction* action = m_menu->actions()[static_cast<qsizetype>(i)];
    const bool takesPart = m_choice.takesPart(images[i]), isReference = images[i] == m_choice.first();
    action->setText((isReference ? tr("%1 (reference)") : QStringLiteral("%1")).arg(names[static_cast<qsizetype>(i)]).replace(QLatin1Char('&'), QStringLiteral("&&")));
    action->setData(images[i]);
    action->setChecked(takesPart);
    action->setEnabled(takesPart ? taken > 2 : !m_choice.isFull());
    action->setToolTip(action->isEnabled() ? QString::fromStdString(m_document.source(images[i]).path.string())
                       : takesPart         ? tr("Two volumes are the least that can be compared.")
                                           : tr("%1 volumes are the most: more would be too small to be judged. Take another away first.").arg(kMostCompared));
  }
  m_members->setVisible(images.size() > 2);
  m_members->setText(tr("%1 of %2 volumes ▾").arg(taken).arg(images.size()));
}

// --- how -------------------------------------------------------------------------------------------------------------

void ViewerCompareBar::apply() {
  const std::vector<int> members = m_choice.members();
  if (members.size() < 2)
    return;
  fillLayers();
  linkRanges();
  std::vector<std::uint64_t> ids;
  for (const int layer : members)
    ids.push_back(m_document.idOf(layer));
  if (std::exchange(m_reachOf, ids) != ids)
    m_reach.reset();
  Comparison comparison = m_document.comparison();
  const bool isOtherMode = comparison.members.empty() || comparison.mode != mode();
  comparison.mode = mode();
  comparison.members.assign(members.begin(), members.end());
  comparison.first = static_cast<std::size_t>(m_choice.first());
  comparison.second = static_cast<std::size_t>(m_choice.second());
  comparison.scales = scales();
  comparison.scale = comparison.scales.empty() ? DifferenceScale::Values : DifferenceScale::ShareOfRange;
  if (std::find(comparison.members.begin(), comparison.members.end(), comparison.flickered) == comparison.members.end() || isOtherMode)
    comparison.flickered = comparison.first;
  if (isOtherMode) {
    comparison.position = 0.5;
    m_flicker.setInterval(kFlicker_ms);
    const QSignalBlocker quiet(m_position);
    m_position->setValue(comparison.mode == CompareMode::Checkerboard ? 20 : 50);
  }
  nameParts();
  namePosition();
  comparison.mode == CompareMode::Flicker && !m_pause->isChecked() ? m_flicker.start() : m_flicker.stop();
  m_document.setComparison(comparison);
  showReach();
  emit compared();
}

// All controls stay where they are in every mode; those that have nothing to do rest.
void ViewerCompareBar::namePosition() {
  const auto set = [this](const QString& name, const QString& tip) {
    m_positionName->setText(name);
    m_position->setToolTip(tip);
    m_position->setAccessibleName(tip);
  };
  switch (mode()) {
  case CompareMode::Checkerboard: set(tr("Tiles"), tr("Size of the tiles")); break;
  case CompareMode::Swipe: set(tr("Edge"), tr("From the first to the second")); break;
  case CompareMode::Blend: set(tr("Share"), tr("From the first to the second")); break;
  case CompareMode::Flicker: set(tr("Speed"), tr("How fast they take turns")); break;
  case CompareMode::Difference: set(tr("Colours"), tr("Reach of the colours")); break;
  case CompareMode::None: set({}, tr("Side by side needs no slider")); break;
  }
  m_position->setEnabled(mode() != CompareMode::None);
  m_pause->setEnabled(mode() == CompareMode::Flicker);
}

void ViewerCompareBar::linkRanges() {
  std::vector<int> members = m_choice.members();
  std::vector<int> sorted = members;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != m_linked) {
    const QSignalBlocker quiet(m_oneRange);
    m_oneRange->setChecked(m_oneScale->isChecked() || areOnOneScale(m_document, members));
    m_linked = std::move(sorted);
  }
  m_oneRange->isChecked() ? m_ranges.link(members, scales()) : m_ranges.release();
}

void ViewerCompareBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  takeForm();
}

void ViewerCompareBar::setForm(Form form) {
  m_form = form;
  takeForm();
}

void ViewerCompareBar::takeForm() {
  if (const bool isNarrow = m_form == Form::Short || width() < kNarrow_px; std::exchange(m_isNarrow, isNarrow) != isNarrow) {
    showControls();
    fillLayers();
  }
}

void ViewerCompareBar::showControls() {
  const bool areShown = !m_isNarrow || m_more->isChecked();
  m_more->setVisible(m_isNarrow);
  for (QWidget* widget : m_lessNeeded)
    widget->setVisible(areShown);
  m_inside->setVisible(areShown && m_document.labelLayer() >= 0);
}

void ViewerCompareBar::nameParts() {
  const bool isDifference = mode() == CompareMode::Difference, areSeveral = m_choice.members().size() > 2, isPair = !areSeveral || showsPair(mode());
  m_planes->setEnabled(isSideBySide());
  m_swap->setToolTip(isPair ? tr("Swap: the other becomes the reference (Shift+X)") : tr("The next volume becomes the reference (Shift+X)"));
  m_first->setAccessibleName(isDifference ? tr("The reference, which is subtracted") : tr("First volume, the reference"));
  m_second->setAccessibleName(!isPair        ? tr("The volume whose figures are shown")
                              : isDifference ? tr("The volume that the reference is subtracted from")
                                             : tr("Second volume"));
  for (QComboBox* box : {m_first, m_second})
    box->setToolTip(box->accessibleName() + QLatin1Char('\n') + box->currentText());
}

void ViewerCompareBar::showNext() {
  Comparison comparison = m_document.comparison();
  const auto at = std::find(comparison.members.begin(), comparison.members.end(), comparison.flickered);
  if (comparison.members.empty())
    return;
  comparison.flickered = at == comparison.members.end() || at + 1 == comparison.members.end() ? comparison.members.front() : *(at + 1);
  m_document.setComparison(comparison);
}

void ViewerCompareBar::setPlanes(ComparePlanes planes) {
  const QSignalBlocker quiet(m_planes);
  m_planes->setCurrentIndex(m_planes->findData(static_cast<int>(planes)));
}

void ViewerCompareBar::nextPlanes() {
  m_planes->setCurrentIndex((m_planes->currentIndex() + 1) % kPlanes);
  emit planesChosen(static_cast<ComparePlanes>(m_planes->currentData().toInt()));
}

// --- how far apart ---------------------------------------------------------------------------------------------------

// Middle: the default reach; ends: sixteen times finer or coarser.
void ViewerCompareBar::showReach() {
  Comparison comparison = m_document.comparison();
  if (comparison.mode != CompareMode::Difference)
    return;
  const double known = m_reach.value_or(0), reach = known > 0 ? known : guessedReach(m_document, m_choice.members(), comparison.scale);
  comparison.differenceReach = reach * std::pow(16.0, (m_position->value() - 50) / 50.0);
  comparison.isReachMeasured = m_reach.has_value();
  m_document.setComparison(comparison);
}

void ViewerCompareBar::decideReach(double reach) {
  if (!m_reach)
    m_reach = reach;
  showReach();
}

void ViewerCompareBar::togglePause() {
  if (m_pause->isEnabled())
    m_pause->toggle();
}

void ViewerCompareBar::setStatistics(const ViewerStatistics& statistics) {
  const bool areSeveral = m_choice.members().size() > 2;
  setFigures(areSeveral ? layerName(m_document, m_choice.second()).forms.last() + QStringLiteral(": ") + shortText(statistics) : shortText(statistics), longText(statistics));
  m_scales->setToolTip(scalesText(statistics, names()[0], names()[1]));
  m_scales->setVisible(haveUnlikeScales(statistics));
}

void ViewerCompareBar::setFigures(const QString& text, const QString& details) {
  m_figures->setText(text);
  m_figures->setToolTip(details);
  m_scales->hide();
}

} // namespace voxlab

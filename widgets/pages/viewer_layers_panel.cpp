// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_layers_panel.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_histogram.h"
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPainter>
#include <QSignalBlocker>
#include <QSlider>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>
#include <utility>

namespace voxlab {
namespace {

QIcon rampIcon(ColourMap map) {
  QPixmap ramp(48, 12);
  QPainter painter(&ramp);
  for (int x = 0; x < ramp.width(); ++x) {
    const Rgb c = colourTable(map)[static_cast<std::size_t>(x * 255 / (ramp.width() - 1))];
    painter.fillRect(x, 0, 1, ramp.height(), QColor(c.r, c.g, c.b));
  }
  return QIcon(ramp);
}

QSlider* makePercentSlider(QWidget* parent, const QString& name) {
  auto* slider = new QSlider(Qt::Horizontal, parent);
  slider->setRange(0, 100);
  slider->setAccessibleName(name);
  return slider;
}

QDoubleSpinBox* makeRangeBox(QWidget* parent, const QString& name) {
  auto* box = new QDoubleSpinBox(parent);
  box->setRange(-1e12, 1e12);
  box->setButtonSymbols(QAbstractSpinBox::NoButtons);
  box->setKeyboardTracking(false);
  box->setAccessibleName(name);
  box->setMinimumWidth(64);
  return box;
}

void hideLabelsOfForm(QFormLayout* form) {
  form->setContentsMargins(0, 0, 0, 0);
  form->setHorizontalSpacing(kSpace);
  form->setVerticalSpacing(6);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
}

// The layer's name, and at the right edge its value under the pointer.
class LayerDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const int most = option.rect.width() * 9 / 20;
    const QString value = option.fontMetrics.elidedText(index.data(Qt::UserRole).toString(), Qt::ElideMiddle, most);
    QStyleOptionViewItem row = option;
    initStyleOption(&row, index);
    const QString name = std::exchange(row.text, QString());
    const QStyle* style = option.widget->style();
    style->drawControl(QStyle::CE_ItemViewItem, &row, painter, option.widget); // background and box, across the row
    row.text = name;
    row.rect.setRight(row.rect.right() - (value.isEmpty() ? 0 : option.fontMetrics.horizontalAdvance(value) + 2 * kSpaceSmall));
    const QRect words = style->subElementRect(QStyle::SE_ItemViewItemText, &row, option.widget).adjusted(3, 0, 0, 0);
    painter->save();
    painter->setPen(option.palette.color(QPalette::Text));
    painter->drawText(words, Qt::AlignLeft | Qt::AlignVCenter, option.fontMetrics.elidedText(name, Qt::ElideMiddle, words.width()));
    painter->drawText(option.rect.adjusted(0, 0, -kSpaceSmall, 0), Qt::AlignRight | Qt::AlignVCenter, value);
    painter->restore();
  }
};

} // namespace

ViewerLayersPanel::ViewerLayersPanel(ViewerDocument& document, QWidget* parent) : QWidget(parent), m_document(document) {
  m_list = new QListWidget(this);
  m_list->setAccessibleName(tr("Layers"));
  m_list->setContextMenuPolicy(Qt::CustomContextMenu);
  m_list->setTextElideMode(Qt::ElideMiddle);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setItemDelegate(new LayerDelegate(m_list));
  m_list->setFixedHeight(92);
  QToolButton* add = makeToolButton(QStringLiteral("plus"), tr("Add a volume or labels on top"), this);
  m_up = makeToolButton(QStringLiteral("arrow-up"), tr("Layer up"), this);
  m_down = makeToolButton(QStringLiteral("arrow-down"), tr("Layer down"), this);
  m_remove = makeToolButton(QStringLiteral("trash"), tr("Remove the layer"), this);
  connect(add, &QToolButton::clicked, this, &ViewerLayersPanel::addRequested);
  connect(m_up, &QToolButton::clicked, this, [this] { m_document.moveLayer(m_document.activeLayer(), m_document.activeLayer() + 1); });
  connect(m_down, &QToolButton::clicked, this, [this] { m_document.moveLayer(m_document.activeLayer(), m_document.activeLayer() - 1); });
  connect(m_remove, &QToolButton::clicked, this, &ViewerLayersPanel::removeRequested);

  m_controls = new QStackedWidget(this);
  m_controls->addWidget(makeImageControls());
  m_controls->addWidget(makeLabelControls());
  m_controls->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);

  auto* header = new QHBoxLayout;
  header->setSpacing(0);
  header->addWidget(makeLabel(tr("Layers"), "heading", this), 1);
  for (auto* button : {add, m_up, m_down, m_remove})
    header->addWidget(button);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kSpace);
  layout->addLayout(header);
  layout->addWidget(m_list);
  layout->addWidget(m_controls);

  connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
    if (!m_filling && row >= 0)
      m_document.setActiveLayer(layerOfRow(row));
  });
  connect(m_list, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
    if (m_filling)
      return;
    m_document.editLayer(layerOfRow(m_list->row(item)), [&](SliceLayer& layer) {
      layer.visibility = item->checkState() == Qt::Checked ? Visibility::Shown : Visibility::Hidden;
    });
  });
  connect(m_list, &QListWidget::customContextMenuRequested, this, &ViewerLayersPanel::showMenu);
  connect(&document, &ViewerDocument::layersChanged, this, &ViewerLayersPanel::fillList);
  connect(&document, &ViewerDocument::activeLayerChanged, this, &ViewerLayersPanel::takeActive);
  connect(&document, &ViewerDocument::appearanceChanged, this, &ViewerLayersPanel::takeAppearance);
  fillList();
}

QWidget* ViewerLayersPanel::makeImageControls() {
  auto* page = new QWidget(this);
  m_histogram = new ViewerHistogram(page);
  m_low = makeRangeBox(page, tr("Lower end of the display range"));
  m_high = makeRangeBox(page, tr("Upper end of the display range"));
  QToolButton* automatic = makeToolButton(QStringLiteral("wand"), tr("Automatic range: 0.2nd to 99.5th percentile"), page);
  m_lock = new QCheckBox(tr("Keep for the next volume"), page);
  m_lock->setToolTip(tr("The range and the colours stay when another volume is opened, so that volumes can be judged side by side."));
  m_colours = new QComboBox(page);
  m_colours->setIconSize({48, 12});
  m_colours->setAccessibleName(tr("Colour map"));
  m_colours->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_colours->setMinimumContentsLength(9);
  for (const auto& info : colourMaps())
    m_colours->addItem(rampIcon(info.map), tr(info.title.data()), static_cast<int>(info.map));
  m_below = new QCheckBox(tr("Clear below the range"), page);
  m_below->setToolTip(tr("Values at or under the lower end show the layers beneath."));
  m_imageOpacity = makePercentSlider(page, tr("Opacity of the layer"));

  const auto editRange = [this] {
    if (m_filling || m_high->value() <= m_low->value())
      return;
    m_document.chooseRange(m_document.activeLayer(), {m_low->value(), m_high->value()});
  };
  connect(m_low, &QDoubleSpinBox::valueChanged, this, editRange);
  connect(m_high, &QDoubleSpinBox::valueChanged, this, editRange);
  connect(m_histogram, &ViewerHistogram::rangeEdited, this, [this](DisplayRange range) {
    m_document.chooseRange(m_document.activeLayer(), range);
  });
  connect(m_histogram, &ViewerHistogram::autoRequested, this, &ViewerLayersPanel::autoRange);
  connect(automatic, &QToolButton::clicked, this, &ViewerLayersPanel::autoRange);
  connect(m_lock, &QCheckBox::toggled, this,
          [this](bool on) { m_document.setRangeLock(on ? ViewerDocument::RangeLock::On : ViewerDocument::RangeLock::Off); });
  connect(m_colours, &QComboBox::activated, this, [this] {
    m_document.editLayer(m_document.activeLayer(), [&](SliceLayer& layer) { layer.colourMap = static_cast<ColourMap>(m_colours->currentData().toInt()); });
  });
  connect(m_below, &QCheckBox::toggled, this, [this](bool on) {
    if (!m_filling)
      m_document.editLayer(m_document.activeLayer(), [&](SliceLayer& layer) { layer.below = on ? BelowRange::Transparent : BelowRange::FirstColour; });
  });
  connect(m_imageOpacity, &QSlider::valueChanged, this, [this](int percent) {
    if (!m_filling)
      m_document.editLayer(m_document.activeLayer(), [&](SliceLayer& layer) { layer.opacity = percent / 100.0; });
  });

  auto* range = new QHBoxLayout;
  range->setSpacing(kSpaceSmall);
  range->addWidget(m_low, 1);
  range->addWidget(makeLabel(QStringLiteral("–"), nullptr, page));
  range->addWidget(m_high, 1);
  range->addWidget(automatic);
  auto* form = new QFormLayout;
  hideLabelsOfForm(form);
  form->addRow(tr("Range"), range);
  form->addRow(tr("Colours"), m_colours);
  form->addRow(tr("Opacity"), m_imageOpacity);
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kSpace);
  layout->addWidget(m_histogram);
  layout->addLayout(form);
  layout->addWidget(m_below);
  layout->addWidget(m_lock);
  return page;
}

QWidget* ViewerLayersPanel::makeLabelControls() {
  auto* page = new QWidget(this);
  m_style = new QComboBox(page);
  m_style->setAccessibleName(tr("How labels are drawn"));
  m_style->addItem(tr("Filled"), static_cast<int>(LabelStyle::Filled));
  m_style->addItem(tr("Outline"), static_cast<int>(LabelStyle::Outline));
  m_style->addItem(tr("Filled with outline"), static_cast<int>(LabelStyle::FilledAndOutline));
  m_labelOpacity = makePercentSlider(page, tr("Opacity of the labels"));
  connect(m_style, &QComboBox::activated, this, [this] {
    m_document.editLayer(m_document.activeLayer(), [&](SliceLayer& layer) { layer.style = static_cast<LabelStyle>(m_style->currentData().toInt()); });
  });
  connect(m_labelOpacity, &QSlider::valueChanged, this, [this](int percent) {
    if (!m_filling)
      m_document.editLayer(m_document.activeLayer(), [&](SliceLayer& layer) { layer.opacity = percent / 100.0; });
  });
  auto* form = new QFormLayout(page);
  hideLabelsOfForm(form);
  form->addRow(tr("Drawn"), m_style);
  form->addRow(tr("Opacity"), m_labelOpacity);
  return page;
}

int ViewerLayersPanel::layerOfRow(int row) const { return m_document.layerCount() - 1 - row; }

void ViewerLayersPanel::fillList() {
  m_filling = true;
  m_list->clear();
  for (int row = 0; row < m_document.layerCount(); ++row) {
    const SliceLayer& layer = m_document.layer(layerOfRow(row));
    auto* item = new QListWidgetItem(QString::fromStdString(layer.title), m_list);
    item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
    item->setSizeHint({0, fontMetrics().height() + 10});
    item->setCheckState(layer.visibility == Visibility::Shown ? Qt::Checked : Qt::Unchecked);
    const auto& path = m_document.source(layerOfRow(row)).path;
    item->setToolTip(QString::fromStdString(path.empty() ? layer.title : path.string()) + QStringLiteral("\n") +
                     (layer.kind == LayerKind::Labels ? tr("Labels") : tr("Image")));
  }
  m_filling = false;
  takeActive();
}

void ViewerLayersPanel::showValues(const QStringList& ofLayers) {
  m_filling = true;
  for (int row = 0; row < m_list->count(); ++row) {
    const QString value = ofLayers.value(layerOfRow(row));
    m_list->item(row)->setData(Qt::UserRole, value);
    m_list->item(row)->setData(Qt::AccessibleDescriptionRole, value);
  }
  m_filling = false;
}

void ViewerLayersPanel::takeActive() {
  m_filling = true;
  const int active = m_document.activeLayer();
  m_list->setCurrentRow(active < 0 ? -1 : m_document.layerCount() - 1 - active);
  m_controls->setVisible(active >= 0);
  m_remove->setEnabled(active >= 0);
  m_up->setEnabled(active >= 0 && active + 1 < m_document.layerCount());
  m_down->setEnabled(active > 0);
  if (active >= 0) {
    const bool labels = m_document.layer(active).kind == LayerKind::Labels;
    m_controls->setCurrentIndex(labels ? 1 : 0);
    for (int i = 0; i < 2; ++i) // the stack is as high as what it shows
      m_controls->widget(i)->setSizePolicy(QSizePolicy::Preferred, i == m_controls->currentIndex() ? QSizePolicy::Preferred : QSizePolicy::Ignored);
    m_controls->updateGeometry();
    if (!labels)
      m_histogram->setSummary(m_document.source(active).summary);
  }
  m_filling = false;
  takeAppearance();
  emit labelsShown(m_document.labelLayer() >= 0);
}

void ViewerLayersPanel::takeAppearance() {
  const int active = m_document.activeLayer();
  if (active < 0)
    return;
  m_filling = true;
  const SliceLayer& layer = m_document.layer(active);
  if (layer.kind == LayerKind::Image) {
    const Histogram& summary = m_document.source(active).summary;
    const double span = std::max(summary.maximum - summary.minimum, 1e-12);
    const int decimals = std::clamp(static_cast<int>(std::ceil(2 - std::log10(span))), 0, 9);
    for (QDoubleSpinBox* box : {m_low, m_high}) {
      box->setDecimals(decimals);
      box->setSingleStep(span / 100);
    }
    m_low->setValue(layer.range.low);
    m_high->setValue(layer.range.high);
    m_histogram->setRange(layer.range, layer.colourMap);
    m_colours->setCurrentIndex(m_colours->findData(static_cast<int>(layer.colourMap)));
    m_below->setChecked(layer.below == BelowRange::Transparent);
    m_imageOpacity->setValue(static_cast<int>(std::lround(layer.opacity * 100)));
    m_lock->setChecked(m_document.isRangeLocked());
  } else {
    m_style->setCurrentIndex(m_style->findData(static_cast<int>(layer.style)));
    m_labelOpacity->setValue(static_cast<int>(std::lround(layer.opacity * 100)));
  }
  for (int row = 0; row < m_list->count(); ++row)
    m_list->item(row)->setCheckState(m_document.layer(layerOfRow(row)).visibility == Visibility::Shown ? Qt::Checked : Qt::Unchecked);
  m_filling = false;
}

void ViewerLayersPanel::autoRange() {
  const int active = m_document.activeLayer();
  if (active >= 0)
    m_document.chooseRange(active, robustRange(m_document.source(active).summary));
}

void ViewerLayersPanel::toggleRangeLock() { m_lock->toggle(); }

void ViewerLayersPanel::showMenu(const QPoint& at) {
  QListWidgetItem* item = m_list->itemAt(at);
  if (!item)
    return;
  const int index = layerOfRow(m_list->row(item));
  m_document.setActiveLayer(index);
  QMenu menu(this);
  menu.addAction(m_document.layer(index).kind == LayerKind::Labels ? tr("Show as an image") : tr("Show as labels"), this,
                 [this, index] { emit kindChangeRequested(index); });
  menu.addSeparator();
  menu.addAction(m_up->toolTip(), m_up, &QToolButton::click)->setEnabled(m_up->isEnabled());
  menu.addAction(m_down->toolTip(), m_down, &QToolButton::click)->setEnabled(m_down->isEnabled());
  menu.addAction(m_remove->toolTip(), m_remove, &QToolButton::click);
  menu.exec(m_list->viewport()->mapToGlobal(at));
}

} // namespace voxlab

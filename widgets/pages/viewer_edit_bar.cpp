// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_edit_bar.h"
#include "widgets/pages/flow_layout.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_mask_editor.h"
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <set>

namespace voxlab {

ViewerEditBar::ViewerEditBar(ViewerDocument& document, ViewerMaskEditor& editor, QWidget* parent)
    : QWidget(parent), m_document(document), m_editor(editor) {
  m_brush = makeToolButton(QStringLiteral("viewer-brush"), tr("Brush: drag in a slice (Shift+B)"), this);
  m_eraser = makeToolButton(QStringLiteral("viewer-eraser"), tr("Eraser: drag in a slice (Shift+E)"), this);
  for (QToolButton* button : {m_brush, m_eraser})
    button->setCheckable(true);
  QToolButton* ball = makeToolButton(QStringLiteral("viewer-sphere"), tr("A ball of the label at the cross-hair, of the radius that is set (Shift+O)"), this);
  QToolButton* undo = makeToolButton(QStringLiteral("undo"), tr("Undo (Ctrl+Z)"), this);
  QToolButton* redo = makeToolButton(QStringLiteral("retry"), tr("Redo (Ctrl+Shift+Z)"), this);
  m_mask = new QComboBox(this);
  m_mask->setAccessibleName(tr("What is painted on"));
  m_mask->setToolTip(tr("What is painted on: a copy of labels that are open, whose file stays as it is until you save (Ctrl+Shift+S), or a new mask"));
  m_mask->setMinimumContentsLength(8);
  m_mask->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_value = new QComboBox(this);
  m_value->setAccessibleName(tr("Label to paint"));
  m_value->setToolTip(tr("Label that the brush and the ball paint"));
  m_value->setMinimumContentsLength(10);
  m_value->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_shape = new QComboBox(this);
  m_shape->setAccessibleName(tr("Shape of the brush"));
  m_shape->setToolTip(tr("Whether brush and eraser reach into the neighbouring slices"));
  m_shape->addItem(tr("In the slice"), static_cast<int>(BrushShape::Disc));
  m_shape->addItem(tr("In 3D"), static_cast<int>(BrushShape::Ball));
  m_radius = new QDoubleSpinBox(this);
  m_radius->setRange(0.5, 60);
  m_radius->setValue(5);
  m_radius->setDecimals(1);
  m_radius->setPrefix(tr("Radius "));
  m_radius->setSuffix(tr(" mm"));
  m_radius->setAccessibleName(tr("Radius of the brush"));
  m_radius->setToolTip(tr("Radius of the brush, the eraser and the ball in millimetres: half of what they are across ([ smaller, ] larger)"));
  QPushButton* sample = makeButton(tr("Sample"), "primary", QStringLiteral("sample"), this);
  sample->setAccessibleName(tr("Sample from this mask"));
  sample->setToolTip(tr("Saves the mask and draws a sample from it at once, with the settings and the seed of the sample that is shown: only the mask differs. "
                        "Where none is shown, the settings are asked for. (Ctrl+Return)"));
  QToolButton* changed = makeToolButton(QStringLiteral("settings"), tr("Sample from this mask with other settings"), this);
  changed->setToolTip(tr("Saves the mask and shows the settings of the sampling, to be changed before it starts (Ctrl+Shift+Return)"));
  QToolButton* close = makeToolButton(QStringLiteral("close"), tr("End editing"), this);

  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(kSpace, kSpaceSmall, kSpaceSmall, kSpaceSmall);
  layout->setSpacing(kSpaceSmall);
  auto* tools = new FlowLayout(kSpaceSmall, 0); // in a narrow window in two rows: a bar must not widen it
  for (QWidget* widget : std::initializer_list<QWidget*>{m_mask, m_brush, m_eraser, ball, undo, redo, m_value, m_shape, m_radius, sample, changed})
    tools->addWidget(widget);
  layout->addLayout(tools, 1);
  layout->addWidget(close, 0, Qt::AlignTop);

  connect(m_brush, &QToolButton::clicked, this, [this](bool on) { m_editor.setTool(on ? EditTool::Brush : EditTool::None); });
  connect(m_eraser, &QToolButton::clicked, this, [this](bool on) { m_editor.setTool(on ? EditTool::Eraser : EditTool::None); });
  connect(ball, &QToolButton::clicked, &m_editor, &ViewerMaskEditor::ballAtCrosshair);
  connect(undo, &QToolButton::clicked, this, [this] { m_editor.history().undo(); });
  connect(redo, &QToolButton::clicked, this, [this] { m_editor.history().redo(); });
  connect(m_mask, &QComboBox::activated, this, &ViewerEditBar::chooseMask);
  connect(m_radius, &QDoubleSpinBox::valueChanged, this, [this](double radius_mm) { m_editor.setRadius(radius_mm); });
  connect(m_shape, &QComboBox::activated, this, [this] { m_editor.setShape(static_cast<BrushShape>(m_shape->currentData().toInt())); });
  connect(m_value, &QComboBox::activated, this, [this] { m_editor.setValue(m_value->currentData().toLongLong()); });
  connect(sample, &QPushButton::clicked, this, &ViewerEditBar::sampleRequested);
  connect(changed, &QToolButton::clicked, this, &ViewerEditBar::changedSampleRequested);
  connect(close, &QToolButton::clicked, this, [this] {
    m_editor.setTool(EditTool::None);
    emit closed();
  });
  const auto follow = [this, undo, redo] {
    undo->setEnabled(m_editor.history().canUndo());
    redo->setEnabled(m_editor.history().canRedo());
  };
  connect(&m_editor, &ViewerMaskEditor::historyChanged, this, follow);
  connect(&m_editor, &ViewerMaskEditor::toolChanged, this, &ViewerEditBar::takeTool);
  for (const auto signal : {&ViewerDocument::layersChanged, &ViewerDocument::activeLayerChanged}) {
    connect(&document, signal, this, &ViewerEditBar::fillMasks);
    connect(&document, signal, this, &ViewerEditBar::fillValues);
  }
  follow();
  fillMasks();
  fillValues();
}

void ViewerEditBar::scaleRadius(double factor) { m_radius->setValue(m_radius->value() * factor); }

void ViewerEditBar::takeTool() {
  m_brush->setChecked(m_editor.tool() == EditTool::Brush);
  m_eraser->setChecked(m_editor.tool() == EditTool::Eraser);
}

// All labels that are open, the one that is painted on in front, and a new mask.
void ViewerEditBar::fillMasks() {
  constexpr int kNewMask = -1;
  const QSignalBlocker quiet(m_mask);
  m_mask->clear();
  for (int layer = m_document.layerCount() - 1; layer >= 0; --layer)
    if (m_document.layer(layer).kind == LayerKind::Labels)
      m_mask->addItem(QString::fromStdString(m_document.layer(layer).title), layer);
  m_mask->addItem(tr("New mask"), kNewMask);
  m_mask->setCurrentIndex(std::max(0, m_mask->findData(m_document.labelLayer())));
}

void ViewerEditBar::chooseMask(int index) {
  const int layer = m_mask->itemData(index).toInt();
  if (layer < 0)
    return m_editor.startNewMask();
  m_document.setActiveLayer(layer);
  m_editor.setTool(m_editor.tool() == EditTool::None ? EditTool::Brush : m_editor.tool());
}

// The labels that occur, and the next free value.
void ViewerEditBar::fillValues() {
  const QSignalBlocker quiet(m_value);
  m_value->clear();
  std::set<std::int64_t> known;
  if (const int layer = m_document.labelLayer(); layer >= 0)
    for (const auto& label : m_document.layer(layer).labels.labels) {
      QPixmap swatch(12, 12);
      swatch.fill(QColor(label.colour[0], label.colour[1], label.colour[2]));
      m_value->addItem(swatch, QString::fromStdString(label.name), static_cast<qlonglong>(label.value));
      known.insert(label.value);
    }
  for (const std::int64_t value : {known.empty() ? std::int64_t{1} : *known.rbegin() + 1, m_editor.value()})
    if (value > 0 && known.insert(value).second)
      m_value->addItem(tr("New label %1").arg(value), static_cast<qlonglong>(value));
  m_value->setCurrentIndex(std::max(0, m_value->findData(static_cast<qlonglong>(m_editor.value()))));
}

} // namespace voxlab

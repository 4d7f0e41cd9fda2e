// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_volume_panel.h"
#include "core/base/files.h"
#include "widgets/base/when_done.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/viewer_curve_editor.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_volume_view.h"
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <QtConcurrent>
#include <cmath>
#include <utility>

namespace voxlab {

ViewerVolumePanel::ViewerVolumePanel(ViewerDocument& document, ViewerVolumeView& view, QWidget* parent)
    : QWidget(parent), m_document(document), m_view(view) {
  m_preset = new QComboBox(this);
  m_preset->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // long names must not take width from the pictures
  m_preset->setMinimumContentsLength(10);
  m_preset->setAccessibleName(tr("Rendering preset"));
  QToolButton* save = makeToolButton(QStringLiteral("plus"), tr("Save the curve as a preset of your own"), this);
  m_delete = makeToolButton(QStringLiteral("trash"), tr("Delete this preset of your own"), this);
  m_curve = new ViewerCurveEditor(this);
  m_light = new QCheckBox(tr("Lighting"), this);
  m_edges = new QSlider(Qt::Horizontal, this);
  m_edges->setRange(0, 100);
  m_edges->setAccessibleName(tr("How much flat regions show"));
  m_edges->setToolTip(tr("Left: only edges between tissues. Right: flat regions too."));
  m_volume = new QCheckBox(tr("Volume"), this);
  m_volume->setChecked(true);
  m_planes = new QCheckBox(tr("Slice planes"), this);
  m_surfaces = new QCheckBox(tr("Label surfaces"), this);
  m_crop = new QCheckBox(tr("Cropping box"), this);
  m_crop->setToolTip(tr("Drag the dots on the box's faces."));
  m_cut = new QCheckBox(tr("Cutting planes"), this);
  m_cut->setToolTip(tr("Planes at any angle. Drag the dot in a plane to move it, the knob to turn it; Alt+Up and Alt+Down move it too."));
  m_cutRow = makeCutRow();
  auto* slices = new QCheckBox(tr("Slices on cuts"), this);
  slices->setToolTip(tr("The volume's slice on each cutting plane and on the faces of the cropping box"));
  slices->setChecked(true);
  connect(slices, &QCheckBox::toggled, this, [this](bool on) { m_view.setCutSlices(on ? Visibility::Shown : Visibility::Hidden); });
  m_turn = new QCheckBox(tr("Turntable"), this);
  m_renderer = makeWrappedLabel({}, "help", this);
  m_reduced = makeWrappedLabel({}, "help", this);

  auto* top = new QHBoxLayout;
  top->setSpacing(kSpaceSmall);
  top->addWidget(m_preset, 1);
  top->addWidget(save);
  top->addWidget(m_delete);
  auto* form = new QFormLayout;
  form->setContentsMargins(0, 0, 0, 0);
  form->setHorizontalSpacing(kSpace);
  form->addRow(tr("Flat regions"), m_edges);
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(kSpace);
  grid->setVerticalSpacing(kSpaceSmall);
  grid->addWidget(m_volume, 0, 0);
  grid->addWidget(m_light, 0, 1);
  grid->addWidget(m_planes, 1, 0);
  grid->addWidget(m_surfaces, 1, 1);
  grid->addWidget(m_crop, 2, 0);
  grid->addWidget(m_turn, 2, 1);
  grid->addWidget(m_cut, 3, 0);
  grid->addWidget(slices, 3, 1);
  auto* sides = new QGridLayout;
  sides->setSpacing(kSpaceSmall);
  const std::pair<QString, LookFrom> looks[]{{tr("Front"), LookFrom::Anterior}, {tr("Left"), LookFrom::Left},   {tr("Top"), LookFrom::Superior},
                                             {tr("Back"), LookFrom::Posterior}, {tr("Right"), LookFrom::Right}, {tr("Bottom"), LookFrom::Inferior}};
  for (int i = 0; i < 6; ++i) {
    QPushButton* button = makeButton(looks[i].first, "chip", {}, this);
    button->setToolTip(tr("Look from this side"));
    connect(button, &QPushButton::clicked, this, [this, side = looks[i].second] { m_view.lookFrom(side); });
    sides->addWidget(button, i / 3, i % 3);
  }
  QPushButton* reset = makeButton(tr("Reset view and cuts"), nullptr, QStringLiteral("undo"), this);
  connect(reset, &QPushButton::clicked, &m_view, &ViewerVolumeView::resetView);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kSpace);
  layout->addWidget(makeLabel(tr("Volume rendering"), "heading", this));
  layout->addLayout(top);
  layout->addWidget(m_curve);
  layout->addLayout(form);
  layout->addLayout(grid);
  layout->addWidget(m_cutRow);
  layout->addWidget(makeLabel(tr("Look from"), "caption", this));
  layout->addLayout(sides);
  layout->addWidget(reset, 0, Qt::AlignLeft);
  layout->addWidget(m_renderer);
  layout->addWidget(m_reduced);
  layout->addStretch();

  connect(m_preset, &QComboBox::activated, this, [this](int row) { applyTransfer(m_presets.at(static_cast<std::size_t>(row))); });
  connect(save, &QToolButton::clicked, this, &ViewerVolumePanel::askAndSave);
  connect(m_delete, &QToolButton::clicked, this, &ViewerVolumePanel::askAndDelete);
  connect(m_preset, &QComboBox::currentIndexChanged, this, [this](int row) { m_delete->setEnabled(!m_files.value(row).isEmpty()); });
  connect(m_curve, &ViewerCurveEditor::edited, &m_view, &ViewerVolumeView::setTransfer);
  const auto change = [this](auto edit) {
    Transfer transfer = m_curve->transfer();
    edit(transfer);
    m_curve->setTransfer(transfer);
    m_view.setTransfer(transfer);
  };
  connect(m_light, &QCheckBox::toggled, this, [change](bool on) { change([on](Transfer& t) { t.lighting = on ? Lighting::On : Lighting::Off; }); });
  connect(m_edges, &QSlider::valueChanged, this, [change](int percent) { change([percent](Transfer& t) { t.flatShare = percent / 100.0; }); });
  const auto shown = [](bool on) { return on ? Visibility::Shown : Visibility::Hidden; };
  connect(m_volume, &QCheckBox::toggled, this, [this, shown](bool on) { m_view.setVolumeVisibility(shown(on)); });
  connect(m_planes, &QCheckBox::toggled, this, [this, shown](bool on) { m_view.setPlanes(shown(on)); });
  connect(m_crop, &QCheckBox::toggled, this, [this, shown](bool on) { m_view.setCropping(shown(on)); });
  connect(m_cut, &QCheckBox::toggled, this, [this, shown](bool on) { m_view.setCutting(shown(on)); });
  connect(&m_view, &ViewerVolumeView::cutPlanesChanged, this, &ViewerVolumePanel::takeCuts);
  connect(m_turn, &QCheckBox::toggled, this, [this, shown](bool on) {
    m_view.setTurntable(shown(on));
    emit turntableWanted(on);
  });
  connect(m_surfaces, &QCheckBox::toggled, this, [this](bool on) {
    if (on)
      m_volume->setChecked(false); // it would hide them
    else if (!m_planes->isChecked() && m_document.imageLayer() >= 0)
      m_volume->setChecked(true);
    emit surfacesWanted(on);
  });
  connect(&document, &ViewerDocument::layersChanged, this, &ViewerVolumePanel::takeDocument);
  connect(&document, &ViewerDocument::activeLayerChanged, this, &ViewerVolumePanel::takeDocument);
  connect(&document, &ViewerDocument::appearanceChanged, this, &ViewerVolumePanel::takeDocument);
  connect(&view, &ViewerVolumeView::rayCasterChosen, this, &ViewerVolumePanel::takeDocument);
  fillPresets();
  applyTransfer(transferPresets().front());
  takeDocument();
  takeCuts();
}

// What can be done to the chosen plane.
QWidget* ViewerVolumePanel::makeCutRow() {
  auto* row = new QWidget(this);
  auto* grid = new QGridLayout(row);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(kSpaceSmall);
  const auto add = [&](int index, const QString& text, const QString& tip, auto change) {
    QPushButton* button = makeButton(text, "chip", {}, row);
    button->setToolTip(tip);
    connect(button, &QPushButton::clicked, this, [this, change] {
      change(m_view.cutPlanes());
      m_view.takeCuts();
    });
    grid->addWidget(button, index / 3, index % 3);
  };
  add(0, tr("Add"), tr("Another plane, nearly facing you"), [](ViewerCutTool& cuts) { cuts.add(); });
  add(1, tr("Face me"), tr("Turns the chosen plane to face you"), [](ViewerCutTool& cuts) { cuts.faceViewer(); });
  add(2, tr("Other side"), tr("Cuts away the other side of the chosen plane"), [](ViewerCutTool& cuts) { cuts.turnRound(); });
  add(3, tr("Cross-hair"), tr("Moves the chosen plane through the cross-hair"), [this](ViewerCutTool& cuts) { cuts.moveThrough(m_document.cursor()); });
  add(4, tr("Remove"), tr("Removes the chosen plane"), [](ViewerCutTool& cuts) {
    cuts.removeSelected();
    if (cuts.planes().empty())
      cuts.clear();
  });
  return row;
}

void ViewerVolumePanel::takeCuts() {
  const bool shown = m_view.cutPlanes().shown() == Visibility::Shown;
  const QSignalBlocker quiet(m_cut);
  m_cut->setChecked(shown);
  m_cutRow->setVisible(shown);
}

void ViewerVolumePanel::applyTransfer(const Transfer& transfer) {
  const QSignalBlocker quietLight(m_light), quietEdges(m_edges);
  m_light->setChecked(transfer.lighting == Lighting::On);
  m_edges->setValue(static_cast<int>(std::lround(transfer.flatShare * 100)));
  m_curve->setTransfer(transfer);
  m_view.setTransfer(transfer);
  for (std::size_t i = 0; i < m_presets.size(); ++i)
    if (m_presets[i].key == transfer.key)
      m_preset->setCurrentIndex(static_cast<int>(i));
}

void ViewerVolumePanel::setPresetFolder(const QString& folder) {
  m_folder = folder;
  fillPresets();
}

void ViewerVolumePanel::fillPresets() {
  m_presets = transferPresets();
  m_files = QStringList(static_cast<qsizetype>(m_presets.size()), QString());
  m_preset->clear();
  for (const auto& preset : m_presets)
    m_preset->addItem(tr(preset.title.c_str()));
  if (m_folder.isEmpty())
    return;
  for (const QString& name : QDir(m_folder).entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
    const auto text = readTextFile((m_folder + QLatin1Char('/') + name).toStdString(), 1u << 20);
    const auto preset = text ? transferFromJson(*text, name.toStdString()) : Result<Transfer>(fail(text.error()));
    if (!preset)
      continue; // somebody else's file
    m_presets.push_back(*preset);
    m_files << m_folder + QLatin1Char('/') + name;
    m_preset->addItem(QString::fromStdString(preset->title));
  }
}

void ViewerVolumePanel::savePreset(const QString& title) {
  Transfer transfer = m_curve->transfer();
  transfer.title = transfer.key = title.trimmed().toStdString();
  QString name = title.trimmed().toLower();
  name.replace(QRegularExpression(QStringLiteral("[^\\w-]+")), QStringLiteral("_"));
  const QString file = m_folder + QLatin1Char('/') + name + QStringLiteral(".json");
  whenDone(QtConcurrent::run([file, text = transferToJson(transfer)] { return writeFileAtomically(file.toStdString(), text); }), this, [this, transfer](const Status& status) {
        if (!status)
          return emit failed(QString::fromStdString(status.error().message));
        fillPresets();
        applyTransfer(transfer);
        emit presetSaved(QString::fromStdString(transfer.title));
      });
}

QStringList ViewerVolumePanel::presetTitles() const {
  QStringList titles;
  for (int i = 0; i < m_preset->count(); ++i)
    titles << m_preset->itemText(i);
  return titles;
}

void ViewerVolumePanel::choosePreset(const QString& title) {
  if (const auto row = presetTitles().indexOf(title); row >= 0)
    applyTransfer(m_presets.at(static_cast<std::size_t>(row)));
}

bool ViewerVolumePanel::deletePreset(int index) {
  const QString file = m_files.value(index);
  if (file.isEmpty())
    return false;
  if (!QFile::remove(file) && QFile::exists(file)) {
    emit failed(tr("%1 could not be deleted. May you write to its folder?").arg(file));
    return false;
  }
  const Transfer shown = transfer(); // the curve stays as it is
  fillPresets();
  applyTransfer(shown);
  return true;
}

void ViewerVolumePanel::askAndDelete() {
  const int index = presetIndex();
  if (QMessageBox::question(this, tr("Delete the preset"), tr("Delete the preset “%1”? It cannot be brought back.").arg(m_preset->currentText())) == QMessageBox::Yes)
    deletePreset(index);
}

int ViewerVolumePanel::presetIndex() const { return m_preset->currentIndex(); }

void ViewerVolumePanel::askAndSave() {
  if (m_folder.isEmpty())
    return;
  const QString title = QInputDialog::getText(this, tr("Save the preset"), tr("Name"));
  if (!title.trimmed().isEmpty())
    savePreset(title);
}

// Labels without an image have nothing to cast rays through: their surfaces come by themselves, and go when an image comes.
void ViewerVolumePanel::showLabelsAlone() {
  const bool alone = m_document.imageLayer() < 0 && m_document.labelLayer() >= 0;
  m_volume->setEnabled(!alone);
  m_volume->setToolTip(alone ? tr("There is no image to render, only labels.") : QString());
  if (alone == std::exchange(m_labelsAlone, alone))
    return;
  if (alone && !m_surfaces->isChecked()) {
    m_ownSurfaces = true;
    m_surfaces->setChecked(true);
  } else if (!alone && std::exchange(m_ownSurfaces, false)) {
    m_surfaces->setChecked(false);
    m_volume->setChecked(true);
  }
}

// Presets for tissue show nothing of a difference or a z-map, whose middle is empty; its own goes with it.
void ViewerVolumePanel::suitSign() {
  const int image = m_document.imageLayer();
  if (image < 0)
    return;
  const bool isSigned = isSignedMap(m_document.source(image).summary);
  const Transfer& own = *transferPreset("signed");
  if (isSigned == std::exchange(m_isSigned, isSigned))
    return;
  if (isSigned) {
    m_beforeSigned = transfer();
    applyTransfer(own);
  } else if (transfer().key == own.key)
    applyTransfer(m_beforeSigned);
}

void ViewerVolumePanel::takeDocument() {
  const int image = m_document.imageLayer();
  suitSign();
  if (image >= 0)
    m_curve->setHistogram(m_document.source(image).summary, m_document.layer(image).range);
  showLabelsAlone();
  m_surfaces->setEnabled(m_document.labelLayer() >= 0);
  m_surfaces->setToolTip(m_surfaces->isEnabled() ? QString() : tr("Add a label volume first."));
  m_renderer->setText(m_view.rendererText());
  const auto& shown = image >= 0 ? m_document.source(image).forRayCasting : nullptr;
  const bool reduced = shown && shown->reduction > 1, isFlat = shown && ViewerVolumeView::flatAxis(shown->grid);
  m_reduced->setVisible(reduced || isFlat);
  if (isFlat)
    m_reduced->setText(tr("A single slice has no depth to look through: 3D shows it as a picture in its place."));
  else if (reduced)
    m_reduced->setText(tr("3D shows means of %1 × %1 × %1 voxels to stay fluid; slices show every voxel.").arg(shown->reduction));
}

} // namespace voxlab

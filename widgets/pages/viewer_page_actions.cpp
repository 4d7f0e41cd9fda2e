// SPDX-License-Identifier: GPL-3.0-or-later
// All that can be done on ViewerPage, with its keys: for the tool strip, the menu, the command palette and the sheet of shortcuts.
#include "widgets/pages/icons.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/viewer_page_parts.h"
#include "widgets/pages/viewer_slice_view.h"
#include "widgets/pages/viewer_volume_view.h"
#include <QCheckBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace voxlab {
namespace {
constexpr double kZoomStep = 1.25, kBrushStep = 1.25;

QKeySequence keys(const char* text) { return QKeySequence(QString::fromLatin1(text)); }
} // namespace

QAction* ViewerPage::addCommand(const char* icon, const QString& text, const QKeySequence& keys, const std::function<void(bool)>& run) {
  auto* action = new QAction(themedIcon(QString::fromLatin1(icon), IconTint::Text), text, this);
  action->setShortcut(keys);
  action->setObjectName(QString::fromLatin1(icon)); // names it in the settings
  action->setProperty("group", m->commandGroup);
  const bool isAlone = keys.isEmpty() || (keys[0].keyboardModifiers() & (Qt::ControlModifier | Qt::AltModifier)) == 0;
  action->setShortcutContext(isAlone ? Qt::WidgetWithChildrenShortcut : Qt::WindowShortcut); // a letter alone may be meant for a list elsewhere
  action->setToolTip(keys.isEmpty() ? text : tr("%1 (%2)").arg(text, keys.toString(QKeySequence::NativeText)));
  connect(action, &QAction::triggered, this, run);
  addAction(action);
  return action;
}

void ViewerPage::buildActions() {
  m->commandGroup = tr("Volumes");
  const auto add = [this](const char* icon, const QString& text, const QKeySequence& keys, auto run) {
    if constexpr (std::is_invocable_v<decltype(run), bool>)
      return addCommand(icon, text, keys, run);
    else
      return addCommand(icon, text, keys, [run](bool) { run(); });
  };
  const auto toggle = [&](const char* icon, const QString& text, const QKeySequence& keys, bool on, auto run) {
    QAction* action = add(icon, text, keys, run);
    action->setCheckable(true);
    action->setChecked(on);
    return action;
  };
  const auto shown = [](bool on) { return on ? Visibility::Shown : Visibility::Hidden; };
  QAction* open = add("open", tr("Open a volume…"), {}, [this] { chooseFile(); });
  open->setToolTip(tr("Open a volume… (Ctrl+O)")); // the window's key
  m->openAction = open;
  add("folder", tr("Open a DICOM folder…"), QKeySequence(QStringLiteral("Ctrl+Shift+O")), [this] { chooseFolder(); });
  QAction* four = add("viewer-four", tr("Four views"), QKeySequence(QStringLiteral("Shift+1")), [this] { m->grid->setViewLayout(ViewLayout::Four); });
  QAction* main = add("viewer-main", tr("One large view and three"), QKeySequence(QStringLiteral("Shift+2")),
                      [this] { m->grid->setViewLayout(ViewLayout::OneAndThree); });
  QAction* full = add("viewer-single", tr("The view alone, and back"), QKeySequence(Qt::Key_F), [this] {
    if (m->grid->viewLayout() == ViewLayout::SideBySide) {
      const auto* focused = qobject_cast<ViewerSliceView*>(focusWidget());
      return m->grid->toggleComparedPlane(focused ? focused->axis() : SliceAxis::Axial);
    }
    int view = m->grid->mainView();
    const std::array axes{SliceAxis::Axial, SliceAxis::Coronal, SliceAxis::Sagittal};
    for (int i = 0; i < 3; ++i)
      if (focusWidget() == &m->grid->sliceView(axes[static_cast<std::size_t>(i)]))
        view = i;
    m->grid->toggleEnlarged(view);
  });
  m->compareAction = add("viewer-compare", tr("Compare the volumes"), QKeySequence(Qt::Key_C), [this] {
    if (m->compareBar->isHidden())
      m->startComparison(CompareMode::None);
    else
      m->endComparison();
  });
  QAction* reset = add("viewer-reset", tr("Reset views"), QKeySequence(Qt::Key_R), [this] {
    m->document->resetCamera();
    m->grid->volumeView().resetView();
  });
  QAction* goTo = add("viewer-crosshair", tr("Go to a place or label…"), QKeySequence(QStringLiteral("Ctrl+G")), [this] { askWhereTo(); });
  QAction* crosshair = toggle("viewer-crosshair", tr("Cross-hair"), QKeySequence(Qt::Key_X), true,
                              [this, shown](bool on) { m->document->setCrosshair(shown(on)); });
  QAction* letters = toggle("viewer-letters", tr("Letters and scale bar"), QKeySequence(Qt::Key_A), true,
                            [this, shown](bool on) { m->document->setAnnotations(shown(on)); });
  QAction* smooth = toggle("viewer-smooth", tr("Smooth between voxels"), QKeySequence(Qt::Key_I), true,
                           [this](bool on) { m->document->setInterpolation(on ? Interpolation::Linear : Interpolation::Nearest); });
  QAction* sides = toggle("viewer-sides", tr("Patient's left at the left (neurological)"), QKeySequence(Qt::Key_N), false, [this](bool on) {
    m->document->setConvention(on ? SideConvention::Neurological : SideConvention::Radiological);
  });
  QAction* axes = toggle("viewer-axes", tr("Slices along the world's axes"), QKeySequence(Qt::Key_W), false,
                         [this](bool on) { m->document->setFrameChoice(on ? FrameChoice::World : FrameChoice::Volume); });
  QAction* labels = add("viewer-labels", tr("Show or hide labels"), QKeySequence(Qt::Key_L), [this] {
    for (int i = 0; i < m->document->layerCount(); ++i)
      if (m->document->layer(i).kind == LayerKind::Labels)
        m->document->editLayer(i, [](SliceLayer& layer) {
          layer.visibility = layer.visibility == Visibility::Shown ? Visibility::Hidden : Visibility::Shown;
        });
  });
  QAction* picture = add("viewer-camera", tr("Save a picture…"), QKeySequence(QStringLiteral("Ctrl+Shift+P")), [this] { chooseScreenshot(); });
  m->editAction = add("viewer-brush", tr("Edit labels"), QKeySequence(Qt::Key_E), [this] { toggleEditing(); });
  QAction* undo = add("undo", tr("Undo the edit"), QKeySequence::Undo, [this] { m->editor->history().undo(); });
  QAction* redo = add("retry", tr("Redo the edit"), QKeySequence::Redo, [this] { m->editor->history().redo(); });
  QAction* film = add("viewer-film", tr("Record a film…"), QKeySequence(QStringLiteral("Ctrl+Shift+M")), [this] {
    if (m->document->isEmpty())
      return;
    const Parts::Question asking(*m);
    const QString name = QString::fromStdString(m->document->source(std::max(0, m->document->imageLayer())).title);
    if (const auto options = askForMovie(this, name, m->trajectory->positions()))
      recordMovie(*options);
  });
  QAction* copy = add("copy", tr("Copy the picture"), QKeySequence(QStringLiteral("Ctrl+Shift+C")), [this] { copyPicture(); });
  QAction* copyValues = add("copy", tr("Copy the values under the pointer"), QKeySequence(QStringLiteral("Ctrl+Shift+V")), [this] { m->status->copy(); });
  QAction* save = add("viewer-save", tr("Save as NIfTI…"), QKeySequence(QStringLiteral("Ctrl+Shift+S")), [this] { saveNifti(); });
  const auto timeStep = [this](int step) { m->document->setTimePoint(m->document->timePoint() + step); };
  QAction* earlier = add("chevron-left", tr("Time point before"), QKeySequence(Qt::Key_Comma), [timeStep] { timeStep(-1); });
  QAction* later = add("chevron-right", tr("Time point after"), QKeySequence(Qt::Key_Period), [timeStep] { timeStep(1); });

  m->curveAction = toggle("monitor", tr("Curve over time at the cross-hair"), QKeySequence(QStringLiteral("Shift+T")), false,
                          [this](bool on) { m->timeCurve->setVisible(on && m->document->timePoints() > 1); });
  auto* curve = new QToolButton(m->timeBar);
  curve->setDefaultAction(m->curveAction);
  curve->setAutoRaise(true);
  curve->setIconSize({14, 14});
  curve->setStyleSheet(QStringLiteral("QToolButton { padding: 0; margin: 0; }"));
  curve->setFixedHeight(std::max(16, m->timeSlider->sizeHint().height())); // its row stays as low as the slider
  curve->setAccessibleName(m->curveAction->text());
  m->timeBar->layout()->addWidget(curve);

  m->needVolume = {four, main, full, m->compareAction, reset, goTo, crosshair, letters, smooth, sides, axes, labels, m->editAction, undo, redo, picture, film, copy, copyValues, save, earlier, later};
  m->strip = {open, nullptr, four, main, full, m->compareAction, nullptr, reset, crosshair, letters, smooth, sides, labels, m->editAction, nullptr, picture, film, save};
  m->viewMenu = {full, four, main, nullptr, reset, goTo, crosshair, letters, smooth, sides, axes, labels, m->editAction, nullptr, picture, film, copy};
  buildStrip();
  buildPanelActions();
  buildLayerActions();
}

void ViewerPage::buildStrip() {
  QWidgetList order;
  auto* layout = new QVBoxLayout(m->toolStrip);
  layout->setContentsMargins(kSpaceSmall, kSpace, kSpaceSmall, kSpace);
  layout->setSpacing(1);
  for (QAction* action : m->strip) {
    if (!action) {
      layout->addSpacing(kSpace);
      continue;
    }
    auto* button = new QToolButton(m->toolStrip);
    button->setDefaultAction(action);
    button->setIconSize({20, 20});
    button->setFixedSize(30, 30); // all of them fit into a window of 700 pixels
    button->setAutoRaise(true);
    button->setAccessibleName(action->text());
    button->setFocusPolicy(Qt::TabFocus);
    layout->addWidget(button);
    order << button;
  }
  layout->addStretch();
  // The focus goes as the eye does: tools, views, panel.
  for (const SliceAxis axis : {SliceAxis::Axial, SliceAxis::Sagittal, SliceAxis::Coronal})
    order << &m->grid->sliceView(axis);
  order << &m->grid->volumeView() << m->foldPanel << m->tabs;
  for (qsizetype i = 1; i < order.size(); ++i)
    setTabOrder(order[i - 1], order[i]);
}

// What the panels' controls do, by key.
void ViewerPage::buildPanelActions() {
  m->commandGroup = tr("3D view");
  const auto need = [this](const char* icon, const QString& text, const char* key, const std::function<void(bool)>& run) {
    m->needVolume << addCommand(icon, text, keys(key), run);
  };
  const auto flip = [](QAbstractButton* button) { return [button](bool) { button->click(); }; };
  const auto& in3d = m->volumePanel->switches();
  need("volumes", tr("3D: the volume"), "V", flip(in3d.volume));
  need("viewer-axes", tr("3D: slice planes"), "P", flip(in3d.planes));
  need("viewer-labels", tr("3D: label surfaces"), "S", flip(in3d.surfaces));
  need("viewer-single", tr("3D: cropping box"), "B", flip(in3d.crop));
  need("viewer-swipe", tr("3D: cutting planes"), "K", flip(in3d.cut));
  need("sun", tr("3D: lighting"), "Shift+L", flip(in3d.light));
  need("retry", tr("3D: turntable"), "T", flip(in3d.turn));
  const std::pair<QString, LookFrom> sides[]{{tr("3D: look from the front"), LookFrom::Anterior}, {tr("3D: look from the back"), LookFrom::Posterior},
                                             {tr("3D: look from the left"), LookFrom::Left},      {tr("3D: look from the right"), LookFrom::Right},
                                             {tr("3D: look from above"), LookFrom::Superior},     {tr("3D: look from below"), LookFrom::Inferior}};
  int number = 1;
  for (const auto& [text, side] : sides)
    need("viewer-side", text, qPrintable(QStringLiteral("Ctrl+%1").arg(number++)), [this, side = side](bool) { m->grid->volumeView().lookFrom(side); });
  need("theme", tr("3D: next preset"), "Shift+P", [this](bool) {
    const QStringList titles = m->volumePanel->presetTitles();
    m->volumePanel->choosePreset(titles.value((m->volumePanel->presetIndex() + 1) % std::max<qsizetype>(1, titles.size())));
  });
  need("plus", tr("3D: save the curve as a preset…"), "Ctrl+Shift+K", [this](bool) { m->volumePanel->askAndSave(); });
  m->commandGroup = tr("Panels and samples");
  m->panelAction = addCommand("viewer-panel", tr("The panel at the right, or more room"), keys("Alt+0"), [this](bool on) {
    m->tabs->setVisible(on);
    m->foldPanel->setFolded(!on);
  });
  m->panelAction->setCheckable(true);
  m->panelAction->setChecked(true);
  for (int tab = 0; tab < m->tabs->count(); ++tab)
    addCommand("viewer-main", tr("Panel: %1").arg(m->tabs->tabText(tab)), keys(qPrintable(QStringLiteral("Alt+%1").arg(tab + 1))), [this, tab](bool) {
      m->showPanel(tab);
      m->tabs->currentWidget()->setFocus(Qt::ShortcutFocusReason);
    });
  addCommand("viewer-four", tr("All samples of the run on one sheet"), keys("G"), [this](bool) {
    if (!m->samples->samples().isEmpty())
      emit m->samples->sheetRequested();
    else
      emit statusMessage(m->samples->count() > 0 ? absentVolumesText(m->samples->leftOutCount(), m->samples->missingCount(), m->samples->count()) : tr("The chosen run has drawn no volume yet."));
  });
  addCommand("viewer-compare", tr("Compare the chosen samples"), keys("Shift+G"), [this](bool) {
    if (!m->sheet->isVisible() ? !m->samples->compareChosen() : !m->sheet->compareChosen())
      emit statusMessage(tr("Choose two samples or more in the list, or in the contact sheet, with Ctrl+click."));
  });
  need("play", tr("Play the denoising"), "D", [this](bool) { m->trajectory->togglePlaying(); });
  need("chevron-left", tr("Denoising step before"), "Shift+,", [this](bool) { m->trajectory->setPosition(m->trajectory->position() - 1); });
  need("chevron-right", tr("Denoising step after"), "Shift+.", [this](bool) { m->trajectory->setPosition(m->trajectory->position() + 1); });
}

// Zoom, ranges, colours, comparing and painting.
void ViewerPage::buildLayerActions() {
  m->commandGroup = tr("Layers and labels");
  const auto need = [this](const char* icon, const QString& text, const char* key, const std::function<void(bool)>& run) {
    m->needVolume << addCommand(icon, text, keys(key), run);
  };
  need("plus", tr("Larger"), "+", [this](bool) { m->document->setZoom(m->document->zoom() * kZoomStep); });
  need("chevron-down", tr("Smaller"), "-", [this](bool) { m->document->setZoom(m->document->zoom() / kZoomStep); });
  need("wand", tr("Automatic range"), "Shift+A", [this](bool) { m->layersPanel->autoRange(); });
  need("check", tr("Keep the range for the next volume, or not"), "Shift+K", [this](bool) { m->layersPanel->toggleRangeLock(); });
  need("theme", tr("Next colours"), "M", [this](bool) {
    if (const int layer = m->document->imageLayer(); layer >= 0)
      m->document->editLayer(layer, [](SliceLayer& each) { each.colourMap = static_cast<ColourMap>((static_cast<std::size_t>(each.colourMap) + 1) % colourMaps().size()); });
  });
  need("viewer-labels", tr("Labels filled, outlined or both"), "O", [this](bool) {
    if (const int layer = m->document->labelLayer(); layer >= 0)
      m->document->editLayer(layer, [](SliceLayer& each) { each.style = static_cast<LabelStyle>((static_cast<int>(each.style) + 1) % 3); });
  });
  need("plus", tr("Add a volume or labels on top…"), "Ctrl+Shift+A", [this](bool) { emit m->layersPanel->addRequested(); });
  need("arrow-down", tr("Next layer"), "Shift+N", [this](bool) { m->document->setActiveLayer((m->document->activeLayer() + 1) % m->document->layerCount()); });
  need("trash", tr("Close the layer"), "Ctrl+W", [this](bool) { closeLayer(); });
  need("viewer-checker", tr("Next way to compare"), "Shift+C", [this](bool) {
    constexpr int kModes = 6; // of CompareMode
    if (m->document->imageCount() > 1)
      m->startComparison(m->compareBar->isHidden() ? CompareMode::None : static_cast<CompareMode>((static_cast<int>(m->compareBar->mode()) + 1) % kModes));
  });
  const auto whileComparing = [this](const auto& what) {
    return [this, what](bool) {
      if (m->document->imageCount() > 1 && m->compareBar->isHidden())
        m->startComparison(CompareMode::None);
      else if (!m->compareBar->isHidden())
        what(*m->compareBar);
    };
  };
  need("viewer-swap", tr("Compare: another reference"), "Shift+X", whileComparing([](ViewerCompareBar& bar) { bar.swap(); }));
  need("viewer-four", tr("Compare: three planes or one"), "Shift+V", whileComparing([](ViewerCompareBar& bar) { bar.nextPlanes(); }));
  need("pause", tr("Compare: pause the flicker"), "Shift+D", whileComparing([](ViewerCompareBar& bar) { bar.togglePause(); }));
  need("viewer-compare", tr("Compare: which volumes"), "Shift+Y", whileComparing([](ViewerCompareBar& bar) { bar.showMembers(); }));
  const auto edit = [this](const auto& what) {
    showViews();
    m->editBar->show();
    what();
  };
  need("viewer-brush", tr("Brush"), "Shift+B", [this, edit](bool) { edit([this] { m->editor->setTool(EditTool::Brush); }); });
  need("viewer-eraser", tr("Eraser"), "Shift+E", [this, edit](bool) { edit([this] { m->editor->setTool(EditTool::Eraser); }); });
  need("viewer-sphere", tr("A ball of the label at the cross-hair"), "Shift+O", [this, edit](bool) { edit([this] { m->editor->ballAtCrosshair(); }); });
  need("chevron-up", tr("Larger brush"), "]", [this](bool) { m->editBar->scaleRadius(kBrushStep); });
  need("chevron-down", tr("Smaller brush"), "[", [this](bool) { m->editBar->scaleRadius(1 / kBrushStep); });
  need("sample", tr("Make volumes from this mask"), "Ctrl+Return", [this](bool) { sampleFromMask(SampleStart::AtOnce); });
  need("sample", tr("Make volumes, settings first…"), "Ctrl+Shift+Return", [this](bool) { sampleFromMask(SampleStart::AfterChanges); });
  need("viewer-labels", tr("Show the mask of the sample"), "Shift+M", [this](bool) { showCondition(); });
}

} // namespace voxlab

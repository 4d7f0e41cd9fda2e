// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_volume_view.h"
#include "rendering/qt/vtk_view.h"
#include "widgets/pages/outlined_text.h"
#include "widgets/pages/viewer_document.h"
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

namespace voxlab {

// Dots on the middles of the cropping box's faces and on the cutting planes, over the picture.
class HandleOverlay : public QWidget {
public:
  explicit HandleOverlay(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_TranslucentBackground);
  }
  std::vector<QPointF> dots;
  std::optional<QLineF> stem; // from the chosen plane's middle to its knob
  std::optional<QPointF> hot;
  QString note; // what is being made, while it is

protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!note.isEmpty())
      drawOutlined(painter, QRectF(rect()).adjusted(8, 6, -8, -6), Qt::AlignLeft | Qt::AlignTop, note, QColor(205, 208, 212));
    if (stem) {
      painter.setPen(QPen(QColor(41, 184, 176), 2));
      painter.drawLine(*stem);
    }
    for (const QPointF dot : dots) {
      const bool isKnob = stem && dot == stem->p2();
      painter.setPen(isKnob ? QPen(QColor(41, 184, 176), 2) : QPen(QColor(0, 0, 0, 160), 1));
      painter.setBrush(dot == hot ? QColor(255, 255, 255) : isKnob ? QColor(20, 30, 32) : QColor(41, 184, 176));
      painter.drawEllipse(dot, 5.5, 5.5);
    }
  }
};

namespace {
constexpr int kRest_ms = 300, kPlaneEdge_px = 320;
constexpr int kTurn_ms = 33, kTurnOnGpu_ms = 16; // a GPU keeps up with the display
constexpr double kTurn_deg_per_ms = 1.5 / kTurn_ms, kHandle_px = 11, kCutStep_mm = 2;
} // namespace

ViewerVolumeView::ViewerVolumeView(ViewerDocument& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_cuts(m_scene, [this](Vec3d world) { return positionOf(world); }) {
  setMinimumSize(80, 80);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("3D view"));
  QPalette black = palette();
  black.setColor(QPalette::Window, Qt::black);
  setPalette(black);
  setAutoFillBackground(true);
  m_rest.setSingleShot(true);
  m_rest.setInterval(kRest_ms);
  m_turn.setTimerType(Qt::PreciseTimer);
  m_turn.setInterval(kTurn_ms);
  connect(&m_rest, &QTimer::timeout, this, &ViewerVolumeView::redrawStill);
  connect(&m_turn, &QTimer::timeout, this, [this] {
    m_scene.rotate(-kTurn_deg_per_ms * m_turn.interval(), 0);
    redrawMoving();
  });
  if (!VtkView::isPossible()) {
    m_sentence = new QLabel(tr("3D needs a display with OpenGL. The slices work here too."), this);
    m_sentence->setAlignment(Qt::AlignCenter);
    m_sentence->setWordWrap(true);
    m_sentence->setStyleSheet(QStringLiteral("color: #9aa0a6; background: black; padding: 16px;"));
    return;
  }
  m_view = new VtkView(this);
  m_view->setStatusTip(tr("Drag: turn · Wheel: zoom · Middle drag: pan · Click on a surface: its label · Double click: the view alone · ?: more")); // a tool tip would lie over the picture
  m_view->setAccessibleName(accessibleName());
  m_view->installEventFilter(this);
  setFocusProxy(m_view);
  m_handles = new HandleOverlay(this);
  m_handles->hide();
  m_scene.addTo(m_view->renderWindow());
  m_view->setPrepare([this] { m_scene.prepareFrame(); });
  connect(m_view, &VtkView::initialised, this, &ViewerVolumeView::onInitialised);
  connect(m_view, &VtkView::aborted, this, [this] { m_rest.start(); });
  connect(m_view, &VtkView::rendered, this, [this](double duration_ms) {
    m_scene.frameDrawn(duration_ms);
    placeHandles();
    if (!m_rest.isActive() && !m_turn.isActive())
      emit stillDrawn();
  });
  connect(&document, &ViewerDocument::layersChanged, this, &ViewerVolumeView::takeVolume);
  connect(&document, &ViewerDocument::activeLayerChanged, this, &ViewerVolumeView::takeVolume);
  connect(&document, &ViewerDocument::appearanceChanged, this, &ViewerVolumeView::takeVolume); // its time point, too
  connect(&document, &ViewerDocument::cursorChanged, this, &ViewerVolumeView::takeCursor);
}

ViewerVolumeView::~ViewerVolumeView() {
  if (!m_view)
    return;
  m_view->removeEventFilter(this);
  m_scene.removeFrom(m_view->renderWindow());
  delete m_view; // before the scene that its renderers belong to
}

void ViewerVolumeView::onInitialised() {
  const RayCaster suitable = VolumeScene::suitableRayCaster(VtkView::openGlRenderer().toStdString());
  m_scene.setRayCaster(suitable);
  m_turn.setInterval(suitable == RayCaster::Gpu ? kTurnOnGpu_ms : kTurn_ms);
  emit rayCasterChosen(suitable);
}

QString ViewerVolumeView::rendererText() const {
  if (!m_view)
    return tr("no OpenGL display");
  return m_scene.rayCaster() == RayCaster::Gpu ? tr("GPU ray casting on %1").arg(VtkView::openGlRenderer())
                                               : tr("CPU ray casting (no GPU drives this display)");
}

void ViewerVolumeView::resizeEvent(QResizeEvent*) {
  if (m_sentence)
    m_sentence->setGeometry(rect());
  if (m_view)
    m_view->setGeometry(rect());
  if (m_handles)
    m_handles->setGeometry(rect());
  redrawMoving();
}

void ViewerVolumeView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  takeVolume();
}

// --- from the document -----------------------------------------------------------------------------------------------

void ViewerVolumeView::takeVolume() {
  if (!m_view)
    return;
  const int index = m_document.imageLayer();
  std::shared_ptr<const RenderVolume> volume;
  if (index >= 0)
    volume = atTimePoint(m_document.source(index));
  else if (!m_document.isEmpty())
    volume = atTimePoint(m_document.source(0)); // labels alone, for the box and the camera: their values are no intensities to see
  if (volume != m_shown) {
    const bool samePlace = volume && m_shown && volume->grid.size == m_shown->grid.size && volume->grid.affine == m_shown->grid.affine;
    // What lies in the same place is looked at from where one was; but if nobody has moved since, it has to fit too.
    const std::string title = volume ? m_document.source(std::max(index, 0)).longTitle() : std::string();
    const bool outgrown = samePlace && title != m_shownTitle && volume->content.radius_mm > 1.02 * m_shown->content.radius_mm && m_scene.camera() == m_fitted;
    m_shown = volume;
    m_shownTitle = title;
    m_scene.setVolume(volume);
    if (outgrown)
      fit(m_side);
    if (!samePlace) {
      m_scene.setCropBox({});
      m_cuts.clear();
      fit(home());
      emit cropBoxChanged();
      takeCuts();
    }
  }
  takeAppearance();
}

std::shared_ptr<const RenderVolume> ViewerVolumeView::atTimePoint(const ViewerVolume& source) {
  const Made wanted{source.volume, std::min(m_document.timePoint(), source.timePoints() - 1), nullptr};
  const auto isWanted = [&](const Made& made) { return made.of == wanted.of && made.timePoint == wanted.timePoint; };
  if (wanted.timePoint == 0) {
    m_maker.cancel();
    return source.forRayCasting;
  }
  if (isWanted(m_made))
    return m_made.volume;
  if (!m_maker.isBusy() || !isWanted(m_making)) {
    m_making = wanted;
    m_maker.start([this, wanted, summary = source.summary, limit = source.forRayCasting->voxelLimit](std::stop_token, const auto&) -> NewestWork::Report {
      return [this, wanted, volume = makeRenderVolume(*wanted.of, wanted.timePoint, summary, limit)] {
        m_made = {wanted.of, wanted.timePoint, volume};
        takeVolume();
      };
    });
  }
  return m_made.of == wanted.of ? m_made.volume : source.forRayCasting;
}

void ViewerVolumeView::takeAppearance() {
  if (!m_view)
    return;
  const int index = m_document.imageLayer();
  if (index >= 0)
    m_scene.setRange(m_document.layer(index).range);
  const bool shown = m_volume == Visibility::Shown && index >= 0 && m_document.layer(index).visibility == Visibility::Shown;
  m_scene.setVolumeVisibility(shown && !flatAxis(m_document.source(index).forRayCasting->grid) ? Visibility::Shown : Visibility::Hidden);
  styleSurfaces();
  takeCursor();
  drawCutSlices();
  redrawMoving();
}

void ViewerVolumeView::styleSurfaces() {
  if (m_surfacesOf == 0)
    return;
  const int layer = m_document.layerWithId(m_surfacesOf);
  if (layer < 0) {
    m_surfacesOf = 0;
    return m_scene.setLabelSurfaces(nullptr);
  }
  LabelTable table = m_document.layer(layer).labels;
  if (m_document.layer(layer).visibility == Visibility::Hidden)
    for (Label& label : table.labels)
      label.visible = false;
  m_scene.styleLabelSurfaces(table, 1.0);
}

void ViewerVolumeView::takeCursor() {
  if (!m_view)
    return;
  std::vector<VolumeScene::PlanePicture> planes;
  const auto add = [&](SliceAxis axis, const SliceFrame& frame, const Bounds& bounds, Vec3d through, int edge_px) {
    const SliceCamera camera{axis, SideConvention::Radiological, FitScale::Own, 1.04, {}};
    const SliceGeometry plane = sliceGeometry(camera, frame, bounds, through, edge_px, edge_px);
    planes.push_back({plane, m_document.scene().draw(plane)});
  };
  const auto flat = m_shown ? flatAxis(m_shown->grid) : std::nullopt;
  if (flat && m_volume == Visibility::Shown) {
    const SliceFrame frame = alignedFrame(m_shown->grid);
    const Bounds bounds = boundsIn(frame, m_shown->grid);
    add(*flat, frame, bounds, frame.toWorld(bounds.centre()), 2 * kPlaneEdge_px);
  } else if (m_planes == Visibility::Shown && !m_document.isEmpty())
    for (const SliceAxis axis : {SliceAxis::Axial, SliceAxis::Coronal, SliceAxis::Sagittal})
      add(axis, m_document.frame(), m_document.bounds(), m_document.cursor(), kPlaneEdge_px);
  if (planes.empty() && !m_hasPlanes)
    return;
  m_hasPlanes = !planes.empty();
  m_scene.setSlicePlanes(planes);
  redrawMoving();
}

// --- what is shown ---------------------------------------------------------------------------------------------------

void ViewerVolumeView::setTransfer(const Transfer& transfer) {
  m_transfer = transfer;
  m_scene.setTransfer(transfer);
  drawCutSlices();
  redrawMoving();
}

void ViewerVolumeView::setPlanes(Visibility visibility) {
  m_planes = visibility;
  takeCursor();
  redrawMoving();
}

void ViewerVolumeView::setVolumeVisibility(Visibility visibility) {
  m_volume = visibility;
  takeAppearance();
}

void ViewerVolumeView::setCropping(Visibility handles) {
  m_cropping = handles;
  m_scene.setCropFrame(handles);
  redrawMoving();
}

void ViewerVolumeView::setCutting(Visibility planes) {
  m_cuts.setShown(planes);
  takeCuts();
}

void ViewerVolumeView::setCutSlices(Visibility slices) {
  m_cutSlices = slices;
  takeCuts();
}

void ViewerVolumeView::drawCutSlices() {
  std::vector<VolumeScene::PlanePicture> onCuts, onCrop;
  if (m_cutSlices == Visibility::Shown && !m_document.isEmpty() && m_scene.grid()) {
    for (const CutPlane& cut : m_scene.cutPlanes()) {
      SliceGeometry slice = sliceIn(cut, *m_scene.grid(), kPlaneEdge_px);
      Picture picture = m_document.scene().draw(slice);
      slice.origin = slice.origin + cut.normal * m_scene.lift_mm();
      onCuts.push_back({slice, std::move(picture)});
    }
    if (m_transfer.blend != BlendMode::MaximumIntensity) // which looks through the faces
      for (const SliceGeometry& face : m_scene.cropFaces(kPlaneEdge_px))
        onCrop.push_back({face, m_document.scene().draw(face)});
  }
  m_scene.setCutPictures(onCuts);
  m_scene.setCropPictures(onCrop);
}

void ViewerVolumeView::takeCuts() {
  drawCutSlices();
  emit cutPlanesChanged();
  redrawMoving();
}

void ViewerVolumeView::setSurfaces(std::shared_ptr<const LabelSurfaces> surfaces, std::uint64_t ofLayer) {
  m_surfacesOf = surfaces ? ofLayer : 0;
  m_scene.setLabelSurfaces(std::move(surfaces));
  takeAppearance();
}

void ViewerVolumeView::setNote(const QString& note) {
  if (!m_handles)
    return;
  m_handles->note = note;
  placeHandles();
}

void ViewerVolumeView::setTurntable(Visibility turning) {
  if (turning == Visibility::Shown)
    m_turn.start();
  else {
    m_turn.stop();
    redrawStill();
  }
}

void ViewerVolumeView::fit(LookFrom side) {
  m_scene.lookFrom(side);
  m_side = side;
  m_fitted = m_scene.camera();
}

std::optional<SliceAxis> ViewerVolumeView::flatAxis(const Grid& grid) {
  const std::array<int, 3> along = closestVoxelAxes(grid.affine);
  constexpr std::array kAxes{SliceAxis::Axial, SliceAxis::Coronal, SliceAxis::Sagittal};
  for (const SliceAxis axis : kAxes)
    if (grid.size[static_cast<std::size_t>(along[static_cast<std::size_t>(throughComponent(axis))])] == 1)
      return axis;
  return std::nullopt;
}

LookFrom ViewerVolumeView::home() const {
  const auto flat = m_shown ? flatAxis(m_shown->grid) : std::nullopt;
  return !flat ? LookFrom::Corner : *flat == SliceAxis::Axial ? LookFrom::Superior : *flat == SliceAxis::Coronal ? LookFrom::Anterior : LookFrom::Left;
}

void ViewerVolumeView::lookFrom(LookFrom side) {
  fit(side);
  redrawMoving();
}

void ViewerVolumeView::resetView() {
  m_scene.setCropBox({});
  m_cuts.clear();
  emit cropBoxChanged();
  takeCuts();
  lookFrom(home());
}

QImage ViewerVolumeView::capture(QSize pixels) {
  if (!m_view || !m_view->isVisible())
    return {};
  const bool wasMoving = m_rest.isActive();
  m_rest.stop();
  m_scene.setQuality(RenderQuality::Still);
  m_scene.setCropFrame(Visibility::Hidden);
  m_scene.setCutFrames(Visibility::Hidden);
  const QImage picture = m_view->pictureAt(pixels);
  m_scene.setCropFrame(m_cropping);
  m_scene.setCutFrames(m_cuts.shown());
  if (wasMoving) { // it goes on
    m_scene.setQuality(RenderQuality::Moving);
    m_rest.start();
  }
  return picture;
}

void ViewerVolumeView::redrawMoving() {
  if (!m_view)
    return;
  m_scene.setQuality(RenderQuality::Moving);
  m_view->setFrames(VtkView::Frames::Whole);
  m_rest.start();
  m_view->redraw();
}

void ViewerVolumeView::redrawStill() {
  if (!m_view)
    return;
  if (m_button != Qt::NoButton) { // held still, but held
    m_rest.start();
    return;
  }
  m_rest.stop();
  m_scene.setQuality(RenderQuality::Still);
  m_view->setFrames(VtkView::Frames::Abortable);
  m_view->redraw();
}

// --- mouse -----------------------------------------------------------------------------------------------------------

QPointF ViewerVolumeView::positionOf(Vec3d world) const {
  const Vec3d display = m_scene.displayOf(world);
  const double ratio = devicePixelRatioF();
  return {display.x / ratio, height() - display.y / ratio};
}

void ViewerVolumeView::placeHandles() {
  m_handles->dots.clear();
  m_handles->stem.reset();
  if (m_cropping == Visibility::Shown)
    for (const Vec3d handle : m_scene.cropHandles())
      m_handles->dots.push_back(positionOf(handle));
  for (const ViewerCutTool::Handle handle : m_cuts.handles()) {
    m_handles->dots.push_back(m_cuts.positionOf(handle));
    if (handle.part == ViewerCutTool::Part::Knob)
      m_handles->stem = QLineF(m_cuts.positionOf({ViewerCutTool::Part::Middle, handle.plane}), m_handles->dots.back());
  }
  m_handles->setVisible(!m_handles->dots.empty() || !m_handles->note.isEmpty());
  m_handles->update();
}

int ViewerVolumeView::handleAt(QPointF position) const {
  if (m_cropping == Visibility::Hidden)
    return -1;
  int best = -1;
  double nearest = kHandle_px;
  const auto handles = m_scene.cropHandles();
  for (int i = 0; i < 6; ++i) {
    const QPointF d = positionOf(handles[static_cast<std::size_t>(i)]) - position;
    if (std::hypot(d.x(), d.y()) < nearest) {
      nearest = std::hypot(d.x(), d.y());
      best = i;
    }
  }
  return best;
}

// Moves a face along its axis by what the pointer moved along that axis' direction on the screen.
void ViewerVolumeView::dragHandle(QPointF delta) {
  const auto handles = m_scene.cropHandles();
  CropBox box = m_scene.cropBox();
  const int axis = m_handle / 2;
  const QPointF low = positionOf(handles[static_cast<std::size_t>(2 * axis)]), high = positionOf(handles[static_cast<std::size_t>(2 * axis + 1)]);
  const double share = std::max(box.high[axis] - box.low[axis], 0.02);
  const QPointF perShare = (high - low) / share;
  const double size2 = QPointF::dotProduct(perShare, perShare);
  if (size2 < 1)
    return;
  const double moved = QPointF::dotProduct(delta, perShare) / size2;
  (m_handle % 2 ? box.high[axis] : box.low[axis]) += moved;
  m_scene.setCropBox(box);
  drawCutSlices();
  emit cropBoxChanged();
}

void ViewerVolumeView::press(QMouseEvent* event) {
  m_button = event->button();
  m_pressed = m_last = event->position();
  m_moved = false;
  const bool left = event->button() == Qt::LeftButton;
  m_cutHandle = left ? m_cuts.handleAt(event->position()) : ViewerCutTool::Handle{};
  m_handle = left && m_cutHandle.part == ViewerCutTool::Part::None ? handleAt(event->position()) : -1;
  if (m_cutHandle.part != ViewerCutTool::Part::None) {
    m_cuts.press(m_cutHandle);
    takeCuts();
  }
  m_view->setFocus(Qt::MouseFocusReason);
}

void ViewerVolumeView::showUnderPointer(QPointF position) {
  std::optional<QPointF> hot;
  if (const auto cut = m_cuts.handleAt(position); cut.part != ViewerCutTool::Part::None)
    hot = m_cuts.positionOf(cut);
  else if (const int face = handleAt(position); face >= 0)
    hot = positionOf(m_scene.cropHandles()[static_cast<std::size_t>(face)]);
  if (hot == m_handles->hot)
    return;
  m_handles->hot = hot;
  m_handles->update();
  m_view->setCursor(hot ? Qt::SizeAllCursor : Qt::ArrowCursor);
}

void ViewerVolumeView::move(QMouseEvent* event) {
  if (m_button == Qt::NoButton) {
    showUnderPointer(event->position());
    return;
  }
  const QPointF delta = event->position() - m_last;
  m_last = event->position();
  if (!m_moved && std::hypot((m_last - m_pressed).x(), (m_last - m_pressed).y()) < 3)
    return;
  m_moved = true;
  const double edge = std::max(1, std::min(width(), height()));
  if (m_cutHandle.part != ViewerCutTool::Part::None) {
    m_cuts.drag(m_cutHandle, delta);
    drawCutSlices();
    emit cutPlanesChanged();
  } else if (m_handle >= 0)
    dragHandle(delta);
  else if (m_button == Qt::LeftButton)
    m_scene.rotate(-delta.x() * 200 / edge, delta.y() * 200 / edge);
  else if (m_button == Qt::MiddleButton)
    m_scene.pan(delta.x() / height(), -delta.y() / height());
  else
    m_scene.zoom(std::exp(-delta.y() / 150.0));
  redrawMoving();
}

void ViewerVolumeView::release(QMouseEvent* event) {
  const Qt::MouseButton button = std::exchange(m_button, Qt::NoButton);
  if (m_moved)
    return;
  if (button == Qt::RightButton)
    emit menuRequested(event->globalPosition().toPoint());
  const bool onHandle = m_handle >= 0 || m_cutHandle.part != ViewerCutTool::Part::None;
  if (button != Qt::LeftButton || onHandle)
    return;
  const double ratio = devicePixelRatioF();
  if (const auto hit = m_scene.labelAt(event->position().x() * ratio, (height() - event->position().y()) * ratio))
    emit labelClicked(hit->first, hit->second);
}

bool ViewerVolumeView::eventFilter(QObject* watched, QEvent* event) {
  if (watched != m_view)
    return false;
  switch (event->type()) {
  case QEvent::MouseButtonPress: press(static_cast<QMouseEvent*>(event)); return true;
  case QEvent::MouseMove: move(static_cast<QMouseEvent*>(event)); return true;
  case QEvent::MouseButtonRelease: release(static_cast<QMouseEvent*>(event)); return true;
  case QEvent::MouseButtonDblClick: emit enlargeRequested(); return true;
  case QEvent::Wheel:
    m_scene.zoom(std::pow(1.15, static_cast<QWheelEvent*>(event)->angleDelta().y() / 120.0));
    redrawMoving();
    return true;
  case QEvent::KeyPress: {
    const auto* pressed = static_cast<QKeyEvent*>(event);
    const int key = pressed->key();
    if (pressed->modifiers() & Qt::AltModifier && m_cuts.shown() == Visibility::Shown && (key == Qt::Key_Up || key == Qt::Key_Down)) {
      m_cuts.moveBy(key == Qt::Key_Up ? kCutStep_mm : -kCutStep_mm);
      takeCuts();
      return true;
    }
    const double horizontal = key == Qt::Key_Left ? 10 : key == Qt::Key_Right ? -10 : 0;
    const double vertical = key == Qt::Key_Up ? 10 : key == Qt::Key_Down ? -10 : 0;
    if (horizontal == 0 && vertical == 0)
      return false;
    m_scene.rotate(horizontal, vertical);
    redrawMoving();
    return true;
  }
  default: return false;
  }
}

} // namespace voxlab

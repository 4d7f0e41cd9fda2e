// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/qt/vtk_view.h"
#include "rendering/qt/vtk_gl_surface.h"
#include "rendering/volume_scene.h"
#include <QCursor>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QPainter>
#include <QSurfaceFormat>
#include <vtkCallbackCommand.h>
#include <vtkNew.h>
#include <vtkRenderWindow.h>
#include <vtkUnsignedCharArray.h>

namespace voxlab {
namespace {

QString askForRenderer() {
  QOffscreenSurface surface;
  surface.setFormat(VtkView::defaultFormat());
  surface.create();
  QOpenGLContext context;
  context.setFormat(VtkView::defaultFormat());
  if (!context.create() || !context.makeCurrent(&surface))
    return {};
  return QString::fromLatin1(reinterpret_cast<const char*>(context.functions()->glGetString(GL_RENDERER)));
}

} // namespace

struct VtkView::Parts {
  VtkGlSurface* surface = nullptr;            // with a GPU
  vtkSmartPointer<vtkRenderWindow> offScreen; // without
  QImage picture;
  bool stale = true, wasShown = false;
  std::function<void()> prepare;
  Frames frames = Frames::Whole;
  QPoint pointerAtStart;
  VtkView* view = nullptr;

  void beforeFrame() {
    pointerAtStart = QCursor::pos();
    if (prepare)
      prepare();
  }
  static void checkAbort(vtkObject* window, unsigned long, void* parts, void*) {
    const auto* m = static_cast<Parts*>(parts);
    if (m->frames == Frames::Abortable && QCursor::pos() != m->pointerAtStart && m->view->underMouse())
      static_cast<vtkRenderWindow*>(window)->SetAbortRender(1);
  }
};

bool VtkView::isPossible() {
  const QString platform = QGuiApplication::platformName();
  if (platform == QLatin1String("offscreen") || platform.startsWith(QLatin1String("minimal")) || platform == QLatin1String("vnc") ||
      platform == QLatin1String("linuxfb"))
    return false;
  return !openGlRenderer().isEmpty();
}

QString VtkView::openGlRenderer() {
  static const QString renderer = askForRenderer();
  return renderer;
}

QSurfaceFormat VtkView::defaultFormat() {
  QSurfaceFormat format;
  format.setRenderableType(QSurfaceFormat::OpenGL);
  format.setVersion(3, 2);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setSwapBehavior(QSurfaceFormat::DoubleBuffer);
  format.setRedBufferSize(8);
  format.setGreenBufferSize(8);
  format.setBlueBufferSize(8);
  format.setAlphaBufferSize(8);
  format.setDepthBufferSize(24);
  format.setSamples(0);
  return format;
}

VtkView::VtkView(QWidget* parent) : QWidget(parent), m(std::make_unique<Parts>()) {
  m->view = this;
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  const bool software = VolumeScene::suitableRayCaster(openGlRenderer().toStdString()) == RayCaster::Cpu;
  // VTK's own off-screen window is an X window.
  if (software && QGuiApplication::platformName() == QLatin1String("xcb")) {
    setAttribute(Qt::WA_OpaquePaintEvent);
    m->offScreen = vtkSmartPointer<vtkRenderWindow>::New();
    m->offScreen->SetShowWindow(false);
    m->offScreen->SetUseOffScreenBuffers(true);
    m->offScreen->SetMultiSamples(0);
  } else {
    m->surface = new VtkGlSurface(this);
    m->surface->beforeFrame = [this] { m->beforeFrame(); };
    m->surface->afterFrame = [this](double duration_ms, bool wasAborted) { finishFrame(duration_ms, wasAborted); };
    m->surface->initialised = [this] { emit initialised(); };
  }
  vtkNew<vtkCallbackCommand> abortCheck;
  abortCheck->SetClientData(m.get());
  abortCheck->SetCallback(&Parts::checkAbort);
  renderWindow()->AddObserver(vtkCommand::AbortCheckEvent, abortCheck);
}

VtkView::~VtkView() {
  renderWindow()->RemoveObservers(vtkCommand::AbortCheckEvent);
  delete m->surface;
}

vtkRenderWindow* VtkView::renderWindow() const { return m->surface ? m->surface->renderWindow() : m->offScreen.Get(); }
void VtkView::setPrepare(std::function<void()> prepare) { m->prepare = std::move(prepare); }
void VtkView::setFrames(Frames frames) { m->frames = frames; }

void VtkView::redraw() {
  m->stale = true;
  if (m->surface)
    m->surface->update();
  else
    update();
}

void VtkView::resizeEvent(QResizeEvent*) {
  if (m->surface)
    m->surface->setGeometry(rect());
  m->stale = true;
}

QImage VtkView::pixelsOf(vtkRenderWindow* window) {
  const int* size = window->GetSize();
  vtkNew<vtkUnsignedCharArray> bytes;
  constexpr int kBackBuffer = 0;
  window->GetPixelData(0, 0, size[0] - 1, size[1] - 1, kBackBuffer, bytes.Get(), 0);
  const QImage picture(bytes->GetPointer(0), size[0], size[1], 3 * size[0], QImage::Format_RGB888);
  return picture.mirrored().convertToFormat(QImage::Format_RGB32);
}

void VtkView::drawPicture() {
  QElapsedTimer timer;
  timer.start();
  const QSize pixels = (QSizeF(size()) * devicePixelRatioF()).toSize();
  if (pixels.isEmpty())
    return;
  m->offScreen->SetSize(pixels.width(), pixels.height());
  m->offScreen->SetAbortRender(0);
  m->beforeFrame();
  m->offScreen->Render();
  const bool wasAborted = m->offScreen->GetAbortRender() != 0;
  if (!wasAborted)
    m->picture = pixelsOf(m->offScreen);
  m->stale = false;
  finishFrame(static_cast<double>(timer.nsecsElapsed()) / 1e6, wasAborted);
}

void VtkView::paintEvent(QPaintEvent*) {
  if (m->surface)
    return;
  if (!std::exchange(m->wasShown, true))
    emit initialised();
  if (m->stale)
    drawPicture();
  QPainter painter(this);
  m->picture.setDevicePixelRatio(devicePixelRatioF());
  painter.drawImage(QPointF(0, 0), m->picture);
}

// The frame's listeners may ask for another one: from the event loop, not from inside the painting.
void VtkView::finishFrame(double duration_ms, bool wasAborted) {
  QMetaObject::invokeMethod(
      this,
      [this, duration_ms, wasAborted] {
        if (wasAborted)
          emit aborted();
        else
          emit rendered(duration_ms);
      },
      Qt::QueuedConnection);
}

QImage VtkView::pictureAt(QSize pixels) {
  if (m->surface)
    return m->surface->pictureAt(pixels);
  if (!m->wasShown || pixels.isEmpty())
    return {};
  const Frames before = std::exchange(m->frames, Frames::Whole);
  m->offScreen->SetSize(pixels.width(), pixels.height());
  m->offScreen->SetAbortRender(0);
  m->beforeFrame();
  m->offScreen->Render();
  m->frames = before;
  m->stale = true; // the window has another size now
  return pixelsOf(m->offScreen);
}

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/qt/vtk_view.h"
#include <QCursor>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <cmath>
#include <vtkCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkOpenGLState.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>
#include <vtkUnsignedCharArray.h>

namespace voxlab {

struct VtkView::Parts {
  vtkSmartPointer<vtkGenericOpenGLRenderWindow> window = vtkSmartPointer<vtkGenericOpenGLRenderWindow>::New();
  QSurface* surface = nullptr;
  QString openGlRenderer;
  std::function<void()> prepare;
  Frames frames = Frames::Whole;
  QPoint pointerAtStart;
  bool painting = false;

  void answerContextEvent(QOpenGLContext* own, unsigned long event, void* data);
};

// VTK asks for its context. QOpenGLWidget::makeCurrent would also bind Qt's framebuffer behind VTK's cached state.
void VtkView::Parts::answerContextEvent(QOpenGLContext* own, unsigned long event, void* answered) {
  const bool current = own && QOpenGLContext::currentContext() == own;
  if (event == vtkCommand::WindowIsCurrentEvent)
    *static_cast<bool*>(answered) = current;
  else if (own && surface && !current)
    own->makeCurrent(surface);
}

namespace {

class ContextEvents : public vtkCommand {
public:
  static ContextEvents* New() { return new ContextEvents; }
  void Execute(vtkObject*, unsigned long event, void* data) override { answer(event, data); }
  std::function<void(unsigned long, void*)> answer;
};

} // namespace

bool VtkView::isPossible() {
  const QString platform = QGuiApplication::platformName();
  return platform != "offscreen" && platform != "minimal" && platform != "vnc" && platform != "linuxfb";
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

VtkView::VtkView(QWidget* parent) : QOpenGLWidget(parent), m(std::make_unique<Parts>()) {
  setFormat(defaultFormat());
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setUpdateBehavior(QOpenGLWidget::PartialUpdate); // an aborted frame leaves the last one
  m->window->SetReadyForRendering(false);
  m->window->SetMultiSamples(0);
  m->window->SetFrameBlitModeToNoBlit();
  m->window->SetSupportsOpenGL(1);
  m->window->SetIsDirect(1);
  vtkSmartPointer<ContextEvents> events = vtkSmartPointer<ContextEvents>::New();
  events->answer = [this](unsigned long event, void* answered) {
    if (event == vtkCommand::AbortCheckEvent)
      checkAbort();
    else
      m->answerContextEvent(isValid() ? context() : nullptr, event, answered);
  };
  for (const auto event : {vtkCommand::WindowMakeCurrentEvent, vtkCommand::WindowIsCurrentEvent, vtkCommand::AbortCheckEvent})
    m->window->AddObserver(event, events);
}

VtkView::~VtkView() {
  if (context())
    disconnect(context(), nullptr, this, nullptr); // ~QOpenGLWidget ends the context after our members are gone
  makeCurrent();
  release();
  doneCurrent();
  m->window->RemoveAllObservers();
}

vtkRenderWindow* VtkView::renderWindow() const { return m->window; }
QString VtkView::openGlRenderer() const { return m->openGlRenderer; }
void VtkView::setPrepare(std::function<void()> prepare) { m->prepare = std::move(prepare); }
void VtkView::setFrames(Frames frames) { m->frames = frames; }

QImage VtkView::pictureAt(QSize pixels) {
  if (!m->window->GetReadyForRendering() || m->painting || pixels.isEmpty())
    return {};
  makeCurrent();
  m->painting = true;
  vtkOpenGLState* state = m->window->GetState();
  state->Reset();
  state->Push();
  state->vtkglDepthFunc(GL_LEQUAL);
  m->window->SetSize(pixels.width(), pixels.height());
  m->window->SetAbortRender(0);
  if (m->prepare)
    m->prepare();
  m->window->Render();
  vtkNew<vtkUnsignedCharArray> bytes;
  constexpr int kBackBuffer = 0;
  m->window->GetPixelData(0, 0, pixels.width() - 1, pixels.height() - 1, kBackBuffer, bytes.Get(), 0);
  state->Pop();
  m->painting = false;
  syncSize();
  doneCurrent();
  const QImage view(bytes->GetPointer(0), pixels.width(), pixels.height(), 3 * pixels.width(), QImage::Format_RGB888);
  return view.mirrored().convertToFormat(QImage::Format_RGB32);
}

// Also called after the native window was made anew (docking, another parent).
void VtkView::initializeGL() {
  connect(
      context(), &QOpenGLContext::aboutToBeDestroyed, this,
      [this] {
        makeCurrent();
        release();
        doneCurrent();
      },
      Qt::DirectConnection);
  m->surface = context()->surface();
  vtkOpenGLState* state = m->window->GetState();
  state->Reset();
  state->vtkglDepthFunc(GL_LEQUAL);
  m->window->SetForceMaximumHardwareLineWidth(1);
  m->window->SetReadyForRendering(true);
  m->window->OpenGLInit();
  m->openGlRenderer = QString::fromLatin1(reinterpret_cast<const char*>(context()->functions()->glGetString(GL_RENDERER)));
  syncSize();
  emit initialised();
}

void VtkView::release() {
  if (!m->window->GetReadyForRendering())
    return;
  m->window->Finalize();
  m->window->SetReadyForRendering(false);
}

void VtkView::syncSize() {
  const int width = static_cast<int>(std::lround(this->width() * devicePixelRatioF()));
  const int height = static_cast<int>(std::lround(this->height() * devicePixelRatioF()));
  m->window->SetSize(width, height);
  m->window->SetDPI(static_cast<int>(std::lround(72 * devicePixelRatioF())));
}

void VtkView::resizeGL(int, int) { syncSize(); }

void VtkView::checkAbort() {
  if (m->frames == Frames::Abortable && m->painting && QCursor::pos() != m->pointerAtStart && underMouse())
    m->window->SetAbortRender(1);
}

void VtkView::paintGL() {
  if (m->painting || !m->window->GetReadyForRendering())
    return;
  m->painting = true;
  m->pointerAtStart = QCursor::pos();
  QElapsedTimer timer;
  timer.start();
  if (m->prepare)
    m->prepare();
  vtkOpenGLState* state = m->window->GetState();
  state->Reset();
  state->Push();
  state->vtkglDepthFunc(GL_LEQUAL);
  m->window->SetAbortRender(0);
  m->window->Render();
  const bool wasAborted = m->window->GetAbortRender() != 0;
  makeCurrent(); // progress events during Render may have switched contexts
  QOpenGLFunctions* gl = context()->functions();
  gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, defaultFramebufferObject());
  state->Reset(); // learn the binding made behind VTK's back
  const int* size = m->window->GetSize();
  if (!wasAborted)
    m->window->BlitDisplayFramebuffer(0, 0, 0, size[0], size[1], 0, 0, size[0], size[1], GL_COLOR_BUFFER_BIT, GL_NEAREST);
  gl->glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
  gl->glDisable(GL_SCISSOR_TEST);
  gl->glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE); // opaque: no blending with widgets below
  gl->glClearColor(0, 0, 0, 1);
  gl->glClear(GL_COLOR_BUFFER_BIT);
  gl->glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  gl->glFinish();
  state->Pop();
  m->painting = false;
  if (wasAborted)
    emit aborted();
  else
    emit rendered(static_cast<double>(timer.nsecsElapsed()) / 1e6);
}

} // namespace voxlab

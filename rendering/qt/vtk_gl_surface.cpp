// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/qt/vtk_gl_surface.h"
#include "rendering/qt/vtk_view.h"
#include <QElapsedTimer>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <cmath>
#include <vtkCommand.h>
#include <vtkNew.h>
#include <vtkOpenGLState.h>
#include <vtkUnsignedCharArray.h>

namespace voxlab {
namespace {

class ContextEvents : public vtkCommand {
public:
  static ContextEvents* New() { return new ContextEvents; }
  void Execute(vtkObject*, unsigned long event, void* data) override { answer(event, data); }
  std::function<void(unsigned long, void*)> answer;
};

} // namespace

VtkGlSurface::VtkGlSurface(QWidget* parent) : QOpenGLWidget(parent) {
  setFormat(VtkView::defaultFormat());
  setUpdateBehavior(QOpenGLWidget::PartialUpdate); // an aborted frame leaves the last one
  setAttribute(Qt::WA_TransparentForMouseEvents);
  m_window->SetReadyForRendering(false);
  m_window->SetMultiSamples(0);
  m_window->SetFrameBlitModeToNoBlit();
  m_window->SetSupportsOpenGL(1);
  m_window->SetIsDirect(1);
  vtkNew<ContextEvents> events;
  events->answer = [this](unsigned long event, void* answered) { answerContextEvent(event, answered); };
  for (const auto event : {vtkCommand::WindowMakeCurrentEvent, vtkCommand::WindowIsCurrentEvent})
    m_window->AddObserver(event, events);
}

VtkGlSurface::~VtkGlSurface() {
  if (context())
    disconnect(context(), nullptr, this, nullptr); // ~QOpenGLWidget ends the context after our members are gone
  makeCurrent();
  release();
  doneCurrent();
  m_window->RemoveAllObservers();
}

// VTK asks for its context. QOpenGLWidget::makeCurrent would also bind Qt's framebuffer behind VTK's cached state.
void VtkGlSurface::answerContextEvent(unsigned long event, void* answered) {
  QOpenGLContext* own = isValid() ? context() : nullptr;
  const bool current = own && QOpenGLContext::currentContext() == own;
  if (event == vtkCommand::WindowIsCurrentEvent)
    *static_cast<bool*>(answered) = current;
  else if (own && m_surface && !current)
    own->makeCurrent(m_surface);
}

// Also called after the native window was made anew (docking, another parent).
void VtkGlSurface::initializeGL() {
  connect(
      context(), &QOpenGLContext::aboutToBeDestroyed, this,
      [this] {
        makeCurrent();
        release();
        doneCurrent();
      },
      Qt::DirectConnection);
  m_surface = context()->surface();
  vtkOpenGLState* state = m_window->GetState();
  state->Reset();
  state->vtkglDepthFunc(GL_LEQUAL);
  m_window->SetForceMaximumHardwareLineWidth(1);
  m_window->SetReadyForRendering(true);
  m_window->OpenGLInit();
  syncSize();
  if (initialised)
    initialised();
}

void VtkGlSurface::release() {
  if (!m_window->GetReadyForRendering())
    return;
  m_window->Finalize();
  m_window->SetReadyForRendering(false);
}

void VtkGlSurface::syncSize() {
  m_window->SetSize(static_cast<int>(std::lround(width() * devicePixelRatioF())), static_cast<int>(std::lround(height() * devicePixelRatioF())));
  m_window->SetDPI(static_cast<int>(std::lround(72 * devicePixelRatioF())));
}

void VtkGlSurface::resizeGL(int, int) { syncSize(); }

void VtkGlSurface::paintGL() {
  if (m_painting || !m_window->GetReadyForRendering())
    return;
  m_painting = true;
  QElapsedTimer timer;
  timer.start();
  vtkOpenGLState* state = m_window->GetState();
  state->Reset();
  state->Push();
  state->vtkglDepthFunc(GL_LEQUAL);
  m_window->SetAbortRender(0);
  if (beforeFrame)
    beforeFrame();
  m_window->Render();
  const bool aborted = m_window->GetAbortRender() != 0;
  makeCurrent(); // progress events during Render may have switched contexts
  QOpenGLFunctions* gl = context()->functions();
  gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, defaultFramebufferObject());
  state->Reset(); // learn the binding made behind VTK's back
  const int* size = m_window->GetSize();
  if (!aborted)
    m_window->BlitDisplayFramebuffer(0, 0, 0, size[0], size[1], 0, 0, size[0], size[1], GL_COLOR_BUFFER_BIT, GL_NEAREST);
  gl->glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
  gl->glDisable(GL_SCISSOR_TEST);
  gl->glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE); // opaque: no blending with widgets below
  gl->glClearColor(0, 0, 0, 1);
  gl->glClear(GL_COLOR_BUFFER_BIT);
  gl->glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  gl->glFinish();
  state->Pop();
  m_painting = false;
  if (afterFrame)
    afterFrame(static_cast<double>(timer.nsecsElapsed()) / 1e6, aborted);
}

QImage VtkGlSurface::pictureAt(QSize pixels) {
  if (!m_window->GetReadyForRendering() || m_painting || pixels.isEmpty())
    return {};
  makeCurrent();
  m_painting = true;
  vtkOpenGLState* state = m_window->GetState();
  state->Reset();
  state->Push();
  state->vtkglDepthFunc(GL_LEQUAL);
  m_window->SetSize(pixels.width(), pixels.height());
  m_window->SetAbortRender(0);
  if (beforeFrame)
    beforeFrame();
  m_window->Render();
  const QImage picture = VtkView::pixelsOf(m_window);
  state->Pop();
  m_painting = false;
  syncSize();
  doneCurrent();
  return picture;
}

} // namespace voxlab

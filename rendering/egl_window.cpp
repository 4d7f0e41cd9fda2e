// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/egl_window.h"
#ifdef VOXLAB_EGL
#include <GL/glew.h> // before whatever includes GL/gl.h
#include "rendering/egl_context.h"
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkObjectFactory.h>
#include <vtkOpenGLState.h>

namespace voxlab {
namespace {

class EglWindow : public vtkGenericOpenGLRenderWindow {
public:
  static EglWindow* New();
  vtkTypeMacro(EglWindow, vtkGenericOpenGLRenderWindow)
  EglWindow(const EglWindow&) = delete;
  EglWindow& operator=(const EglWindow&) = delete;

  bool start(std::unique_ptr<EglContext> context) {
    m_context = std::move(context);
    SetMultiSamples(0);
    SetFrameBlitModeToNoBlit();
    SetSupportsOpenGL(1);
    SetIsDirect(1);
    SetForceMaximumHardwareLineWidth(1);
    MakeCurrent();
    GetState()->Reset();
    GetState()->vtkglDepthFunc(GL_LEQUAL);
    SetReadyForRendering(true);
    OpenGLInit();
    return Initialized;
  }
  void MakeCurrent() override {
    if (m_context && !m_context->isCurrent())
      m_context->makeCurrent();
  }
  bool IsCurrent() override { return m_context && m_context->isCurrent(); }

  // VTK's own asks for all that GLEW knows, of which a GLEW for X lacks the extensions of GLX here. OpenGL's functions are there by then.
  void OpenGLInitContext() override {
    ContextCreationTime.Modified();
    if (Initialized)
      return;
    const GLenum answer = glewInit();
    GlewInitValid = answer == GLEW_OK || answer == GLEW_ERROR_NO_GLX_DISPLAY;
    Initialized = GlewInitValid && GLEW_VERSION_3_2;
  }

protected:
  EglWindow() { SetReadyForRendering(false); }
  ~EglWindow() override {
    MakeCurrent();
    Finalize(); // while there is a context to release things in
  }

private:
  std::unique_ptr<EglContext> m_context;
};
vtkStandardNewMacro(EglWindow);

} // namespace

Result<vtkSmartPointer<vtkRenderWindow>> openEglWindow(int width, int height) {
  auto context = EglContext::open();
  if (!context)
    return fail(context.error());
  vtkNew<EglWindow> window;
  window->SetSize(width, height);
  const std::string device = (*context)->device();
  if (!window->start(std::move(*context)))
    return fail(ExitCode::NoDevice, "OpenGL's functions could not be loaded from " + device + ". VTK needs OpenGL 3.2 or newer.");
  return vtkSmartPointer<vtkRenderWindow>(window);
}

} // namespace voxlab

#else

namespace voxlab {

Result<vtkSmartPointer<vtkRenderWindow>> openEglWindow(int, int) {
  return fail(ExitCode::NoDevice, "This Voxlab was built without EGL, so that OpenGL needs a display here.");
}

} // namespace voxlab
#endif

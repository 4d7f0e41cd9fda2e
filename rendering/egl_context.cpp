// SPDX-License-Identifier: GPL-3.0-or-later
#ifdef VOXLAB_EGL
#include "rendering/egl_context.h"
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <algorithm>
#include <cstring>
#include <vector>

namespace voxlab {

namespace {

struct Handles {
  EGLDisplay display = EGL_NO_DISPLAY; // the process's: it is never terminated, other contexts may be on it
  EGLSurface surface = EGL_NO_SURFACE;
  EGLContext context = EGL_NO_CONTEXT;
};

struct Candidate {
  std::string name;
  EGLDisplay display = EGL_NO_DISPLAY;
  bool isSoftware = false;
};

bool hasWord(const char* words, const char* word) { return words && (' ' + std::string(words) + ' ').find(' ' + std::string(word) + ' ') != std::string::npos; }

std::string lastError() {
  switch (const EGLint code = eglGetError()) {
  case EGL_NOT_INITIALIZED: return "EGL_NOT_INITIALIZED";
  case EGL_BAD_ACCESS: return "EGL_BAD_ACCESS";
  case EGL_BAD_ALLOC: return "EGL_BAD_ALLOC";
  case EGL_BAD_ATTRIBUTE: return "EGL_BAD_ATTRIBUTE";
  case EGL_BAD_CONFIG: return "EGL_BAD_CONFIG";
  case EGL_BAD_MATCH: return "EGL_BAD_MATCH";
  case EGL_BAD_DISPLAY: return "EGL_BAD_DISPLAY";
  case EGL_SUCCESS: return "no reason";
  default: return "error " + std::to_string(code);
  }
}

template <class Function> Function functionOf(const char* name) { return reinterpret_cast<Function>(eglGetProcAddress(name)); }

// Mesa names its software renderer as a device too.
std::vector<Candidate> candidates() {
  std::vector<Candidate> found;
  const auto displayOf = functionOf<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  const auto devicesOf = functionOf<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  const auto textOf = functionOf<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
  const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  if (displayOf && devicesOf && hasWord(client, "EGL_EXT_platform_device")) {
    EGLDeviceEXT devices[64];
    EGLint count = 0;
    if (!devicesOf(64, devices, &count))
      count = 0;
    for (int i = 0; i < count; ++i)
      found.push_back({"EGL device " + std::to_string(i), displayOf(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr),
                       textOf && hasWord(textOf(devices[i], EGL_EXTENSIONS), "EGL_MESA_device_software")});
  }
  if (displayOf && hasWord(client, "EGL_MESA_platform_surfaceless"))
    found.push_back({"Mesa without a surface", displayOf(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr), true});
  std::stable_partition(found.begin(), found.end(), [](const Candidate& c) { return !c.isSoftware; });
  return found;
}

// What the device of `handles.display` has against it; empty where the context stands and is current.
std::string openOn(Handles& handles) {
  auto& [display, surface, context] = handles;
  EGLint major = 0, minor = 0;
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, &major, &minor))
    return "it does not start: " + lastError();
  if (!eglBindAPI(EGL_OPENGL_API))
    return "it has no OpenGL: " + lastError();
  const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8,
                           EGL_BLUE_SIZE, 8, EGL_ALPHA_SIZE, 8, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
    return "it has no buffer of 8 bits a colour for OpenGL: " + lastError();
  const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE}; // VTK draws into buffers of its own
  surface = eglCreatePbufferSurface(display, config, size);
  const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 2, EGL_CONTEXT_OPENGL_PROFILE_MASK,
                            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  context = surface == EGL_NO_SURFACE ? EGL_NO_CONTEXT : eglCreateContext(display, config, EGL_NO_CONTEXT, version);
  if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, surface, surface, context))
    return "it gives no OpenGL 3.2: " + lastError();
  return {};
}

void close(const Handles& handles) {
  const auto& [display, surface, context] = handles;
  if (context != EGL_NO_CONTEXT) {
    if (eglGetCurrentContext() == context)
      eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);
  }
  if (surface != EGL_NO_SURFACE)
    eglDestroySurface(display, surface);
}

} // namespace

struct EglContext::Parts {
  std::string name;
  Handles handles;
};

EglContext::EglContext(std::unique_ptr<Parts> parts) : m(std::move(parts)) {}
EglContext::~EglContext() { close(m->handles); }

Result<std::unique_ptr<EglContext>> EglContext::open() {
  std::string answers;
  for (const Candidate& candidate : candidates()) {
    Handles handles;
    handles.display = candidate.display;
    const std::string problem = openOn(handles);
    if (problem.empty()) {
      const char* vendor = eglQueryString(handles.display, EGL_VENDOR);
      auto parts = std::make_unique<Parts>();
      parts->name = candidate.name + " (" + (vendor ? vendor : "unknown vendor") + ")";
      parts->handles = handles;
      return std::unique_ptr<EglContext>(new EglContext(std::move(parts)));
    }
    close(handles);
    answers += " " + candidate.name + ": " + problem + ".";
  }
  return fail(ExitCode::NoDevice, "There is no display (xvfb-run gives one), and no device draws OpenGL without one." + (answers.empty() ? " EGL names none." : answers));
}

bool EglContext::makeCurrent() { return eglMakeCurrent(m->handles.display, m->handles.surface, m->handles.surface, m->handles.context) != EGL_FALSE; }
bool EglContext::isCurrent() const { return eglGetCurrentContext() == m->handles.context; }
const std::string& EglContext::device() const { return m->name; }

} // namespace voxlab
#endif

// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/off_screen.h"
#include "rendering/egl_window.h"
#include <chrono>
#include <cstdlib>
#include <vtkNew.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkRendererCollection.h>
#include <vtkUnsignedCharArray.h>

namespace voxlab {

struct OffScreenWindow::Parts {
  vtkSmartPointer<vtkRenderWindow> window;

  void render(VolumeScene& scene) {
    if (window->GetRenderers()->IsItemPresent(scene.renderer()) == 0)
      scene.addTo(window);
    scene.prepareFrame();
    window->Render();
  }
  std::string capability(const std::string& key) const {
    window->Render();
    const std::string report = window->ReportCapabilities();
    const auto at = report.find(key);
    if (at == std::string::npos)
      return {};
    const auto begin = report.find_first_not_of(" \t", at + key.size());
    return report.substr(begin, report.find('\n', begin) - begin);
  }
};

OffScreenWindow::OffScreenWindow(std::unique_ptr<Parts> parts) : m(std::move(parts)) {}
OffScreenWindow::~OffScreenWindow() = default;

Result<std::unique_ptr<OffScreenWindow>> OffScreenWindow::open(int width, int height) {
  auto parts = std::make_unique<Parts>();
  if (const char* display = std::getenv("DISPLAY"); display && *display) {
    parts->window = vtkSmartPointer<vtkRenderWindow>::New();
    parts->window->SetShowWindow(false);
    parts->window->SetUseOffScreenBuffers(true);
    parts->window->SetMultiSamples(0);
    parts->window->SetSize(width, height);
  } else {
    auto opened = openEglWindow(width, height);
    if (!opened)
      return fail(opened.error());
    parts->window = *opened;
  }
  return std::unique_ptr<OffScreenWindow>(new OffScreenWindow(std::move(parts)));
}

double OffScreenWindow::drawOnly_ms(VolumeScene& scene) {
  const auto start = std::chrono::steady_clock::now();
  m->render(scene);
  m->window->WaitForCompletion();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

Picture OffScreenWindow::draw(VolumeScene& scene) {
  m->render(scene);
  const int* size = m->window->GetSize();
  vtkNew<vtkUnsignedCharArray> bytes;
  m->window->GetRGBACharPixelData(0, 0, size[0] - 1, size[1] - 1, 0, bytes);
  Picture picture{size[0], size[1], {}};
  picture.pixels.reserve(static_cast<std::size_t>(size[0]) * size[1]);
  for (int row = size[1] - 1; row >= 0; --row)
    for (int column = 0; column < size[0]; ++column) {
      const unsigned char* p = bytes->GetPointer(4 * (static_cast<vtkIdType>(row) * size[0] + column));
      picture.pixels.push_back(0xff000000u | static_cast<std::uint32_t>(p[0]) << 16 | static_cast<std::uint32_t>(p[1]) << 8 | p[2]);
    }
  return picture;
}

std::string OffScreenWindow::openGlRenderer() const { return m->capability("OpenGL renderer string:"); }
std::string OffScreenWindow::openGlVersion() const { return m->capability("OpenGL version string:"); }

} // namespace voxlab

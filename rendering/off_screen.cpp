// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/off_screen.h"
#include <cstdlib>
#include <vtkNew.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkRendererCollection.h>
#include <vtkUnsignedCharArray.h>

namespace voxlab {

struct OffScreenWindow::Parts {
  vtkSmartPointer<vtkRenderWindow> window = vtkSmartPointer<vtkRenderWindow>::New();
};

OffScreenWindow::OffScreenWindow(int width, int height) : m(std::make_unique<Parts>()) {
  m->window->SetShowWindow(false);
  m->window->SetUseOffScreenBuffers(true);
  m->window->SetMultiSamples(0);
  m->window->SetSize(width, height);
}

OffScreenWindow::~OffScreenWindow() = default;

Result<std::unique_ptr<OffScreenWindow>> OffScreenWindow::open(int width, int height) {
  const char* display = std::getenv("DISPLAY");
  if (!display || !*display)
    return fail(ExitCode::NoDevice, "3D pictures need a display with OpenGL, and DISPLAY is not set. xvfb-run gives one.");
  return std::unique_ptr<OffScreenWindow>(new OffScreenWindow(width, height));
}

Picture OffScreenWindow::draw(VolumeScene& scene) {
  if (m->window->GetRenderers()->IsItemPresent(scene.renderer()) == 0)
    scene.addTo(m->window);
  scene.prepareFrame();
  m->window->Render();
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

std::string OffScreenWindow::openGlRenderer() const {
  m->window->Render();
  const std::string report = m->window->ReportCapabilities();
  const std::string key = "OpenGL renderer string:";
  const auto at = report.find(key);
  if (at == std::string::npos)
    return {};
  const auto begin = report.find_first_not_of(" \t", at + key.size());
  return report.substr(begin, report.find('\n', begin) - begin);
}

} // namespace voxlab

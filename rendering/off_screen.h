// SPDX-License-Identifier: GPL-3.0-or-later
// Renders a 3D scene into memory through a window that is never shown.
#pragma once
#include "core/base/result.h"
#include "rendering/volume_scene.h"

namespace voxlab {

// Needs an X display with OpenGL; fails with NoDevice where there is none (VTK itself would end the program).
class OffScreenWindow {
public:
  static Result<std::unique_ptr<OffScreenWindow>> open(int width, int height);
  ~OffScreenWindow();
  Picture draw(VolumeScene& scene);
  std::string openGlRenderer() const;

private:
  OffScreenWindow(int width, int height);
  struct Parts;
  std::unique_ptr<Parts> m;
};

} // namespace voxlab

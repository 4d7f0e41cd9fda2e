// SPDX-License-Identifier: GPL-3.0-or-later
// Renders a 3D scene into memory through a window that is never shown.
#pragma once
#include "core/base/result.h"
#include "rendering/volume_scene.h"

namespace voxlab {

// On the X display where DISPLAY names one, else without any (egl_window.h); fails with NoDevice where neither draws OpenGL.
class OffScreenWindow {
public:
  static Result<std::unique_ptr<OffScreenWindow>> open(int width, int height);
  ~OffScreenWindow();
  Picture draw(VolumeScene& scene);
  double drawOnly_ms(VolumeScene& scene); // the picture stays with OpenGL; how long until it was finished
  std::string openGlRenderer() const, openGlVersion() const;

private:
  struct Parts;
  explicit OffScreenWindow(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> m;
};

} // namespace voxlab

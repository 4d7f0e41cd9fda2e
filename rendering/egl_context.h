// SPDX-License-Identifier: GPL-3.0-or-later
// An OpenGL context of EGL's, with a device instead of a display.
#pragma once
#include "core/base/result.h"
#include <memory>
#include <string>

namespace voxlab {

// Of the first of EGL's devices that gives OpenGL 3.2 with a core profile; GPUs are asked before software renderers.
class EglContext {
public:
  static Result<std::unique_ptr<EglContext>> open(); // fails with NoDevice, saying what each device answered
  ~EglContext();
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;
  bool makeCurrent();
  bool isCurrent() const;
  const std::string& device() const; // "EGL device 0 (NVIDIA)"

private:
  struct Parts;
  explicit EglContext(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> m;
};

} // namespace voxlab

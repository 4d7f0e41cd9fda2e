// SPDX-License-Identifier: GPL-3.0-or-later
// A window of VTK's without any window system: it draws through EGL on a GPU, or on Mesa's software renderer where there is none.
// Debian's VTK is built for X alone; its window that draws into somebody else's context does the rest.
#pragma once
#include "core/base/result.h"
#include <vtkRenderWindow.h>
#include <vtkSmartPointer.h>

namespace voxlab {

// Ready to be drawn into memory; belongs to the thread that opened it. Fails with NoDevice where no device of EGL's gives OpenGL 3.2,
// and in a build without EGL, with what each device answered.
Result<vtkSmartPointer<vtkRenderWindow>> openEglWindow(int width, int height);

} // namespace voxlab

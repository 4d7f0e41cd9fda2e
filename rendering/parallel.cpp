// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled as C++17: VTK 9.1's header declares constructors in a way that C++20 forbids.
#include "rendering/parallel.h"
#include <vtkSMPTools.h>

namespace voxlab {

void parallelFor(std::int64_t first, std::int64_t last, std::int64_t grain, const std::function<void(std::int64_t, std::int64_t)>& body) {
  auto part = [&body](vtkIdType from, vtkIdType to) { body(from, to); };
  vtkSMPTools::For(first, last, grain, part);
}

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothed surfaces of a label volume's classes, in world millimetres. Made off the GUI thread.
#pragma once
#include "core/imaging/volume.h"
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>
#include <vtkSmartPointer.h>

class vtkPolyData;

namespace voxlab {

struct LabelSurface {
  std::int64_t value = 0;
  vtkSmartPointer<vtkPolyData> mesh; // with normals
};
struct LabelSurfaces {
  std::vector<LabelSurface> surfaces;
};

// Flying edges on each class's own box, windowed-sinc smoothing (Taubin et al. 1996), in the given order of values.
// Returns what was done so far when stopped. `done` hears how many are made, on the threads that make them.
std::shared_ptr<const LabelSurfaces> makeLabelSurfaces(const Volume& volume, const std::vector<std::int64_t>& values, std::stop_token stop = {},
                                                       const std::function<void(std::size_t)>& done = {});

} // namespace voxlab

// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of the three slice directions, the same in letters, cross-hair lines, sliders and the orientation cube.
#pragma once
#include "rendering/slice_geometry.h"
#include <QColor>
#include <QString>

namespace voxlab {

QColor axisColour(SliceAxis axis); // of Okabe & Ito: axial sky blue, coronal green, sagittal orange; made for black
QString axisName(SliceAxis axis);  // "Axial", translated

} // namespace voxlab

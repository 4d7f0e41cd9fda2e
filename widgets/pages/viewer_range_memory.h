// SPDX-License-Identifier: GPL-3.0-or-later
// Brightness, contrast and colours as they were left for each kind of image. Kept relative to the automatic range, since the
// numbers of MRI mean something else on every scanner.
#pragma once
#include "widgets/pages/viewer_volume.h"
#include <QString>

namespace voxlab {

// "T1", "T1CE", "T2", "FLAIR", "PD", "DWI", "ADC", "SWI", "CT", "PET", as the name says it; "generated" for the samples of a
// run; empty where nothing tells.
QString modalityOf(const ViewerVolume& volume);

// Keeps a range and colours for images of the volume's modality; as automatic: forgets them. To be called with what was chosen on
// purpose: a drag over a slice is for the volume that is looked at, and must not turn the next one grey.
void rememberRange(const ViewerVolume& volume, DisplayRange range, ColourMap colours);
// Gives a new layer what was kept; false, and leaves it alone, where nothing was.
bool recallRange(const ViewerVolume& volume, SliceLayer& layer);

} // namespace voxlab

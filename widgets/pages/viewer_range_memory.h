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

// Keeps a layer's range and colours for images of its modality; as automatic: forgets them.
void rememberRange(const ViewerVolume& volume, const SliceLayer& layer);
// Gives a new layer what was kept; leaves it alone where nothing was.
void recallRange(const ViewerVolume& volume, SliceLayer& layer);

} // namespace voxlab

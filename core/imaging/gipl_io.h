// SPDX-License-Identifier: Apache-2.0
// GIPL volumes (.gipl, .gipl.gz). Read here because ITK's reader takes truncated files for whole ones.
#pragma once
#include "core/imaging/importers.h"

namespace voxlab {

Importer giplImporter();

} // namespace voxlab

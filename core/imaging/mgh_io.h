// SPDX-License-Identifier: Apache-2.0
// FreeSurfer's MGH and MGZ (gzip-compressed MGH) volumes.
#pragma once
#include "core/imaging/importers.h"

namespace voxlab {

Importer mghImporter();

} // namespace voxlab

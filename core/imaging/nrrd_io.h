// SPDX-License-Identifier: Apache-2.0
// NRRD volumes (.nrrd, .nhdr) through ITK's reader.
#pragma once
#include "core/imaging/importers.h"

namespace voxlab {

Importer nrrdImporter();

} // namespace voxlab

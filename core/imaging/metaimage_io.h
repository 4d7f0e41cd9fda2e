// SPDX-License-Identifier: Apache-2.0
// MetaImage volumes (.mha, .mhd). Read here rather than by ITK's MetaIO, which crashes on damaged headers, takes truncated
// files for whole ones and writes its complaints to standard output.
#pragma once
#include "core/imaging/importers.h"

namespace voxlab {

Importer metaImageImporter();

} // namespace voxlab

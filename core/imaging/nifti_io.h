// SPDX-License-Identifier: Apache-2.0
// NIfTI-1, NIfTI-2 and Analyze 7.5 files: .nii, .nii.gz, .hdr with .img or .img.gz.
#pragma once
#include "core/imaging/importers.h"

namespace voxlab {

Importer niftiImporter();

} // namespace voxlab

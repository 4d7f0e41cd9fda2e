// SPDX-License-Identifier: Apache-2.0
// DICOM: folders of slices and single files (with one or many frames).
#pragma once
#include "core/imaging/dicom_folder.h"
#include "core/imaging/importers.h"

namespace voxlab {

// Slices sorted along their normal by position; several slices at each position become time points. Rescale slope and
// intercept of every slice are applied. Missing slices leave their place empty (NaN), uneven ones are spread evenly; both are a
// note. Fails with Data when slices do not fit together.
Result<Volume> readDicomSeries(const DicomSeries& series, const ReadOptions& options = {});

Importer dicomImporter(); // a folder: its longest series, with a note that names the others

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// DICOM: folders of slices, one or several series in each, and single files (with one or many frames).
#pragma once
#include "core/imaging/importers.h"

namespace voxlab {

struct DicomSeries {
  std::string id;          // unique within the folder
  std::string description; // "t1_mprage_sag"; may be empty
  std::string modality;    // "MR"
  std::vector<std::filesystem::path> files;
};

// Every series of a folder (subfolders included), the longest first. Fails with Data when there is none, with Stopped.
Result<std::vector<DicomSeries>> listDicomSeries(const std::filesystem::path& folder, const std::stop_token& cancel = {});
// Slices sorted along their normal by position; several slices at each position become time points. Rescale slope and
// intercept of every slice are applied. Missing or uneven slices are a note. Fails with Data when slices do not fit together.
Result<Volume> readDicomSeries(const DicomSeries& series, const ReadOptions& options = {});

Importer dicomImporter(); // a folder: its longest series, with a note that names the others

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// What a folder of DICOM files holds: one or several series, and files that were meant to be slices but cannot be read.
#pragma once
#include "core/base/result.h"
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace voxlab {

struct DicomSeries {
  std::string id;          // unique within the folder
  std::string description; // "t1_mprage_sag"; may be empty
  std::string modality;    // "MR"
  std::vector<std::filesystem::path> files;
  std::vector<std::string> notes = {}; // what of the folder could not be read, in sentences; of whichever series
};

// Every series of a folder (subfolders included), the longest first. Fails with Data when there is none, with Stopped when
// cancelled.
Result<std::vector<DicomSeries>> listDicomSeries(const std::filesystem::path& folder, const std::stop_token& cancel = {});

} // namespace voxlab

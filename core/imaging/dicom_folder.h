// SPDX-License-Identifier: Apache-2.0
// What a folder of DICOM files holds: one or several series, and files that were meant to be slices but cannot be read.
#pragma once
#include "core/base/result.h"
#include <array>
#include <cstdint>
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
  // As the first of its files says; 0 or empty where it does not.
  std::int64_t columns = 0, rows = 0, number = 0;
  std::int64_t images = 0;             // of all its files, frames counted each
  std::array<double, 3> spacing_mm{};  // between columns, rows and slices
  std::string date = {};               // "2019-03-07"
};

enum class Subfolders { Included, LeftOut };
// Every series of a folder, the longest first. Fails with Data when there is none, with Stopped when cancelled.
Result<std::vector<DicomSeries>> listDicomSeries(const std::filesystem::path& folder, const std::stop_token& cancel = {}, Subfolders subfolders = Subfolders::Included);

bool isDicomFile(const std::filesystem::path& file); // by content
// The series of its folder that the file belongs to. Fails as listDicomSeries does, with Data where the file is no image.
Result<DicomSeries> dicomSeriesOf(const std::filesystem::path& file, const std::stop_token& cancel = {});

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// Walks a DICOM file's elements and checks that each lies within the file, before GDCM, which stops the program on some
// damaged files, gets to see it. Also yields what the importer needs to tell series apart.
// Encoding rules: DICOM PS3.5 (data structures), PS3.10 (file format).
#pragma once
#include "core/base/result.h"
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace voxlab {

constexpr std::uint32_t dicomTag(std::uint16_t group, std::uint16_t element) { return static_cast<std::uint32_t>(group) << 16 | element; }

struct FileRange {
  std::uint64_t offset = 0, bytes = 0;
};

struct DicomStructure {
  std::map<std::uint32_t, std::string> values; // top-level elements of at most 256 bytes, padding removed, numbers (US) in decimal
  // Geometry and scaling within the functional groups of enhanced files (5200,9229) and (5200,9230), in the order of
  // occurrence: one for all frames, or one a frame.
  std::map<std::uint32_t, std::vector<std::string>> grouped;
  std::string transferSyntax;
  bool bigEndian = false;
  bool hasPixels = false;
  bool compressed = false;          // pixels in fragments
  FileRange pixels;                 // where they are, if they are not compressed
  std::vector<FileRange> fragments; // of compressed pixels, the offset table first
  std::uint64_t pixelBytes() const; // that the file holds, compressed or not

  // The text of a top-level element, empty if it is absent; its numbers (parted by backslashes), its first one.
  std::string text(std::uint32_t tag) const;
  std::vector<double> numbers(std::uint32_t tag) const;
  double number(std::uint32_t tag, double otherwise = 0) const;
  // Of one frame: from the functional groups if they have it, else top-level.
  std::vector<double> numbersOfFrame(std::uint32_t tag, std::size_t frame) const;
};

// Fails with Data: not DICOM, damaged, truncated, deflated.
Result<DicomStructure> walkDicom(const std::filesystem::path& file);

} // namespace voxlab

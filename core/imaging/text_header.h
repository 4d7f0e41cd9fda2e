// SPDX-License-Identifier: Apache-2.0
// Text headers of NRRD and MetaImage: lines, "key: value" pairs, and the files with voxels that they point to.
#pragma once
#include "core/base/result.h"
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace voxlab {

struct HeaderLine {
  std::string text;            // without line end
  std::uint64_t next = 0;      // position of the byte behind the line end
};
// The lines of the first 256 KB of a file (decompressed where it is gzip).
Result<std::vector<HeaderLine>> headerLines(const std::filesystem::path& file);

// The trimmed value of "key<separator>value"; keys are compared without case.
std::optional<std::string> valueOf(const std::string& line, std::initializer_list<const char*> keys, char separator);
// Numbers parted by white space; nullopt if there is anything else, or one that is not finite.
std::optional<std::vector<double>> numbersIn(const std::string& text);
std::string lowerCase(std::string text);

// The files that a header names for its voxels: one, or "LIST" with one a line behind it. Fails with Data when one is
// missing or no regular file (it could stall the program), and for numbered files ("slice%03d.raw 1 9 1").
Result<std::vector<std::filesystem::path>> voxelFiles(const std::filesystem::path& header, const std::string& value, const std::vector<HeaderLine>& lines,
                                                      std::size_t next);

} // namespace voxlab

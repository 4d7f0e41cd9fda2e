// SPDX-License-Identifier: Apache-2.0
// The folder of golden numbers: VOXLAB_PARITY_DIR, see paths.h. Files are found by their name pattern,
// so that another folder with other tags, seeds, sizes and counts serves as well.
#pragma once
#include "core/base/json.h"
#include "core/base/safetensors.h"
#include "tests/support/paths.h"
#include <filesystem>
#include <string>
#include <vector>

namespace voxlab {

// Files of the folder (or of a folder within it) whose whole name matches the ECMAScript pattern, sorted by name.
std::vector<std::filesystem::path> parityFiles(const std::string& pattern, const std::filesystem::path& folder = parityFolder());

// These throw std::runtime_error with the reader's sentence: a golden file that cannot be read fails the test.
Json parityJson(const std::filesystem::path& file);
SafetensorsReader parityTensors(const std::filesystem::path& file);
std::vector<double> parityValues(const SafetensorsReader& reader, const std::string& name);

double largestDifference(const std::vector<double>& a, const std::vector<double>& b); // infinite if sizes differ or one has a NaN
double relativeL2(const std::vector<double>& a, const std::vector<double>& b);        // ‖a − b‖ / ‖b‖; likewise

// Counts what one parity test has looked at; its end prints `files=N checks=M` and fails the test if N or M is 0.
class ParityTally {
public:
  ~ParityTally();
  void countFile() { ++m_files; }
  void countCheck(int checks = 1) { m_checks += checks; }

private:
  int m_files = 0, m_checks = 0;
};

} // namespace voxlab

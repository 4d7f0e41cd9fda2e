// SPDX-License-Identifier: Apache-2.0
#include "tests/support/parity.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <limits>
#include <regex>
#include <stdexcept>

namespace voxlab {

std::vector<std::filesystem::path> parityFiles(const std::string& pattern, const std::filesystem::path& folder) {
  const std::regex expression(pattern);
  std::vector<std::filesystem::path> found;
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ec))
    if (entry.is_regular_file() && std::regex_match(entry.path().filename().string(), expression))
      found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

Json parityJson(const std::filesystem::path& file) {
  auto json = readJsonFile(file);
  if (!json)
    throw std::runtime_error(json.error().message);
  return *json;
}

SafetensorsReader parityTensors(const std::filesystem::path& file) {
  auto reader = SafetensorsReader::open(file);
  if (!reader)
    throw std::runtime_error(reader.error().message);
  return *reader;
}

std::vector<double> parityValues(const SafetensorsReader& reader, const std::string& name) {
  auto values = reader.values<double>(name);
  if (!values)
    throw std::runtime_error(values.error().message);
  return *values;
}

double largestDifference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size())
    return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    if (!(difference <= largest))
      largest = std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
  }
  return largest;
}

double relativeL2(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size())
    return std::numeric_limits<double>::infinity();
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    norm += b[i] * b[i];
  }
  const double ratio = difference == 0 ? 0 : std::sqrt(difference / norm);
  return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
}

ParityTally::~ParityTally() {
  std::cout << "files=" << m_files << " checks=" << m_checks << std::endl;
  EXPECT_GT(m_files, 0) << "no golden file of this kind in " << parityFolder();
  EXPECT_GT(m_checks, 0);
}

} // namespace voxlab

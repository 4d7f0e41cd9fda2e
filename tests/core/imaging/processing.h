// SPDX-License-Identifier: Apache-2.0
// The frozen results of numpy, nibabel, scipy, Pillow, scikit-image and MONAI (tests/data/imaging/generate_processing.py).
#pragma once
#include "core/base/json.h"
#include "core/base/safetensors.h"
#include "core/imaging/volume.h"
#include "tests/support/paths.h"
#include <algorithm>
#include <cmath>

namespace voxlab::tests {

class Processing {
public:
  Processing()
      : facts(readJsonFile(testData() / "imaging/processing.json").value()),
        m_tensors(SafetensorsReader::open(testData() / "imaging/processing.safetensors").value()) {}
  std::vector<float> floats(const std::string& name) const { return m_tensors.values<float>(name).value(); }
  std::vector<double> doubles(const std::string& name) const { return m_tensors.values<double>(name).value(); }
  Json facts;

private:
  SafetensorsReader m_tensors;
};

inline Affine affineFrom(const Json& json) {
  Affine out;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      out[i][j] = json.at(i).at(j).get<double>();
  return out;
}
inline double largestDifference(const Affine& a, const Affine& b) {
  double largest = 0;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      largest = std::max(largest, std::abs(a[i][j] - b[i][j]));
  return largest;
}
template <class T> double largestDifference(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size())
    return HUGE_VAL;
  double largest = 0;
  for (std::size_t n = 0; n < a.size(); ++n)
    largest = std::max(largest, std::abs(static_cast<double>(a[n]) - static_cast<double>(b[n])));
  return largest;
}

} // namespace voxlab::tests

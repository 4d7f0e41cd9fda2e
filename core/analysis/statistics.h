// SPDX-License-Identifier: Apache-2.0
// Centre and spread of repeated measurements.
#pragma once
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace voxlab {

struct Spread {
  std::size_t count = 0;
  double median = 0, mean = 0, minimum = 0, maximum = 0;
  double lowerQuartile = 0, upperQuartile = 0; // linear between order statistics (Hyndman & Fan type 7, as numpy's default)
  std::optional<double> standardDeviation;     // of a sample (n - 1); unknown for one value
};

Spread spreadOf(std::vector<double> values);                         // NaN is left out; count 0 when nothing is left
double quantile(const std::vector<double>& sorted, double fraction); // of at least one value
double unionLength(std::vector<std::pair<double, double>> intervals); // of intervals (begin, end), in their unit

} // namespace voxlab

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
// An amount over each of these durations: the median of the one is the amount over the median of the other. The mean is the amount over the
// mean duration (what all of them did in their time). Durations above 0.
Spread rateOf(double amount, const Spread& durations);
double quantile(const std::vector<double>& sorted, double fraction); // of at least one value
double unionLength(std::vector<std::pair<double, double>> intervals); // of intervals (begin, end), in their unit

} // namespace voxlab

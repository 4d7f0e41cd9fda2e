// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace voxlab {

double quantile(const std::vector<double>& sorted, double fraction) {
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Spread spreadOf(std::vector<double> values) {
  std::erase_if(values, [](double v) { return std::isnan(v); });
  Spread s;
  s.count = values.size();
  if (values.empty())
    return s;
  std::sort(values.begin(), values.end());
  s.minimum = values.front();
  s.maximum = values.back();
  s.median = quantile(values, 0.5);
  s.lowerQuartile = quantile(values, 0.25);
  s.upperQuartile = quantile(values, 0.75);
  const auto n = static_cast<double>(values.size());
  s.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() > 1) {
    double squares = 0;
    for (const double v : values)
      squares += (v - s.mean) * (v - s.mean);
    s.standardDeviation = std::sqrt(squares / (n - 1));
  }
  return s;
}

Spread rateOf(double amount, const Spread& d) {
  Spread rate;
  rate.count = d.count;
  rate.median = amount / d.median;
  rate.mean = amount / d.mean;
  rate.minimum = amount / d.maximum;
  rate.maximum = amount / d.minimum;
  rate.lowerQuartile = amount / d.upperQuartile;
  rate.upperQuartile = amount / d.lowerQuartile;
  return rate;
}

double unionLength(std::vector<std::pair<double, double>> intervals) {
  std::sort(intervals.begin(), intervals.end());
  double length = 0, end = 0;
  bool first = true;
  for (const auto& [from, to] : intervals) {
    length += first ? to - from : std::max(0.0, to - std::max(from, end));
    end = first ? to : std::max(end, to);
    first = false;
  }
  return length;
}

} // namespace voxlab

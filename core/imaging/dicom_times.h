// SPDX-License-Identifier: Apache-2.0
// Which time point each slice of a series belongs to, where not every position was taken (or has come through) equally often.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

namespace voxlab {

struct TimedSlice {
  std::size_t position = 0; // which of the slice positions, from 0
  double instance = 0;      // instance number
  // What may count the time points, the surest first: temporal position, acquisition number, echo number, trigger time; absent where
  // the file does not say.
  std::vector<std::optional<double>> counters;
};

// Told by the first counter that puts no two slices into one place, else by instance numbers that count position by position within a
// time point or time point by time point within a position. nullopt where nothing tells, and where more than a fifth of the places
// would stay empty: such a folder is rather a mixture.
std::optional<std::vector<std::size_t>> timePointsOf(const std::vector<TimedSlice>& slices, std::size_t positions);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/dicom_times.h"
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace voxlab {
namespace {

using Times = std::vector<std::size_t>;

bool isPossible(const std::vector<TimedSlice>& slices, std::size_t positions, const Times& times) {
  std::set<std::pair<std::size_t, std::size_t>> taken;
  std::set<std::size_t> seen;
  for (std::size_t n = 0; n < slices.size(); ++n) {
    if (!taken.emplace(times[n], slices[n].position).second)
      return false;
    seen.insert(times[n]);
  }
  const std::size_t places = seen.size() * positions;
  return seen.size() > 1 && *seen.rbegin() + 1 == seen.size() && (places - slices.size()) * 5 <= places;
}

std::optional<Times> byCounter(const std::vector<TimedSlice>& slices, std::size_t counter) {
  std::set<double> values;
  for (const TimedSlice& slice : slices) {
    if (counter >= slice.counters.size() || !slice.counters[counter] || !std::isfinite(*slice.counters[counter]))
      return std::nullopt;
    values.insert(*slice.counters[counter]);
  }
  Times times;
  for (const TimedSlice& slice : slices)
    times.push_back(static_cast<std::size_t>(std::distance(values.begin(), values.find(*slice.counters[counter]))));
  return times;
}

// Instance numbers from `first` on; `perTime` of them make a time point, or there are `ofTimes` at each position.
std::optional<Times> byInstance(const std::vector<TimedSlice>& slices, double first, std::size_t perTime, std::size_t ofTimes) {
  Times times;
  for (const TimedSlice& slice : slices) {
    const double offset = slice.instance - first;
    if (!(offset >= 0 && offset < 1e9))
      return std::nullopt;
    const auto count = static_cast<std::size_t>(std::llround(offset));
    times.push_back(perTime > 0 ? count / perTime : count % ofTimes);
  }
  return times;
}

} // namespace

std::optional<std::vector<std::size_t>> timePointsOf(const std::vector<TimedSlice>& slices, std::size_t positions) {
  if (slices.empty() || positions == 0)
    return std::nullopt;
  const auto holds = [&](const std::optional<Times>& times) { return times && isPossible(slices, positions, *times); };
  for (std::size_t counter = 0; counter < slices.front().counters.size(); ++counter)
    if (auto times = byCounter(slices, counter); holds(times))
      return times;
  std::vector<std::size_t> counts(positions, 0);
  double lowest = slices.front().instance;
  for (const TimedSlice& slice : slices) {
    ++counts[slice.position];
    lowest = std::min(lowest, slice.instance);
  }
  // Numbers begin with 1 where the lowest leaves that possible; else the very first may be missing.
  const bool fromOne = lowest >= 1 && lowest - 1 < static_cast<double>(positions);
  for (const double first : {fromOne ? 1.0 : lowest, fromOne ? lowest : lowest - 1}) {
    if (auto times = byInstance(slices, first, positions, 0); holds(times))
      return times;
    if (auto times = byInstance(slices, first, 0, *std::max_element(counts.begin(), counts.end())); holds(times))
      return times;
  }
  return std::nullopt;
}

} // namespace voxlab

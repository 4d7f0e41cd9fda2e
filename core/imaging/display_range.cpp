// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/display_range.h"
#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace voxlab {
namespace {
constexpr std::size_t kBins = 512;
}

std::span<const float> timePointOf(const Volume& volume, std::int64_t timePoint) {
  const auto count = static_cast<std::size_t>(volume.grid().voxelCount());
  if (count == 0 || volume.voxels.size() < count)
    return {};
  const auto points = static_cast<std::int64_t>(volume.voxels.size() / count);
  const auto t = static_cast<std::size_t>(std::clamp<std::int64_t>(timePoint, 0, points - 1));
  return {volume.voxels.data() + t * count, count};
}

Histogram histogramOf(std::span<const float> voxels) {
  Histogram summary;
  float low = INFINITY, high = -INFINITY;
  for (const float v : voxels) {
    if (!std::isfinite(v))
      continue;
    ++summary.finiteCount;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  summary.otherCount = static_cast<std::int64_t>(voxels.size()) - summary.finiteCount;
  summary.counts.assign(kBins, 0);
  if (summary.finiteCount == 0)
    return summary;
  summary.minimum = low;
  summary.maximum = high;
  const double range = summary.maximum - summary.minimum;
  const double scale = range > 0 ? kBins / range : 0;
  for (const float v : voxels)
    if (std::isfinite(v))
      ++summary.counts[std::min(kBins - 1, static_cast<std::size_t>((v - summary.minimum) * scale))];
  return summary;
}

double Histogram::percentile(double share) const {
  if (finiteCount == 0)
    return 0;
  const std::size_t first = counts[0] < finiteCount - finiteCount / 1000 ? 1 : 0;
  const std::int64_t total = finiteCount - (first ? counts[0] : 0);
  const double target = std::clamp(share, 0.0, 1.0) * static_cast<double>(total);
  double below = 0;
  for (std::size_t bin = first; bin < counts.size(); ++bin) {
    const auto count = static_cast<double>(counts[bin]);
    if (count > 0 && below + count >= target)
      return minimum + binWidth() * (static_cast<double>(bin) + std::clamp((target - below) / count, 0.0, 1.0));
    below += count;
  }
  return maximum;
}

DisplayRange robustRange(const Histogram& summary) {
  DisplayRange range{summary.percentile(0.01), summary.percentile(0.995)};
  const double share = (0 - summary.minimum) / (summary.maximum - summary.minimum);
  if (summary.minimum < 0 && summary.maximum > 0 && share > 0.25 && share < 0.75) {
    const double reach = std::max(std::abs(range.low), std::abs(range.high));
    range = {-reach, reach};
  }
  if (!(range.high > range.low))
    range = {summary.minimum, summary.maximum};
  if (!(range.high > range.low))
    range.high = range.low + 1;
  return range;
}

std::map<std::int64_t, std::int64_t> countLabels(std::span<const float> voxels, std::size_t limit) {
  std::unordered_map<std::int64_t, std::int64_t> counts;
  std::int64_t last = 0, run = 0;
  for (const float v : voxels) {
    if (!(std::abs(v) < 1e9f) || v != std::floor(v))
      return {};
    const auto value = static_cast<std::int64_t>(v);
    if (value == last) {
      ++run;
      continue;
    }
    counts[last] += run;
    if (counts.size() > limit + 1)
      return {};
    last = value;
    run = 1;
  }
  counts[last] += run;
  std::map<std::int64_t, std::int64_t> result;
  for (const auto& [value, count] : counts)
    if (count > 0)
      result[value] = count;
  return result.size() <= limit ? result : std::map<std::int64_t, std::int64_t>{};
}

bool looksLikeLabels(const Volume& volume) {
  if (volume.header.components > 1 || volume.header.timePoints > 1)
    return false;
  const auto voxels = timePointOf(volume, 0);
  const auto counts = countLabels(voxels);
  if (counts.size() < 2 || counts.begin()->first < 0)
    return false;
  std::int64_t pairs = 0, equal = 0;
  for (std::size_t i = 1; i < voxels.size(); ++i) {
    if (voxels[i] == 0 || voxels[i - 1] == 0)
      continue;
    ++pairs;
    equal += voxels[i] == voxels[i - 1] ? 1 : 0;
  }
  return pairs > 0 && static_cast<double>(equal) > 0.7 * static_cast<double>(pairs);
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/display_range.h"
#include "core/imaging/intensity.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace voxlab {
namespace {

constexpr std::size_t kBins = 512;

// Without std::floor, which is a call for every voxel on the oldest processors that are supported.
inline bool isWhole(float v) { return std::abs(v) < 2e9f && static_cast<float>(static_cast<std::int32_t>(v)) == v; }
inline bool isFinite(float v) { return v - v == 0; }

// Among neighbours along i that are both foreground, how many are equal: nearly all in a segmentation. An image's background may be
// another number than 0; it is what the first corner holds.
bool liesInRegions(std::span<const float> voxels, std::size_t rowLength, std::size_t everyRow) {
  std::int64_t pairs = 0, equal = 0, pairsInside = 0, equalInside = 0; // inside: without the corner's value
  const float corner = voxels.empty() ? 0 : voxels.front();
  for (std::size_t row = 0; (row + 1) * rowLength <= voxels.size(); row += everyRow)
    for (std::size_t i = row * rowLength + 1; i < (row + 1) * rowLength; ++i) {
      if (!isWhole(voxels[i]))
        return false;
      if (voxels[i] == 0 || voxels[i - 1] == 0)
        continue;
      ++pairs;
      const int isEqual = voxels[i] == voxels[i - 1] ? 1 : 0;
      equal += isEqual;
      if (voxels[i] == corner || voxels[i - 1] == corner)
        continue;
      ++pairsInside;
      equalInside += isEqual;
    }
  const auto nearlyAll = [](std::int64_t some, std::int64_t all) { return static_cast<double>(some) > 0.7 * static_cast<double>(all); };
  return pairs > 0 && nearlyAll(equal, pairs) && (pairsInside == 0 || nearlyAll(equalInside, pairsInside));
}

} // namespace

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
  bool whole = true;
  for (const float v : voxels) {
    if (!isFinite(v))
      continue;
    ++summary.finiteCount;
    low = std::min(low, v);
    high = std::max(high, v);
    whole = whole && isWhole(v);
  }
  summary.otherCount = static_cast<std::int64_t>(voxels.size()) - summary.finiteCount;
  if (summary.finiteCount == 0)
    return summary;
  summary.minimum = low;
  summary.maximum = high;
  const double range = summary.maximum - summary.minimum;
  summary.binWidth = whole ? std::ceil((range + 1) / kBins) : range / kBins; // bins of broken integers would look like a comb
  const auto bins = whole ? static_cast<std::size_t>(range / summary.binWidth) + 1 : kBins;
  summary.counts.assign(bins, 0);
  const double scale = range > 0 ? 1 / summary.binWidth : 0;
  for (const float v : voxels)
    if (isFinite(v))
      ++summary.counts[std::min(bins - 1, static_cast<std::size_t>((v - summary.minimum) * scale))];
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
      return minimum + binWidth * (static_cast<double>(bin) + std::clamp((target - below) / count, 0.0, 1.0));
    below += count;
  }
  return maximum;
}

namespace {
// As percentile(), but a background at the minimum counts.
double lowEnd(const Histogram& summary, double share) {
  std::int64_t below = 0;
  std::size_t bin = 0;
  while (bin + 1 < summary.counts.size() && static_cast<double>(below += summary.counts[bin]) < share * static_cast<double>(summary.finiteCount))
    ++bin;
  return summary.minimum + summary.binWidth * static_cast<double>(bin);
}
} // namespace

bool isSignedMap(const Histogram& summary) {
  if (!(summary.minimum < 0 && summary.maximum >= 0) || summary.counts.empty())
    return false;
  const double low = lowEnd(summary, 0.002), reach = std::max(std::abs(low), std::abs(summary.percentile(0.995)));
  constexpr double kRinging = 0.25; // interpolation undershoots below an image's background
  if (!(low < -kRinging * reach))
    return false;
  constexpr int kSide = 16; // bins on either side of the one about zero
  std::array<std::int64_t, 2 * kSide + 1> coarse{};
  for (std::size_t bin = 0; bin < summary.counts.size(); ++bin) {
    const double value = summary.minimum + summary.binWidth * static_cast<double>(bin);
    const auto place = std::lround(std::clamp(value / reach, -1.0, 1.0) * kSide); // a background below the range counts, too
    coarse[static_cast<std::size_t>(place + kSide)] += summary.counts[bin];
  }
  const auto most = std::max_element(coarse.begin(), coarse.end());
  const auto isFarOut = [&](std::size_t place) { return place < kSide / 2 || place > kSide + kSide / 2; };
  for (std::size_t place = 0; place < coarse.size(); ++place)
    if (isFarOut(place) && coarse[place] * 10 > *most * 7)
      return false;
  return std::abs(most - coarse.begin() - kSide) <= 1;
}

DisplayRange commonScaleOf(std::span<const float> voxels) {
  constexpr std::size_t kMost = 2'000'000;
  const std::size_t stride = voxels.size() / (kMost + 1) + 1;
  std::vector<float> taken;
  for (std::size_t i = 0; i < voxels.size(); i += stride)
    taken.push_back(voxels[i]);
  constexpr std::array kEnds{0.5, 99.5};
  const std::vector<double> ends = percentiles(taken, kEnds);
  return {ends[0], ends[1]};
}

DisplayRange robustRange(const Histogram& summary) {
  if (summary.minimum == summary.maximum)
    return summary.minimum == 0 ? DisplayRange{} : DisplayRange{std::min(0.0, summary.minimum), std::max(0.0, summary.maximum)};
  DisplayRange range{summary.percentile(0.002), summary.percentile(0.995)};
  const double share = (0 - summary.minimum) / (summary.maximum - summary.minimum);
  if (isSignedMap(summary) || (summary.minimum < 0 && summary.maximum > 0 && share > 0.25 && share < 0.75)) {
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
    if (!isWhole(v))
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
  const auto rowLength = static_cast<std::size_t>(std::max<std::int64_t>(volume.grid().size[0], 1));
  constexpr std::size_t kSomeRows = 13; // most images are told by a part of their rows
  if (!liesInRegions(voxels, rowLength, voxels.size() > 1'000'000 ? kSomeRows : 1))
    return false;
  const auto counts = countLabels(voxels);
  return counts.size() > 1 && counts.begin()->first >= 0;
}

} // namespace voxlab

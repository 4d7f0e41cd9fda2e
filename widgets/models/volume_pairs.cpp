// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/volume_pairs.h"
#include <algorithm>

namespace voxlab {
namespace {
using DrawnPair = std::pair<const DrawnVolume*, const DrawnVolume*>;

std::optional<DrawnPair> alike(const VolumePoint& first, const VolumePoint& second) {
  for (const DrawnVolume& one : first.samples)
    for (const DrawnVolume& other : second.samples)
      if (one.seed && one.seed == other.seed && one.mask == other.mask && one.file != other.file)
        return DrawnPair(&one, &other);
  return std::nullopt;
}
} // namespace

std::optional<std::pair<std::filesystem::path, std::filesystem::path>> equalNoise(const VolumePoint& first, const VolumePoint& second) {
  const auto pair = alike(first, second);
  return pair ? std::optional(std::pair(pair->first->file, pair->second->file)) : std::nullopt;
}

std::vector<std::string> samplingsOf(const std::vector<VolumePoint>& points, const std::string& baselineMode) {
  std::vector<std::string> samplings;
  for (const VolumePoint& point : points)
    if (point.mode == baselineMode && !point.samples.empty() && std::find(samplings.begin(), samplings.end(), point.sampling()) == samplings.end())
      samplings.push_back(point.sampling());
  return samplings;
}

std::vector<VolumeTriple> volumeTriples(const std::vector<VolumePoint>& points, const std::string& baselineMode, const std::string& sampling) {
  std::vector<VolumeTriple> triples;
  for (const VolumePoint& base : points) {
    if (base.mode != baselineMode || base.sampling() != sampling)
      continue;
    for (const VolumePoint& point : points) {
      if (point.mode == baselineMode || point.sampling() != sampling)
        continue;
      const auto pair = alike(base, point);
      const bool known = std::any_of(triples.begin(), triples.end(), [&](const VolumeTriple& t) { return t.mode == point.name(); });
      if (pair && !known)
        triples.push_back({point.name(), pair->first->file, pair->second->file, *pair->first->seed, pair->first->mask});
    }
  }
  return triples;
}

} // namespace voxlab

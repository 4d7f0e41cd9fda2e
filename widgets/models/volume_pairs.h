// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes of two ways of sampling that began with the same noise and mask: only what differs between the ways can make them differ.
#pragma once
#include "core/analysis/comparison_set.h"
#include <optional>
#include <utility>

namespace voxlab {

// The first that both have; volumes whose seed is not known are never taken to be alike.
std::optional<std::pair<std::filesystem::path, std::filesystem::path>> equalNoise(const VolumePoint& first, const VolumePoint& second);

// One mode beside the baseline: the same sampler, steps, seed and mask.
struct VolumeTriple {
  std::string mode; // as "fused_bf16 · ddim 50"
  std::filesystem::path baseline, other;
  std::int64_t seed = 0;
  std::string mask;
};
// "ddim 50" of all points of the baseline mode that have volumes.
std::vector<std::string> samplingsOf(const std::vector<VolumePoint>& points, const std::string& baselineMode);
// For each other mode of that sampling the first pair.
std::vector<VolumeTriple> volumeTriples(const std::vector<VolumePoint>& points, const std::string& baselineMode, const std::string& sampling);

} // namespace voxlab

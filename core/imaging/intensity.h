// SPDX-License-Identifier: Apache-2.0
// Figures over the voxels of a volume. NaN and infinities are left out and counted.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace voxlab {

struct IntensitySummary {
  double minimum = 0, maximum = 0, mean = 0; // of the finite voxels; 0 if there are none
  std::uint64_t finite = 0, nonFinite = 0;
  bool isConstant() const { return finite > 0 && minimum == maximum; }
};
IntensitySummary summarise(std::span<const float> voxels);

// Values at percentages 0…100 of the sorted finite voxels, linear between neighbours as numpy.percentile does. Above 2^24
// voxels every n-th is looked at. Zeros if no voxel is finite.
std::vector<double> percentiles(std::span<const float> voxels, std::span<const double> percentages);

} // namespace voxlab

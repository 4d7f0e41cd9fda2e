// SPDX-License-Identifier: Apache-2.0
// The distribution of a volume's intensities, for display: robust ranges, histograms, and which volumes are label maps.
#pragma once
#include "core/imaging/volume.h"
#include <algorithm>
#include <map>
#include <span>

namespace voxlab {

struct Histogram {
  double minimum = 0, maximum = 0;      // of the finite voxels; 0, 0 if there are none
  std::int64_t finiteCount = 0, otherCount = 0; // otherCount: NaN and infinities
  std::vector<std::int64_t> counts;     // at most 512 equal bins from the minimum on; whole numbers wide where all voxels are whole
  double binWidth = 0;
  // Value below which the share (0…1) of the voxels lies, interpolated inside the bin. Voxels at the minimum (background)
  // are left out unless nearly all lie there.
  double percentile(double share) const;
};
Histogram histogramOf(std::span<const float> voxels);

struct DisplayRange {
  double low = 0, high = 1;
  bool operator==(const DisplayRange&) const = default;
  double shareOf(double value) const { return (value - low) / std::max(high - low, 1e-30); } // 0 at the lower end, 1 at the upper
};
// Whether most voxels lie about zero and the others fall off from there, as in a difference, a z-map or noise; an image in [−1, 1] or
// Hounsfield units has its background at the lower end instead.
bool isSignedMap(const Histogram& summary);
// From 0 to the value of a constant volume. Else 0.2nd to 99.5th percentile of the foreground; symmetric about zero where the data are signed like noise or a difference.
DisplayRange robustRange(const Histogram& summary);

// 0.5th to 99.5th percentile of all finite voxels, background included (percentiles of intensity.h); of every k-th voxel where there are
// more than two million. Volumes of unlike scales are held against each other after these were made 0 and 1.
DisplayRange commonScaleOf(std::span<const float> voxels);

// Voxels by integer value, if the time point holds integers only and at most `limit` different ones; empty otherwise.
std::map<std::int64_t, std::int64_t> countLabels(std::span<const float> voxels, std::size_t limit = 5000);

// True where the voxels are few integers that lie together in regions, as in a segmentation and unlike an image.
bool looksLikeLabels(const Volume& volume);

// The voxels of one time point.
std::span<const float> timePointOf(const Volume& volume, std::int64_t timePoint);

} // namespace voxlab

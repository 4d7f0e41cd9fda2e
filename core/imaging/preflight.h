// SPDX-License-Identifier: Apache-2.0
// Looks at every file of a dataset before the night begins: damaged files, grids that do not belong together, labels that
// are unknown or missing, NaN, constant volumes, odd geometry.
#pragma once
#include "core/imaging/dataset_index.h"
#include <functional>

namespace voxlab {

struct PreflightOptions {
  std::string recipe = "volume";
  std::vector<std::int64_t> labels;  // of the condition channels; empty: labels are not looked at
  std::stop_token cancel;
  // Files done, files in all; called one at a time, from any of the reading threads.
  std::function<void(std::size_t, std::size_t)> progress;
  int threads = 0; // 0: one a core, at most 4
};

struct PreflightReport {
  std::size_t cases = 0, files = 0;
  std::vector<Finding> findings; // the index's own first, then by subject; worst are not sorted first
  std::size_t count(Severity severity) const;
  bool passed() const { return count(Severity::Error) == 0; }
};

// Fails with Stopped only; everything that is wrong with the data is a finding.
Result<PreflightReport> preflight(const DatasetIndex& index, const PreflightOptions& options);
Json toJson(const PreflightReport& report); // {"passed", "cases", "files", "errors", "warnings", "findings": […]}

// What one pass over a file's voxels tells, without holding them.
struct VoxelCensus {
  double minimum = 0, maximum = 0;
  std::uint64_t finite = 0, nonFinite = 0, fractional = 0; // fractional: not within 1/1000 of an integer
  std::vector<std::int64_t> labels; // distinct rounded values, sorted; empty when there are more than 4096
};
struct Examined {
  VolumeHeader header;
  VoxelCensus census;
};
Result<Examined> examineVolume(const std::filesystem::path& file, const std::stop_token& cancel = {});

} // namespace voxlab

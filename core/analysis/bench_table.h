// SPDX-License-Identifier: Apache-2.0
// A benchmark's events as a table: one row a mode and kind of step.
#pragma once
#include "core/analysis/run_state.h"
#include "core/analysis/statistics.h"

namespace voxlab {

struct BenchRow {
  std::string mode, what;                                            // "bf16_graph", "train" or "sample"
  std::string unavailable;                                           // why it could not be measured (to the end); empty: it was
  Spread wall_ms, device_ms;                                         // a step; count 0: unknown
  std::optional<double> volumes, flops, bound_ms;                    // a step's work, and the least time that the device could do it in
  std::optional<double> energy_j, power_w;                           // a step, and the mean over the steps
  std::optional<double> peakAllocated_bytes, peakReserved_bytes;     // of the allocator
  std::optional<double> deviceMemory_bytes;                          // in use on the device, by NVML
  std::optional<double> outputDifference, outputDifferenceMaximum;   // of the predicted noise from Baseline's, relative in the Euclidean norm, and the largest
  std::optional<double> loss, lossDifference;                        // of the first step; relative to Baseline's
  std::optional<double> kernel_ms, launches;                         // of one traced step: the device's busy time
  bool measured() const { return wall_ms.count > 0; }
  // Share of a step that no kernel fills, by the traced step.
  std::optional<double> idle_percent() const;
};

// What follows from a step's work and its wall time: of the median time the median rate, of the quickest quartile the upper one.
struct BenchRates {
  std::optional<Spread> volumesPerSecond, flopsPerSecond, bound_percent; // the last: how near to the device's bound
};
BenchRates ratesOf(const BenchRow& row);

std::vector<BenchRow> benchRows(const RunState& state); // in order of first appearance
const BenchRow* findRow(const std::vector<BenchRow>& rows, std::string_view mode, std::string_view what); // nullptr if there is none
Json toJson(const BenchRow& row);

} // namespace voxlab

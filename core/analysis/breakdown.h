// SPDX-License-Identifier: Apache-2.0
// Where the time of a step goes: categories and idle time that add up to its wall time.
#pragma once
#include "core/analysis/kernel_table.h"
#include "core/analysis/statistics.h"
#include <array>

namespace voxlab {

// Why the GPU had nothing to do, told from what the host did while it waited for the next kernel.
enum class IdleCause : std::uint8_t {
  Unknown,  // the next kernel's launch was not recorded
  Launch,   // the launch was under way: the call itself, and the way from there to the GPU
  Host,     // the host had not come to the launch yet
  Data,     // …because it was busy with the data
  Sync,     // …because it had waited for the GPU to run dry
  Profiler, // …because the profiler held it up
  Count,
};
std::string_view idleName(IdleCause cause);  // "idle_launch", as in exports
std::string_view idleTitle(IdleCause cause); // "Idle: launch"

struct IdleGap {
  std::int64_t start_ns = 0, end_ns = 0;
  IdleCause cause = IdleCause::Unknown;
};

// A stretch of GPU time that counts for one event only: where streams overlap, for the one that began first.
struct BusySegment {
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t event = kNoIndex;
};

// One device's time line without overlaps: busy segments and the gaps between them, from first to last event.
struct DeviceTimeline {
  std::int32_t device = 0;
  std::vector<BusySegment> busy;
  std::vector<IdleGap> idle;
};
DeviceTimeline deviceTimeline(const Trace& trace, std::int32_t device);
std::int32_t busiestDevice(const Trace& trace);

struct StepBreakdown {
  std::array<double, static_cast<std::size_t>(KernelCategory::Count)> category_ms{}; // without overlaps
  std::array<double, static_cast<std::size_t>(IdleCause::Count)> idle_ms{};
  double wall_ms = 0; // = sum of both
  double busy_ms = 0;
  double kernel_ms = 0; // sum of the durations of the step's kernels, overlaps counted twice, copies and fills left out
  double copy_ms = 0;   // the same of copies and fills
  std::uint64_t launches = 0;
  double idleTotal_ms() const { return wall_ms - busy_ms; }
};

struct Breakdown {
  std::vector<StepBreakdown> steps;
  StepBreakdown mean; // over the steps: what the exports call "per step"
  Spread wall_ms, kernel_ms;
  std::int32_t device = 0;
  double category(KernelCategory category) const { return mean.category_ms[static_cast<std::size_t>(category)]; }
  double idle(IdleCause cause) const { return mean.idle_ms[static_cast<std::size_t>(cause)]; }
};

// Whether recording changed a step's time by more than 5 %, as measured without the profiler; and in a sentence how much of the step and of
// its idle time is the recording's. Empty where it did not.
std::string recordingWords(const StepBreakdown& recorded, std::optional<double> unprofiled_ms);

// Where work ran side by side, on several streams or devices: by how much, and that shares of the step may add up to more than 100 %.
// Empty where it did not. `step`: the mean of the breakdown.
std::string overlapWords(const Trace& trace, const StepBreakdown& step);

// Of a stretch of the trace, as one: wall time from its begin to its end, but no more than the device's first and last event. Only
// categories, idle, busy and wall time are filled.
StepBreakdown breakDownRange(const Trace& trace, const KernelIndex& index, std::pair<std::int64_t, std::int64_t> range_ns, std::int32_t device);

// Of the busiest device unless one is named. No steps: everything is zero.
Breakdown breakDown(const Trace& trace, const KernelIndex& index, std::optional<std::int32_t> device = {});

} // namespace voxlab

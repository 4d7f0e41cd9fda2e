// SPDX-License-Identifier: Apache-2.0
// Hardware counters by what they mean, for one launch and summed over a step.
#pragma once
#include "core/analysis/kernel_table.h"
#include "core/analysis/ncu_report.h"
#include <array>
#include <span>

namespace voxlab {

enum class Counter {
  None,
  Duration,
  SmCycles,
  Instructions,
  TensorInstructions,
  DramRead,
  DramWritten,
  InstructionsTensor,
  InstructionsFp16,
  InstructionsFp32,
  InstructionsFp64,
  InstructionsInteger,
  InstructionsMemory,
  InstructionsControl,
  InstructionsConversion,
  SmThroughput,
  MemoryThroughput,
  DramThroughput,
  DramBandwidth,
  L1Hit,
  L2Hit,
  AchievedOccupancy,
  TheoreticalOccupancy,
  IssueActive,
  Ipc,
  TensorPipe,
  FmaPipe,
  AluPipe,
  LsuPipe,
  ActiveThreads,
  Count,
};

enum class CounterKind { Unknown, Sum, Rate }; // a rate is weighted by time when launches are put together

struct CounterInfo {
  Counter counter = Counter::None;
  CounterKind kind = CounterKind::Unknown;
  std::string_view name;   // in exports: "l2_hit_percent"
  std::string_view title;  // "L2 hit rate"
  std::string_view unit;   // "%", "B", "s"; empty for counts
  std::string_view metric; // Nsight Compute's; empty of what follows from others
};
std::span<const CounterInfo> counterTable();
const CounterInfo& counterInfo(Counter counter);

// Of one launch. Nsight Compute counts every instruction of the tensor pipe, which it counts by warps, among FP16's as well, which it counts
// by threads: FP16 is what is left of them without 32 for each of the tensor pipe's, and those are a kind of their own. A launch that computed
// no matrix product has no tensor instructions and does not use the pipe, whatever else ran there.
std::optional<double> counterValue(const NcuReport& report, const NcuLaunch& launch, Counter counter);

// Why warps wait: mean warps stalled per issued instruction, by reason, largest first. "Selected" (the one that issues) is left
// out.
struct StallReason {
  std::string_view name, title; // "long_scoreboard", "Long scoreboard (global memory)"
  double perIssue = 0;
};
std::vector<StallReason> stallReasons(const NcuReport& report, const NcuLaunch& launch);

// What keeps the theoretical occupancy down: "registers", "shared memory", "warps", "blocks", "barriers"; empty when not collected.
std::string occupancyLimiter(const NcuReport& report, const NcuLaunch& launch);

struct CounterAggregate {
  std::array<std::optional<double>, static_cast<std::size_t>(Counter::Count)> values;
  std::vector<StallReason> stalls; // weighted by instructions
  std::uint64_t launches = 0;      // that the sums stand for
  std::uint64_t collected = 0;     // launches with counters
  std::optional<double> coverage;  // share of the step's kernel time that has counters, 0…1; unknown without a trace
  bool partial() const { return coverage && *coverage < 0.9; }
  std::string coverageWords() const; // "They cover 74 % of the kernel time of a step: the sums are partial."
  std::optional<double> operator[](Counter counter) const { return values[static_cast<std::size_t>(counter)]; }
};

// Every collected launch counts once: the report is of a whole step, or of whatever it is of.
CounterAggregate aggregateCounters(const NcuReport& report);
CounterAggregate aggregateCounters(const NcuReport& report, std::span<const NcuLaunch* const> launches); // of some of them
// Launches of one kernel, by its name in a trace or in a report.
std::vector<const NcuLaunch*> launchesOf(const NcuReport& report, std::string_view kernel);
// Of rows of kernels or of launches: the occupancy that counters of this kernel tell, of launches of the same shape where there are such.
void addOccupancy(std::span<KernelRow* const> rows, const NcuReport& report);
// Over a step of the trace: each kernel of it takes the counters of the collected launch with the same kernel, grid and block (the
// mean, if there are several). Sums are multiplied by the launches a step, or by their time where launches of one grid do work of
// different sizes; rates are weighted by the time in the trace.
// Of a selection: over its events; one that the time range cuts counts by its part within.
CounterAggregate aggregateCounters(const NcuReport& report, const Trace& trace, const KernelIndex& index,
                                   const EventFilter& filter = {});

// The same kernel in a trace and in a report has the same key, though the names are spelt differently.
std::string kernelKey(std::string_view name);
std::string launchKey(std::string_view kernel, const std::uint32_t (&grid)[3],
                      const std::uint32_t (&block)[3]); // and with the same shape

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// Runs and modes against a baseline: measures normalised to it, and why one is faster than the other.
#pragma once
#include "core/analysis/breakdown.h"
#include "core/analysis/roofline.h"
#include "core/analysis/run_state.h"
#include <filesystem>

namespace voxlab {

struct CounterAggregate; // counters.h

enum class Direction { Unknown, LowerIsBetter, HigherIsBetter };

struct ComparedMeasure {
  std::string name;  // in exports: "wall_ms", "energy_j"
  std::string title; // "Wall time"
  std::string unit;  // of the value: "ms", "B"; empty for counts
  Direction direction = Direction::Unknown;
  Spread spread; // count 1 where it was measured once; the median stands for it
};

// GPU time a step of what one operator of one module did with one family of kernels.
struct ComparedWork {
  KernelCategory category = KernelCategory::Unknown;
  std::string family, kernel; // kernel: short name of the longest
  std::string operatorName, module;
  Phase phase = Phase::Unknown;
  double time_ms = 0; // without overlaps
  double calls = 0;
};

// Why warps wait: mean warps stalled for this per issued instruction.
struct ComparedStall {
  std::string name, title; // "long_scoreboard", "Long scoreboard (global memory)"
  double perIssue = 0;
};

struct ComparedRun {
  std::string name; // "opt12", or the run's title
  std::string device;
  std::string called, note; // by whoever reads the comparison; empty: nothing (comparison_dress.h)
  std::string mode, what; // "opt12"; "train", "sample" or "volume": only alike are compared. Empty: unknown
  std::string source;     // id of the run that it came from: of its benchmark, where it has one
  std::filesystem::path folder; // of that run
  std::string workload;   // what a step worked on: "128 × 128 × 128"; times of different ones say nothing of modes. Empty: unknown
  std::string network;    // "64 channels (1, 1, 2, 3, 4)", with the batch where it is not 1; part of the workload where several meet. Empty: unknown
  std::vector<ComparedMeasure> measures;
  std::vector<ComparedWork> work; // empty where nothing was profiled
  std::array<double, static_cast<std::size_t>(IdleCause::Count)> idle_ms{};
  double wall_ms = 0; // a step; = sum of work and idle
  std::vector<ComparedStall> stalls;  // largest first; empty without counters
  std::vector<RooflinePoint> roofline; // longest first; empty without shapes or where the device's ceilings are not known
  bool profiled() const { return !work.empty(); }
  const ComparedMeasure* measure(std::string_view name) const;
};

std::string sizeWords(const std::vector<std::int64_t>& size); // "128 × 128 × 128", as workloads are written

// Unknown workloads are taken to be the same.
inline bool sameWorkload(const ComparedRun& a, const ComparedRun& b) {
  return a.workload.empty() || b.workload.empty() || a.workload == b.workload;
}

ComparedRun comparedProfile(std::string name, const Trace& trace, const KernelIndex& index);
// Counters as measures of a run; the coverage is one of them.
void addCounters(ComparedRun& run, const CounterAggregate& counters);
// One run a mode and kind of step ("opt1 · train") of a benchmark; every number of its events is a measure, with spread over the
// repetitions; rates follow from the wall time (bench_table.h). Units and directions come from the fields' names.
std::vector<ComparedRun> comparedBench(const RunState& state, const std::string& device);

enum class Change { Unknown, Same, Appeared, Vanished, Grew, Shrank };

struct Difference {
  std::string what; // category title, family, kernel, operator …
  double baseline_ms = 0, other_ms = 0;
  Change change = Change::Unknown;
  std::string baselineKernels, otherKernels; // short names, of operators
  double delta_ms() const { return other_ms - baseline_ms; }
};

struct FamilyDifference : Difference {
  std::vector<Difference> kernels;
};
struct CategoryDifference : Difference {
  KernelCategory category = KernelCategory::Unknown; // Unknown: idle time
  IdleCause idle = IdleCause::Unknown;
  std::vector<FamilyDifference> families;
};

// One run against the baseline. Every list has the largest difference first; the categories' differences add up to that of the profiles' wall times.
struct RunDifference {
  std::string baseline, other;
  double baseline_ms = 0, other_ms = 0; // wall time a step, by the benchmark where both have one, else by the profiles
  bool benchmarked = false;
  double profileBaseline_ms = 0, profileOther_ms = 0; // wall time of the recorded steps
  std::vector<CategoryDifference> categories;
  std::vector<Difference> operators; // matched by operator, module and phase, since kernels' names change between modes
  std::string sentence; // "opt2 takes 1.12 times as long as baseline (1 218 → 1 368 ms a step). In their profiles: +110 ms layout copies …; normalisation unchanged."
};
// "1.57 times", "18 times": how many times as fast or as long. Speed is told in this one way everywhere, since "22 % faster" says neither
// of what.
std::string timesWords(double factor);
// The beginning of such a sentence, from two times alone: "opt2 takes 1.12 times as long as baseline (1 220 → 1 370 ms a step)".
std::string speedWords(const std::string& baseline, double baseline_ms, const std::string& other, double other_ms, const std::string& unit = "ms a step");
RunDifference whyFaster(const ComparedRun& baseline, const ComparedRun& other);

struct NormalisedMeasure {
  std::string name, title, unit;
  Direction direction = Direction::Unknown;
  std::vector<std::optional<Spread>> values;     // by run; nullopt: not measured
  std::vector<std::optional<double>> normalised; // its median / its baseline's
};

struct RunComparison {
  std::vector<ComparedRun> runs;
  std::size_t baseline = 0;
  std::vector<std::optional<std::size_t>> baselines; // by run: what it is held against; nullopt: nothing was measured that it could be
  const ComparedRun* baselineOf(std::size_t run) const { return baselines[run] ? &runs[*baselines[run]] : nullptr; }
  std::vector<NormalisedMeasure> measures;
  std::vector<RunDifference> differences; // of every other profiled run, in order
};
// Whether a side may be held against a baseline of another device.
enum class DeviceScope { Unknown, Across, Within };

// Clocks and temperatures differ between sessions: in measures and differences, a side on the baseline's device is held against the
// baseline's mode in its own run, where that was measured there, else against the baseline. A side on another device is held against the
// baseline, too, or within its device against the baseline's mode there: of its own run, else the first. Every place that tells a
// multiple takes it from here. Fails with Usage when there is no run or the baseline is not among them.
Result<RunComparison> compareRuns(std::vector<ComparedRun> runs, const std::string& baseline, DeviceScope scope = DeviceScope::Across);
// Whether a run was measured together with this baseline in one session: what makes it the one to hold the run against.
bool isOwnBaseline(const ComparedRun& candidate, const ComparedRun& run, const std::string& baselineMode);
// That sides are held against several baselines, as a sentence with these names of the runs; empty where there is one.
std::string ownBaselineWords(const RunComparison& comparison, const std::vector<std::string>& names);

} // namespace voxlab

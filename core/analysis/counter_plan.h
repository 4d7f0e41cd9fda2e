// SPDX-License-Identifier: Apache-2.0
// Which launches of a recorded step are worth hardware counters: each costs a second and dozens of replays, so one instance a
// (kernel, grid, block), largest share of the time first.
#pragma once
#include "core/analysis/kernel_table.h"
#include "core/base/json.h"
#include "core/base/result.h"

namespace voxlab {

// A launch is found again in another process by the operator that makes it: operators come in the same order in every step.
struct CounterTarget {
  std::string kernel;
  LaunchGeometry shape;
  std::string operatorName;
  std::size_t ordinal = 0; // calls of that operator before this one, since the step began
  double share = 0;        // of the step's kernel time, of all launches alike
};

struct CounterPlan {
  std::vector<CounterTarget> targets; // largest share first
  double coverage = 0;                // their shares together, 0…1
  std::size_t launches = 0;           // that the targets' operators make: what will be collected
};

// Libraries may choose another kernel in the process that counts: a little more is planned than the 90 % from which sums count as whole.
inline constexpr double kPlannedCoverage = 0.92;

// Of the trace's first step, which has to begin where the recording begins. Ends when the coverage is reached or with `most`
// targets; kernels whose operator is unknown cannot be planned. A trace without kernels gives an empty plan.
CounterPlan planCounters(const Trace& trace, const KernelIndex& index, double coverage = kPlannedCoverage, std::size_t most = 100);

Json toJson(const CounterPlan& plan);
Result<CounterPlan> counterPlanFromJson(const Json& json); // fails with Data on what is no plan

} // namespace voxlab

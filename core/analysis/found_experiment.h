// SPDX-License-Identifier: Apache-2.0
// Which of some runs are the jobs of one experiment, and of which: the plan is read off their specifications, planned again and held
// against them.
#pragma once
#include "core/analysis/comparison_set.h"
#include "core/protocol/experiment_plan.h"

namespace voxlab {

struct FoundExperiment {
  ExperimentPlan plan;
  std::vector<std::string> assignments; // key=value, for all jobs that know the key
  std::vector<std::size_t> runs;        // into the inputs
};
// Of runs that lie in one folder; two runs at least. nullopt where no one plan makes them, and where most of what it would make is not there.
std::optional<FoundExperiment> experimentAmong(const std::vector<ComparisonInput>& inputs, const Catalog& catalog);

// voxlab-worker experiment -o OUTPUT …
std::vector<std::string> commandOf(const FoundExperiment& experiment, const std::string& output);

} // namespace voxlab

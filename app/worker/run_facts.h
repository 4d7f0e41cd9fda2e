// SPDX-License-Identifier: Apache-2.0
// One run summed up: what it was, where it ran, how it went.
#pragma once
#include "core/analysis/run_state.h"

namespace voxlab {

struct RunFacts {
  std::string id, title, kind, mode, created, outcome, message;
  std::string what;                    // the specification in words
  std::string host, processor, device; // of the newest start; "" when unknown
  std::optional<std::int64_t> threads;
  Json versions = Json::object();
  std::int64_t starts = 0, steps = 0;
  std::optional<std::int64_t> totalSteps;
  std::optional<double> passes, firstLoss, lastLoss;                  // losses: means over the first and last tenth of the curve
  std::optional<double> stepTime_ms, stepTimeLow_ms, stepTimeHigh_ms; // median, and the quartiles as spread
  double runTime_s = 0;
  std::vector<std::string> samples, checkpoints; // paths within the run
  std::uint64_t warnings = 0;
  Series loss; // thinned
};

// Fails with Data when the folder is no run or cannot be read.
Result<RunFacts> factsOf(const RunDirectory& run);
Json toJson(const RunFacts& facts);

// "Training of a network with 32 base channels …"; empty for kinds that it does not know.
std::string inWords(const JobSpec& spec);

} // namespace voxlab

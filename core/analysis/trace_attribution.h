// SPDX-License-Identifier: Apache-2.0
// Who caused a kernel: from its correlation id to the runtime call, from there to the operators and ranges around it, and from a
// backward operator to the forward operator it belongs to. Then the steps of the recorded work.
#pragma once
#include "core/analysis/trace.h"
#include <stop_token>

namespace voxlab {

// An arrow between two moments of two threads: autograd's forward operator and its backward operator.
struct TraceFlow {
  std::string id;
  std::uint16_t thread = 0;
  std::int64_t time_ns = 0;
  bool isStart = false;
};

// Sorts the events and fills in what the file does not say. On a trace without GPU events the innermost operators stand in for
// them, with their own time. False when cancelled.
bool attributeTrace(Trace& trace, const std::vector<TraceFlow>& flows, std::stop_token cancel);

// The phase that a range of this name marks ("forward", "Optimizer.step#Adam.step"); Unknown for others.
Phase phaseOfRange(std::string_view name);
bool marksStep(std::string_view name); // "ProfilerStep#3", "train_step", "iteration"

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// "Will it fit?" asked of a whole job: a benchmark needs what the largest of its modes needs.
#pragma once
#include "core/analysis/memory_advice.h"
#include "core/protocol/job_spec.h"
#include <functional>

namespace voxlab {

// A mode's switches by its name; nothing for a name that is unknown.
using ModeLookup = std::function<std::optional<ModeSwitches>(const std::string& name)>;

struct ModeMemory {
  std::string mode;
  MemoryRequest request;
};

// One entry for each mode that the job runs and that is known, in its order. Empty for jobs without a network of their own: sampling
// takes the checkpoint's. Fails with Usage on values that make no network.
Result<std::vector<ModeMemory>> memoryOf(const JobSpec& spec, const ModeLookup& switchesOf);

// Of one mode as memoryAdvice; of several the most that one needs, and which do not fit. Fails with Usage like memoryOf, and when the
// job asks for nothing.
Result<MemoryAdvice> memoryAdvice(const JobSpec& spec, const ModeLookup& switchesOf, double deviceMemory_bytes);

} // namespace voxlab

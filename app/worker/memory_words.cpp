// SPDX-License-Identifier: Apache-2.0
#include "app/worker/memory_words.h"
#include "core/analysis/memory_advice.h"
#include "core/execution/cuda_runtime.h"
#include "core/execution/mode.h"

namespace voxlab {

std::string howToFit(const JobSpec& spec) {
  const auto size = spec.get<std::vector<std::int64_t>>("data.size");
  const auto network = networkSpecFrom(spec);
  const auto mode = parseMode(spec.get<std::string>("mode", "baseline"));
  if (spec.kind() != "train" || size.size() != 3 || !network || !mode)
    return {};
  const auto device = chooseDevice(spec.get<std::string>("device", "auto"));
  const auto gpu = device ? cudaDeviceOf(*device) : std::nullopt;
  if (!gpu)
    return {};
  const MemoryRequest request{
      *network, {size[2], size[1], size[0]}, spec.get<std::int64_t>("train.batch", 1), mode->switches, JobMemory::Training};
  const auto advice = memoryAdvice(request, static_cast<double>(gpu->memory_bytes));
  return advice && !advice->fits ? " " + advice->sentence : "";
}

} // namespace voxlab

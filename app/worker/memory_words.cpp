// SPDX-License-Identifier: Apache-2.0
#include "app/worker/memory_words.h"
#include "core/analysis/job_memory.h"
#include "core/execution/cuda_runtime.h"
#include "core/execution/mode.h"

namespace voxlab {

namespace {
std::optional<ModeSwitches> switchesOf(const std::string& name) {
  const auto mode = parseMode(name);
  return mode ? std::optional(mode->switches) : std::nullopt;
}
} // namespace

std::string howToFit(const JobSpec& spec, const std::string& mode) {
  const auto device = chooseDevice(spec.get<std::string>("device", "auto"));
  const auto gpu = device ? cudaDeviceOf(*device) : std::nullopt;
  if (!gpu)
    return {};
  JobSpec one = spec;
  if (!mode.empty())
    one.set(spec.kind() == "bench" ? "bench.modes" : "mode", spec.kind() == "bench" ? Json::array({mode}) : Json(mode));
  const auto advice = memoryAdvice(one, switchesOf, static_cast<double>(gpu->memory_bytes));
  return advice && !advice->fits ? advice->sentence : "";
}

} // namespace voxlab

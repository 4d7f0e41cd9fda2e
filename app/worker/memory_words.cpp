// SPDX-License-Identifier: Apache-2.0
#include "app/worker/memory_words.h"
#include "app/worker/environment.h"
#include "app/worker/error_words.h"
#include "core/analysis/job_memory.h"
#include "core/base/failure.h"
#include "core/base/text.h"
#include "core/execution/cuda_runtime.h"
#include "core/execution/mode.h"
#include <algorithm>

namespace voxlab {
namespace {
constexpr double kSurelyTooLarge = 1.3; // the estimate is within 15 % on GPUs; processors were not measured as widely

std::optional<ModeSwitches> switchesOf(const std::string& name) {
  const auto mode = parseMode(name);
  return mode ? std::optional(mode->switches) : std::nullopt;
}

// The job in that mode alone; "" leaves it as it is.
JobSpec inMode(JobSpec spec, const std::string& mode) {
  if (!mode.empty() && spec.kind() == "bench")
    spec.set("bench.modes", Json::array({mode}));
  else if (!mode.empty())
    spec.set("mode", mode);
  return spec;
}
} // namespace

std::string howToFit(const JobSpec& spec, const std::string& mode) {
  const auto device = chooseDevice(spec.get<std::string>("device", "auto"));
  const auto gpu = device ? cudaDeviceOf(*device) : std::nullopt;
  if (!gpu)
    return {};
  const auto advice = memoryAdvice(inMode(spec, mode), switchesOf, static_cast<double>(gpu->memory_bytes));
  return advice && !advice->fits ? advice->sentence : "";
}

void refuseWhatCannotFit(const JobSpec& spec) {
  const auto device = chooseDevice(spec.get<std::string>("device", "auto"));
  if (!device || cudaDeviceOf(*device))
    return;
  const auto memory_bytes = static_cast<double>(memoryBytes());
  const auto tooLarge = [&](const JobSpec& one) {
    const auto advice = memoryAdvice(one, switchesOf, memory_bytes);
    return advice && advice->needed_bytes > kSurelyTooLarge * memory_bytes;
  };
  auto modes = spec.get<std::vector<std::string>>("bench.modes"); // a benchmark goes on with those that fit
  if (spec.kind() != "bench" || modes.empty())
    modes = {""};
  if (std::all_of(modes.begin(), modes.end(), [&](const std::string& mode) { return tooLarge(inMode(spec, mode)); }))
    throw Failure(ExitCode::OutOfMemory, "This job cannot fit into the " + formatBytes(memory_bytes) + " of main memory." + kLessMemory);
}

} // namespace voxlab

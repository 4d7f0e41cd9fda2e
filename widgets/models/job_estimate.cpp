// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/job_estimate.h"
#include "core/analysis/job_memory.h"
#include "core/protocol/switch_table.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
using Size = std::array<std::int64_t, 3>;

std::optional<Size> sizeDhw(const JobSpec& spec) {
  const Json& size = spec.value("data.size");
  if (!size.is_array() || size.size() != 3)
    return std::nullopt;
  Size dhw{};
  for (std::size_t axis = 0; axis < 3; ++axis) { // written as X, Y, Z
    if (!size[2 - axis].is_number_integer())
      return std::nullopt;
    dhw[axis] = size[2 - axis].get<std::int64_t>();
  }
  return dhw;
}

const Choice* choiceOf(const Catalog& catalog, const char* key, const std::string& value) {
  const Parameter* parameter = catalog.find(key);
  if (!parameter)
    return nullptr;
  for (const Choice& choice : parameter->choices)
    if (choice.value == value)
      return &choice;
  return nullptr;
}

// "auto" stands for the first GPU, or the CPU.
const Choice* deviceOf(const JobSpec& spec, const Catalog& catalog) {
  const std::string wanted = spec.get<std::string>("device", "auto");
  const Choice* chosen = choiceOf(catalog, "device", wanted);
  if (wanted != "auto" || (chosen && jsonGet<double>(chosen->details, "memory_bytes")))
    return chosen;
  const Choice* cpu = nullptr;
  if (const Parameter* parameter = catalog.find("device"))
    for (const Choice& choice : parameter->choices) {
      if (choice.value == "cpu")
        cpu = &choice;
      else if (choice.value != "auto" && choice.unavailable.empty())
        return &choice;
    }
  return cpu ? cpu : chosen;
}

void estimateNetwork(const JobSpec& spec, const Catalog& catalog, JobEstimate& estimate) {
  const auto network = networkSpecFrom(spec);
  const auto size = sizeDhw(spec);
  if (!network || !size || spec.kind() == "sample") // sampling takes its network from the checkpoint
    return;
  const std::int64_t batch = std::max<std::int64_t>(1, spec.get<std::int64_t>("train.batch", 1));
  const auto plan = planNetwork(*network, *size, batch);
  if (!plan)
    return;
  estimate.parameters = plan->parameters();
  estimate.flopsPerStep = plan->flops(StepKind::Train) * static_cast<double>(std::max<std::int64_t>(1, spec.get<std::int64_t>("train.accumulate", 1)));
  const auto switchesOf = [&catalog](const std::string& name) {
    const CombinedMode combined = splitMode(name);
    const Choice* row = choiceOf(catalog, "mode", combined.row);
    auto switches = row ? std::optional(modeSwitchesFromJson(row->details)) : std::nullopt;
    for (const std::string& added : combined.switches)
      if (!switches || !applySwitch(added, *switches))
        return std::optional<ModeSwitches>();
    return switches;
  };
  const auto advice = memoryAdvice(spec, switchesOf, estimate.deviceMemory_bytes.value_or(std::numeric_limits<double>::max()));
  if (!advice)
    return;
  estimate.memory_bytes = advice->needed_bytes;
  estimate.fits = advice->fits || !estimate.deviceMemory_bytes;
  if (!estimate.fits)
    estimate.advice = QString::fromStdString(advice->sentence);
}

void estimateLength(const JobSpec& spec, std::optional<std::int64_t> volumes, JobEstimate& estimate) {
  if (spec.kind() == "sample") {
    estimate.volumesPerMask = spec.get<std::int64_t>("sample.count", 1);
    return;
  }
  if (spec.kind() != "train")
    return;
  const double perStep = static_cast<double>(spec.get<std::int64_t>("train.batch", 1) * spec.get<std::int64_t>("train.accumulate", 1));
  const double passes = spec.get<double>("train.passes");
  if (passes > 0) {
    estimate.passes = passes;
    if (volumes && perStep > 0)
      estimate.steps = static_cast<std::int64_t>(std::ceil(passes * static_cast<double>(*volumes) / perStep));
    return;
  }
  estimate.steps = spec.get<std::int64_t>("train.steps");
  if (volumes && *volumes > 0)
    estimate.passes = static_cast<double>(*estimate.steps) * perStep / static_cast<double>(*volumes);
}

void estimateDisk(const JobSpec& spec, JobEstimate& estimate) {
  if (spec.kind() != "train" || !estimate.parameters || !estimate.steps)
    return;
  constexpr double kStateTensors = 4; // weights, moving average, two moments, FP32
  const auto every = [&](const char* key) { return std::max<std::int64_t>(0, spec.get<std::int64_t>(key)); };
  double checkpoints = every("train.checkpoint_every") > 0 ? std::ceil(static_cast<double>(*estimate.steps) / static_cast<double>(every("train.checkpoint_every"))) : 1;
  if (const auto keep = every("train.keep_checkpoints"); keep > 0)
    checkpoints = std::min(checkpoints, static_cast<double>(keep));
  double bytes = std::max(1.0, checkpoints) * kStateTensors * 4 * static_cast<double>(*estimate.parameters);
  const auto size = sizeDhw(spec);
  if (const auto sampleEvery = every("train.sample_every"); sampleEvery > 0 && size)
    bytes += std::floor(static_cast<double>(*estimate.steps) / static_cast<double>(sampleEvery)) * static_cast<double>(every("train.sample_count")) * 4 *
             static_cast<double>((*size)[0] * (*size)[1] * (*size)[2]) * static_cast<double>(spec.get<std::int64_t>("model.image_channels", 1));
  estimate.disk_bytes = bytes;
}
} // namespace

JobEstimate estimateJob(const JobSpec& given, const Catalog& catalog, std::optional<std::int64_t> volumes) {
  JobSpec spec = given;
  spec.fillDefaults(catalog);
  joinModeSwitches(spec);
  JobEstimate estimate;
  if (const Choice* device = deviceOf(spec, catalog)) {
    estimate.device = QString::fromStdString(device->title);
    estimate.deviceMemory_bytes = jsonGet<double>(device->details, "memory_bytes");
  }
  estimateNetwork(spec, catalog, estimate);
  estimateLength(spec, volumes, estimate);
  estimateDisk(spec, estimate);
  return estimate;
}

} // namespace voxlab

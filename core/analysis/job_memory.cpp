// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/job_memory.h"
#include <algorithm>

namespace voxlab {
namespace {
std::vector<std::string> modesOf(const JobSpec& spec) {
  if (spec.kind() == "bench")
    return spec.get<std::vector<std::string>>("bench.modes", {"baseline"});
  std::vector<std::string> modes{spec.get<std::string>("mode", "baseline")};
  if (spec.kind() == "verify" && modes.front() != "baseline") // it runs both
    modes.insert(modes.begin(), "baseline");
  return modes;
}

JobMemory memoryKind(const JobSpec& spec) {
  if (spec.kind() == "train")
    return JobMemory::Training;
  const auto what = spec.get<std::vector<std::string>>("bench.what", {"train"});
  const bool trains = spec.kind() == "verify" || std::find(what.begin(), what.end(), "train") != what.end();
  return trains ? JobMemory::BenchmarkTraining : JobMemory::Sampling;
}

// "baseline, opt1 and opt2"
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::string sentenceFor(const std::vector<std::string>& tooLarge, std::size_t modes, const MemoryAdvice& largest, const MemoryAdvice& least,
                        double deviceMemory_bytes) {
  const std::string device = "The GPU has " + memoryWords(deviceMemory_bytes) + "; ";
  if (tooLarge.empty())
    return device + "the largest mode needs about " + memoryWords(largest.needed_bytes) + ".";
  if (tooLarge.size() == modes)
    return device + "the least of these modes needs about " + memoryWords(least.needed_bytes) + ": choose a smaller volume.";
  return device + listed(tooLarge) + (tooLarge.size() == 1 ? " needs about " : " need up to ") + memoryWords(largest.needed_bytes) +
         (tooLarge.size() == 1 ? " and is" : " and are") + " left out with that reason; the other modes run.";
}
} // namespace

Result<std::vector<ModeMemory>> memoryOf(const JobSpec& spec, const ModeLookup& switchesOf) {
  std::vector<ModeMemory> list;
  if (spec.kind() != "train" && spec.kind() != "bench" && spec.kind() != "profile" && spec.kind() != "verify")
    return list;
  const auto network = networkSpecFrom(spec);
  if (!network)
    return fail(network.error());
  const auto size = spec.get<std::vector<std::int64_t>>("data.size", {128, 128, 128}); // X, Y, Z
  if (size.size() != 3)
    return fail(ExitCode::Usage, "A volume has three sides.");
  for (const std::string& mode : modesOf(spec))
    if (const auto switches = switchesOf(mode))
      list.push_back({mode, {*network, {size[2], size[1], size[0]}, spec.get<std::int64_t>("train.batch", 1), *switches, memoryKind(spec)}});
  return list;
}

Result<MemoryAdvice> memoryAdvice(const JobSpec& spec, const ModeLookup& switchesOf, double deviceMemory_bytes) {
  const auto list = memoryOf(spec, switchesOf);
  if (!list)
    return fail(list.error());
  if (list->empty())
    return fail(ExitCode::Usage, "Nothing is known of what this job needs.");
  std::vector<MemoryAdvice> advices;
  std::vector<std::string> tooLarge;
  for (const ModeMemory& mode : *list) {
    auto advice = memoryAdvice(mode.request, deviceMemory_bytes);
    if (!advice)
      return advice;
    if (!advice->fits)
      tooLarge.push_back(mode.mode);
    advices.push_back(std::move(*advice));
  }
  const auto less = [](const MemoryAdvice& a, const MemoryAdvice& b) { return a.needed_bytes < b.needed_bytes; };
  MemoryAdvice largest = *std::max_element(advices.begin(), advices.end(), less);
  if (spec.kind() == "bench" && advices.size() > 1)
    largest.sentence = sentenceFor(tooLarge, advices.size(), largest, *std::min_element(advices.begin(), advices.end(), less), deviceMemory_bytes);
  return largest;
}

} // namespace voxlab

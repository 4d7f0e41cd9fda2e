// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/experiment_plan.h"
#include "core/base/text.h"
#include <algorithm>
#include <charconv>
#include <set>

namespace voxlab {
namespace {
const std::string kBaseline = "baseline";

template <class T> std::optional<T> numberFrom(const std::string& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// As part of a folder's name: "cuda:0" → "cuda0", "opt1+graph" stays.
std::string folderWord(std::string word) {
  std::erase_if(word, [](char c) { return c == ':' || c == '/'; });
  return word;
}

std::string nameOf(const PlannedSampling& s) {
  std::string name = s.sampler + "_" + std::to_string(s.steps);
  return s.eta ? name + "_eta" + formatSignificant(*s.eta) : name;
}

std::string wordsOf(const PlannedSampling& s) {
  std::string words = s.sampler + (s.steps > 0 ? ", " + std::to_string(s.steps) + (s.steps == 1 ? " step" : " steps") : ", all steps");
  return s.eta ? words + ", η " + formatSignificant(*s.eta) : words;
}

class Planner {
public:
  Planner(const ExperimentPlan& plan, std::filesystem::path runs) : m_plan(plan), m_runs(std::move(runs)) {}

  std::vector<PlannedJob> jobs() {
    for (const std::string& device : m_plan.devices)
      addBenchmark(device);
    for (const PlannedSampling& sampling : samplingsByCost()) {
      for (const std::string& device : m_plan.devices)
        for (const std::string& mode : baselineFirst())
          addVolumes(sampling, mode, device);
    }
    for (const std::string& device : m_plan.devices)
      for (const std::string& mode : m_plan.modes)
        addProfile(mode, device);
    return std::move(m_jobs);
  }

private:
  std::vector<PlannedSampling> samplingsByCost() const {
    if (m_plan.checkpoint.empty())
      return {};
    auto list = m_plan.samplings;
    const auto cost = [](const PlannedSampling& s) { return s.steps > 0 ? s.steps : 1 << 30; };
    std::stable_sort(list.begin(), list.end(), [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
    return list;
  }

  std::vector<std::string> baselineFirst() const {
    auto modes = m_plan.modes;
    std::stable_partition(modes.begin(), modes.end(), [](const std::string& mode) { return mode == kBaseline; });
    return modes;
  }
  bool comparesEqualSeeds() const {
    return m_plan.equalSeeds && m_plan.modes.size() > 1 && std::find(m_plan.modes.begin(), m_plan.modes.end(), kBaseline) != m_plan.modes.end();
  }

  std::string onDevice(const std::string& device) const { return m_plan.devices.size() > 1 ? "_" + folderWord(device) : ""; }
  std::string sizeWord() const { return std::to_string(m_plan.size.front()); }

  JobSpec& add(const std::string& kind, const std::string& name, std::string title, const std::string& device, const std::string& part) {
    JobSpec spec(kind);
    spec.set("device", device);
    spec.set("seed", m_plan.seed);
    m_jobs.push_back({name, std::move(title), std::move(spec), "", "", part});
    return m_jobs.back().spec;
  }

  void addBenchmark(const std::string& device) {
    if (m_plan.benchmarkSteps < 1)
      return;
    JobSpec& spec = add("bench", "speed_" + sizeWord() + onDevice(device), "Modes at " + sizeWord() + "³", device, "speed");
    spec.set("bench.modes", m_plan.modes);
    spec.set("bench.steps", m_plan.benchmarkSteps);
    spec.set("data.size", m_plan.size);
  }

  void addVolumes(const PlannedSampling& sampling, const std::string& mode, const std::string& device) {
    const std::string name = nameOf(sampling) + "_" + folderWord(mode) + onDevice(device);
    JobSpec& spec = add("sample", "sample_" + name, mode + ", " + wordsOf(sampling), device, nameOf(sampling));
    spec.set("mode", mode);
    spec.set("sample.checkpoint", m_plan.checkpoint.string());
    spec.set("sample.masks", m_plan.masks.string());
    spec.set("sample.sampler", sampling.sampler);
    spec.set("sample.steps", sampling.steps);
    spec.set("sample.count", m_plan.volumesPerMask);
    if (sampling.eta)
      spec.set("sample.eta", *sampling.eta);
    if (!m_plan.real.empty() || comparesEqualSeeds())
      addQuality(sampling, mode, device, name);
  }

  void addQuality(const PlannedSampling& sampling, const std::string& mode, const std::string& device, const std::string& name) {
    JobSpec& spec = add("quality", "quality_" + name, "Quality of " + mode + ", " + wordsOf(sampling), device, nameOf(sampling));
    PlannedJob& job = m_jobs.back();
    job.after = "sample_" + name;
    spec.set("quality.synthetic", (m_runs / job.after).string());
    if (!m_plan.real.empty())
      spec.set("quality.real", m_plan.real.string());
    else // what needs no real volumes
      spec.set("quality.measures", m_plan.masks.empty() ? Json::array({"equal_seeds"}) : Json::array({"equal_seeds", "fidelity"}));
    if (!m_plan.training.empty())
      spec.set("quality.training", m_plan.training.string());
    if (!comparesEqualSeeds())
      return;
    job.reference = "sample_" + nameOf(sampling) + "_" + kBaseline + onDevice(device);
    spec.set("quality.reference", (m_runs / job.reference).string());
  }

  void addProfile(const std::string& mode, const std::string& device) {
    if (m_plan.profileSteps < 1)
      return;
    JobSpec& spec = add("profile", "profile_" + sizeWord() + "_" + folderWord(mode) + onDevice(device), "Profile of " + mode + " at " + sizeWord() + "³", device, "profiles");
    spec.set("mode", mode);
    spec.set("bench.steps", m_plan.profileSteps);
    spec.set("data.size", m_plan.size);
  }

  const ExperimentPlan& m_plan;
  std::filesystem::path m_runs;
  std::vector<PlannedJob> m_jobs;
};
} // namespace

Result<PlannedSampling> plannedSamplingFrom(const std::string& text) {
  const auto words = split(text, ':');
  PlannedSampling sampling;
  const int steps = words.size() > 1 ? numberFrom<int>(words[1]).value_or(-1) : -1;
  if (words.size() > 2)
    sampling.eta = numberFrom<double>(words[2]);
  if (words.size() < 2 || words.size() > 3 || words[0].empty() || steps < 0 || (words.size() == 3 && !sampling.eta))
    return fail(ExitCode::Usage, "\"" + text + "\" is no way of sampling: SAMPLER:STEPS or SAMPLER:STEPS:ETA is, such as ddim:50.");
  sampling.sampler = words[0];
  sampling.steps = steps;
  return sampling;
}

Result<std::vector<PlannedJob>> plannedJobs(const ExperimentPlan& plan, const std::filesystem::path& runs) {
  if (plan.modes.empty() || plan.devices.empty() || plan.size.size() != 3)
    return fail(ExitCode::Usage, "An experiment needs a mode, a device and a size of three numbers at least.");
  auto jobs = Planner(plan, runs).jobs();
  if (jobs.empty())
    return fail(ExitCode::Usage, "The experiment has nothing to do: it neither measures speed, nor profiles, nor draws volumes.");
  std::set<std::string> names;
  for (const PlannedJob& job : jobs)
    if (!names.insert(job.name).second)
      return fail(ExitCode::Usage, "The experiment would do one thing twice (" + job.name + "): name each mode, sampler and device once.");
  return jobs;
}

} // namespace voxlab

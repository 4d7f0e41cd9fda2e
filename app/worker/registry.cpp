// SPDX-License-Identifier: Apache-2.0
#include "app/worker/registry.h"
#include "app/worker/environment.h"
#include "core/base/failure.h"
#include "core/base/text.h"
#include "core/diffusion/sampler.h"
#include "core/execution/cuda_runtime.h"
#include "core/execution/make_backend.h"
#include "core/imaging/preprocess.h"
#include "core/protocol/job_parameters.h"
#include <algorithm>
#include <cstdlib>
#include <set>

namespace voxlab {

const std::vector<SamplerEntry>& samplers() {
  static const std::vector<SamplerEntry> list{
      {"ddpm", "Ancestral (DDPM)", "Every diffusion step, with fresh noise after each, as published. Ho et al. 2020.",
       makeDdpmSampler},
      {"ddim", "DDIM", "Any number of steps; deterministic at η = 0. Song et al. 2021.", makeDdimSampler},
      {"dpm_solver", "DPM-Solver++(2M)", "Second order: about 20 steps do. Lu et al. 2022.", makeDpmSolverSampler},
  };
  return list;
}

const std::vector<BackendEntry>& backends() {
  static const std::vector<BackendEntry> list{
      {"eager", "LibTorch", "Operation by operation, with the kernels that the mode chooses.",
       [](const BackendOrder& o) -> std::unique_ptr<Backend> {
         return makeEagerBackend(o.network, o.parameters, o.switches, o.use, o.determinism);
       }},
  };
  return list;
}

const std::vector<JobKind>& jobKinds() {
  static const std::vector<JobKind> list{
      {"train", train},
      {"sample", sample},
      {"bench", bench},
      {"quality", quality},
      {"verify", verify},
      {"profile", profile},
  };
  return list;
}

namespace {
template <class List> auto findByName(const List& list, const std::string& name) {
  const auto it = std::find_if(list.begin(), list.end(), [&](const auto& entry) { return entry.name == name; });
  return it == list.end() ? nullptr : &*it;
}

Choice cudaChoice(const CudaDevice& gpu) {
  const std::string name = "cuda:" + std::to_string(gpu.index);
  const std::string capability = std::to_string(gpu.capabilityMajor) + "." + std::to_string(gpu.capabilityMinor);
  return {name,
          gpu.name,
          formatBytes(static_cast<double>(gpu.memory_bytes)) + ", compute capability " + capability,
          "",
          {{"memory_bytes", gpu.memory_bytes}, {"compute_capability", capability}, {"pci_bus_id", gpu.pciBusId}}};
}

std::vector<Choice> deviceChoices() {
  std::vector<Choice> list{{"auto", "Automatic", "The first GPU, or the CPU when there is none.", "", Json::object()},
                           {"cpu", "CPU", processorName(), "", {{"memory_bytes", memoryBytes()}}}};
  for (const CudaDevice& gpu : cudaDevices())
    list.push_back(cudaChoice(gpu));
  return list;
}

// Without opening CUDA, which takes seconds.
c10::Device deviceNamed(const std::string& name) {
  const bool gpu = name == "auto" ? !cudaDevices().empty() : name.starts_with("cuda");
  if (!gpu)
    return c10::kCPU;
  const auto index = name.starts_with("cuda:") ? std::atoi(name.c_str() + 5) : 0;
  return {c10::kCUDA, static_cast<c10::DeviceIndex>(index)};
}

std::vector<Choice> modesFor(c10::Device device, const std::string& mode) {
  auto list = modeChoices(device);
  const bool listed = std::any_of(list.begin(), list.end(), [&](const Choice& c) { return c.value == mode; });
  if (const auto combined = parseMode(mode); !listed && !mode.empty() && combined)
    list.push_back(
        {mode, combined->title, combined->explanation, unavailableReason(combined->switches, device), toJson(combined->switches)});
  return list;
}

// Benchmarks of what can run here: presets, so that the form offers "compare modes".
void addComparisons(Catalog& catalog) {
  const Parameter* modes = catalog.find("bench.modes");
  const auto add = [&](const char* name, const char* title, const char* explanation, const std::set<std::string>& wanted) {
    Json usable = Json::array();
    for (const Choice& choice : modes->choices)
      if (choice.unavailable.empty() && (wanted.empty() || wanted.count(choice.value)))
        usable.push_back(choice.value);
    catalog.presets.push_back({name, title, explanation, "bench", {{"bench.modes", usable}}});
  };
  add("paper", "The paper's modes", "Baseline, OPT1, OPT2 and OPT12, as far as they run here.", {"baseline", "opt1", "opt2", "opt12"});
  add("all", "Compare modes", "Every mode that runs here.", {});
}

CatalogChoices choices(const std::string& device, const std::string& mode) {
  CatalogChoices c;
  c.modes = modesFor(deviceNamed(device), mode);
  for (const SamplerEntry& s : samplers())
    c.samplers.push_back({s.name, s.title, s.explanation, "", Json::object()});
  for (const BackendEntry& b : backends())
    c.backends.push_back({b.name, b.title, b.explanation, "", Json::object()});
  c.devices = deviceChoices();
  for (const Recipe& recipe : recipes())
    c.preprocessing.push_back({recipe.name, recipe.title, recipe.explanation, "", Json::object()});
  return c;
}
} // namespace

std::unique_ptr<Sampler> makeSampler(const std::string& name) {
  const SamplerEntry* entry = findByName(samplers(), name);
  if (!entry)
    throw Failure(ExitCode::Usage, "There is no sampler \"" + name + "\".");
  return entry->make();
}

const BackendEntry& backendEntry(const std::string& name) {
  const BackendEntry* entry = findByName(backends(), name);
  if (!entry)
    throw Failure(ExitCode::Usage, "There is no backend \"" + name + "\".");
  return *entry;
}

const JobKind* jobKind(const std::string& name) {
  return findByName(jobKinds(), name);
}

Catalog catalog(const std::string& device, const std::string& mode) {
  Catalog catalog;
  catalog.versions = versions();
  catalog.parameters = jobParameters(choices(device, mode));
  catalog.presets = jobPresets();
  addComparisons(catalog);
  return catalog;
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "app/worker/registry.h"
#include "app/worker/environment.h"
#include "core/base/failure.h"
#include "core/base/text.h"
#include "core/diffusion/sampler.h"
#include "core/execution/cuda_runtime.h"
#include "core/execution/mode.h"
#include "core/imaging/preprocess.h"
#include "core/protocol/job_parameters.h"
#include <algorithm>

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

const std::vector<JobKind>& jobKinds() {
  static const std::vector<JobKind> list{
      {"train", train},
      {"sample", sample},
  };
  return list;
}

namespace {
template <class List> auto findByName(const List& list, const std::string& name) {
  const auto it = std::find_if(list.begin(), list.end(), [&](const auto& entry) { return entry.name == name; });
  return it == list.end() ? nullptr : &*it;
}

CatalogChoices choices() {
  CatalogChoices c;
  c.modes = modeChoices(cudaDevices().empty() ? at::Device(at::kCPU) : at::Device(at::kCUDA, 0));
  for (const SamplerEntry& s : samplers())
    c.samplers.push_back({s.name, s.title, s.explanation, "", Json::object()});
  c.backends = {{"eager", "LibTorch", "Operator by operator.", "", Json::object()}};
  c.devices = {{"auto", "Automatic", "The first GPU, or the CPU when there is none.", "", Json::object()},
               {"cpu", "CPU", processorName(), "", {{"memory_bytes", memoryBytes()}}}};
  for (const CudaDevice& gpu : cudaDevices())
    c.devices.push_back({"cuda:" + std::to_string(gpu.index), gpu.name, formatBytes(static_cast<double>(gpu.memory_bytes)) + " of memory",
                         "", {{"memory_bytes", gpu.memory_bytes}}});
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

const JobKind* jobKind(const std::string& name) {
  return findByName(jobKinds(), name);
}

Catalog catalog() {
  Catalog catalog;
  catalog.versions = versions();
  catalog.parameters = jobParameters(choices());
  catalog.presets = jobPresets();
  return catalog;
}

} // namespace voxlab

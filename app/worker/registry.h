// SPDX-License-Identifier: Apache-2.0
// What this build can do. Explicit lists: static objects in static libraries are dropped by the linker without a word.
#pragma once
#include "app/worker/jobs.h"
#include "core/execution/eager_backend.h"
#include "core/protocol/catalog.h"

namespace voxlab {

class Sampler;

struct SamplerEntry {
  std::string name, title, explanation;
  std::unique_ptr<Sampler> (*make)();
};
const std::vector<SamplerEntry>& samplers();
std::unique_ptr<Sampler> makeSampler(const std::string& name); // throws Failure with Usage on an unknown name

struct BackendOrder {
  const NetworkSpec& network;
  const NamedTensors& parameters; // as placeParameters returns them
  const ModeSwitches& switches;
  BackendUse use;
  Determinism determinism;
};
struct BackendEntry {
  std::string name, title, explanation;
  std::unique_ptr<Backend> (*make)(const BackendOrder&);
};
const std::vector<BackendEntry>& backends();
const BackendEntry& backendEntry(const std::string& name); // throws Failure with Usage on an unknown name

const std::vector<JobKind>& jobKinds();
const JobKind* jobKind(const std::string& name); // nullptr if there is none

// Parameters, presets, versions and devices of this build on this machine. Which modes can be used depends on the device
// ("auto", "cpu", "cuda:0"); `mode`, when it is a combination of switches that no row of the table has, becomes a choice, too.
Catalog catalog(const std::string& device = "auto", const std::string& mode = {});

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// The parameters and presets of every kind of job. Choices that depend on the build or the machine (modes, samplers,
// devices, backends) come from the worker's registry and are passed in.
#pragma once
#include "core/protocol/catalog.h"

namespace voxlab {

inline constexpr double kDefaultEta = 1; // of sample.eta, whatever the sampler; the published one, ddpm, has none

struct CatalogChoices {
  std::vector<Choice> modes, samplers, backends, devices, preprocessing;
};

std::vector<Parameter> jobParameters(const CatalogChoices& choices);
std::vector<Preset> jobPresets();

} // namespace voxlab

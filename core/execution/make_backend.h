// SPDX-License-Identifier: Apache-2.0
// The eager engine as a mode wants it: recorded where it asks for graphs and the device has them.
#pragma once
#include "core/execution/eager_backend.h"

namespace voxlab {

std::unique_ptr<Backend> makeEagerBackend(const NetworkSpec& spec, const NamedTensors& parameters, const ModeSwitches& switches, BackendUse use,
                                          Determinism determinism);

} // namespace voxlab

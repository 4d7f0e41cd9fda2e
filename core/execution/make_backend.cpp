// SPDX-License-Identifier: Apache-2.0
#include "core/execution/make_backend.h"
#include "core/execution/graph_backend.h"
#include "core/execution/graph_runner.h"

namespace voxlab {

std::unique_ptr<Backend> makeEagerBackend(const NetworkSpec& spec, const NamedTensors& parameters, const ModeSwitches& switches, BackendUse use,
                                          Determinism determinism) {
  auto eager = std::make_unique<EagerBackend>(spec, parameters, switches, use, determinism);
  auto runner = makeWorkRunner(switches, eager->network().device());
  if (!runner)
    return eager;
  return std::make_unique<GraphBackend>(std::move(eager), std::move(runner));
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "app/worker/engine.h"
#include "core/base/failure.h"
#include <ATen/ops/cat.h>
#include <fstream>
#include <unistd.h>

namespace voxlab {
namespace {
std::int64_t residentBytes() {
  std::ifstream in("/proc/self/statm");
  std::int64_t total = 0, resident = 0;
  in >> total >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}
} // namespace

Predictor Engine::predictor(const UNet& network) const {
  return [&network](const at::Tensor& x, const at::Tensor& condition, const at::Tensor& timesteps) {
    return network.forward(condition.defined() ? at::cat({x, condition}, 1) : x, timesteps);
  };
}

Json Engine::memory() const {
  return {{"host_bytes", residentBytes()}};
}

Engine makeEngine(const JobSpec& spec) {
  Engine engine;
  engine.mode = spec.get<std::string>("mode");
  const auto device = spec.get<std::string>("device", "auto");
  if (device != "auto" && device != "cpu")
    throw Failure(ExitCode::NoDevice,
                  "There is no device \"" + device + "\" on this machine. Choose \"cpu\", or \"auto\" for what is there.");
  return engine;
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/execution/graph_runner.h"
#include "core/execution/cuda_runtime.h"

namespace voxlab {
namespace {
using MakeGraph = DeviceGraph* (*)(int device);

MakeGraph makeGraphFunction() { return reinterpret_cast<MakeGraph>(cudaModuleSymbol("voxlab_make_device_graph")); }
} // namespace

void GraphRunner::run(const std::string& name, const std::function<void()>& work) {
  Recording& recording = m_recordings[name];
  if (!recording.graph)
    recording.graph = m_factory();
  if (recording.stage == Stage::WarmingUp && recording.runs < m_warmUps) {
    ++recording.runs;
    recording.graph->warmUp(work);
    return;
  }
  if (recording.stage == Stage::WarmingUp) {
    recording.graph->capture(work);
    recording.stage = Stage::Recorded;
  }
  recording.graph->replay();
}

// Before CUDA is opened (a catalog is asked for without that), nothing is known to be missing.
std::string graphsMissing() {
  if (!isCudaLoaded() || !cudaModuleMissing().empty())
    return cudaModuleMissing();
  return makeGraphFunction() ? "" : "CUDA graphs are missing in this build's CUDA module.";
}

std::unique_ptr<WorkRunner> makeWorkRunner(const ModeSwitches& switches, c10::Device device) {
  if (!switches.cudaGraphs || !device.is_cuda())
    return nullptr;
  const MakeGraph make = makeGraphFunction();
  if (!make)
    return nullptr;
  const int index = device.has_index() ? device.index() : 0;
  return std::make_unique<GraphRunner>([make, index] { return std::unique_ptr<DeviceGraph>(make(index)); });
}

} // namespace voxlab

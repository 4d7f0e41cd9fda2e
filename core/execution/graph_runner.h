// SPDX-License-Identifier: Apache-2.0
// Runs work some times as it is, then records it and replays the recording.
#pragma once
#include "core/diffusion/work_runner.h"
#include "core/kernels/device_graph.h"
#include "core/protocol/mode_switches.h"
#include <c10/core/Device.h>
#include <map>
#include <memory>

namespace voxlab {

using GraphFactory = std::function<std::unique_ptr<DeviceGraph>()>;

class GraphRunner : public WorkRunner {
public:
  // The first runs of each work let libraries choose algorithms and set themselves up, which cannot be recorded.
  static constexpr int kWarmUps = 3;
  explicit GraphRunner(GraphFactory factory, int warmUps = kWarmUps) : m_factory(std::move(factory)), m_warmUps(warmUps) {}
  void run(const std::string& name, const std::function<void()>& work) override;
  void forget() override { m_recordings.clear(); }

private:
  enum class Stage { Unknown, WarmingUp, Recorded };
  struct Recording {
    std::unique_ptr<DeviceGraph> graph;
    Stage stage = Stage::WarmingUp;
    int runs = 0;
  };
  GraphFactory m_factory;
  int m_warmUps;
  std::map<std::string, Recording> m_recordings;
};

// Why graphs cannot be recorded although CUDA is there; empty when they can.
std::string graphsMissing();
// For a mode with graphs on a CUDA device; null for others: then work is done as it comes.
std::unique_ptr<WorkRunner> makeWorkRunner(const ModeSwitches& switches, c10::Device device);

} // namespace voxlab

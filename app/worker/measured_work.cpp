// SPDX-License-Identifier: Apache-2.0
#include "app/worker/measured_work.h"
#include "core/execution/graph_runner.h"
#include <algorithm>

namespace voxlab {
namespace {
constexpr int kGraphSettling = GraphRunner::kWarmUps + 3; // the recording, and two replays
}

MeasuredWork::MeasuredWork(const std::string& what, const JobSpec& spec, const Engine& engine) : m_setting(spec, engine) {
  const auto make = what == "sample" ? makeSampleTrial : makeTrainTrial;
  const ModeSwitches& switches = engine.mode().switches;
  m_trial = make(m_setting.problem, switches, engine.device(), m_setting.backend(switches));
}

void MeasuredWork::run(int steps, const StepHooks& hooks) {
  int index = 0;
  const auto begin = [&] {
    if (hooks.before)
      hooks.before(index);
  };
  begin();
  m_trial->run([&] {
    if (hooks.after)
      hooks.after(index);
    if (++index >= steps)
      return false;
    begin();
    return true;
  });
}

int settlingSteps(const JobSpec& spec, const Engine& engine) {
  const int wished = spec.get<int>("bench.warmup", 3);
  return engine.mode().switches.cudaGraphs ? std::max(wished, kGraphSettling) : wished;
}

int launchingStep(const JobSpec& spec, const Engine& engine) {
  return engine.mode().switches.cudaGraphs ? GraphRunner::kWarmUps - 1 : settlingSteps(spec, engine);
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// A run's mode at work on steps that are watched: the same steps as a benchmark's (core/execution/step_trial.h).
#pragma once
#include "app/worker/bench_mode.h"

namespace voxlab {

// Called on the working thread before and after each step; nothing waits for the device unless a hook does.
struct StepHooks {
  std::function<void(int index)> before, after;
};

class MeasuredWork {
public:
  // `what`: "train" or "sample". Each step lies in a range, "train_step" or "sample_step". The spec and the engine have to outlive this.
  // Throws Failure with Usage on a network or size that cannot be.
  MeasuredWork(const std::string& what, const JobSpec& spec, const Engine& engine);
  void run(int steps, const StepHooks& hooks);

private:
  BenchSetting m_setting;
  std::unique_ptr<StepTrial> m_trial;
};

// Steps after which a mode has settled: algorithms chosen, graphs recorded.
int settlingSteps(const JobSpec& spec, const Engine& engine);
// Which step shows every launch with its operator: the first one of a mode that has settled; of a mode with graphs the last one before
// they are recorded, which does the same work.
int launchingStep(const JobSpec& spec, const Engine& engine);

} // namespace voxlab

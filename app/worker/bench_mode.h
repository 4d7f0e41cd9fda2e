// SPDX-License-Identifier: Apache-2.0
// One mode of a benchmark, for one kind of step.
#pragma once
#include "app/worker/engine.h"
#include "core/analysis/network_plan.h"
#include "core/execution/step_clock.h"
#include "core/execution/step_trial.h"

namespace voxlab {

// What all modes of a benchmark share.
struct BenchSetting {
  BenchSetting(const JobSpec& spec, const Engine& engine); // throws Failure with Usage on a network or size that cannot be

  const JobSpec& spec;
  const Engine& engine;
  NetworkPlan plan;
  TrialProblem problem;
  Determinism determinism;
  int warmup;
  std::shared_ptr<GpuSensor> sensor; // null without NVML
  BackendFactory backend(const ModeSwitches& switches) const;
};

struct TurnResult {
  std::vector<StepTime> steps;
  Json figures = Json::object(); // energy, memory: fields of a bench event
};

class BenchMode {
public:
  BenchMode(const BenchSetting& setting, std::string name, std::string what);

  const std::string& name() const { return m_name; }
  const std::string& what() const { return m_what; } // "train", "sample"
  const std::optional<Error>& problem() const { return m_problem; } // why it cannot be measured (any more)
  bool usable() const { return !m_problem; }
  std::int64_t nextRepetition() { return ++m_repetitions; }

  // Builds the network, warms it up, times the steps, and lets go of everything. What goes wrong becomes the problem. Ends early, with
  // the steps that were timed, when it is to stop.
  TurnResult turn(int steps, const std::function<bool()>& toStop);
  Json traced(); // one step with the kernels' own times, fields of a bench event; empty on the CPU and when it fails
  at::Tensor measureFirstResult(); // by one step; undefined when that fails
  at::Tensor firstResult() const { return m_first; } // of the first turn, on the CPU
  // How the first result differs from Baseline's (undefined: unknown), and a step's work, from which rates follow: fields of a bench event.
  Json comparison(const at::Tensor& baseline) const;
  const Json& switches() const { return m_effective; } // asked for and in effect; null before the first turn

private:
  template <class Work> void guarded(Work work); // under the mode's switches; catches
  std::unique_ptr<StepTrial> makeTrial() const;
  void keepFirst(const StepTrial& trial);
  int warmup() const;

  const BenchSetting* m_setting;
  std::string m_name, m_what;
  ModeSwitches m_switches;
  std::optional<Error> m_problem;
  bool m_timed = false;
  at::Tensor m_first;
  Json m_effective;
  std::int64_t m_repetitions = 0;
};

} // namespace voxlab

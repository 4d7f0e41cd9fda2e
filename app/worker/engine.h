// SPDX-License-Identifier: Apache-2.0
// Where and how a job computes: the device, the mode with its global switches, and the backend that evaluates the network.
#pragma once
#include "core/analysis/network_plan.h"
#include "core/diffusion/sampler.h"
#include "core/diffusion/train_step.h"
#include "core/execution/eager_backend.h"
#include "core/execution/training_parts.h"
#include "core/profiling/nvml_source.h"
#include "core/protocol/job_spec.h"

namespace voxlab {

class Engine {
public:
  // Opens CUDA when it is to be used, sets the number of CPU threads and the mode's global switches for as long as the engine
  // lives. Throws Failure: NoDevice, or Usage for a mode that the device cannot run.
  explicit Engine(const JobSpec& spec);

  at::Device device() const { return m_device; }
  const Mode& mode() const { return m_mode; }
  // Copies of the weights where and as this engine wants them.
  NamedTensors place(const NamedTensors& weights) const { return placeParameters(weights, m_mode.switches, m_device); }
  // `parameters` as place() made them; shared.
  std::unique_ptr<Backend> backend(const NetworkSpec& network, const NamedTensors& parameters, BackendUse use) const;
  AdamKind adamKind() const;
  SamplerSettings withUpdate(SamplerSettings settings) const; // the mode's way to update the sampler's state filled in
  std::unique_ptr<GradientScaler> gradientScaler() const; // null unless the precision needs one
  std::unique_ptr<WorkRunner> workRunner() const;         // null unless the mode records steps
  StepSync stepSync() const { return {m_mode.switches, m_device}; }

  // The least time for one micro-batch or sampling step in the mode's precision; nullopt for devices whose limits are not known.
  std::optional<double> bound_ms(const NetworkPlan& plan, StepKind step) const { return bound_ms(plan, step, m_mode.switches); }
  std::optional<double> bound_ms(const NetworkPlan& plan, StepKind step, const ModeSwitches& switches) const;

  // The GPU's own figures; null for the CPU and where they cannot be read, which is told once.
  std::unique_ptr<GpuSensor> gpuSensor() const;

  Json memory() const;      // fields of a memory event
  Json environment() const; // for environment.jsonl: device, switches in effect, versions

private:
  std::string m_backend;
  Determinism m_determinism;
  at::Device m_device;
  Mode m_mode;
  std::unique_ptr<ModeGuard> m_guard;
  std::shared_ptr<const NvmlLibrary> m_nvml; // null where there is none
};

} // namespace voxlab

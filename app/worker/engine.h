// SPDX-License-Identifier: Apache-2.0
// Where and how a job computes: the device, the mode's switches, in force for as long as the engine lives, and the network's
// evaluation under them.
#pragma once
#include "core/diffusion/train_step.h"
#include "core/execution/eager_backend.h"
#include "core/execution/mode.h"
#include "core/protocol/job_spec.h"

namespace voxlab {

class Engine {
public:
  // Throws Failure: NoDevice when the device that the specification names cannot be had or cannot run the mode, Usage for
  // unknown words.
  explicit Engine(const JobSpec& spec);

  at::Device device() const { return m_device; }
  const Mode& mode() const { return m_mode; }

  // Copies of the weights on the device, in the mode's layout, float32.
  NamedTensors place(const NamedTensors& weights) const;
  // parameters: as place() returns them.
  std::unique_ptr<Backend> backend(const NetworkSpec& network, const NamedTensors& parameters, BackendUse use) const;
  // How a training step runs under the mode.
  AdamKind adamKind() const;
  std::unique_ptr<GradientScaler> gradientScaler() const; // null unless the mode computes in float16

  Json memory() const;      // fields of a memory event
  Json environment() const; // fields of environment.jsonl

private:
  at::Device m_device;
  Mode m_mode;
  Determinism m_determinism;
  std::unique_ptr<ModeGuard> m_guard;
};

} // namespace voxlab

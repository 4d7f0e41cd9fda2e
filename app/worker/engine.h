// SPDX-License-Identifier: Apache-2.0
// Where and how a job computes: the device, and the network's evaluation on it.
#pragma once
#include "core/diffusion/process.h"
#include "core/diffusion/unet.h"
#include "core/protocol/job_spec.h"
#include "core/protocol/mode_switches.h"

namespace voxlab {

struct Engine {
  at::Device device{at::kCPU};
  std::string mode;
  ModeSwitches switches;

  // Evaluates the network, whose parameters must live as long as the predictor and be on the device.
  Predictor predictor(const UNet& network) const;
  Json memory() const; // fields of a memory event
};

// Throws Failure with NoDevice when the device that the specification names is not there.
Engine makeEngine(const JobSpec& spec);

} // namespace voxlab

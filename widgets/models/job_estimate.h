// SPDX-License-Identifier: GPL-3.0-or-later
// What a job will cost, told before it starts, from its specification and what the worker said of the machine.
#pragma once
#include "core/protocol/job_spec.h"
#include <QString>
#include <optional>

namespace voxlab {

struct JobEstimate {
  std::optional<std::int64_t> parameters;
  std::optional<double> flopsPerStep;
  std::optional<double> memory_bytes;       // needed on the device
  std::optional<double> deviceMemory_bytes; // what it has
  QString device;                           // "NVIDIA H200", "CPU"
  bool fits = true;
  QString advice;                           // what would make it fit; empty when it does
  std::optional<std::int64_t> steps;        // of the optimiser
  std::optional<std::int64_t> volumesPerMask; // that a sampling draws
  std::optional<double> passes;             // over the data; unknown until the data set has been looked at
  std::optional<double> disk_bytes;         // checkpoints and samples
};

// `volumes`: how many pairs the data set has, when that is known. Values that make no sense leave their part unknown.
JobEstimate estimateJob(const JobSpec& spec, const Catalog& catalog, std::optional<std::int64_t> volumes);

} // namespace voxlab

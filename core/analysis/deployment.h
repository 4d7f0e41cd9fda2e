// SPDX-License-Identifier: Apache-2.0
// What a mode costs those who use it: latency, throughput, energy and money a volume, and a whole training, foretold from the steps that
// were measured. Unknown prices and energies stay unknown.
#pragma once
#include "core/analysis/comparison.h"
#include <map>

namespace voxlab {

struct DeploymentPlan {
  int samplingSteps = 50;               // of one volume
  std::int64_t trainingSteps = 100000;  // the published training
  std::map<std::string, double> prices; // of a device-hour, by device; that of "" is any other's
};

struct DeploymentRow {
  std::string mode, device; // mode: the side's name
  std::optional<Spread> latency_ms;            // a volume: sampling steps × a step
  std::optional<double> volumesPerHour;        // of one device that does nothing else
  std::optional<double> energy_j, cost;        // a volume
  std::optional<double> training_h, trainingEnergy_j, trainingCost;
};

// A row for each mode and device that was measured, fastest first. Sampling and training sides of one mode, device and size share a row.
std::vector<DeploymentRow> deploymentRows(const std::vector<ComparedRun>& sampling, const std::vector<ComparedRun>& training, const DeploymentPlan& plan);

} // namespace voxlab

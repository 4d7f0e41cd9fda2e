// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/deployment.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
constexpr double kMsAnHour = 3.6e6;

const ComparedMeasure* timeOf(const ComparedRun& side) {
  const ComparedMeasure* time = side.measure("duration_ms");
  time = time ? time : side.measure("wall_ms");
  return time && time->spread.count > 0 ? time : nullptr;
}

std::optional<double> medianOf(const ComparedRun& side, std::string_view name) {
  const ComparedMeasure* measure = side.measure(name);
  return measure && measure->spread.count > 0 ? std::optional(measure->spread.median) : std::nullopt;
}

// Volumes that a step works on: the benchmark's rate over the steps of a second.
double batchOf(const ComparedRun& side, double step_ms) {
  const auto rate = medianOf(side, "volumes_per_s");
  return rate && step_ms > 0 ? std::max(1.0, std::round(*rate * step_ms / 1000)) : 1;
}

std::optional<double> priceOf(const DeploymentPlan& plan, const std::string& device) {
  auto it = plan.prices.find(device);
  it = it == plan.prices.end() ? plan.prices.find("") : it;
  return it == plan.prices.end() ? std::nullopt : std::optional(it->second);
}

void addSampling(DeploymentRow& row, const ComparedRun& side, const DeploymentPlan& plan) {
  const ComparedMeasure* time = timeOf(side);
  if (!time)
    return;
  Spread latency = time->spread;
  for (double* value : {&latency.median, &latency.mean, &latency.minimum, &latency.maximum, &latency.lowerQuartile, &latency.upperQuartile})
    *value *= plan.samplingSteps;
  if (latency.standardDeviation)
    latency.standardDeviation = *latency.standardDeviation * plan.samplingSteps;
  row.latency_ms = latency;
  const double batch = batchOf(side, time->spread.median);
  row.volumesPerHour = batch * kMsAnHour / latency.median;
  if (const auto energy_j = medianOf(side, "energy_j"))
    row.energy_j = *energy_j * plan.samplingSteps / batch;
  if (const auto price = priceOf(plan, side.device))
    row.cost = *price / *row.volumesPerHour;
}

void addTraining(DeploymentRow& row, const ComparedRun& side, const DeploymentPlan& plan) {
  const ComparedMeasure* time = timeOf(side);
  if (!time)
    return;
  const auto steps = static_cast<double>(plan.trainingSteps);
  row.training_h = time->spread.median * steps / kMsAnHour;
  if (const auto energy_j = medianOf(side, "energy_j"))
    row.trainingEnergy_j = *energy_j * steps;
  if (const auto price = priceOf(plan, side.device))
    row.trainingCost = *price * *row.training_h;
}
} // namespace

std::vector<DeploymentRow> deploymentRows(const std::vector<ComparedRun>& sampling, const std::vector<ComparedRun>& training, const DeploymentPlan& plan) {
  std::vector<DeploymentRow> rows;
  const auto rowOf = [&](const ComparedRun& side) -> DeploymentRow& {
    const auto it = std::find_if(rows.begin(), rows.end(), [&](const DeploymentRow& row) { return row.mode == side.name && row.device == side.device; });
    if (it != rows.end())
      return *it;
    DeploymentRow row;
    row.mode = side.name;
    row.device = side.device;
    rows.push_back(std::move(row));
    return rows.back();
  };
  for (const ComparedRun& side : sampling)
    if (timeOf(side))
      addSampling(rowOf(side), side, plan);
  for (const ComparedRun& side : training)
    if (timeOf(side))
      addTraining(rowOf(side), side, plan);
  const auto rank = [](const DeploymentRow& row) { return row.latency_ms ? row.latency_ms->median : row.training_h ? 1e12 + *row.training_h : 1e300; };
  std::stable_sort(rows.begin(), rows.end(), [&](const DeploymentRow& a, const DeploymentRow& b) { return rank(a) < rank(b); });
  return rows;
}

} // namespace voxlab

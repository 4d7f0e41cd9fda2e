// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/deployment_report.h"
#include "core/analysis/report_figures.h"
#include "core/base/text.h"
#include <algorithm>
#include <cstdio>
#include <set>

namespace voxlab {
namespace {
constexpr auto kWords = ColumnKind::Words;
constexpr double kJoulesAWattHour = 3600, kJoulesAKilowattHour = 3.6e6;

std::optional<double> scaled(const std::optional<double>& value, double unit) { return value ? std::optional(*value / unit) : std::nullopt; }

std::string stepWords(std::int64_t steps, const char* kind) { return formatCount(steps) + " " + kind + (steps == 1 ? " step" : " steps"); }

ReportTable volumeTable(const std::vector<DeploymentRow>& rows, const DeploymentPlan& plan, const std::string& currency) {
  ReportTable table{"A volume of " + stepWords(plan.samplingSteps, "sampling"), {{"Mode", "", kWords}, {"Device", "", kWords}, {"Latency", "s"}, {"Volumes", "/h"}, {"Energy", "Wh"}, {"Cost", currency}}, {}};
  for (const DeploymentRow& row : rows)
    if (row.latency_ms)
      table.rows.push_back({row.mode, row.device, row.latency_ms->median / 1000, row.volumesPerHour, scaled(row.energy_j, kJoulesAWattHour), row.cost});
  dropUnknownColumns(table);
  return table;
}

ReportTable trainingTable(const std::vector<DeploymentRow>& rows, const DeploymentPlan& plan, const std::string& currency) {
  ReportTable table{"A training of " + stepWords(plan.trainingSteps, "training"), {{"Mode", "", kWords}, {"Device", "", kWords}, {"Time", "h"}, {"Energy", "kWh"}, {"Cost", currency}}, {}};
  for (const DeploymentRow& row : rows)
    if (row.training_h)
      table.rows.push_back({row.mode, row.device, *row.training_h, scaled(row.trainingEnergy_j, kJoulesAKilowattHour), row.trainingCost});
  dropUnknownColumns(table);
  return table;
}

ReportFigure latencyFigure(const std::vector<DeploymentRow>& rows, const DeploymentPlan& plan) {
  std::vector<FigureBar> bars;
  for (const DeploymentRow& row : rows)
    if (row.latency_ms) {
      const Spread& latency = *row.latency_ms;
      bars.push_back({row.mode, latency.median, latency.lowerQuartile, latency.upperQuartile, formatDuration(latency.median / 1000)});
    }
  return barFigure("Latency of a volume of " + stepWords(plan.samplingSteps, "sampling") + ", lower is better; whiskers: quartiles of a step's time", bars);
}

Json dataOf(const std::vector<DeploymentRow>& rows, const DeploymentPlan& plan, const std::string& currency) {
  const auto orNull = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
  Json sides = Json::array();
  for (const DeploymentRow& row : rows) {
    const auto latency = [&](double Spread::*part) { return row.latency_ms ? Json((*row.latency_ms).*part) : Json(); };
    sides.push_back({{"name", row.mode}, {"device", row.device}, {"latency_ms", latency(&Spread::median)}, {"latency_lower_quartile_ms", latency(&Spread::lowerQuartile)},
                     {"latency_upper_quartile_ms", latency(&Spread::upperQuartile)}, {"volumes_per_hour", orNull(row.volumesPerHour)}, {"energy_j", orNull(row.energy_j)}, {"cost", orNull(row.cost)},
                     {"training_h", orNull(row.training_h)}, {"training_energy_j", orNull(row.trainingEnergy_j)}, {"training_cost", orNull(row.trainingCost)}});
  }
  return {{"sampling_steps", plan.samplingSteps}, {"training_steps", plan.trainingSteps}, {"prices_per_hour", plan.prices}, {"currency", currency}, {"sides", std::move(sides)}};
}

std::string priceWords(double price, const std::string& currency, const std::string& device) {
  char exact[40];
  std::snprintf(exact, sizeof exact, "%.10g", price);
  return std::string(exact) + " " + currency + " for an hour of " + device;
}

std::string costSentence(const std::vector<DeploymentRow>& rows, const DeploymentPlan& plan, const std::string& currency) {
  std::string prices;
  const auto tell = [&](double price, const std::string& device) { prices += (prices.empty() ? "" : ", ") + priceWords(price, currency, device); };
  for (const auto& [device, price] : plan.prices)
    if (std::any_of(rows.begin(), rows.end(), [&, name = device](const DeploymentRow& row) { return row.device == name; }))
      tell(price, device);
  if (const auto any = plan.prices.find(""); any != plan.prices.end())
    tell(any->second, prices.empty() ? "a device" : "any other device");
  return prices.empty() ? "Costs are unknown, since no price of a device's hour was given." : "Costs are the time on the device at the price that was given: " + prices + ".";
}
} // namespace

std::optional<DeploymentReport> deploymentReport(const std::vector<ComparedRun>& sampling, const std::vector<ComparedRun>& training, const DeploymentPlan& plan, const std::string& currency) {
  const std::vector<DeploymentRow> rows = deploymentRows(sampling, training, plan);
  if (rows.empty())
    return std::nullopt;
  DeploymentReport report{{"Foretold",
                           {"A step's time, and energy where it was measured, times the number of steps; loading data, decoding, checkpoints and writing volumes come on top.", costSentence(rows, plan, currency)},
                           {},
                           {}},
                          dataOf(rows, plan, currency)};
  if (ReportFigure figure = latencyFigure(rows, plan); !figure.markup.empty())
    report.section.figures.push_back(std::move(figure));
  for (ReportTable& table : std::vector{volumeTable(rows, plan, currency), trainingTable(rows, plan, currency)})
    if (!table.rows.empty())
      report.section.tables.push_back(std::move(table));
  return report;
}

std::vector<std::string> notesOnPrices(const std::vector<ComparedRun>& sides, const DeploymentPlan& plan) {
  std::set<std::string> devices;
  std::string known;
  for (const ComparedRun& side : sides)
    if (devices.insert(side.device).second)
      known += (known.empty() ? "" : ", ") + side.device;
  std::vector<std::string> notes;
  for (const auto& [device, price] : plan.prices)
    if (!device.empty() && devices.count(device) == 0)
      notes.push_back("A price was given for " + device + ", on which nothing was timed here; the device's name here is " + (known.empty() ? "unknown" : known) + ".");
  return notes;
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// What a volume and a training cost in each mode, as a part of a report: the compare page's "In use", by the same functions.
#pragma once
#include "core/analysis/deployment.h"
#include "core/analysis/report_document.h"

namespace voxlab {

struct DeploymentReport {
  ReportSection section;
  Json data; // the same for programs
};
// nullopt where no side has a time.
std::optional<DeploymentReport> deploymentReport(const std::vector<ComparedRun>& sampling, const std::vector<ComparedRun>& training, const DeploymentPlan& plan, const std::string& currency);
// Prices of devices that are not there.
std::vector<std::string> notesOnPrices(const std::vector<ComparedRun>& sides, const DeploymentPlan& plan);

} // namespace voxlab

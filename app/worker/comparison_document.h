// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/worker/verbs.h"
#include "core/analysis/deployment.h"
#include "core/analysis/report_document.h"

namespace voxlab {

// Throws Failure on what is no price.
DeploymentPlan deploymentPlan(const ForetellOptions& options);

// Several runs set against a baseline; data["notes"] says what could not be used. Slices are drawn where the format is HTML. Throws Failure.
ReportDocument comparisonDocument(const CompareOptions& options);

} // namespace voxlab

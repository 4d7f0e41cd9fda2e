// SPDX-License-Identifier: Apache-2.0
// How a mode differs from Baseline, as a page: the summary of a run of kind verify.
#pragma once
#include "core/analysis/report_document.h"
#include "core/protocol/run_directory.h"

namespace voxlab {

// Fails with Data when the run has no summary, since it has not ended or failed.
Result<ReportDocument> checkRunReport(const RunDirectory& run);

} // namespace voxlab

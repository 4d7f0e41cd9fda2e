// SPDX-License-Identifier: Apache-2.0
// A benchmark as a page: what was measured where, the table of each kind of step, and what could not be measured.
#pragma once
#include "core/analysis/bench_table.h"
#include "core/analysis/report_document.h"

namespace voxlab {

// Of a run of kind bench, whole or not. Fails with Data when the run cannot be read.
Result<ReportDocument> benchRunReport(const RunDirectory& run);
// Several such runs on one page, a part each.
Result<ReportDocument> benchRunsReport(const std::vector<RunDirectory>& runs, const std::string& title);

} // namespace voxlab

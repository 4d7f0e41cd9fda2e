// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/analysis/comparison.h"
#include "core/analysis/report_document.h"

namespace voxlab {

// Measures as absolute values with spread and normalised to the baseline; why each other run is faster or slower.
ReportDocument comparisonReport(const RunComparison& comparison, const std::string& title = "Comparison");

} // namespace voxlab

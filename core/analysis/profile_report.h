// SPDX-License-Identifier: Apache-2.0
// Everything that is said of a recorded profile, put together once: for the command line, for exports, for tests.
#pragma once
#include "core/analysis/breakdown.h"
#include "core/analysis/precision_audit.h"
#include "core/analysis/priority.h"
#include "core/analysis/report_document.h"
#include "core/analysis/roofline.h"

namespace voxlab {

struct ProfileReportOptions {
  std::string title = "Profile";
  std::optional<Precision> asked;      // of the mode, for the audit of precisions
  const NcuReport* counters = nullptr; // of the same work
  std::optional<double> unprofiled_ms; // what a step of the same work took by the host's clock, without the profiler
  std::size_t rows = 20;               // of each table for readers; the JSON has them all
};

// The JSON has kernel_ms_per_step, wall_ms_per_step, unprofiled_ms_per_step (where it was measured), steps, categories_ms (categories and idle causes; they add up to the wall
// time), spread of both, families_ms, kernels, operators, modules, phases_ms, priorities, precision, roofline, counters, device and
// notes. Shares are of the step's wall time.
ReportDocument profileReport(const Trace& trace, const KernelIndex& index, const ProfileReportOptions& options = {});

// Of counters alone, without a trace.
ReportDocument counterReport(const NcuReport& report, const std::string& title, std::size_t rows = 20);

} // namespace voxlab

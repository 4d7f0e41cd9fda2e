// SPDX-License-Identifier: Apache-2.0
// voxlab-worker bench | verify: makes a run folder, does its job and prints what was measured: a table, or one document.
#include "app/worker/detach.h"
#include "app/worker/jobs.h"
#include "app/worker/log.h"
#include "app/worker/new_run.h"
#include "app/worker/report_format.h"
#include "core/analysis/bench_report.h"
#include "core/analysis/check_report.h"
#include "core/base/failure.h"
#include <cstdio>

namespace voxlab {
ExitCode measure(const MeasureOptions& options) {
  if (options.kernels)
    return benchKernels(options);
  const LaunchOptions& o = options.launch;
  const RunDirectory run = newRun(o);
  const bool document = options.format != OutputFormat::PlainText; // stdout holds one document, so the run is told as a message
  if (document && !o.onlyCreate && !o.detach)
    log::info("The run is " + run.path().string() + ".");
  else
    std::printf("%s\n", run.path().c_str());
  std::fflush(stdout);
  if (o.onlyCreate)
    return ExitCode::Finished;
  if (o.detach)
    detach(run.logFile());
  const ExitCode code = doJob(run, StartMode::Fresh);
  const auto report = o.kind == "bench" ? benchRunReport(run) : checkRunReport(run);
  if (report && !o.detach)
    std::fputs(writeReport(*report, reportFormatOf(options.format)).c_str(), stdout);
  return code;
}

} // namespace voxlab

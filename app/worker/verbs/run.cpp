// SPDX-License-Identifier: Apache-2.0
// voxlab-worker run RUN [--resume]: does the job of a run folder that exists.
#include "app/worker/detach.h"
#include "app/worker/jobs.h"
#include "app/worker/verbs.h"
#include "core/base/failure.h"
#include "core/protocol/find_run.h"

namespace voxlab {

ExitCode run(const RunOptions& options) {
  valueOrThrow(findRun(options.runFolder));
  const RunDirectory folder(std::filesystem::absolute(options.runFolder).lexically_normal());
  if (options.detach)
    detach(folder.logFile());
  return doJob(folder, options.resume ? StartMode::Resume : StartMode::Fresh);
}

} // namespace voxlab

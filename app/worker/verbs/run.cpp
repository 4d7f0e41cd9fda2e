// SPDX-License-Identifier: Apache-2.0
// voxlab-worker run RUN [--resume]: does the job of a run folder that exists.
#include "app/worker/detach.h"
#include "app/worker/jobs.h"
#include "app/worker/verbs.h"
#include "core/base/failure.h"

namespace voxlab {

ExitCode run(const RunOptions& options) {
  if (!RunDirectory::looksLikeRun(options.runFolder))
    throw Failure(ExitCode::Usage, options.runFolder.string() + " is no run folder: there is no run.json in it.");
  const RunDirectory folder(std::filesystem::absolute(options.runFolder).lexically_normal());
  if (options.detach)
    detach(folder.logFile());
  return doJob(folder, options.resume ? StartMode::Resume : StartMode::Fresh);
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// voxlab-worker import FILE… --runs DIR: weights of other programs become a run with one checkpoint, whose path is printed.
#include "app/worker/environment.h"
#include "app/worker/log.h"
#include "app/worker/verbs.h"
#include "core/base/failure.h"
#include "core/diffusion/weights_target.h"
#include "core/protocol/run_session.h"
#include <cstdio>

namespace voxlab {
namespace {
void importOne(const Path& file, const Path& runs) {
  const TrainedNetwork trained = valueOrThrow(readTrainedNetwork(file));
  for (const std::string& guess : trained.guesses)
    log::warning(guess);
  JobSpec spec("import");
  spec.set("import.file", std::filesystem::absolute(file).lexically_normal().string());
  storeNetworkSpec(trained.network, spec);
  spec.set("diffusion.timesteps", trained.timesteps);
  RunInfo info;
  info.title = "Weights of " + file.filename().string();
  info.versions = versions();
  const RunDirectory run = valueOrThrow(RunDirectory::create(runs, spec, info));
  const auto session = valueOrThrow(RunSession::start(run, {}));
  const std::int64_t step = trained.step.value_or(0);
  const Status written = writeWeightsFolder(run.checkpoint(step), trained);
  if (!written) {
    session->finish(written.error().code, written.error().message);
    throw Failure(written.error());
  }
  session->emit(event::kCheckpoint, {{"step", step}, {"path", run.relative(run.checkpoint(step)).string()}});
  session->finish(ExitCode::Finished, "Imported the " + trained.kind + " " + file.string() + ".");
  std::printf("%s\n", run.checkpoint(step).c_str());
}
} // namespace

ExitCode import(const ImportOptions& options) {
  for (const Path& file : options.files)
    importOne(file, options.runs);
  return ExitCode::Finished;
}

} // namespace voxlab

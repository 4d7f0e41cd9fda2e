// SPDX-License-Identifier: Apache-2.0
// voxlab-worker import FILE… --runs DIR: weights of other programs become a run with one checkpoint, whose path is printed; recordings
// become a run each, counter pages one together, or with the trace when there is one.
#include "app/worker/environment.h"
#include "app/worker/error_words.h"
#include "app/worker/log.h"
#include "app/worker/verbs/import_profile.h"
#include "core/base/failure.h"
#include "core/diffusion/checkpoint.h"
#include "core/diffusion/preparation_record.h"
#include "core/protocol/run_session.h"
#include <cstdio>

namespace voxlab {
namespace {
void importWeights(const Path& file, const Path& runs) {
  const Path source = valueOrThrow(weightsPath(file));
  Weights model = valueOrThrow(loadWeights(source, WhichWeights::Model)),
          average = valueOrThrow(loadWeights(source, WhichWeights::Ema));
  const FoundPreparation preparation = preparationOf(average);
  for (const std::string& guess : preparation.guesses)
    log::warning(guess);
  Json description = average.description;
  description.update(describe(preparation.record));
  const Checkpoint checkpoint{average.step.value_or(0),
                              average.network,
                              average.timesteps.value_or(250),
                              std::move(description),
                              Json::object(),
                              std::move(model.parameters),
                              std::move(average.parameters),
                              {}};
  JobSpec spec("import");
  spec.set("import.file", std::filesystem::absolute(file).lexically_normal().string());
  storeNetworkSpec(checkpoint.network, spec);
  spec.set("diffusion.timesteps", checkpoint.timesteps);
  RunInfo info;
  info.title = "Weights of " + file.filename().string();
  info.versions = versions();
  const RunDirectory run = valueOrThrow(RunDirectory::create(runs, spec, info));
  auto session = valueOrThrow(RunSession::start(run, {}));
  const Path folder = run.checkpoint(checkpoint.step);
  const Status written = writeCheckpoint(folder, checkpoint);
  if (!written) {
    session.reset(); // nothing was imported, so no run is left
    std::error_code ec;
    std::filesystem::remove_all(run.path(), ec);
    throw Failure(written.error());
  }
  session->emit(event::kCheckpoint, {{"step", checkpoint.step}, {"path", run.relative(folder).string()}});
  session->finish(ExitCode::Finished, "Imported " + file.string() + ".");
  std::printf("%s\n", folder.c_str());
}
} // namespace

ExitCode import(const ImportOptions& options) {
  std::vector<Path> traces, pages;
  ExitCode code = ExitCode::Finished;
  // One that cannot be read keeps none of the others out.
  const auto attempt = [&code](const auto& work) {
    try {
      work();
    } catch (...) {
      const Error error = errorFrom(std::current_exception());
      if (error.code == ExitCode::Stopped)
        throw;
      log::error(error.message);
      code = error.code;
    }
  };
  for (const Path& file : options.files)
    attempt([&] {
      std::error_code ec;
      if (!std::filesystem::exists(file, ec))
        throw Failure(ExitCode::Data, "There is no file " + file.string() + ".");
      const ImportedFile kind = kindOfImport(file);
      if (kind == ImportedFile::Weights)
        importWeights(file, options.runs);
      else
        (kind == ImportedFile::Trace ? traces : pages).push_back(file);
    });
  const bool together = traces.size() == 1;
  for (const Path& trace : traces)
    attempt([&] { importProfile(trace, together ? pages : std::vector<Path>(), options.runs); });
  if (!pages.empty() && !together)
    attempt([&] { importProfile({}, pages, options.runs); });
  return code;
}

} // namespace voxlab

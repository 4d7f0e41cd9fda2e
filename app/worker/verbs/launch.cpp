// SPDX-License-Identifier: Apache-2.0
// voxlab-worker train | sample | …: makes a run folder, prints its path, does its job.
#include "app/worker/checked_spec.h"
#include "app/worker/detach.h"
#include "app/worker/environment.h"
#include "app/worker/jobs.h"
#include "app/worker/new_run.h"
#include "app/worker/registry.h"
#include "app/worker/verbs.h"
#include "core/base/failure.h"
#include "core/diffusion/preparation_record.h"
#include <cstdio>

namespace voxlab {
namespace {
JobSpec specFrom(const LaunchOptions& options, const Catalog& known) {
  JobSpec spec(options.kind);
  if (!options.specFile.empty())
    spec = valueOrThrow(JobSpec::read(options.specFile));
  if (spec.kind() != options.kind)
    throw Failure(ExitCode::Usage,
                  options.specFile.string() + " is a job of kind \"" + spec.kind() + "\", not \"" + options.kind + "\".");
  if (!options.preset.empty()) {
    const Preset* preset = known.preset(options.kind, options.preset);
    if (!preset)
      throw Failure(ExitCode::Usage, "There is no preset \"" + options.preset + "\" for " + options.kind + ".");
    spec.apply(*preset);
  }
  for (const std::string& assignment : options.assignments)
    valueOrThrow(spec.applyAssignment(assignment, known));
  return spec;
}

// Training that starts from weights has their network: the specification says what will really be trained.
void takeNetworkOfStart(JobSpec& spec) {
  if (const auto start = spec.get<std::string>("train.start"); !start.empty())
    storeNetworkSpec(valueOrThrow(loadWeights(valueOrThrow(weightsPath(start)), WhichWeights::Ema)).network, spec);
}

// Relative paths are meant from where the command was given, not from where the run is taken up again.
void makePathsAbsolute(JobSpec& spec, const Catalog& known) {
  for (const Parameter* p : known.forKind(spec.kind())) {
    const auto text = spec.get<std::string>(p->key);
    if ((p->type == ParameterType::File || p->type == ParameterType::Folder) && !text.empty())
      spec.set(p->key, std::filesystem::absolute(text).lexically_normal().string());
  }
}
} // namespace

std::string allSides(const std::string& size) {
  return size.find(',') == std::string::npos ? size + "," + size + "," + size : size;
}

void completeSpec(JobSpec& spec, const std::string& what) {
  takeNetworkOfStart(spec);
  completeAndCheck(spec, what);
  makePathsAbsolute(spec, catalog());
}

JobSpec newSpec(const LaunchOptions& options) {
  JobSpec spec = specFrom(options, catalog());
  completeSpec(spec, "The job");
  return spec;
}

RunDirectory newRun(const LaunchOptions& options) {
  const JobSpec spec = newSpec(options);
  RunInfo info;
  info.title = options.title;
  info.parent = options.parent;
  info.versions = versions();
  return valueOrThrow(options.runFolder.empty() ? RunDirectory::create(options.runs, spec, info)
                                                : RunDirectory::createAt(options.runFolder, spec, info));
}

ExitCode launch(const LaunchOptions& options) {
  const RunDirectory run = newRun(options);
  std::printf("%s\n", run.path().c_str());
  std::fflush(stdout);
  if (options.onlyCreate)
    return ExitCode::Finished;
  if (options.detach)
    detach(run.logFile());
  return doJob(run, StartMode::Fresh);
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "app/worker/checked_spec.h"
#include "app/worker/engine.h"
#include "app/worker/environment.h"
#include "app/worker/error_words.h"
#include "app/worker/jobs.h"
#include "app/worker/log.h"
#include "app/worker/memory_words.h"
#include "app/worker/registry.h"
#include "app/worker/signals.h"
#include "core/base/failure.h"
#include "core/profiling/gpu_monitor.h"
#include "core/profiling/kineto_source.h"

namespace voxlab {
namespace {
JobSpec checkedSpec(const RunDirectory& run) {
  JobSpec spec = valueOrThrow(run.spec());
  completeAndCheck(spec, run.specFile().string());
  return spec;
}

std::int64_t stepOfCheckpoint(const std::optional<std::filesystem::path>& checkpoint) {
  if (!checkpoint)
    return 0;
  const auto state = readJsonFile(*checkpoint / "state.json");
  return state ? jsonGet<std::int64_t>(*state, "step").value_or(0) : 0;
}

void refuseSecondFreshStart(const RunDirectory& run) {
  std::error_code ec;
  if (std::filesystem::exists(run.eventsFile(), ec))
    throw Failure(ExitCode::Usage,
                  "The run " + run.path().string() + " was started before. Add --resume to go on where it stopped.");
}

std::unique_ptr<RunSession> openSession(const RunDirectory& run, StartMode mode, const JobSpec& spec) {
  if (mode == StartMode::Fresh && !run.isLocked())
    refuseSecondFreshStart(run);
  SessionStart start;
  start.onWarning = log::warning;
  if (spec.kind() == "train") {
    start.resumeStep = stepOfCheckpoint(run.newestCheckpoint());
    if (spec.get<double>("train.passes") <= 0)
      start.totalSteps = spec.get<std::int64_t>("train.steps");
  }
  return valueOrThrow(RunSession::start(run, start));
}

// Results on the CPU are bit-identical at one number of threads only: a run goes on with that of its first start.
void keepThreads(const RunDirectory& run, JobSpec& spec) {
  if (spec.get<int>("threads") > 0)
    return;
  const auto lines = LineReader(run.environmentFile()).poll(1);
  if (lines && !lines->empty())
    spec.set("threads", jsonGet<int>(lines->front(), "threads").value_or(0));
}

JobOutcome failed(const std::exception_ptr& exception, const JobSpec& spec) {
  Error error = errorFrom(exception);
  if (error.code == ExitCode::OutOfMemory)
    if (const std::string words = howToFit(spec); !words.empty())
      error.message += " " + words;
  return {error.code, error.message, Json::object()};
}

std::unique_ptr<GpuMonitor> gpuMonitor(RunSession& session, const JobSpec& spec, const Engine& engine) {
  const auto every_ms = spec.get<std::int64_t>("gpu_every_ms");
  auto sensor = every_ms > 0 ? engine.gpuSensor() : nullptr;
  if (!sensor)
    return nullptr;
  const auto tell = [&session, device = engine.device().str()](Json fields) {
    fields["device"] = device;
    session.emit(event::kGpu, std::move(fields));
  };
  return std::make_unique<GpuMonitor>(std::move(sensor), std::chrono::milliseconds(every_ms), tell);
}

JobOutcome work(RunSession& session, const JobSpec& spec, StartMode mode) {
  const StopSignals signals(session);
  try {
    session.emitState("preparing");
    refuseWhatCannotFit(spec);
    const Engine engine(spec);
    Json environment = machine();
    environment.update(engine.environment());
    environment["versions"] = versions();
    session.appendEnvironment(std::move(environment));
    if (const std::string words = howToFit(spec); !words.empty())
      session.warn("It may run out of memory. " + words);
    const auto monitor = gpuMonitor(session, spec, engine);
    const NvtxRanges ranges(engine.device().type());
    JobContext context{session, spec, engine, mode};
    return jobKind(spec.kind())->work(context);
  } catch (...) {
    return failed(std::current_exception(), spec);
  }
}
} // namespace

ExitCode doJob(const RunDirectory& run, StartMode mode) {
  const log::ToFile logFile(run.logFile());
  JobSpec spec = checkedSpec(run);
  if (mode == StartMode::Resume)
    keepThreads(run, spec);
  const JobKind* kind = jobKind(spec.kind());
  if (!kind)
    throw Failure(ExitCode::Usage, "This build of the worker cannot do jobs of kind \"" + spec.kind() + "\".");
  const auto session = openSession(run, mode, spec);
  const JobOutcome outcome = work(*session, spec, mode);
  const bool good =
      outcome.code == ExitCode::Finished || outcome.code == ExitCode::Stopped || outcome.code == ExitCode::CheckFailed;
  good ? log::info(outcome.message) : log::error(outcome.message);
  session->finish(outcome.code, outcome.message, outcome.summary);
  if (const Status written = session->writeStatus(); !written && good) {
    log::error(written.error().message);
    return written.error().code;
  }
  return outcome.code;
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// What runs in a run folder: a kind of job is one function, listed in registry.cpp.
#pragma once
#include "app/worker/engine.h"
#include "core/protocol/run_session.h"

namespace voxlab {

class Engine;

enum class StartMode { Unknown, Fresh, Resume };

struct JobContext {
  RunSession& session;
  const JobSpec& spec; // checked, defaults filled in
  const Engine& engine;
  StartMode mode = StartMode::Fresh;
};

struct JobOutcome {
  ExitCode code = ExitCode::Finished;
  std::string message;           // a sentence
  Json summary = Json::object(); // for summary.json
};

// Throws Failure and c10::Error.
using JobFunction = JobOutcome (*)(JobContext&);

struct JobKind {
  std::string name;
  JobFunction work;
};

JobOutcome train(JobContext& context);
JobOutcome sample(JobContext& context);
JobOutcome bench(JobContext& context);
JobOutcome quality(JobContext& context);
JobOutcome verify(JobContext& context);
JobOutcome profile(JobContext& context);

// Does the run's job from lock to finished.json. Fresh refuses a run that was started before; Resume goes on from its newest
// checkpoint. Everything that is thrown becomes a failed event and an exit code.
ExitCode doJob(const RunDirectory& run, StartMode mode);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "app/worker/training_profiler.h"
#include "app/worker/log.h"
#include "core/analysis/profile_summary.h"
#include "core/analysis/run_profile.h"
#include "core/base/failure.h"
#include "core/execution/cuda_runtime.h"
#include <algorithm>
#include <cstdio>
#include <utility>

namespace voxlab {
namespace {
namespace fs = std::filesystem;

// Without ranges the GPU's side alone cannot tell steps: two replayed graphs may be one.
void makeOneStep(Trace& trace) {
  if (!trace.hasGpu())
    return;
  TraceStep whole{"train_step", trace.gpu.front().start_ns, 0, 0};
  for (GpuEvent& event : trace.gpu) {
    event.step = 0;
    whole.end_ns = std::max(whole.end_ns, event.end_ns());
  }
  trace.steps = {whole};
}

// Of the one step that fields tell of: what the GPU, or the operators that stand in for it, worked.
double busy_ms(const Json& fields) {
  double sum = 0;
  for (const auto& [category, ms] : fields["categories_ms"].items())
    if (!category.starts_with("idle_"))
      sum += ms.get<double>();
  return sum;
}

double secondsBetween(std::chrono::steady_clock::time_point a, std::chrono::steady_clock::time_point b) {
  return std::chrono::duration<double>(b - a).count();
}
} // namespace

TrainingProfiler::TrainingProfiler(RunSession& session, TrainingProfilerSettings settings)
    : m_session(session), m_settings(std::move(settings)), m_pace(m_settings.liveEvery) {
  if (const std::string missing = recordingMissing(); !missing.empty()) {
    log::info("Nothing is recorded while this start trains. " + missing);
    m_settings.live = m_settings.graphs = false;
  }
}

TrainingProfiler::~TrainingProfiler() = default;

void TrainingProfiler::request(std::int64_t steps) {
  if (const std::string missing = recordingMissing(); !missing.empty() && !m_window)
    return m_session.warn("The steps cannot be recorded. " + missing);
  m_requested = std::max(m_requested, steps); // while a window is open: for the next one
}

double TrainingProfiler::elapsed_s() const {
  return secondsBetween(m_begin, Clock::now());
}

std::optional<double> TrainingProfiler::liveOverhead_percent() const {
  return m_pace.count() > 0 ? std::optional(m_pace.overhead_percent(elapsed_s())) : std::nullopt;
}

void TrainingProfiler::giveUp(const std::string& why) {
  m_settings.live = m_settings.graphs = false;
  m_requested = 0;
  m_window.reset();
  m_purpose = Purpose::None;
  m_session.warn("Recording has been given up for this start. " + why);
}

TrainingProfiler::Purpose TrainingProfiler::due(std::int64_t step) const {
  if (m_settings.graphs && !m_modulesKnown && m_started == 0)
    return Purpose::Modules;
  if (m_requested > 0)
    return Purpose::Requested;
  return m_settings.live && m_pace.isDue(step, elapsed_s()) ? Purpose::Live : Purpose::None;
}

void TrainingProfiler::beforeStep(std::int64_t step) {
  if (m_started == 0) {
    m_begin = Clock::now();
    m_pace.begin(step);
  }
  if (!m_window)
    if (const Purpose purpose = due(step); purpose != Purpose::None)
      open(purpose, step);
}

void TrainingProfiler::open(Purpose purpose, std::int64_t step) {
  synchronize(m_settings.device);
  m_opening = Clock::now();
  try {
    m_window = std::make_unique<KinetoWindow>(purpose == Purpose::Live ? TraceDetail::KernelsOnly : TraceDetail::Operators,
                                              m_settings.device.type());
  } catch (const std::exception& e) {
    return giveUp(e.what());
  }
  m_purpose = purpose;
  m_first = step;
  m_last = step + (purpose == Purpose::Requested ? std::exchange(m_requested, 0) : 1);
  m_opened = Clock::now();
}

void TrainingProfiler::afterStep(std::int64_t step) {
  ++m_started;
  if (m_window && step >= m_last)
    close(step);
}

void TrainingProfiler::close(std::int64_t step) {
  synchronize(m_settings.device);
  const double steps_s = secondsBetween(m_opened, Clock::now());
  try {
    switch (m_purpose) {
    case Purpose::Live:
      keepLive(step, steps_s);
      break;
    case Purpose::Requested:
      keepRequested(step);
      break;
    default:
      valueOrThrow(m_window->save(modulesFile()));
      m_modulesKnown = true;
      m_pace.charge(secondsBetween(m_opening, Clock::now()) - steps_s);
    }
  } catch (const std::exception& e) {
    return giveUp(e.what());
  }
  m_window.reset();
  m_purpose = Purpose::None;
}

// What it cost: everything around the step, and all time within it in which the GPU had nothing to do. That is more than it is, since
// a step without the profiler has gaps too.
void TrainingProfiler::keepLive(std::int64_t step, double steps_s) {
  Json fields = liveFields(step);
  const double worked_s = busy_ms(fields) / 1e3, around_s = secondsBetween(m_opening, Clock::now()) - steps_s;
  m_pace.recorded(m_first, elapsed_s(), around_s + std::max(0.0, steps_s - worked_s));
  fields["cost_ms"] = m_pace.lastCost_s() * 1e3;
  fields["every_steps"] = m_pace.everySteps(worked_s);
  fields["overhead_percent"] = m_pace.overhead_percent(elapsed_s());
  m_session.emit(event::kProfile, std::move(fields));
}

fs::path TrainingProfiler::modulesFile() const {
  return m_session.run().profiles() / "eager" / "training.json.gz";
}

void TrainingProfiler::keepRequested(std::int64_t step) {
  char name[48];
  std::snprintf(name, sizeof name, "step_%08lld.json.gz", static_cast<long long>(m_first + 1));
  const fs::path file = m_session.run().profiles() / name;
  valueOrThrow(m_window->save(file));
  std::error_code ec;
  if (m_settings.graphs && m_modulesKnown)
    fs::copy_file(modulesFile(), eagerCounterpart(file), fs::copy_options::overwrite_existing, ec);
  const Trace trace = valueOrThrow(readProfile(file));
  Json fields = profileSummary(trace, KernelIndex(trace));
  fields["path"] = m_session.run().relative(file).string();
  fields["step"] = step;
  fields["what"] = "train";
  fields["mode"] = m_settings.mode;
  log::info("Recorded steps " + std::to_string(m_first + 1) + " to " + std::to_string(step) + ": " + file.string());
  m_session.emit(event::kProfile, std::move(fields));
}

Json TrainingProfiler::liveFields(std::int64_t step) {
  const fs::path file = m_session.run().profiles() / ".live.json";
  valueOrThrow(m_window->save(file));
  Result<Trace> read = readTrace(file);
  std::error_code ec;
  fs::remove(file, ec);
  Trace trace = valueOrThrow(std::move(read));
  makeOneStep(trace);
  Json fields = profileSummary(trace, KernelIndex(trace));
  fields["path"] = "";
  fields["step"] = step;
  fields["what"] = "live";
  fields["mode"] = m_settings.mode;
  return fields;
}

} // namespace voxlab

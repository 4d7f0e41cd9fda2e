// SPDX-License-Identifier: Apache-2.0
#include "app/worker/training_profiler.h"
#include "app/worker/log.h"
#include "core/analysis/profile_summary.h"
#include "core/analysis/run_profile.h"
#include "core/base/failure.h"
#include "core/execution/cuda_runtime.h"
#include <algorithm>
#include <cstdio>

namespace voxlab {
namespace {
namespace fs = std::filesystem;
constexpr std::int64_t kSettling = 10; // steps of a start before anything is judged by them

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

double secondsBetween(std::chrono::steady_clock::time_point a, std::chrono::steady_clock::time_point b) {
  return std::chrono::duration<double>(b - a).count();
}
} // namespace

TrainingProfiler::TrainingProfiler(RunSession& session, TrainingProfilerSettings settings)
    : m_session(session), m_settings(std::move(settings)) {
  if (const std::string missing = recordingMissing(); m_settings.live && !missing.empty())
    giveUp(missing);
}

TrainingProfiler::~TrainingProfiler() = default;

void TrainingProfiler::request(std::int64_t steps) {
  if (const std::string missing = recordingMissing(); !missing.empty() && !m_window)
    return m_session.warn("The steps cannot be recorded. " + missing);
  if (!m_window)
    m_requested = steps;
}

std::optional<double> TrainingProfiler::liveOverhead_percent() const {
  const double run_s = secondsBetween(m_begin, Clock::now());
  return m_liveWindows > 0 && run_s > 0 ? std::optional(100 * m_cost_s / run_s) : std::nullopt;
}

void TrainingProfiler::giveUp(const std::string& why) {
  m_settings.live = m_settings.graphs = false;
  m_requested = 0;
  m_window.reset();
  m_purpose = Purpose::None;
  m_session.warn("Recording has been given up for this start. " + why);
}

bool TrainingProfiler::liveDue(std::int64_t step) const {
  if (!m_settings.live || m_started < kSettling)
    return false;
  if (m_settings.liveEvery > 0)
    return step - m_lastLive >= m_settings.liveEvery;
  return m_cost_s + m_lastCost_s <= kLiveShare * secondsBetween(m_begin, Clock::now());
}

TrainingProfiler::Purpose TrainingProfiler::due(std::int64_t step) const {
  if (m_settings.graphs && !m_modulesKnown && m_started == 0)
    return Purpose::Modules;
  if (m_requested > 0)
    return Purpose::Requested;
  return liveDue(step) ? Purpose::Live : Purpose::None;
}

void TrainingProfiler::beforeStep(std::int64_t step) {
  if (m_started == 0) {
    m_begin = m_closed = Clock::now();
    m_closedAt = m_lastLive = step;
  }
  if (!m_window)
    if (const Purpose purpose = due(step); purpose != Purpose::None)
      open(purpose, step);
}

void TrainingProfiler::open(Purpose purpose, std::int64_t step) {
  synchronize(m_settings.device);
  m_opening = Clock::now();
  if (step > m_closedAt)
    m_normal_s = secondsBetween(m_closed, m_opening) / static_cast<double>(step - m_closedAt);
  try {
    m_window = std::make_unique<KinetoWindow>(purpose == Purpose::Live ? TraceDetail::KernelsOnly : TraceDetail::Operators,
                                              m_settings.device.type());
  } catch (const std::exception& e) {
    return giveUp(e.what());
  }
  m_purpose = purpose;
  m_first = step;
  m_last = step + std::max<std::int64_t>(1, purpose == Purpose::Requested ? m_requested : 1);
  m_opened = Clock::now();
}

void TrainingProfiler::afterStep(std::int64_t step) {
  ++m_started;
  if (m_window && step >= m_last)
    close(step);
}

void TrainingProfiler::close(std::int64_t step) {
  synchronize(m_settings.device);
  const auto purpose = m_purpose;
  const double steps_s = secondsBetween(m_opened, Clock::now());
  Json live;
  try {
    if (purpose == Purpose::Live)
      live = liveFields(step);
    else if (purpose == Purpose::Requested)
      keepRequested(step);
    else
      valueOrThrow(m_window->save(modulesFile()));
  } catch (const std::exception& e) {
    return giveUp(e.what());
  }
  m_modulesKnown |= purpose == Purpose::Modules;
  m_window.reset();
  m_purpose = Purpose::None;
  m_closed = Clock::now();
  m_closedAt = step;
  if (purpose != Purpose::Live)
    return;
  const double around_s = secondsBetween(m_opening, m_closed) - steps_s;
  m_lastCost_s = around_s + std::max(0.0, steps_s - m_normal_s);
  m_cost_s += m_lastCost_s;
  ++m_liveWindows;
  m_lastLive = step;
  live["overhead_percent"] = *liveOverhead_percent();
  m_session.emit(event::kProfile, std::move(live));
}

fs::path TrainingProfiler::modulesFile() const {
  return m_session.run().profiles() / "eager" / "training.json.gz";
}

void TrainingProfiler::keepRequested(std::int64_t step) {
  m_requested = 0;
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

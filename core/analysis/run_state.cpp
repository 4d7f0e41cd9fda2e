// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/run_state.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
constexpr std::size_t kPacePoints = 64;

std::string text(const Event& event, std::string_view field) {
  return jsonGet<std::string>(event.fields, field).value_or("");
}
std::optional<std::int64_t> integer(const Event& event, std::string_view field) {
  return jsonGet<std::int64_t>(event.fields, field);
}
std::optional<double> number(const Event& event, std::string_view field) {
  return jsonGet<double>(event.fields, field);
}

RunPhase phaseFrom(const std::string& name) {
  static const std::map<std::string, RunPhase, std::less<>> kPhases{
      {"preparing", RunPhase::Preparing}, {"running", RunPhase::Running},   {"pausing", RunPhase::Pausing},
      {"paused", RunPhase::Paused},       {"sampling", RunPhase::Sampling}, {"checkpointing", RunPhase::Checkpointing},
      {"stopping", RunPhase::Stopping}};
  const auto it = kPhases.find(name);
  return it == kPhases.end() ? RunPhase::Unknown : it->second;
}

template <class Record> void dropRecordsBeyond(std::vector<Record>& records, std::int64_t step) {
  std::erase_if(records, [step](const Record& r) { return r.step && *r.step > step; });
}

// A file that is written again (the same sample after a resume) is one record, the newest.
template <class Record> void replaceByPath(std::vector<Record>& records, Record record) {
  std::erase_if(records, [&](const Record& r) { return r.path == record.path; });
  records.push_back(std::move(record));
}
} // namespace

void RunState::Pace::add(double done, double time_s) {
  if (!points.empty() && (done <= points.back().first || time_s < points.back().second)) {
    if (done < points.back().first)
      points.clear(); // another piece of work has begun
    else
      return;
  }
  if (points.size() == kPacePoints)
    points.erase(points.begin());
  points.emplace_back(done, time_s);
}

std::optional<double> RunState::Pace::secondsFor(double amount) const {
  if (points.size() < 2)
    return std::nullopt;
  const double done = points.back().first - points.front().first, time_s = points.back().second - points.front().second;
  return amount * time_s / done;
}

RunState::Handler RunState::handlerFor(std::string_view type) {
  static const std::map<std::string_view, Handler> kHandlers{
      {event::kHello, &RunState::hello},         {event::kState, &RunState::state},     {event::kStep, &RunState::step},
      {event::kProgress, &RunState::progress},   {event::kSample, &RunState::sample},   {event::kCheckpoint, &RunState::checkpoint},
      {event::kMemory, &RunState::measured},     {event::kGpu, &RunState::gpu},         {event::kProfile, &RunState::profile},
      {event::kBench, &RunState::bench},         {event::kWarning, &RunState::warning}, {event::kAck, &RunState::ack},
      {event::kHeartbeat, &RunState::heartbeat}, {event::kFailed, &RunState::failed},   {event::kFinished, &RunState::finished}};
  const auto it = kHandlers.find(type);
  return it == kHandlers.end() ? nullptr : it->second;
}

Status RunState::apply(const Event& event) {
  if (m_refused)
    return fail(*m_refused);
  ++m_events;
  const Handler handler = handlerFor(event.type);
  if (!handler) {
    ++m_unknownTypes[event.type];
    return {};
  }
  if (!m_starts.empty() && event.type != event::kHello)
    m_starts.back().length_s = std::max(m_starts.back().length_s, event.time_s);
  (this->*handler)(event);
  return m_refused ? Status(fail(*m_refused)) : Status();
}

double RunState::runTime_s() const {
  return m_starts.empty() ? 0 : m_starts.back().begin_s + m_starts.back().length_s;
}

std::optional<double> RunState::fractionDone() const {
  if (m_totalSteps && *m_totalSteps > 0)
    return std::clamp(static_cast<double>(m_step) / static_cast<double>(*m_totalSteps), 0.0, 1.0);
  if (m_progress && m_progress->total > 0)
    return std::clamp(m_progress->done / m_progress->total, 0.0, 1.0);
  return std::nullopt;
}

std::optional<double> RunState::timeLeft_s() const {
  if (m_outcome != RunOutcome::Running)
    return std::nullopt;
  if (m_totalSteps) {
    const double left = std::max<double>(0, static_cast<double>(*m_totalSteps - m_step));
    if (const auto seconds = m_stepPace.secondsFor(left))
      return seconds;
    if (const auto stepTime_ms = series(Measure::StepTime).median(16))
      return left * *stepTime_ms / 1000;
    return std::nullopt;
  }
  return m_progress ? m_progressPace.secondsFor(std::max(0.0, m_progress->total - m_progress->done)) : std::nullopt;
}

void RunState::hello(const Event& event) {
  const auto major = integer(event, "major"), number = integer(event, "start"), resumeStep = integer(event, "resume_step");
  if (!major || !number || !resumeStep) {
    ++m_incomplete;
    return;
  }
  if (*major > kProtocolMajor) {
    m_refused = Error{ExitCode::Data, "This run was written with version " + std::to_string(*major) +
                                          " of the run format, and this program reads up to version " +
                                          std::to_string(kProtocolMajor) + ". Open it with a newer Voxlab."};
    return;
  }
  const double begin_s = runTime_s();
  if (!m_starts.empty())
    dropBeyond(*resumeStep);
  m_starts.push_back({*number, *resumeStep, text(event, "wall_time"), begin_s, std::max(0.0, event.time_s)});
  if (const auto kind = jsonGet<std::string>(event.fields, "kind"))
    m_kind = *kind;
  if (const auto total = integer(event, "total_steps"))
    m_totalSteps = total;
  m_step = *resumeStep;
  m_outcome = RunOutcome::Running;
  m_phase = RunPhase::Preparing;
  m_exitCode.reset();
  m_endMessage.clear();
  m_progress.reset();
  m_stepPace.restart();
  m_progressPace.restart();
}

void RunState::dropBeyond(std::int64_t resumeStep) {
  for (const auto& row : measureTable())
    if (row.axis == MeasureAxis::Step)
      m_series[static_cast<std::size_t>(row.measure)].dropAfter(static_cast<double>(resumeStep));
  dropRecordsBeyond(m_samples, resumeStep);
  dropRecordsBeyond(m_checkpoints, resumeStep);
  dropRecordsBeyond(m_profiles, resumeStep);
  m_bench.clear(); // a benchmark begins anew
}

void RunState::stamp(RunRecord& record, const Event& event) const {
  record.start = m_starts.empty() ? 0 : m_starts.size() - 1;
  record.time_s = (m_starts.empty() ? 0 : m_starts.back().begin_s) + event.time_s;
  record.step = integer(event, "step");
}

void RunState::state(const Event& event) {
  const auto name = jsonGet<std::string>(event.fields, "state");
  if (!name) {
    ++m_incomplete;
    return;
  }
  m_phase = phaseFrom(*name);
  if (const auto total = integer(event, "total_steps"))
    m_totalSteps = total;
  if (m_phase == RunPhase::Paused) // time spent waiting says nothing of the pace
    m_stepPace.restart(), m_progressPace.restart();
}

void RunState::appendMeasures(const Event& event, double x) {
  for (const auto& row : measureTable())
    if (row.event == event.type && event.fields.contains(row.field))
      m_series[static_cast<std::size_t>(row.measure)].append(x, number(event, row.field));
}

void RunState::step(const Event& event) {
  const auto step = integer(event, "step");
  if (!step || *step < 0) {
    ++m_incomplete;
    return;
  }
  m_step = *step;
  if (const auto passes = number(event, "passes"))
    m_passes = passes;
  if (m_phase == RunPhase::Unknown || m_phase == RunPhase::Preparing)
    m_phase = RunPhase::Running;
  appendMeasures(event, static_cast<double>(*step));
  RunRecord here;
  stamp(here, event);
  m_stepPace.add(static_cast<double>(*step), here.time_s);
}

void RunState::measured(const Event& event) {
  RunRecord here;
  stamp(here, event);
  appendMeasures(event, here.time_s);
}

void RunState::gpu(const Event& event) {
  measured(event);
  if (event.fields.contains("throttle"))
    m_throttle = text(event, "throttle");
}

void RunState::progress(const Event& event) {
  const auto done = number(event, "done"), total = number(event, "total");
  if (!done || !total) {
    ++m_incomplete;
    return;
  }
  ProgressRecord record;
  stamp(record, event);
  record.what = text(event, "what");
  record.done = *done;
  record.total = *total;
  if (m_progress && m_progress->what != record.what)
    m_progressPace.restart();
  m_progressPace.add(record.done, record.time_s);
  m_progress = std::move(record);
}

void RunState::sample(const Event& event) {
  SampleRecord record;
  stamp(record, event);
  record.path = text(event, "path");
  if (record.path.empty()) {
    ++m_incomplete;
    return;
  }
  record.infoPath = text(event, "info_path");
  record.sampler = text(event, "sampler");
  record.mask = text(event, "mask");
  record.seed = integer(event, "seed");
  record.samplerSteps = integer(event, "sampler_steps");
  record.duration_ms = number(event, "duration_ms");
  replaceByPath(m_samples, std::move(record));
}

void RunState::checkpoint(const Event& event) {
  CheckpointRecord record;
  stamp(record, event);
  record.path = text(event, "path");
  if (record.path.empty() || !record.step) {
    ++m_incomplete;
    return;
  }
  replaceByPath(m_checkpoints, std::move(record));
}

void RunState::profile(const Event& event) {
  ProfileRecord record;
  stamp(record, event);
  record.path = text(event, "path");
  record.steps = integer(event, "steps");
  record.wall_ms_per_step = number(event, "wall_ms_per_step");
  record.kernel_ms_per_step = number(event, "kernel_ms_per_step");
  record.everySteps = integer(event, "every_steps");
  record.overhead_percent = number(event, "overhead_percent");
  if (const auto it = event.fields.find("categories_ms"); it != event.fields.end() && it->is_object())
    for (const auto& [name, value] : it->items())
      if (value.is_number())
        record.categories_ms.emplace_back(name, value.template get<double>());
  if (record.path.empty() && record.categories_ms.empty()) {
    ++m_incomplete;
    return;
  }
  m_profiles.push_back(std::move(record));
}

void RunState::bench(const Event& event) {
  BenchRecord record;
  stamp(record, event);
  record.mode = text(event, "mode");
  record.what = text(event, "what");
  record.repetition = integer(event, "repetition");
  record.duration_ms = number(event, "duration_ms");
  record.fields = event.fields;
  if (record.mode.empty()) {
    ++m_incomplete;
    return;
  }
  m_bench.push_back(std::move(record));
}

void RunState::warning(const Event& event) {
  WarningRecord record;
  stamp(record, event);
  record.message = text(event, "message");
  ++m_warningCount;
  if (m_warnings.size() == kMaximumWarnings)
    m_warnings.erase(m_warnings.begin());
  m_warnings.push_back(std::move(record));
}

void RunState::ack(const Event& event) {
  AckRecord record;
  stamp(record, event);
  record.request = text(event, "request");
  record.command = text(event, "command");
  record.message = text(event, "message");
  record.accepted = jsonGet<bool>(event.fields, "accepted").value_or(false);
  m_acks.push_back(std::move(record));
}

void RunState::end(const Event& event, RunOutcome outcome) {
  const auto code = integer(event, "exit_code");
  m_exitCode = code ? std::optional(static_cast<ExitCode>(*code)) : std::nullopt;
  m_endMessage = text(event, "message");
  m_outcome = outcome;
  m_phase = RunPhase::Unknown;
}

void RunState::failed(const Event& event) {
  end(event, RunOutcome::Failed);
}

void RunState::finished(const Event& event) {
  const auto code = integer(event, "exit_code").value_or(0);
  end(event, code == static_cast<int>(ExitCode::Stopped)                    ? RunOutcome::Stopped
             : code == 0 || code == static_cast<int>(ExitCode::CheckFailed) ? RunOutcome::Finished
                                                                            : RunOutcome::Failed);
}

} // namespace voxlab

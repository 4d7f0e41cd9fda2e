// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/run_session.h"
#include "core/base/files.h"
#include "core/protocol/version.h"
#include <algorithm>

namespace voxlab {
namespace {
// How many starts the file tells of.
Result<std::int64_t> startsSoFar(const std::filesystem::path& eventsFile) {
  LineReader reader(eventsFile);
  std::int64_t starts = 0;
  do {
    const auto lines = reader.poll();
    if (!lines)
      return fail(lines.error());
    for (const Json& line : *lines)
      if (jsonGet<std::string>(line, "type") == event::kHello) {
        if (const Status readable = checkVersion(jsonGet<int>(line, "major").value_or(0), jsonGet<int>(line, "minor").value_or(0), eventsFile.string()); !readable)
          return fail(readable.error());
        starts = std::max(starts + 1, jsonGet<std::int64_t>(line, "start").value_or(0));
      }
  } while (!reader.atEnd());
  return starts;
}
} // namespace

Result<std::unique_ptr<RunSession>> RunSession::start(const RunDirectory& run, const SessionStart& options) {
  auto lock = RunLock::take(run.lockFile());
  if (!lock)
    return fail(lock.error());
  const auto starts = startsSoFar(run.eventsFile());
  if (!starts)
    return fail(starts.error()); // before anything is changed
  std::error_code ec;
  std::filesystem::remove(run.finishedFile(), ec);
  std::filesystem::remove(run.summaryFile(), ec);
  removeTemporaries(run.path() / "samples", Below::Everything); // of an earlier start; whoever holds the lock is the only writer
  auto events = LineWriter::open(run.eventsFile());
  if (!events)
    return fail(events.error());
  std::unique_ptr<RunSession> session(new RunSession(run, std::move(*lock), std::move(*events), *starts + 1));
  session->m_step = options.resumeStep;
  session->m_onWarning = options.onWarning;
  Json hello{{"major", kProtocolMajor},
             {"minor", kProtocolMinor},
             {"start", session->m_number},
             {"resume_step", options.resumeStep},
             {"wall_time", session->m_wallTime}};
  if (const auto info = run.info())
    hello["kind"] = info->kind;
  if (options.totalSteps)
    hello["total_steps"] = *options.totalSteps;
  session->emit(event::kHello, std::move(hello));
  if (const Status status = session->writeStatus(); !status)
    return fail(status.error());
  session->m_listener = std::thread([raw = session.get(), options] { raw->listen(options); });
  return session;
}

RunSession::RunSession(RunDirectory run, std::unique_ptr<RunLock> lock, LineWriter events, std::int64_t number)
    : m_run(std::move(run)), m_lock(std::move(lock)), m_events(std::move(events)), m_number(number),
      m_control(m_run.controlFile(), m_wallTime) {}

RunSession::~RunSession() {
  {
    const std::lock_guard guard(m_mutex);
    m_finished = true;
  }
  m_wake.notify_all();
  if (m_listener.joinable())
    m_listener.join();
}

double RunSession::secondsSinceStart() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count();
}

void RunSession::remember(const Status& status) {
  if (!status && m_status)
    m_status = status;
}

// The time is taken under the lock, so that it never goes back from line to line.
void RunSession::write(std::string_view type, Json fields) {
  if (!m_finished)
    remember(m_events.append(toJson(Event{std::string(type), secondsSinceStart(), std::move(fields)})));
}

void RunSession::emit(std::string_view type, Json fields) {
  const std::lock_guard guard(m_mutex);
  write(type, std::move(fields));
}

void RunSession::emitState(std::string_view state, Json fields) {
  Json all{{"state", state}};
  all.update(fields);
  emit(event::kState, std::move(all));
}

void RunSession::warn(const std::string& message, Json fields) {
  if (m_onWarning)
    m_onWarning(message);
  Json all{{"message", message}};
  all.update(fields);
  emit(event::kWarning, std::move(all));
}

void RunSession::appendEnvironment(Json environment) {
  Json line{{"start", m_number}, {"wall_time", m_wallTime}};
  line.update(environment);
  auto writer = LineWriter::open(m_run.environmentFile());
  const Status written = writer ? writer->append(line) : Status(fail(writer.error()));
  const std::lock_guard guard(m_mutex);
  remember(written);
}

Status RunSession::writeStatus() const {
  const std::lock_guard guard(m_mutex);
  return m_status;
}

Status RunSession::flushToDisk() {
  const std::lock_guard guard(m_mutex);
  return m_events.flushToDisk();
}

std::optional<ControlRequest> RunSession::takeRequest() {
  const std::lock_guard guard(m_mutex);
  if (m_requests.empty())
    return std::nullopt;
  ControlRequest request = std::move(m_requests.front());
  m_requests.pop_front();
  return request;
}

void RunSession::answer(const ControlRequest& request, bool accepted, std::string_view message) {
  Json fields{{"request", request.id}, {"command", request.command}, {"accepted", accepted}};
  if (!message.empty())
    fields["message"] = message;
  emit(event::kAck, std::move(fields));
}

void RunSession::acknowledge(const ControlRequest& request, std::string_view message) {
  answer(request, true, message);
}

void RunSession::refuse(const ControlRequest& request, std::string_view message) {
  answer(request, false, message);
}

void RunSession::waitForRequest() {
  std::unique_lock guard(m_mutex);
  m_wake.wait(guard, [this] { return !m_requests.empty() || m_stop || m_finished; });
}

void RunSession::listen(SessionStart options) {
  auto nextBeat = std::chrono::steady_clock::now() + options.heartbeatEvery;
  std::unique_lock guard(m_mutex);
  while (!m_finished) {
    m_wake.wait_for(guard, options.pollEvery, [this] { return m_finished; });
    if (m_finished)
      break;
    if (auto requests = m_control.poll()) // an unreadable file is asked again
      for (ControlRequest& request : *requests)
        m_requests.push_back(std::move(request));
    if (!m_requests.empty() || m_stop)
      m_wake.notify_all();
    if (std::chrono::steady_clock::now() >= nextBeat) {
      write(event::kHeartbeat, {{"step", m_step.load()}});
      nextBeat += options.heartbeatEvery;
    }
  }
}

void RunSession::finish(ExitCode code, const std::string& message, Json summary) {
  const std::lock_guard guard(m_mutex);
  if (m_finished)
    return;
  const bool good = code == ExitCode::Finished || code == ExitCode::Stopped || code == ExitCode::CheckFailed;
  Json fields{{"exit_code", static_cast<int>(code)}, {"message", message}, {"step", m_step.load()}};
  write(good ? event::kFinished : event::kFailed, fields);
  remember(m_events.flushToDisk());
  Json finished{{"schema", schemaVersion()}, {"start", m_number}, {"wall_time", utcNow()}, {"duration_s", secondsSinceStart()}};
  finished.update(fields);
  if (!summary.empty())
    remember(writeJsonFile(m_run.summaryFile(), summary));
  remember(writeJsonFile(m_run.finishedFile(), finished));
  m_finished = true;
  m_wake.notify_all();
}

} // namespace voxlab

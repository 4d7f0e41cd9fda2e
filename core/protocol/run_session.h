// SPDX-License-Identifier: Apache-2.0
// The worker's end of a run folder, for one start: takes the lock, says hello, writes events with the time since the start,
// beats, listens to requests, and says how it ended. Every member may be called from any thread.
#pragma once
#include "core/protocol/event_reader.h"
#include "core/protocol/run_directory.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace voxlab {

struct SessionStart {
  std::int64_t resumeStep = 0; // this start goes on after that step; what was said of later ones is void
  std::optional<std::int64_t> totalSteps;
  std::chrono::milliseconds heartbeatEvery{5000};
  std::chrono::milliseconds pollEvery{100};
  std::function<void(const std::string&)> onWarning{}; // hears every warning, too: for the log; from the thread that warns
};

class RunSession {
public:
  // Takes the lock, removes how the last start ended, repairs events.jsonl and appends hello. Fails with Usage when another
  // worker holds the run, with Data when the folder cannot be written.
  static Result<std::unique_ptr<RunSession>> start(const RunDirectory& run, const SessionStart& options);
  ~RunSession();
  RunSession(const RunSession&) = delete;
  RunSession& operator=(const RunSession&) = delete;

  const RunDirectory& run() const { return m_run; }
  std::int64_t number() const { return m_number; } // 1 for the run's first start
  double secondsSinceStart() const;

  void emit(std::string_view type, Json fields = Json::object());
  void emitState(std::string_view state, Json fields = Json::object());
  void warn(const std::string& message, Json fields = Json::object());
  void appendEnvironment(Json environment);          // a line of environment.jsonl, with the start's number
  void setStep(std::int64_t step) { m_step = step; } // goes with every heartbeat
  // What writing has met first: a full disk, say. Ask at every step; later events are still tried.
  Status writeStatus() const;
  Status flushToDisk();

  // Requests in the order of arrival, each to be acknowledged once.
  std::optional<ControlRequest> takeRequest();
  void acknowledge(const ControlRequest& request, std::string_view message = {});
  void refuse(const ControlRequest& request, std::string_view message);
  // Blocks until a request waits or a stop was asked for.
  void waitForRequest();

  void stop() { m_stop = true; } // from a signal handler, too
  bool stopRequested() const { return m_stop; }

  // Writes the last event, summary.json (when there is something in it) and finished.json. Nothing is said afterwards.
  void finish(ExitCode code, const std::string& message, Json summary = Json::object());

private:
  RunSession(RunDirectory run, std::unique_ptr<RunLock> lock, LineWriter events, std::int64_t number);
  void listen(SessionStart options);
  void write(std::string_view type, Json fields);
  void answer(const ControlRequest& request, bool accepted, std::string_view message);
  void remember(const Status& status);

  RunDirectory m_run;
  std::unique_ptr<RunLock> m_lock;
  LineWriter m_events;
  std::int64_t m_number;
  std::function<void(const std::string&)> m_onWarning;
  std::string m_wallTime = utcNow();
  ControlReader m_control;
  std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
  std::atomic<std::int64_t> m_step{0};
  std::atomic<bool> m_stop{false};

  mutable std::mutex m_mutex; // guards what follows, and m_events
  Status m_status;
  bool m_finished = false;
  std::deque<ControlRequest> m_requests;
  std::condition_variable m_wake; // requests came, or the end
  std::thread m_listener;
};

} // namespace voxlab

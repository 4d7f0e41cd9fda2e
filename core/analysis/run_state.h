// SPDX-License-Identifier: Apache-2.0
// What a run has come to: the one reducer from its event stream. The studio feeds it live, `report` feeds it whole files.
#pragma once
#include "core/analysis/measures.h"
#include "core/analysis/series.h"
#include "core/protocol/events.h"
#include "core/protocol/run_directory.h"
#include <array>
#include <map>

namespace voxlab {

enum class RunPhase { Unknown, Preparing, Running, Pausing, Paused, Sampling, Checkpointing, Stopping };

struct RunStart {
  std::int64_t number = 0;
  std::int64_t resumeStep = 0;
  std::string wallTime; // ISO 8601 UTC
  double begin_s = 0;   // run seconds (of all starts together) at which it began
  double length_s = 0;  // time of its newest event
};

// Records carry the start they came from and the run seconds at which they came.
struct RunRecord {
  std::size_t start = 0; // index into starts()
  double time_s = 0;
  std::optional<std::int64_t> step;
};
struct SampleRecord : RunRecord {
  std::string path, infoPath, sampler, mask; // paths relative to the run
  std::optional<std::int64_t> seed, samplerSteps;
  std::optional<double> duration_ms;
};
struct CheckpointRecord : RunRecord {
  std::string path;
};
struct ProfileRecord : RunRecord {
  std::string path; // empty: of the live breakdown, which keeps no file
  std::optional<std::int64_t> steps;
  std::vector<std::pair<std::string, double>> categories_ms; // per step, in the order given
  std::optional<double> wall_ms_per_step, kernel_ms_per_step;
  std::optional<std::int64_t> everySteps; // of the live breakdown: between two recordings
  std::optional<double> overhead_percent; // of the time, for all of them so far
};
struct BenchRecord : RunRecord {
  std::string mode, what;
  std::optional<std::int64_t> repetition;
  std::optional<double> duration_ms;
  Json fields; // all of the event
};
struct WarningRecord : RunRecord {
  std::string message;
};
struct AckRecord : RunRecord {
  std::string request, command, message;
  bool accepted = false;
};
struct ProgressRecord : RunRecord {
  std::string what;
  double done = 0, total = 0;
};

class RunState {
public:
  // Takes the next event. Unknown types and events that lack what their type needs are counted and skipped. A new start
  // first drops what earlier starts said of steps beyond its resume_step. Fails with Data, and goes on failing, once a
  // start speaks a newer major version of the protocol than this program.
  Status apply(const Event& event);

  // "running" here means that the events end in the middle; only the folder's lock tells a live worker from a lost one.
  RunOutcome outcome() const { return m_outcome; }
  RunPhase phase() const { return m_phase; }
  std::optional<ExitCode> exitCode() const { return m_exitCode; }
  const std::string& endMessage() const { return m_endMessage; } // of finished or failed

  const std::string& kind() const { return m_kind; }
  std::int64_t step() const { return m_step; } // completed steps
  std::optional<std::int64_t> totalSteps() const { return m_totalSteps; }
  std::optional<double> passes() const { return m_passes; } // over the data set
  std::optional<double> fractionDone() const;               // of the steps, or of the newest progress when there are none
  // From the pace of the last steps of this start, pauses left out; nullopt when unknown or at an end.
  std::optional<double> timeLeft_s() const;
  double runTime_s() const;                                  // of all starts, up to the newest event
  const std::string& throttle() const { return m_throttle; } // why the GPU lowers its clocks, as last said

  const Series& series(Measure measure) const { return m_series[static_cast<std::size_t>(measure)]; }
  const std::vector<RunStart>& starts() const { return m_starts; }
  const std::vector<SampleRecord>& samples() const { return m_samples; }
  const std::vector<CheckpointRecord>& checkpoints() const { return m_checkpoints; }
  const std::vector<ProfileRecord>& profiles() const { return m_profiles; }
  const std::vector<BenchRecord>& bench() const { return m_bench; }
  const std::vector<WarningRecord>& warnings() const { return m_warnings; } // the newest kMaximumWarnings
  std::uint64_t warningCount() const { return m_warningCount; }
  const std::vector<AckRecord>& acks() const { return m_acks; }
  const std::optional<ProgressRecord>& progress() const { return m_progress; }
  const std::map<std::string, std::uint64_t>& unknownTypes() const { return m_unknownTypes; }
  std::uint64_t incompleteEvents() const { return m_incomplete; }
  std::uint64_t eventCount() const { return m_events; }

  static constexpr std::size_t kMaximumWarnings = 1000;

private:
  struct Pace { // where the present stretch of steady work began, in steps (or progress) and run seconds
    std::vector<std::pair<double, double>> points;
    void restart() { points.clear(); }
    void add(double done, double time_s);
    std::optional<double> secondsFor(double amount) const;
  };
  using Handler = void (RunState::*)(const Event&);
  static Handler handlerFor(std::string_view type);

  void hello(const Event& event);
  void state(const Event& event);
  void step(const Event& event);
  void progress(const Event& event);
  void sample(const Event& event);
  void checkpoint(const Event& event);
  void measured(const Event& event);
  void gpu(const Event& event);
  void profile(const Event& event);
  void bench(const Event& event);
  void warning(const Event& event);
  void ack(const Event& event);
  void heartbeat(const Event&) {}
  void failed(const Event& event);
  void finished(const Event& event);

  void dropBeyond(std::int64_t resumeStep);
  void appendMeasures(const Event& event, double x);
  void stamp(RunRecord& record, const Event& event) const;
  void end(const Event& event, RunOutcome outcome);

  RunOutcome m_outcome = RunOutcome::Waiting;
  RunPhase m_phase = RunPhase::Unknown;
  std::optional<ExitCode> m_exitCode;
  std::string m_endMessage, m_kind, m_throttle;
  std::int64_t m_step = 0;
  std::optional<std::int64_t> m_totalSteps;
  std::optional<double> m_passes;
  std::array<Series, static_cast<std::size_t>(Measure::Count)> m_series;
  std::vector<RunStart> m_starts;
  std::vector<SampleRecord> m_samples;
  std::vector<CheckpointRecord> m_checkpoints;
  std::vector<ProfileRecord> m_profiles;
  std::vector<BenchRecord> m_bench;
  std::vector<WarningRecord> m_warnings;
  std::vector<AckRecord> m_acks;
  std::optional<ProgressRecord> m_progress;
  Pace m_stepPace, m_progressPace;
  std::map<std::string, std::uint64_t> m_unknownTypes;
  std::uint64_t m_events = 0, m_incomplete = 0, m_warningCount = 0;
  std::optional<Error> m_refused;
};

} // namespace voxlab

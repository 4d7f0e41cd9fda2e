// SPDX-License-Identifier: Apache-2.0
// Recordings while a training runs: a window of whole steps on request, and now and then one light step, so that the categories can
// be seen over time.
#pragma once
#include "core/profiling/kineto_source.h"
#include "core/profiling/live_pace.h"
#include "core/protocol/run_session.h"
#include <chrono>
#include <optional>

namespace voxlab {

struct TrainingProfilerSettings {
  std::string mode;
  c10::Device device = c10::kCPU;
  bool live = false;          // light steps
  std::int64_t liveEvery = 0; // steps between them; 0: as often as their cost allows (live_pace.h)
  bool graphs = false;        // replayed: the start's first step, which is not, is recorded for its modules
};

class TrainingProfiler {
public:
  TrainingProfiler(RunSession& session, TrainingProfilerSettings settings);
  ~TrainingProfiler();

  void request(std::int64_t steps);         // from the next step on; ignored while a window is open
  void beforeStep(std::int64_t step);       // step: finished ones
  void afterStep(std::int64_t step);        // likewise
  std::int64_t liveWindows() const { return m_pace.count(); }
  std::optional<double> liveOverhead_percent() const; // of the time since the first step; unknown without light steps

private:
  using Clock = std::chrono::steady_clock;
  enum class Purpose { None, Requested, Live, Modules };
  Purpose due(std::int64_t step) const;
  void open(Purpose purpose, std::int64_t step);
  void close(std::int64_t step);
  void keepRequested(std::int64_t step);
  Json liveFields(std::int64_t step); // of the event that tells of a light step
  void keepLive(std::int64_t step, double steps_s);
  double elapsed_s() const; // since the start's first step
  std::filesystem::path modulesFile() const;
  void giveUp(const std::string& why);

  RunSession& m_session;
  TrainingProfilerSettings m_settings;
  std::unique_ptr<KinetoWindow> m_window;
  Purpose m_purpose = Purpose::None;
  std::int64_t m_first = 0, m_last = 0, m_requested = 0, m_started = 0; // steps; m_started: of this start
  bool m_modulesKnown = false;
  Clock::time_point m_begin = Clock::now(), m_opening, m_opened;
  LivePace m_pace;
};

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// A job of kind bench: modes measured in turn. Each mode comes up several times, in an order that is reversed every time, so that
// clocks which drift favour none; a turn holds one mode's network alone, so that its memory is its own. What a mode reaches goes
// into bench events, the table made of them into summary.json.
#include "app/worker/bench_mode.h"
#include "app/worker/jobs.h"
#include "app/worker/log.h"
#include "app/worker/memory_words.h"
#include "core/analysis/bench_table.h"
#include "core/analysis/run_history.h"
#include "core/base/failure.h"
#include "core/base/text.h"
#include "core/protocol/control_point.h"
#include "core/protocol/progress.h"
#include <algorithm>

namespace voxlab {
namespace {
class BenchJob {
public:
  explicit BenchJob(JobContext& context)
      : m_session(context.session), m_spec(context.spec), m_setting(context.spec, context.engine), m_control(m_session, {}),
        m_steps(m_spec.get<int>("bench.steps", 10)), m_turns(std::clamp(m_spec.get<int>("bench.turns", 3), 1, m_steps)) {
    for (const std::string& what : m_spec.get<std::vector<std::string>>("bench.what"))
      for (const std::string& mode : m_spec.get<std::vector<std::string>>("bench.modes"))
        m_modes.emplace_back(m_setting, mode, what);
  }

  JobOutcome work() {
    m_session.emitState("running");
    measureReferences();
    Progress progress(m_session, "turns", static_cast<std::int64_t>(m_modes.size()) * m_turns);
    std::int64_t done = 0;
    for (int turn = 0; turn < m_turns; ++turn)
      for (std::size_t i = 0; i < m_modes.size(); ++i) {
        progress.tell(done++);
        if (lookUp())
          take(m_modes[turn % 2 == 0 ? i : m_modes.size() - 1 - i], turn);
        if (m_session.stopRequested())
          return outcome(ExitCode::Stopped);
      }
    progress.tell(done);
    for (BenchMode& mode : m_modes)
      if (m_spec.get<bool>("bench.trace"))
        tell(mode, mode.traced());
    return outcome(ExitCode::Finished);
  }

private:
  bool lookUp() {
    do
      m_control.poll("running");
    while (m_control.paused());
    return !m_control.stopRequested();
  }

  void tell(const BenchMode& mode, Json fields) {
    if (fields.empty())
      return;
    Json event{{"mode", mode.name()}, {"what", mode.what()}};
    event.update(fields);
    m_session.emit(event::kBench, std::move(event));
  }

  void take(BenchMode& mode, int turn) {
    if (!mode.usable()) {
      if (turn == 0)
        tellFailure(mode);
      return;
    }
    const int steps = m_steps * (turn + 1) / m_turns - m_steps * turn / m_turns;
    const TurnResult result = mode.turn(steps, [this] { return m_session.stopRequested(); });
    for (const StepTime& step : result.steps) {
      Json fields{{"turn", turn + 1}, {"repetition", mode.nextRepetition()}, {"duration_ms", step.wall_ms}};
      if (step.device_ms)
        fields["device_ms"] = *step.device_ms;
      tell(mode, std::move(fields));
    }
    tell(mode, result.figures);
    tell(mode, mode.comparison(referenceFor(mode))); // also for those who read a run that was killed
    m_session.emit(event::kMemory, m_setting.engine.memory());
    if (!mode.usable())
      tellFailure(mode);
    valueOrThrow(m_session.writeStatus());
  }

  void tellFailure(const BenchMode& mode) {
    std::string reason = mode.problem()->message;
    if (const std::string words = mode.problem()->code == ExitCode::OutOfMemory ? howToFit(m_spec, mode.name()) : ""; !words.empty())
      reason += " " + words;
    log::warning(mode.name() + ", " + mode.what() + ": " + reason);
    tell(mode, {{"unavailable", reason}});
  }

  // Baseline's first result for the same kind of step, undefined when it cannot be had: measured before the modes, so that each can be
  // compared at once, by Baseline's own turn if that comes first anyway.
  void measureReferences() {
    for (BenchMode& mode : m_modes)
      if (mode.usable() && !m_references.contains(mode.what()) && lookUp())
        m_references[mode.what()] = mode.name() == "baseline" ? at::Tensor() : BenchMode(m_setting, "baseline", mode.what()).measureFirstResult();
  }
  at::Tensor referenceFor(const BenchMode& mode) {
    const auto it = m_references.find(mode.what());
    if (it == m_references.end())
      return {};
    if (!it->second.defined() && mode.name() == "baseline")
      it->second = mode.firstResult();
    return it->second;
  }

  JobOutcome outcome(ExitCode code) {
    const auto rows = benchRows(valueOrThrow(readRunState(m_session.run())));
    Json summary{{"rows", Json::array()}, {"switches", Json::object()}};
    for (const BenchRow& row : rows)
      summary["rows"].push_back(toJson(row));
    for (const BenchMode& mode : m_modes)
      if (!mode.switches().is_null())
        summary["switches"][mode.name()] = mode.switches();
    const auto measured = std::count_if(rows.begin(), rows.end(), [](const BenchRow& row) { return row.measured(); });
    if (code == ExitCode::Finished && measured == 0 && !m_modes.empty())
      return {m_modes.front().problem()->code, "No mode could be measured. " + m_modes.front().problem()->message, summary};
    const std::string words = formatCount(measured) + " of " + formatCount(static_cast<std::int64_t>(m_modes.size())) + " rows.";
    return {code, (code == ExitCode::Stopped ? "Stopped after " : "Measured ") + words, summary};
  }

  RunSession& m_session;
  const JobSpec& m_spec;
  BenchSetting m_setting;
  ControlPoint m_control;
  int m_steps, m_turns;
  std::vector<BenchMode> m_modes;
  std::map<std::string, at::Tensor> m_references;
};
} // namespace

JobOutcome bench(JobContext& context) {
  return BenchJob(context).work();
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// When a training may afford its next light recording: as often as a share of the run's time allows, or every so many steps.
#pragma once
#include <cstdint>

namespace voxlab {

// The rule: a recording may begin when the last one's cost is kShare of the time since, and all that recordings have cost, with
// another as dear as the last, is kShare of the run's time. So the cost can exceed kShare only by what a recording costs more than the
// one before it; and none begins before kFirstCost_s / kShare (50 s), when 1 % of the time is twice the cost that is expected. On an
// H200 the first cost 0.1 s (opt1 at 128³), those after it 0.03 to 0.09 s.
class LivePace {
public:
  static constexpr double kShare = 0.005;
  static constexpr double kFirstCost_s = 0.25; // expected of the first, which sets the profiler up
  static constexpr std::int64_t kSettling = 10; // steps of a start before anything is judged by them

  explicit LivePace(std::int64_t everySteps) : m_every(everySteps) {} // 0: as the cost allows

  void begin(std::int64_t step) { m_first = m_last = step; } // finished steps when this start began
  bool isDue(std::int64_t step, double elapsed_s) const;     // elapsed_s: of this start, from its first step on
  void recorded(std::int64_t step, double elapsed_s, double cost_s); // step: finished ones when it began
  void charge(double cost_s) { m_cost_s += cost_s; } // of something else that light recordings need

  std::int64_t count() const { return m_count; }
  double lastCost_s() const { return m_lastCost_s; }
  // Steps from one recording to the next that such a cost allows; the given number where one was given.
  std::int64_t everySteps(double step_s) const;
  double overhead_percent(double elapsed_s) const;

private:
  std::int64_t m_every, m_first = 0, m_last = 0, m_count = 0;
  double m_cost_s = 0, m_lastCost_s = kFirstCost_s, m_lastElapsed_s = 0;
};

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/profiling/live_pace.h"
#include <algorithm>
#include <cmath>

namespace voxlab {

bool LivePace::isDue(std::int64_t step, double elapsed_s) const {
  if (step - m_first < kSettling)
    return false;
  if (m_every > 0)
    return step - m_last >= m_every;
  return m_lastCost_s <= kShare * (elapsed_s - m_lastElapsed_s) && m_cost_s + m_lastCost_s <= kShare * elapsed_s;
}

void LivePace::recorded(std::int64_t step, double elapsed_s, double cost_s) {
  m_lastCost_s = std::max(0.0, cost_s);
  m_cost_s += m_lastCost_s;
  m_last = step;
  m_lastElapsed_s = elapsed_s;
  ++m_count;
}

std::int64_t LivePace::everySteps(double step_s) const {
  if (m_every > 0 || !(step_s > 0))
    return std::max<std::int64_t>(1, m_every);
  return std::max<std::int64_t>(1, std::llround(std::ceil(m_lastCost_s / kShare / step_s)));
}

double LivePace::overhead_percent(double elapsed_s) const {
  return elapsed_s > 0 ? 100 * m_cost_s / elapsed_s : 0;
}

} // namespace voxlab

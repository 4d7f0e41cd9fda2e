// SPDX-License-Identifier: GPL-3.0-or-later
// A smoothed curve that grows beside its raw one: each new point costs one step of the moving average, not a pass over
// everything.
#pragma once
#include "core/analysis/series.h"

namespace voxlab {

class LiveSeries {
public:
  explicit LiveSeries(double weight) : m_weight(weight) {}

  // Takes over what `raw` has gained since the last call; starts anew when it lost points (a run resumed from an earlier
  // step) or became another series.
  void follow(const Series& raw);
  void setWeight(double weight); // in [0, 1); the next follow() starts anew
  double weight() const { return m_weight; }
  const Series& smoothed() const { return m_smoothed; }

private:
  void restart();

  double m_weight;
  double m_average = 0, m_correction = 1; // m and wⁿ of Series::smoothed
  std::size_t m_taken = 0;
  double m_firstX = 0, m_lastX = 0, m_lastY = 0;
  Series m_smoothed;
};

} // namespace voxlab

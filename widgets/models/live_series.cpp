// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/live_series.h"
#include <bit>
#include <cmath>
#include <cstdint>

namespace voxlab {
namespace {
bool sameBits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); } // NaN too
} // namespace

void LiveSeries::restart() {
  m_average = 0;
  m_correction = 1;
  m_taken = 0;
  m_smoothed = Series();
}

void LiveSeries::setWeight(double weight) {
  m_weight = weight;
  restart();
}

void LiveSeries::follow(const Series& raw) {
  const bool continues = m_taken == 0 || (raw.size() >= m_taken && sameBits(raw.x().front(), m_firstX) &&
                                          sameBits(raw.x()[m_taken - 1], m_lastX) && sameBits(raw.y()[m_taken - 1], m_lastY));
  if (!continues)
    restart();
  for (; m_taken < raw.size(); ++m_taken) {
    const double y = raw.y()[m_taken];
    if (!std::isfinite(y)) {
      m_smoothed.append(raw.x()[m_taken], std::nullopt);
      continue;
    }
    m_average = m_weight * m_average + (1 - m_weight) * y;
    m_correction *= m_weight;
    m_smoothed.append(raw.x()[m_taken], m_average / (1 - m_correction));
  }
  if (m_taken == 0)
    return;
  m_firstX = raw.x().front();
  m_lastX = raw.x()[m_taken - 1];
  m_lastY = raw.y()[m_taken - 1];
}

} // namespace voxlab

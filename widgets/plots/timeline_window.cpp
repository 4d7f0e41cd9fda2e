// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/timeline_window.h"
#include "core/base/text.h"
#include <algorithm>
#include <cmath>

namespace voxlab {

QString spanText(std::int64_t length_ns) {
  return length_ns == 0 ? QStringLiteral("0") : QString::fromStdString(formatQuantity(static_cast<double>(length_ns) / 1e9, "s"));
}

void TimelineWindow::setExtent(std::int64_t first_ns, std::int64_t last_ns) {
  m_extentFirst = m_first = first_ns;
  m_extentLast = m_last = std::max(last_ns, first_ns + 1);
}

double TimelineWindow::x(std::int64_t time_ns) const { return static_cast<double>(time_ns - m_first) / static_cast<double>(length_ns()) * m_width; }

std::int64_t TimelineWindow::timeAt(double x) const { return m_first + std::llround(x / m_width * static_cast<double>(length_ns())); }

void TimelineWindow::show(std::int64_t first_ns, std::int64_t last_ns) {
  const std::int64_t extent = m_extentLast - m_extentFirst;
  const std::int64_t length = std::clamp(last_ns - first_ns, std::min(kShortest, extent), extent);
  const std::int64_t middle = first_ns + (last_ns - first_ns) / 2;
  m_first = std::clamp(middle - length / 2, m_extentFirst, m_extentLast - length);
  m_last = m_first + length;
}

void TimelineWindow::zoom(double factor, double x) {
  const std::int64_t extent = m_extentLast - m_extentFirst;
  const double wanted = static_cast<double>(length_ns()) * factor;
  const auto length = std::clamp<std::int64_t>(std::llround(std::min(wanted, 9e18)), std::min(kShortest, extent), extent);
  const std::int64_t fixed = timeAt(x);
  const std::int64_t first = fixed - std::llround(x / m_width * static_cast<double>(length));
  m_first = std::clamp(first, m_extentFirst, m_extentLast - length);
  m_last = m_first + length;
}

void TimelineWindow::move(double pixels) {
  const std::int64_t length = length_ns();
  m_first = std::clamp<std::int64_t>(m_first + std::llround(pixels / m_width * static_cast<double>(length)), m_extentFirst, m_extentLast - length);
  m_last = m_first + length;
}

std::vector<TimelineWindow::Tick> TimelineWindow::ticks(double leastDistance_px) const {
  const double least_ns = leastDistance_px / m_width * static_cast<double>(length_ns());
  const double decade = std::pow(10.0, std::floor(std::log10(std::max(least_ns, 1.0))));
  double step = decade;
  for (const double factor : {1.0, 2.0, 5.0, 10.0})
    if (step = decade * factor; step >= least_ns)
      break;
  const auto step_ns = std::max<std::int64_t>(1, std::llround(step));
  // All ticks in one unit, with as many decimals as the step needs.
  const auto last = static_cast<double>(m_last - m_extentFirst);
  const double unit = last >= 1e9 && step >= 1e7 ? 1e9 : last >= 1e6 && step >= 1e2 ? 1e6 : last >= 1e3 ? 1e3 : 1;
  const QString name = unit == 1e9 ? QStringLiteral("s") : unit == 1e6 ? QStringLiteral("ms") : unit == 1e3 ? QStringLiteral("µs") : QStringLiteral("ns");
  const int decimals = std::max(0, static_cast<int>(std::ceil(std::log10(unit / step) - 1e-9)));
  std::vector<Tick> ticks;
  for (std::int64_t at = (m_first - m_extentFirst + step_ns - 1) / step_ns * step_ns; at + m_extentFirst <= m_last; at += step_ns)
    ticks.push_back({at + m_extentFirst, QStringLiteral("%1 %2").arg(static_cast<double>(at) / unit, 0, 'f', decimals).arg(name)});
  return ticks;
}

} // namespace voxlab

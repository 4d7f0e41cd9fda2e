// SPDX-License-Identifier: GPL-3.0-or-later
// The stretch of a time line that is in sight: zoomed and moved within what there is.
#pragma once
#include <QString>
#include <cstdint>
#include <vector>

namespace voxlab {

class TimelineWindow {
public:
  void setExtent(std::int64_t first_ns, std::int64_t last_ns); // all there is; shows all of it
  void setWidth(double pixels) { m_width = pixels > 1 ? pixels : 1; }
  std::int64_t first_ns() const { return m_first; }
  std::int64_t last_ns() const { return m_last; }
  std::int64_t length_ns() const { return m_last - m_first; }
  std::int64_t extentFirst_ns() const { return m_extentFirst; }
  std::int64_t extentLast_ns() const { return m_extentLast; }
  bool showsAll() const { return m_first == m_extentFirst && m_last == m_extentLast; }

  double x(std::int64_t time_ns) const; // pixels from the left edge of the view
  std::int64_t timeAt(double x) const;
  void show(std::int64_t first_ns, std::int64_t last_ns); // no shorter than kShortest, no longer than everything
  void showAll() { show(m_extentFirst, m_extentLast); }
  void zoom(double factor, double x);    // factor below 1: closer; what is at x stays there
  void move(double pixels);              // positive: to later times

  struct Tick {
    std::int64_t time_ns;
    QString text; // time since the extent's beginning
  };
  std::vector<Tick> ticks(double leastDistance_px) const;

  static constexpr std::int64_t kShortest = 500; // ns

private:
  std::int64_t m_extentFirst = 0, m_extentLast = 1, m_first = 0, m_last = 1;
  double m_width = 1;
};

// "12.3 ms", "4.56 µs": a length of time as time lines write it.
QString spanText(std::int64_t length_ns);

} // namespace voxlab

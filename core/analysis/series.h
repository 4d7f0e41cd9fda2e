// SPDX-License-Identifier: Apache-2.0
// A measured quantity over an axis (steps or seconds): append-only, with gaps where nothing is known, thinned and
// smoothed for drawing.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace voxlab {

class Series {
public:
  // Unknown is stored as NaN and drawn as a gap; so are infinities and NaN, which no axis can show. The axis never goes
  // back: a smaller x is refused (false), an equal x replaces the last value.
  bool append(double x, std::optional<double> y);
  // Forgets every point with a larger x.
  void dropAfter(double x);

  bool empty() const { return m_x.empty(); }
  std::size_t size() const { return m_x.size(); }
  std::span<const double> x() const { return m_x; }
  std::span<const double> y() const { return m_y; }       // NaN: unknown
  std::optional<double> last() const;                     // newest known value
  std::optional<double> largest() const;                  // of the known ones
  std::optional<double> median(std::size_t newest) const; // of the known ones among the newest points

  // At most maximumPoints (at least 4) points that show the same extremes: in each slice of the x range its smallest and largest
  // value, in order, and a gap where a slice begins or ends with one. All points if there are few enough.
  Series thinned(std::size_t maximumPoints) const;
  // The points with first ≤ x ≤ last, and one neighbour on each side, so that a line reaches the edge of the view.
  Series between(double first, double last) const;
  // Exponential moving average with the start-up bias divided out (Kingma & Ba 2015, section 3): m ← w·m + (1-w)·y,
  // shown as m / (1 - wⁿ). Gaps stay gaps and leave the average as it is. Weight in [0, 1).
  Series smoothed(double weight) const;

private:
  std::vector<double> m_x, m_y;
};

} // namespace voxlab

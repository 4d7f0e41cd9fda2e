// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/slice_spacing.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace voxlab {
namespace {
constexpr double kTolerated = 0.05; // of a step

std::vector<double> gapsBetween(const std::vector<double>& positions_mm) {
  std::vector<double> gaps;
  for (std::size_t k = 1; k < positions_mm.size(); ++k)
    gaps.push_back(positions_mm[k] - positions_mm[k - 1]);
  return gaps;
}

// The lower of the two in the middle: where a gap is a multiple of the other, the slices are missing from it.
double medianOf(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Empty where the gaps are no multiples, or where so many slices would be missing that the series was rather made unevenly.
std::vector<std::size_t> wholeSteps(const std::vector<double>& gaps) {
  const double usual = medianOf(gaps);
  const double most = std::max(1.0, static_cast<double>(gaps.size() + 1) / 4);
  double missing = 0;
  std::vector<std::size_t> steps;
  for (const double gap : gaps) {
    const double whole = std::round(gap / usual);
    missing += whole - 1;
    if (whole < 1 || missing > most || std::abs(gap - whole * usual) > kTolerated * usual)
      return {};
    steps.push_back(static_cast<std::size_t>(whole));
  }
  return steps;
}
} // namespace

std::size_t SliceSpacing::slices() const { return std::accumulate(steps.begin(), steps.end(), std::size_t{1}); }

SliceSpacing spacingOfSlices(const std::vector<double>& positions_mm) {
  SliceSpacing out;
  if (positions_mm.size() < 2)
    return out;
  const std::vector<double> gaps = gapsBetween(positions_mm);
  out.steps = wholeSteps(gaps);
  if (out.steps.empty())
    out.steps.assign(gaps.size(), 1);
  out.step_mm = (positions_mm.back() - positions_mm.front()) / static_cast<double>(out.slices() - 1);
  double place_mm = positions_mm.front();
  for (std::size_t k = 0; k < gaps.size(); ++k) {
    const double expected_mm = static_cast<double>(out.steps[k]) * out.step_mm;
    place_mm += expected_mm;
    out.off_mm = std::max(out.off_mm, std::abs(positions_mm[k + 1] - place_mm));
    out.isEven = out.isEven && std::abs(gaps[k] - expected_mm) <= kTolerated * out.step_mm;
  }
  return out;
}

} // namespace voxlab

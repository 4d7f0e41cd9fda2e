// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/experiment_report.h"
#include <algorithm>

namespace voxlab {
namespace {
const QualityMeasure* measureOf(const VolumePoint& point, const std::string& name) {
  const auto it = std::find_if(point.quality.begin(), point.quality.end(), [&](const QualityMeasure& m) { return m.name == name && m.value; });
  return it == point.quality.end() ? nullptr : &*it;
}

void markFront(QualityFront& front) {
  std::optional<double> best;
  for (auto& entry : front.entries) { // by time: on the front is who is better than all that are faster
    const double value = front.higherIsBetter ? entry.value : -entry.value;
    entry.onFront = !best || value > *best;
    best = std::max(best.value_or(value), value);
  }
}
} // namespace

std::vector<std::pair<std::string, std::string>> qualityMeasures(const std::vector<VolumePoint>& points) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const VolumePoint& point : points)
    for (const QualityMeasure& m : point.quality)
      if (m.value && !m.direction.empty() && std::none_of(list.begin(), list.end(), [&](const auto& known) { return known.first == m.name; }))
        list.emplace_back(m.name, m.title);
  return list;
}

std::optional<QualityFront> qualityFront(const std::vector<VolumePoint>& points, const std::string& measure) {
  QualityFront front;
  front.measure = measure;
  std::vector<std::size_t> usable;
  for (std::size_t n = 0; n < points.size(); ++n)
    if (measureOf(points[n], measure) && (!points[n].volume_ms.empty() || points[n].timeAtFullSize_ms()))
      usable.push_back(n);
  if (usable.empty())
    return std::nullopt;
  const bool full = std::all_of(usable.begin(), usable.end(), [&](std::size_t n) { return points[n].timeAtFullSize_ms().has_value(); });
  for (const std::size_t n : usable) {
    const VolumePoint& point = points[n];
    const QualityMeasure& m = *measureOf(point, measure);
    front.title = m.title + (m.unit.empty() ? "" : ", " + m.unit);
    front.higherIsBetter = m.direction == "higher";
    if (!full && point.volume_ms.empty())
      continue;
    front.entries.push_back({n, full ? *point.timeAtFullSize_ms() : spreadOf(point.volume_ms).median, *m.value, false, full && point.size != point.stepSize});
  }
  std::stable_sort(front.entries.begin(), front.entries.end(), [](const auto& a, const auto& b) { return a.time_ms < b.time_ms; });
  markFront(front);
  return front;
}

} // namespace voxlab

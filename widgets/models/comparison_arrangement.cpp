// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/comparison_arrangement.h"
#include "core/analysis/comparison_dress.h"
#include <algorithm>
#include <array>
#include <map>

namespace voxlab {
namespace {
constexpr std::array<std::string_view, 4> kWallClocks{"duration_ms", "wall_ms", "volume_ms", "full_volume_ms"};
constexpr std::array<std::string_view, 16> kFirst{"duration_ms",       "wall_ms",           "volume_ms",        "full_volume_ms", "volumes_per_s",    "energy_j",   "power_w",
                                                  "flops_per_s",       "bound_percent",     "peak_allocated_bytes", "peak_reserved_bytes", "gpu_memory_bytes", "output_difference", "device_ms",
                                                  "kernel_ms",         "launches"};

std::size_t rankOf(const std::string& measure) { return static_cast<std::size_t>(std::find(kFirst.begin(), kFirst.end(), measure) - kFirst.begin()); }

} // namespace

std::vector<std::string> devicesOf(const std::vector<ComparedRun>& sides) {
  std::vector<std::string> devices;
  for (const ComparedRun& side : sides)
    if (!side.device.empty() && std::find(devices.begin(), devices.end(), side.device) == devices.end())
      devices.push_back(side.device);
  return devices;
}

std::vector<ComparedRun> eachModeOnce(const std::vector<ComparedRun>& sides, const std::string& baselineMode) {
  std::map<std::string, std::pair<int, int>> worth; // of runs: profiled sides, sides
  for (const ComparedRun& side : sides) {
    worth[side.source].first += side.profiled() ? 1 : 0;
    worth[side.source].second += 1;
  }
  std::vector<std::size_t> once;
  for (std::size_t n = 0; n < sides.size(); ++n) {
    const auto twin = std::find_if(once.begin(), once.end(), [&](std::size_t other) { return plainSideKey(sides[other]) == plainSideKey(sides[n]); });
    if (twin == once.end())
      once.push_back(n);
    else if (worth[sides[n].source] > worth[sides[*twin].source])
      *twin = n;
  }
  std::vector<ComparedRun> kept;
  for (std::size_t n = 0; n < sides.size(); ++n) {
    const auto isNeeded = [&](std::size_t other) { return isOwnBaseline(sides[n], sides[other], baselineMode); };
    if (std::find(once.begin(), once.end(), n) != once.end() || std::any_of(once.begin(), once.end(), isNeeded))
      kept.push_back(sides[n]);
  }
  return kept;
}

void orderMeasures(RunComparison& comparison) {
  std::stable_sort(comparison.measures.begin(), comparison.measures.end(), [](const NormalisedMeasure& a, const NormalisedMeasure& b) { return rankOf(a.name) < rankOf(b.name); });
}

bool isWallClock(const std::string& measure) { return std::find(kWallClocks.begin(), kWallClocks.end(), measure) != kWallClocks.end(); }

bool needsWallClock(const std::string& measure) { return measure.find("cycles") != std::string::npos || measure.find("instructions") != std::string::npos || measure == "ipc"; }

const NormalisedMeasure* wallClock(const RunComparison& comparison) {
  for (const std::string_view name : kWallClocks)
    for (const NormalisedMeasure& measure : comparison.measures)
      if (measure.name == name)
        return &measure;
  return nullptr;
}

std::optional<std::size_t> fastestSide(const RunComparison& comparison) {
  const NormalisedMeasure* time = wallClock(comparison);
  std::optional<std::size_t> best;
  for (std::size_t n = 0; time && n < comparison.runs.size(); ++n)
    if (time->normalised[n] && *time->normalised[n] < 1 && (!best || *time->normalised[n] < *time->normalised[*best]))
      best = n;
  return best;
}

} // namespace voxlab

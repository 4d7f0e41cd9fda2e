// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/intensity.h"
#include <algorithm>
#include <cmath>

namespace voxlab {

IntensitySummary summarise(std::span<const float> voxels) {
  IntensitySummary out;
  double sum = 0;
  for (const float v : voxels) {
    if (!std::isfinite(v)) {
      ++out.nonFinite;
      continue;
    }
    out.minimum = out.finite == 0 ? v : std::min<double>(out.minimum, v);
    out.maximum = out.finite == 0 ? v : std::max<double>(out.maximum, v);
    sum += v;
    ++out.finite;
  }
  if (out.finite > 0)
    out.mean = sum / static_cast<double>(out.finite);
  return out;
}

std::vector<double> percentiles(std::span<const float> voxels, std::span<const double> percentages) {
  constexpr std::size_t kMost = std::size_t{1} << 24;
  const std::size_t step = voxels.size() / (kMost + 1) + 1;
  std::vector<float> values;
  values.reserve(voxels.size() / step + 1);
  for (std::size_t n = 0; n < voxels.size(); n += step)
    if (std::isfinite(voxels[n]))
      values.push_back(voxels[n]);
  std::vector<double> out(percentages.size(), 0.0);
  if (values.empty())
    return out;
  for (std::size_t p = 0; p < percentages.size(); ++p) {
    const double at = std::clamp(percentages[p], 0.0, 100.0) / 100 * static_cast<double>(values.size() - 1);
    const auto low = values.begin() + static_cast<std::ptrdiff_t>(at);
    std::nth_element(values.begin(), low, values.end());
    const double weight = at - std::floor(at);
    const double next = weight > 0 ? *std::min_element(low + 1, values.end()) : *low;
    out[p] = *low + weight * (next - *low);
  }
  return out;
}

} // namespace voxlab

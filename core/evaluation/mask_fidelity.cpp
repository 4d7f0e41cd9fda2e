// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/mask_fidelity.h"
#include "core/imaging/quality.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace voxlab {
namespace {
constexpr std::size_t kMostLabels = 8; // intensities cannot tell more regions apart

std::int64_t labelAt(float value) {
  return static_cast<std::int64_t>(std::nearbyint(value));
}

std::map<std::int64_t, std::uint64_t> labelsOf(std::span<const float> mask) {
  std::map<std::int64_t, std::uint64_t> counts;
  for (const float value : mask)
    if (std::isfinite(value) && labelAt(value) != 0)
      ++counts[labelAt(value)];
  return counts;
}

struct Mean {
  double sum = 0;
  std::uint64_t count = 0;
  void add(float value) {
    sum += value;
    ++count;
  }
  double value() const { return sum / static_cast<double>(count); }
};

std::optional<double> labelByIntensity(std::span<const float> voxels, std::span<const float> mask, std::int64_t label, bool onlyLabel) {
  const auto counts = [&](std::size_t n) { return onlyLabel || labelAt(mask[n]) != 0; };
  Mean inside, outside;
  for (std::size_t n = 0; n < voxels.size(); ++n)
    if (counts(n))
      (labelAt(mask[n]) == label ? inside : outside).add(voxels[n]);
  if (inside.count == 0 || outside.count == 0)
    return std::nullopt;
  const double middle = (inside.value() + outside.value()) / 2;
  const bool brighter = inside.value() > outside.value();
  std::uint64_t found = 0, both = 0;
  for (std::size_t n = 0; n < voxels.size(); ++n) {
    if (!counts(n) || (voxels[n] > middle) != brighter || voxels[n] == middle)
      continue;
    ++found;
    both += labelAt(mask[n]) == label;
  }
  return 2 * static_cast<double>(both) / static_cast<double>(found + inside.count);
}
} // namespace

std::optional<double> otsuThreshold(std::span<const float> voxels) {
  if (voxels.empty())
    return std::nullopt;
  const auto [lowest, highest] = std::minmax_element(voxels.begin(), voxels.end());
  const double low = *lowest, width = (static_cast<double>(*highest) - low) / 256;
  if (!(width > 0))
    return std::nullopt;
  std::array<double, 256> counts{};
  for (const float voxel : voxels)
    counts[static_cast<std::size_t>(std::clamp((voxel - low) / width, 0.0, 255.0))] += 1;
  double total = 0, totalSum = 0;
  for (std::size_t n = 0; n < counts.size(); ++n) {
    total += counts[n];
    totalSum += counts[n] * static_cast<double>(n);
  }
  double below = 0, belowSum = 0, best = -1;
  std::size_t first = 0, last = 0; // bins after which the variance between the classes is largest
  for (std::size_t n = 0; n + 1 < counts.size(); ++n) {
    below += counts[n];
    belowSum += counts[n] * static_cast<double>(n);
    if (below == 0 || below == total)
      continue;
    const double difference = belowSum / below - (totalSum - belowSum) / (total - below);
    const double variance = below * (total - below) * difference * difference;
    if (variance > best) {
      best = variance;
      first = last = n;
    } else if (variance == best) {
      last = n;
    }
  }
  return low + width * (static_cast<double>(first + last) / 2 + 1);
}

std::optional<double> MaskFidelity::meanOfLabels() const {
  if (labels.empty())
    return std::nullopt;
  double sum = 0;
  for (const auto& [label, dice] : labels)
    sum += dice;
  return sum / static_cast<double>(labels.size());
}

MaskFidelity fidelityByIntensity(std::span<const float> voxels, std::span<const float> mask) {
  MaskFidelity out;
  const auto labels = labelsOf(mask);
  if (const auto threshold = otsuThreshold(voxels); threshold && !labels.empty()) {
    std::vector<float> found(voxels.size()), wanted(voxels.size());
    for (std::size_t n = 0; n < voxels.size(); ++n) {
      found[n] = voxels[n] > *threshold;
      wanted[n] = labelAt(mask[n]) != 0;
    }
    out.foreground = dice(found, wanted, 1);
  }
  if (labels.size() > kMostLabels)
    return out;
  for (const auto& [label, count] : labels)
    if (const auto value = labelByIntensity(voxels, mask, label, labels.size() == 1))
      out.labels[label] = *value;
  return out;
}

MaskFidelity fidelityOfSegmentation(std::span<const float> segmentation, std::span<const float> mask) {
  MaskFidelity out;
  std::vector<float> found(segmentation.size()), wanted(mask.size());
  for (std::size_t n = 0; n < mask.size(); ++n) {
    found[n] = labelAt(segmentation[n]) != 0;
    wanted[n] = labelAt(mask[n]) != 0;
  }
  out.foreground = dice(found, wanted, 1);
  for (const auto& [label, count] : labelsOf(mask))
    out.labels[label] = dice(segmentation, mask, label).value_or(0);
  return out;
}

} // namespace voxlab

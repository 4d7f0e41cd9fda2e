// SPDX-License-Identifier: Apache-2.0
#include "packaging/demo_data/head_mask.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {

// One 2D slice of a volume: where it starts and how to step through it.
struct Slice {
  std::int64_t start, stepA, stepB, sizeA, sizeB;
  std::size_t at(std::int64_t a, std::int64_t b) const { return static_cast<std::size_t>(start + a * stepA + b * stepB); }
};

// Marks the slice's background that reaches its border, and fills the rest.
void fillSlice(VoxelMask& mask, const Slice& s) {
  std::vector<std::uint8_t> outside(static_cast<std::size_t>(s.sizeA * s.sizeB), 0);
  std::vector<std::pair<std::int64_t, std::int64_t>> open;
  const auto visit = [&](std::int64_t a, std::int64_t b) {
    if (a < 0 || b < 0 || a >= s.sizeA || b >= s.sizeB)
      return;
    auto& seen = outside[static_cast<std::size_t>(a + b * s.sizeA)];
    if (seen || mask[s.at(a, b)])
      return;
    seen = 1;
    open.emplace_back(a, b);
  };
  for (std::int64_t a = 0; a < s.sizeA; ++a)
    visit(a, 0), visit(a, s.sizeB - 1);
  for (std::int64_t b = 0; b < s.sizeB; ++b)
    visit(0, b), visit(s.sizeA - 1, b);
  while (!open.empty()) {
    const auto [a, b] = open.back();
    open.pop_back();
    visit(a - 1, b), visit(a + 1, b), visit(a, b - 1), visit(a, b + 1);
  }
  for (std::int64_t b = 0; b < s.sizeB; ++b)
    for (std::int64_t a = 0; a < s.sizeA; ++a)
      if (!outside[static_cast<std::size_t>(a + b * s.sizeA)])
        mask[s.at(a, b)] = 1;
}

} // namespace

float otsuThreshold(const std::vector<float>& voxels) {
  if (voxels.empty())
    return 0;
  const auto [low, high] = std::minmax_element(voxels.begin(), voxels.end());
  constexpr int kBins = 256;
  const double width = (static_cast<double>(*high) - *low) / kBins;
  if (!(width > 0))
    return *low;
  std::array<double, kBins> histogram{};
  double total = 0;
  for (const float v : voxels) {
    const int bin = std::min(kBins - 1, static_cast<int>((v - *low) / width));
    ++histogram[static_cast<std::size_t>(bin)];
    total += bin;
  }
  const double count = static_cast<double>(voxels.size());
  double below = 0, sumBelow = 0, best = -1;
  int threshold = 0;
  for (int bin = 0; bin < kBins - 1; ++bin) {
    below += histogram[static_cast<std::size_t>(bin)];
    sumBelow += bin * histogram[static_cast<std::size_t>(bin)];
    if (below == 0 || below == count)
      continue;
    const double difference = sumBelow / below - (total - sumBelow) / (count - below);
    const double between = below * (count - below) * difference * difference;
    if (between > best) {
      best = between;
      threshold = bin;
    }
  }
  return static_cast<float>(*low + (threshold + 1) * width);
}

VoxelMask largestComponent(const VoxelMask& mask, const std::array<std::int64_t, 3>& size) {
  std::vector<std::uint32_t> label(mask.size(), 0);
  std::vector<std::int64_t> open;
  std::uint32_t labels = 0, best = 0;
  std::size_t bestCount = 0;
  const std::int64_t stepK = size[0] * size[1];
  const auto visit = [&](std::int64_t at) {
    const auto i = static_cast<std::size_t>(at);
    if (!mask[i] || label[i])
      return;
    label[i] = labels;
    open.push_back(at);
  };
  for (std::size_t seed = 0; seed < mask.size(); ++seed) {
    if (!mask[seed] || label[seed])
      continue;
    ++labels;
    std::size_t count = 0;
    visit(static_cast<std::int64_t>(seed));
    while (!open.empty()) {
      const std::int64_t at = open.back();
      open.pop_back();
      ++count;
      const std::int64_t i = at % size[0], j = at / size[0] % size[1], k = at / stepK;
      if (i > 0)
        visit(at - 1);
      if (i + 1 < size[0])
        visit(at + 1);
      if (j > 0)
        visit(at - size[0]);
      if (j + 1 < size[1])
        visit(at + size[0]);
      if (k > 0)
        visit(at - stepK);
      if (k + 1 < size[2])
        visit(at + stepK);
    }
    if (count > bestCount) {
      bestCount = count;
      best = labels;
    }
  }
  VoxelMask largest(mask.size(), 0);
  for (std::size_t i = 0; i < mask.size(); ++i)
    largest[i] = best != 0 && label[i] == best;
  return largest;
}

VoxelMask filledSlices(VoxelMask mask, const std::array<std::int64_t, 3>& size) {
  const std::array<std::int64_t, 3> step{1, size[0], size[0] * size[1]};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    for (std::int64_t n = 0; n < size[axis]; ++n)
      fillSlice(mask, {n * step[axis], step[a], step[b], size[a], size[b]});
  }
  return mask;
}

VoxelMask headMask(const Volume& volume) {
  const float threshold = 0.5f * otsuThreshold(volume.voxels);
  VoxelMask mask(volume.voxels.size());
  for (std::size_t i = 0; i < mask.size(); ++i)
    mask[i] = volume.voxels[i] > threshold;
  return filledSlices(largestComponent(mask, volume.grid().size), volume.grid().size);
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// Whether a volume shows what its mask asked for.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace voxlab {

// The threshold between two classes that maximises the variance between them (Otsu 1979), over 256 equal bins from the lowest to
// the highest value; the middle of the gap. nullopt for a constant volume.
std::optional<double> otsuThreshold(std::span<const float> voxels);

struct MaskFidelity {
  std::optional<double> foreground;       // Dice of voxels above Otsu's threshold and the mask's voxels that are not 0
  std::map<std::int64_t, double> labels;  // Dice of each label, see below
  std::optional<double> meanOfLabels() const;
};
// Each label by intensity alone: within the mask's foreground (the whole volume where there is but one label), voxels count as
// inside when they are closer to the mean intensity inside the label than to the mean outside of it. A label that cannot be told
// from its surroundings by intensity scores low even in real volumes: compare with the real baseline. A mask with more than
// eight labels gets the foreground's value only. Sizes must agree.
MaskFidelity fidelityByIntensity(std::span<const float> voxels, std::span<const float> mask);
// Of a segmentation that somebody else made.
MaskFidelity fidelityOfSegmentation(std::span<const float> segmentation, std::span<const float> mask);

} // namespace voxlab

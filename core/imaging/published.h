// SPDX-License-Identifier: Apache-2.0
// Steps of the published programs' data handling (tests/data/parity/ARCHITECTURE.md, sections 6 and 7) that are of use, and
// are tested, by themselves.
#pragma once
#include "core/imaging/preprocess.h"

namespace voxlab {

// --- whole head ------------------------------------------------------------------------------------------------------
// Each slice of the last axis scaled to [0, 1] by its own extremes; a constant slice becomes 0 (6.1).
std::vector<double> publishedSliceScaling(std::span<const double> voxels, const GridSize& size);

// "3_case_01.nii.gz": the k-th volume (from 1) drawn for a mask (6, export).
std::string publishedExportName(int k, const std::filesystem::path& mask);
// Writes image/<name> with the affine of the mask's grid, scaled where the sizes differ, and mask/<name>. Fails with Data.
Status exportWholeHead(const ChannelBlock& sample, const std::filesystem::path& mask, int k, const std::filesystem::path& folder);

// --- BraTS -----------------------------------------------------------------------------------------------------------
inline constexpr std::array<const char*, 4> kBratsModalities{"t1", "t1ce", "t2", "flair"}; // channel order
inline constexpr GridSize kBratsNetworkSize{192, 192, 144}, kBratsRawSize{240, 240, 155};

struct BratsCase {
  std::array<Volume, 4> images; // in the order of kBratsModalities
  Volume segmentation;
};
// Raw to preprocessed (7.1–7.3): crop or pad, each modality to [-1, 1] over the volume, label 4 → 3, brain → 4. Background
// is 0, where the published program leaves -1. Fails with Data if the five volumes do not share one grid.
Result<BratsCase> preprocessBrats(const BratsCase& raw, const GridSize& size = kBratsNetworkSize);
// A modality that does not start at -1 or exceeds 1 has not been preprocessed.
bool isRawBrats(const BratsCase& brats);
// Condition channels (0/1, one a label) and target channels of a preprocessed case.
void bratsTensors(const BratsCase& brats, std::span<const std::int64_t> labels, double background, ChannelBlock& image, ChannelBlock& condition);

// Back to the raw frame (7, export): each channel to [0, 1] over the volume, crop or zero-pad; labels 4 → 0, 1 ↔ 2, 3 kept.
BratsCase exportBrats(const ChannelBlock& sample, const Volume& segmentation, const GridSize& size = kBratsRawSize);

} // namespace voxlab

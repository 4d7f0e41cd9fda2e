// SPDX-License-Identifier: Apache-2.0
// How far two volumes on one grid are apart: voxel by voxel, and in structure.
#pragma once
#include "core/base/result.h"
#include "core/imaging/resample.h"
#include <optional>

namespace voxlab {

// Voxels that count; empty: all. Otherwise one byte a voxel, not 0 inside.
using VoxelMask = std::span<const std::uint8_t>;

struct VoxelDifference {
  std::uint64_t voxels = 0;       // that were compared: inside the mask, finite in both
  double mae = 0, rmse = 0;       // mean absolute and root mean square difference
  double largest = 0;             // absolute
  double bias = 0;                // mean of second − first
  std::optional<double> psnr_db;  // 20·log10(dataRange / rmse); nullopt (infinite) where rmse is 0
};
// Lower is better but for PSNR. Fails with Data when sizes differ or no voxel can be compared.
Result<VoxelDifference> compareVoxels(std::span<const float> first, std::span<const float> second, double dataRange, VoxelMask mask = {});

// The data range R that PSNR and SSIM of a pair take: the reference's largest minus its smallest finite voxel, over the whole
// volume; 0 where there is none. The reference is the one that is subtracted: the baseline, the first of a pair.
double referenceRange(std::span<const float> reference);
// How far the colours of a difference reach on both sides of 0: the 99.5th percentile of its absolute value over the voxels that
// compareVoxels compares, the largest where that is 0; 0 where the volumes are equal, or cannot be compared.
double differenceReach(std::span<const float> first, std::span<const float> second, VoxelMask mask = {});

// Structural similarity (Wang et al. 2004) in 3D: mean over all windows that lie wholly inside the volume, K1 = 0.01,
// K2 = 0.03. Higher is better, 1 is equal.
enum class SsimWindow {
  Unknown,
  Uniform7,   // 7×7×7 box, sample covariance (n − 1): scikit-image's default
  Gaussian11, // σ = 1.5, 11×11×11, population covariance: the paper's window; scikit-image's gaussian_weights, MONAI's default
};
const char* ssimRecipe(SsimWindow window); // the sentence that goes with a published number
// With a mask: mean over the windows whose centre lies inside. Fails with Data when sizes differ, a side is shorter than the
// window, or a voxel is not finite.
Result<double> ssim(std::span<const float> first, std::span<const float> second, const GridSize& size, double dataRange,
                    SsimWindow window = SsimWindow::Gaussian11, VoxelMask mask = {});

// Multi-scale SSIM (Wang et al. 2003) with the Gaussian window, five scales halved by 2×2×2 means, weights 0.0448, 0.2856,
// 0.3001, 0.2363, 0.1333; negative factors count as 0, as in MONAI. Every side must reach 11 after four halvings: 176 voxels;
// shorter volumes take fewer scales, whose weights are divided by their sum. Fails like ssim.
struct MultiScaleSsim {
  double value = 0;
  int scales = 0;
};
Result<MultiScaleSsim> multiScaleSsim(std::span<const float> first, std::span<const float> second, const GridSize& size, double dataRange);

// Overlap of a label in two label volumes, 2·|A∩B| / (|A| + |B|); nullopt where neither has it.
std::optional<double> dice(std::span<const float> first, std::span<const float> second, std::int64_t label);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// The windows of structural similarity, slid over a volume plane by plane, so that memory stays small. See quality.h.
#pragma once
#include "core/imaging/quality.h"

namespace voxlab {

// Separable: the same weights along each axis, their sum 1.
struct SsimKernel {
  std::vector<double> weights;
  double covarianceScale = 1; // n/(n − 1) for sample covariance
  int width() const { return static_cast<int>(weights.size()); }
};
SsimKernel ssimKernel(SsimWindow window);

struct SsimMeans {
  double ssim = 0, contrastStructure = 0;
  std::uint64_t windows = 0;
};
// Sizes must have been checked: every side at least as long as the kernel.
SsimMeans ssimMeans(std::span<const float> first, std::span<const float> second, const GridSize& size, double dataRange, const SsimKernel& kernel,
                    VoxelMask mask);

} // namespace voxlab

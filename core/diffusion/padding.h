// SPDX-License-Identifier: Apache-2.0
// Between a grid and the sizes that the network's levels need: padding all around, and cropping it off again.
#pragma once
#include <ATen/core/Tensor.h>
#include <array>

namespace voxlab {

using SpatialSize = std::array<std::int64_t, 3>; // D, H, W

SpatialSize spatialSizeOf(const at::Tensor& tensor); // the last three sizes
// (…, D, H, W) → size, which is at least as large along each axis; the odd voxel goes to the high-index side.
at::Tensor padTo(const at::Tensor& tensor, const SpatialSize& size, double value);
// The inverse: the central part of that size. A view.
at::Tensor cropTo(const at::Tensor& tensor, const SpatialSize& size);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/padding.h"
#include <ATen/ops/constant_pad_nd.h>

namespace voxlab {

SpatialSize spatialSizeOf(const at::Tensor& tensor) {
  return {tensor.size(-3), tensor.size(-2), tensor.size(-1)};
}

at::Tensor padTo(const at::Tensor& tensor, const SpatialSize& size, double value) {
  const SpatialSize have = spatialSizeOf(tensor);
  if (have == size)
    return tensor;
  std::vector<std::int64_t> amounts; // last axis first, low and high
  for (std::size_t axis : {2u, 1u, 0u}) {
    const std::int64_t missing = size[axis] - have[axis];
    TORCH_CHECK(missing >= 0, "A volume of ", have[axis], " voxels cannot be padded to ", size[axis], ".");
    amounts.push_back(missing / 2);
    amounts.push_back(missing - missing / 2);
  }
  return at::constant_pad_nd(tensor, amounts, value);
}

at::Tensor cropTo(const at::Tensor& tensor, const SpatialSize& size) {
  at::Tensor part = tensor;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const std::int64_t surplus = tensor.size(axis - 3) - size[a];
    TORCH_CHECK(surplus >= 0, "A volume of ", tensor.size(axis - 3), " voxels cannot be cropped to ", size[a], ".");
    part = part.narrow(axis - 3, surplus / 2, size[a]);
  }
  return part;
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/augmentation.h"
#include <ATen/ops/flip.h>
#include <ATen/ops/full_like.h>

namespace voxlab {
namespace {
// The tensor moved by `by` voxels along the axis.
at::Tensor shifted(const at::Tensor& tensor, int axis, std::int64_t by, double fill) {
  const std::int64_t length = tensor.size(axis), kept = length - std::abs(by);
  if (by == 0)
    return tensor;
  at::Tensor moved = at::full_like(tensor, fill);
  if (kept > 0)
    moved.narrow(axis, std::max<std::int64_t>(by, 0), kept).copy_(tensor.narrow(axis, std::max<std::int64_t>(-by, 0), kept));
  return moved;
}

at::Tensor moved(at::Tensor tensor, const DrawnAugmentation& drawn, double fill) {
  if (!tensor.defined() || tensor.size(0) == 0)
    return tensor;
  if (drawn.flip == Flip::LeftRight)
    tensor = at::flip(tensor, {-1});
  for (int axis = 0; axis < 3; ++axis)
    tensor = shifted(tensor, axis - 3, drawn.shift[static_cast<std::size_t>(axis)], fill);
  return tensor;
}
} // namespace

DrawnAugmentation drawAugmentation(const AugmentationSettings& settings, RandomKey key) {
  key.purpose = Purpose::Augmentation;
  DrawnAugmentation drawn;
  // Every number has its own index, so that one setting does not change what another draws.
  if (settings.flip == Flip::LeftRight && randomUniform(key, 0) < 0.5)
    drawn.flip = Flip::LeftRight;
  if (settings.shift > 0)
    for (std::size_t axis = 0; axis < 3; ++axis)
      drawn.shift[axis] = randomInteger(key, 1 + axis, 2 * settings.shift + 1) - settings.shift;
  if (settings.contrast > 0)
    drawn.exponent = 1 + settings.contrast * (2 * randomUniform(key, 4) - 1);
  return drawn;
}

void augment(const DrawnAugmentation& drawn, double background, at::Tensor& image, at::Tensor& condition) {
  if (drawn.exponent != 1)
    image = image.add(1).mul(0.5).clamp(0, 1).pow(drawn.exponent).mul(2).sub(1);
  image = moved(image, drawn, -1);
  condition = moved(condition, drawn, background);
}

} // namespace voxlab

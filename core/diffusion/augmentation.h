// SPDX-License-Identifier: Apache-2.0
// Random variations of a training volume, each a function of (seed, sample, step) alone.
#pragma once
#include "core/diffusion/random.h"
#include <ATen/core/Tensor.h>

namespace voxlab {

enum class Flip { Never, LeftRight };

struct AugmentationSettings {
  Flip flip = Flip::Never; // half of the volumes are mirrored along X
  std::int64_t shift = 0;  // up to so many voxels along each axis
  double contrast = 0;     // largest relative change of the intensity exponent
  bool any() const { return flip != Flip::Never || shift > 0 || contrast > 0; }
};

struct DrawnAugmentation {
  Flip flip = Flip::Never;
  std::array<std::int64_t, 3> shift{}; // voxels towards higher D, H, W
  double exponent = 1;
};

// key.purpose is set here.
DrawnAugmentation drawAugmentation(const AugmentationSettings& settings, RandomKey key);

// image (C, D, H, W) in [-1, 1] and condition (C, D, H, W) or undefined, moved alike; only the image's contrast changes:
// ((v + 1) / 2)^exponent. What a shift brings in is -1 in the image and `background` in the condition. The tensors given
// are left as they are.
void augment(const DrawnAugmentation& drawn, double background, at::Tensor& image, at::Tensor& condition);

} // namespace voxlab

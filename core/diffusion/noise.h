// SPDX-License-Identifier: Apache-2.0
// Noise as tensors.
#pragma once
#include "core/diffusion/random.h"
#include <ATen/core/Tensor.h>
#include <vector>

namespace voxlab {

// Fills one sample's tensor (C, D, H, W), float32, any strides, any device, with standard normal values: the element with
// row-major index i gets randomNormal(key, i). Returns it.
at::Tensor fillNormal(at::Tensor tensor, const RandomKey& key);

// A batch (N, C, D, H, W): element n from keys[n].
at::Tensor normalNoise(at::IntArrayRef shape, const std::vector<RandomKey>& keys, at::Device device,
                       at::MemoryFormat layout = at::MemoryFormat::Contiguous);

} // namespace voxlab

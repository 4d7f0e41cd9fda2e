// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/noise.h"
#include "core/kernels/torch_ops.h"
#include <ATen/ops/empty.h>

namespace voxlab {

at::Tensor fillNormal(at::Tensor tensor, const RandomKey& key) {
  return philoxNormal(std::move(tensor), key.seed, static_cast<std::uint32_t>(key.purpose), key.sample, key.step);
}

at::Tensor normalNoise(at::IntArrayRef shape, const std::vector<RandomKey>& keys, at::Device device, at::MemoryFormat layout) {
  TORCH_CHECK(!shape.empty() && shape[0] == static_cast<std::int64_t>(keys.size()), "Noise for ", keys.size(),
              " samples does not fit the shape ", shape, ".");
  at::Tensor noise = at::empty(shape, at::TensorOptions(at::kFloat).device(device), layout);
  for (std::size_t n = 0; n < keys.size(); ++n)
    fillNormal(noise.select(0, static_cast<std::int64_t>(n)), keys[n]);
  return noise;
}

} // namespace voxlab

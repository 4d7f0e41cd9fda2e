// SPDX-License-Identifier: Apache-2.0
// From tensors to the plain parameter structs of the kernels; shared by torch_ops.cpp and torch_ops_cuda.cpp.
#pragma once
#include "core/kernels/philox_noise.h"
#include <ATen/core/Tensor.h>

namespace voxlab {

inline PhiloxNoise philoxNoiseArguments(at::Tensor& self, std::int64_t seed, std::int64_t purpose, std::int64_t sample, std::int64_t step) {
  TORCH_CHECK(self.scalar_type() == at::kFloat, "Noise is float32, not ", self.scalar_type(), ".");
  TORCH_CHECK(self.dim() <= kNoiseDimensions, "Noise has at most ", kNoiseDimensions, " dimensions, not ", self.dim(), ".");
  PhiloxNoise noise;
  noise.data = self.mutable_data_ptr<float>();
  const int leading = kNoiseDimensions - static_cast<int>(self.dim());
  for (int d = 0; d < self.dim(); ++d) {
    noise.size[leading + d] = self.size(d);
    noise.stride[leading + d] = self.stride(d);
  }
  noise.stream = {static_cast<std::uint64_t>(seed), static_cast<std::uint32_t>(purpose), static_cast<std::uint32_t>(sample),
                  static_cast<std::uint32_t>(step)};
  return noise;
}

} // namespace voxlab

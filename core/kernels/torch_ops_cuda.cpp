// SPDX-License-Identifier: Apache-2.0
// CUDA implementations of the operators; part of the module voxlab_cuda, which is self-contained.
#define VOXLAB_CUDA_MODULE
#include "core/kernels/torch_arguments.h"
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/library.h>

namespace voxlab {
namespace {

at::Tensor& philoxNormalCuda(at::Tensor& self, std::int64_t seed, std::int64_t purpose, std::int64_t sample, std::int64_t step) {
  const c10::cuda::CUDAGuard guard(self.device());
  const int error = launchPhiloxNoise(philoxNoiseArguments(self, seed, purpose, sample, step), c10::cuda::getCurrentCUDAStream().stream());
  TORCH_CHECK(error == 0, "The noise kernel could not be started on ", self.device(), ": ", cudaGetErrorString(static_cast<cudaError_t>(error)), ".");
  return self;
}

} // namespace

TORCH_LIBRARY_IMPL(voxlab, CUDA, m) { m.impl("philox_normal_", philoxNormalCuda); }

} // namespace voxlab

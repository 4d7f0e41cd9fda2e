// SPDX-License-Identifier: Apache-2.0
// One thread a Philox block of four elements; gridDim.y is the batch.
#include "core/kernels/launch.h"
#include "core/kernels/sampler_update.h"

namespace voxlab {
namespace device {
namespace {

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads) samplerUpdateKernel(const __grid_constant__ SamplerUpdate p) {
  const SamplerRow row = p.rows[p.index ? *p.index : 0];
  const std::int64_t blocks = (p.channels * p.voxels + 3) / 4, stride = static_cast<std::int64_t>(gridDim.x) * kThreads;
  for (std::int64_t block = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x; block < blocks; block += stride)
    updateSamplerBlock(p, row, blockIdx.y, block);
}

} // namespace
} // namespace device

void launchSamplerUpdate(const SamplerUpdate& p, Stream stream) {
  const std::int64_t blocks = device::divideUp(device::divideUp(p.channels * p.voxels, 4), device::kThreads);
  const dim3 grid(static_cast<unsigned>(std::min<std::int64_t>(blocks, 16 * device::multiprocessors())), static_cast<unsigned>(p.batch));
  device::launch("The sampler's update", device::samplerUpdateKernel, device::LaunchShape{grid, dim3(device::kThreads), 0, stream}, p);
}

} // namespace voxlab

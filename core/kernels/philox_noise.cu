// SPDX-License-Identifier: Apache-2.0
// One thread a Philox block of four elements, grid-stride; 64-bit indices throughout.
#include "core/kernels/philox_noise.h"
#include <cuda_runtime.h>

namespace voxlab {
namespace {

__global__ void philoxNoiseKernel(PhiloxNoise noise, std::int64_t elements, std::int64_t blocks) {
  const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t block = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; block < blocks; block += threads) {
    const philox::Normals n = philox::normals(noise.stream, static_cast<std::uint64_t>(block));
    for (int lane = 0; lane < 4; ++lane) {
      const std::int64_t index = block * 4 + lane;
      if (index < elements)
        noise.data[noiseOffset(noise, index)] = n.value[lane];
    }
  }
}

} // namespace

int launchPhiloxNoise(const PhiloxNoise& noise, void* stream) {
  const std::int64_t elements = noise.elements();
  if (elements == 0)
    return cudaSuccess;
  const std::int64_t blocks = (elements + 3) / 4;
  constexpr int kThreads = 256;
  const std::int64_t wanted = (blocks + kThreads - 1) / kThreads;
  const unsigned grid = static_cast<unsigned>(wanted < 65536 ? wanted : 65536);
  philoxNoiseKernel<<<grid, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(noise, elements, blocks);
  return cudaGetLastError();
}

} // namespace voxlab

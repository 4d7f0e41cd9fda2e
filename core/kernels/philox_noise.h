// SPDX-License-Identifier: Apache-2.0
// Standard normal noise into a tensor of any strides: element with row-major logical index i gets the i-th value of the
// stream, whatever the memory order.
#pragma once
#include "core/kernels/philox.h"
#include <cstdint>

namespace voxlab {

inline constexpr int kNoiseDimensions = 5;

struct PhiloxNoise {
  float* data = nullptr;
  std::int64_t size[kNoiseDimensions] = {1, 1, 1, 1, 1}; // row-major, last fastest; leading ones fill up
  std::int64_t stride[kNoiseDimensions] = {};            // elements, not negative
  philox::Stream stream{};

  std::int64_t elements() const { return size[0] * size[1] * size[2] * size[3] * size[4]; }
};

// Offset in memory of the element with this logical index.
VOXLAB_HOST_DEVICE std::int64_t noiseOffset(const PhiloxNoise& n, std::int64_t index) {
  std::int64_t offset = 0;
  for (int d = kNoiseDimensions - 1; d >= 0; --d) {
    offset += index % n.size[d] * n.stride[d];
    index /= n.size[d];
  }
  return offset;
}

// Blocks first … last - 1 of four elements each, on the CPU.
void fillNoiseBlocks(const PhiloxNoise& noise, std::int64_t first, std::int64_t last);

#if defined(__CUDACC__) || defined(VOXLAB_CUDA_MODULE)
// On the current device; stream is a cudaStream_t. Returns a cudaError_t, 0 is success.
int launchPhiloxNoise(const PhiloxNoise& noise, void* stream);
#endif

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// The few functions of the CUDA driver (libcuda.so.1, opened at run time) that list devices. See NVIDIA's CUDA Driver API.
#pragma once
#include "core/execution/cuda_runtime.h"

namespace voxlab {

struct CudaDriver {
  std::vector<CudaDevice> devices;
  std::optional<int> version; // 13000: 13.0
  std::string missing;        // why there is no device
};

CudaDriver askCudaDriver();

} // namespace voxlab

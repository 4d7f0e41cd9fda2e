// SPDX-License-Identifier: Apache-2.0
// Starting kernels, and finding out at once if one could not be started. Included by .cu files only.
#pragma once
#include "core/kernels/element_type.h"
#include <algorithm>
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>

namespace voxlab::device {

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess)
    return;
  cudaGetLastError(); // takes it back: it is told here, not by whoever asks next
  throw std::runtime_error(std::string(what) + " failed on the GPU: " + cudaGetErrorString(error) + ".");
}

// Multiprocessors of the current device.
inline int multiprocessors() {
  int device = 0, count = 0;
  check(cudaGetDevice(&device), "Asking for the current device");
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "Asking for the number of multiprocessors");
  return count;
}

// 10 * major + minor of the current device.
inline int computeCapability() {
  int device = 0, major = 0, minor = 0;
  check(cudaGetDevice(&device), "Asking for the current device");
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "Asking for the compute capability");
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "Asking for the compute capability");
  return 10 * major + minor;
}

// Within a plane the kernels count in 32 bits.
inline void requirePlaneFits(const VolumeShape& shape) {
  if (shape.height * shape.width * shape.channels > std::int64_t{0x7FFFFFFF})
    throw std::runtime_error("One plane of a volume has more than 2^31 elements, which the kernels cannot address.");
}

// Tensor-core products of bf16 and tf32 came with sm_80.
inline void requireTensorCores(ElementType type) {
  if (type != ElementType::Float16 && computeCapability() < 80)
    throw std::runtime_error("This GPU multiplies FP16 on its tensor cores, but neither BF16 nor TF32: choose an FP16 or an unfused mode.");
}

struct LaunchShape {
  dim3 grid;
  dim3 block;
  std::size_t sharedBytes = 0;
  Stream stream = nullptr;
};

// name is for the message only.
template <class... Parameters, class... Arguments>
void launch(const char* name, void (*kernel)(Parameters...), const LaunchShape& shape, Arguments&&... arguments) {
  if (shape.sharedBytes > 48 * 1024)
    check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shape.sharedBytes)),
          name);
  cudaLaunchConfig_t config = {};
  config.gridDim = shape.grid;
  config.blockDim = shape.block;
  config.dynamicSmemBytes = shape.sharedBytes;
  config.stream = shape.stream;
  check(cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...), name);
}

// Calls f with a value of the C++ type of the elements.
template <class F> void withElementType(ElementType type, F&& f) {
  switch (type) {
  case ElementType::Float32:
    return f(float{});
  case ElementType::BFloat16:
    return f(BFloat16{});
  case ElementType::Float16:
    return f(Float16{});
  case ElementType::Unknown:
    break;
  }
  throw std::invalid_argument("The kernels store FP32, BF16 or FP16 elements only.");
}

constexpr std::int64_t divideUp(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

} // namespace voxlab::device

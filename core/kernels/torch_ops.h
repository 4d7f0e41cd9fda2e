// SPDX-License-Identifier: Apache-2.0
// The room's door to LibTorch: operators `voxlab::…`, registered with CPU implementations here and with CUDA ones by the
// module voxlab_cuda.
#pragma once
#include <ATen/core/Tensor.h>
#include <cstdint>

namespace voxlab {

// Makes the operators known. Call it before the module is opened; cheap when repeated. (The linker drops the
// registration of an object file in a static library that nobody calls into.)
void registerOperators();
// Whether the CUDA module has registered its implementations.
bool hasCudaOperators();

// Fills out, float32 with at most five dimensions and any non-overlapping strides, with standard normal noise of the stream
// (see philox.h); returns it. A CUDA tensor is filled on the device when the module is loaded, otherwise from the CPU.
at::Tensor philoxNormal(at::Tensor out, std::uint64_t seed, std::uint32_t purpose, std::uint32_t sample, std::uint32_t step);

} // namespace voxlab

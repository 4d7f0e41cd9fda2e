// SPDX-License-Identifier: Apache-2.0
// The fused layers against LibTorch's own operations in double, on the CPU: results and gradients. The same checks for the CPU
// references and for the kernels on a GPU.
#pragma once
#include <ATen/core/Tensor.h>

namespace voxlab {

// Volumes with sides of 1, 3, 5 and 17 voxels, 32 to 512 channels, stored as this type on this device. Each fails the running test,
// naming what differs.
void checkNormalisation(c10::Device device, at::ScalarType type);
void checkSumsAndUpsampling(c10::Device device, at::ScalarType type);
void checkConvolutions(c10::Device device, at::ScalarType type);
void checkNarrowLayers(c10::Device device, at::ScalarType type); // the network's first and last
void checkResidualBlocks(c10::Device device, at::ScalarType type);

// NaN and infinity in one voxel come out where LibTorch's operations have them.
void checkNotFinite(c10::Device device, at::ScalarType type);

// Gradients of every layer, twice: equal to the last bit.
void checkRepeats(c10::Device device, at::ScalarType type);

} // namespace voxlab

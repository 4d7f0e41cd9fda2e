// SPDX-License-Identifier: Apache-2.0
// Group normalisation of large volumes by LibTorch's operations, but with statistics that all of a GPU's multiprocessors take: its own
// GroupNorm gives one block of threads to each group, 32 in all, and needs 26 times as long as a copy of the volume.
#pragma once
#include <ATen/core/Tensor.h>

namespace voxlab {

// x (N, C, …) contiguous, or one volume (1, C, D, H, W) channels last, of any floating type and groups of at least
// kSpreadNormElements: below that a block a group is as fast.
inline constexpr std::int64_t kSpreadNormElements = 1 << 17;
bool spreadNormServes(const at::Tensor& x, std::int64_t groups, std::int64_t least = kSpreadNormElements);

// As at::group_norm, up to the order of summation; the result is stored like x. Mean and variance are FP32 and so is what is done with
// them; the backward pass is LibTorch's, with those statistics. gamma, beta: (C). Throws c10::Error where groups do not divide C.
at::Tensor spreadGroupNorm(const at::Tensor& x, std::int64_t groups, const at::Tensor& gamma, const at::Tensor& beta, double epsilon);

} // namespace voxlab

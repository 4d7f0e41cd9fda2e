// SPDX-License-Identifier: Apache-2.0
// Blocks whose feature maps are all stored in 16 bits: weights are cast where they are used, nothing else is FP32 but what
// happens inside an operation (statistics, sums, softmax).
#pragma once
#include "core/diffusion/block_ops.h"

namespace voxlab {

class StoredOps : public BlockOps {
public:
  StoredOps(BlockOptions options, at::ScalarType type) : BlockOps(options), m_type(type) {}
  at::Tensor norm(const at::Tensor& x, const NormLayer& layer) const override;
  at::Tensor convolve(const at::Tensor& x, const ConvLayer& layer) const override;
  at::Tensor linear(const at::Tensor& x, const LinearLayer& layer) const override;

private:
  at::ScalarType m_type;
};

} // namespace voxlab

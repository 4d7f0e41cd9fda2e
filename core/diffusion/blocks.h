// SPDX-License-Identifier: Apache-2.0
// The network's layers as data: names, weights and strides. What is computed with them stands in block_ops.h.
#pragma once
#include <ATen/core/Tensor.h>
#include <optional>
#include <string>

namespace voxlab {

inline constexpr std::int64_t kNormGroups = 32;
inline constexpr double kNormEpsilon = 1e-5;

struct NormLayer {
  std::string name;
  at::Tensor weight, bias; // (C)
};
struct ConvLayer {
  std::string name;
  at::Tensor weight, bias; // (Cout, Cin, k, k, k) or, in attention, (Cout, Cin, 1)
  std::int64_t stride = 1, padding = 0;
};
struct LinearLayer {
  std::string name;
  at::Tensor weight, bias; // (out, in)
};

// out = conv(SiLU(norm(conv(SiLU(norm(x))) + linear(SiLU(e))))) + skip(x)
struct ResidualBlock {
  std::string name;
  NormLayer inNorm;
  ConvLayer inConv;
  LinearLayer embedding;
  NormLayer outNorm;
  ConvLayer outConv;
  std::optional<ConvLayer> skip; // 1x1x1 where the width changes
};

// out = x + projection(attention(norm(x))), one head over all voxels
struct AttentionBlock {
  std::string name;
  NormLayer norm;
  ConvLayer qkv, projection;
};

} // namespace voxlab

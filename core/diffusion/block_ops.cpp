// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/block_ops.h"
#include "core/diffusion/autocast.h"
#include "core/diffusion/spread_norm.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/conv3d.h>
#include <ATen/ops/group_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/upsample_trilinear3d.h>
#include <algorithm>
#include <cmath>

namespace voxlab {

bool BlockOps::spreads(const at::Tensor& x) const { return m_options.norm == NormKind::Spread && spreadNormServes(x, kNormGroups); }

// Automatic casting normalises in FP32; the result is stored like x all the same, as published.
at::Tensor BlockOps::norm(const at::Tensor& x, const NormLayer& layer) const {
  if (spreads(x))
    return spreadGroupNorm(x, kNormGroups, layer.weight, layer.bias, kNormEpsilon);
  return at::group_norm(x, kNormGroups, layer.weight, layer.bias, kNormEpsilon).to(x.scalar_type());
}

at::Tensor BlockOps::silu(const at::Tensor& x) const { return at::silu(x); }

at::Tensor BlockOps::normSilu(const at::Tensor& x, const NormLayer& layer) const { return silu(norm(x, layer)); }

namespace {
// The CPU's BF16 weight gradient (oneDNN in LibTorch 2.11, on processors with AVX-512 BF16) is whatever lay in memory where a 3³
// convolution's input has a side of one or two voxels: depth 2 with stride 1, height or width 1 with stride 2.
bool needsFp32(const at::Tensor& x, const ConvLayer& layer) {
  const at::ScalarType type = AutocastState::current(at::kCPU).type.value_or(x.scalar_type());
  return x.is_cpu() && type == at::kBFloat16 && layer.weight.size(2) > 1 && std::min({x.size(2), x.size(3), x.size(4)}) <= 2;
}

// The same values and products, only their sums wider.
at::Tensor convolveInFp32(const at::Tensor& x, const ConvLayer& layer) {
  const AutocastScope plain({at::kCPU, std::nullopt});
  const auto rounded = [](const at::Tensor& t) { return t.to(at::kBFloat16).to(at::kFloat); };
  return at::conv3d(rounded(x), rounded(layer.weight), rounded(layer.bias), layer.stride, layer.padding).to(at::kBFloat16);
}
} // namespace

at::Tensor BlockOps::convolve(const at::Tensor& x, const ConvLayer& layer) const {
  if (layer.weight.dim() == 3)
    return at::conv1d(x, layer.weight, layer.bias);
  if (needsFp32(x, layer))
    return convolveInFp32(x, layer);
  return at::conv3d(x, layer.weight, layer.bias, layer.stride, layer.padding);
}

at::Tensor BlockOps::linear(const at::Tensor& x, const LinearLayer& layer) const { return at::linear(x, layer.weight, layer.bias); }

at::Tensor BlockOps::concatenate(const at::Tensor& x, const at::Tensor& skip) const { return at::cat({x, skip}, 1); }

at::Tensor BlockOps::upsample(const at::Tensor& x) const {
  if (m_options.upsample == UpsampleKind::Gather)
    return upsampleByGather(x);
  return at::upsample_trilinear3d(x, {2 * x.size(2), 2 * x.size(3), 2 * x.size(4)}, false, 2.0, 2.0, 2.0);
}

at::Tensor BlockOps::attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) const {
  const double channels = static_cast<double>(q.size(1));
  if (m_options.attention == AttentionKind::Math) { // q and k scaled apart, as published: safer in 16 bit
    const double scale = std::pow(channels, -0.25);
    const at::Tensor weight = at::softmax(at::bmm((q * scale).transpose(1, 2), k * scale), -1, at::kFloat).to(v.scalar_type());
    return at::bmm(v, weight.transpose(1, 2));
  }
  const auto heads = [](const at::Tensor& t) { return t.transpose(1, 2).unsqueeze(1); }; // (N, 1, voxels, C)
  return at::scaled_dot_product_attention(heads(q), heads(k), heads(v)).squeeze(1).transpose(1, 2);
}

std::vector<at::Tensor> BlockOps::shifts(const at::Tensor& e, const std::vector<const ResidualBlock*>& blocks) const {
  std::vector<at::Tensor> list;
  for (const ResidualBlock* block : blocks)
    list.push_back(linear(silu(e), block->embedding));
  return list;
}

at::Tensor BlockOps::residual(const at::Tensor& x, const at::Tensor& skip, const at::Tensor& shift, const ResidualBlock& block) const {
  const at::Tensor input = skip.defined() ? concatenate(x, skip) : x;
  at::Tensor h = convolve(normSilu(input, block.inNorm), block.inConv);
  h = h + shift.view({shift.size(0), shift.size(1), 1, 1, 1});
  h = convolve(normSilu(h, block.outNorm), block.outConv);
  return h + (block.skip ? convolve(input, *block.skip) : input);
}

at::Tensor BlockOps::attention(const at::Tensor& x, const AttentionBlock& block) const {
  const at::Tensor flat = x.reshape({x.size(0), x.size(1), -1});
  const auto qkv = convolve(norm(flat, block.norm), block.qkv).chunk(3, 1);
  const at::Tensor out = convolve(attend(qkv[0], qkv[1], qkv[2]), block.projection);
  return (flat + out).view_as(x);
}

at::Tensor BlockOps::head(const at::Tensor& x, const NormLayer& norm, const ConvLayer& conv) const {
  return convolve(normSilu(x, norm), conv);
}

namespace {
// Along one axis: out[2i] = x[i-1] / 4 + 3 x[i] / 4, out[2i+1] = 3 x[i] / 4 + x[i+1] / 4, ends repeated.
at::Tensor doubled(const at::Tensor& x, std::int64_t axis) {
  const std::int64_t n = x.size(axis);
  const at::Tensor before = at::cat({x.narrow(axis, 0, 1), x.narrow(axis, 0, n - 1)}, axis);
  const at::Tensor after = at::cat({x.narrow(axis, 1, n - 1), x.narrow(axis, n - 1, 1)}, axis);
  const at::Tensor centre = x * 0.75;
  const at::Tensor pair = at::stack({centre + before * 0.25, centre + after * 0.25}, axis + 1);
  return pair.flatten(axis, axis + 1);
}
} // namespace

at::Tensor upsampleByGather(const at::Tensor& x) {
  return doubled(doubled(doubled(x, 4), 3), 2).contiguous(x.suggest_memory_format());
}

} // namespace voxlab

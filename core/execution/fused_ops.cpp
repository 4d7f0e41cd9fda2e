// SPDX-License-Identifier: Apache-2.0
#include "core/execution/fused_ops.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/linear.h>
#include <algorithm>

namespace voxlab {
namespace {

constexpr std::int64_t kNarrow = 8; // channels at most of the first and last layers' narrow side
constexpr std::int64_t kWide = 32;  // what divides their wide side

fused::Norm normOf(const NormLayer& layer) { return {layer.weight, layer.bias, kNormGroups, kNormEpsilon}; }

at::Tensor channelsLast(const at::Tensor& x, at::ScalarType type) { return x.to(type).contiguous(at::MemoryFormat::ChannelsLast3d); }

} // namespace

FusedOps::FusedOps(BlockOptions options, at::ScalarType type, ModeSwitches switches, WeightUse use)
    : BlockOps(options), m_plain(options, type), m_type(type), m_switches(std::move(switches)),
      m_engine(m_switches.fuses(FusedPart::Convolution) ? fused::ConvolutionEngine::Own : fused::ConvolutionEngine::LibTorch),
      m_use(use) {}

fused::Convolution FusedOps::convolutionOf(const ConvLayer& layer) const {
  fused::Convolution convolution{layer.weight, layer.bias.to(at::kFloat), nullptr};
  if (m_use != WeightUse::Fixed)
    return convolution;
  auto& packed = m_packed[layer.weight.unsafeGetTensorImpl()];
  if (!packed)
    packed = std::make_shared<fused::PackedWeight>();
  convolution.packed = packed;
  return convolution;
}

at::Tensor FusedOps::summedBias(const ResidualBlock& block) const {
  at::Tensor& sum = m_summedBiases[block.outConv.bias.unsafeGetTensorImpl()];
  if (!sum.defined())
    sum = block.outConv.bias.to(at::kFloat) + block.skip->bias.to(at::kFloat);
  return sum;
}

at::Tensor FusedOps::remember(const fused::Volume& volume) const {
  std::erase_if(m_known, [](const Known& k) { return k.volume.expired(); });
  m_known.push_back({c10::weak_intrusive_ptr<c10::TensorImpl>(volume.tensor.getIntrusivePtr()), volume.moments});
  return volume.tensor;
}

fused::Volume FusedOps::recall(const at::Tensor& x) const {
  const at::Tensor volume = channelsLast(x, m_type);
  for (const Known& k : m_known)
    if (!k.volume.expired() && k.volume._unsafe_get_target() == volume.unsafeGetTensorImpl())
      return {volume, k.moments};
  return fused::withMoments({volume, {}});
}

at::Tensor FusedOps::convolve(const at::Tensor& x, const ConvLayer& layer) const {
  if (layer.weight.dim() != 5)
    return m_plain.convolve(x.to(m_type), layer);
  if (x.size(1) <= kNarrow) {
    if (m_switches.fuses(FusedPart::Stem) && layer.stride == 1 && layer.weight.size(2) == 3 && layer.weight.size(0) % kWide == 0)
      return fused::stem(channelsLast(x, at::kFloat), convolutionOf(layer), m_type);
    return m_plain.convolve(x.to(m_type), layer);
  }
  if (layer.weight.size(0) % kNarrow == 0)
    return remember(fused::convolve(channelsLast(x, m_type), convolutionOf(layer), layer.stride, m_engine, operands()));
  return m_plain.convolve(x.to(m_type), layer);
}

at::Tensor FusedOps::linear(const at::Tensor& x, const LinearLayer& layer) const {
  return at::linear(x.to(at::kFloat), layer.weight.to(at::kFloat), layer.bias.to(at::kFloat));
}

at::Tensor FusedOps::upsample(const at::Tensor& x) const {
  return m_switches.fuses(FusedPart::Upsample) ? fused::upsample(channelsLast(x, m_type)) : m_plain.upsample(x);
}

// Of fixed weights one matrix gives the shifts of all blocks.
std::vector<at::Tensor> FusedOps::shifts(const at::Tensor& e, const std::vector<const ResidualBlock*>& blocks) const {
  const at::Tensor active = silu(e);
  std::vector<at::Tensor> list;
  if (m_use != WeightUse::Fixed) {
    for (const ResidualBlock* block : blocks)
      list.push_back(linear(active, block->embedding));
    return list;
  }
  std::vector<at::Tensor> weights, biases;
  std::vector<std::int64_t> widths;
  for (const ResidualBlock* block : blocks) {
    weights.push_back(block->embedding.weight);
    biases.push_back(block->embedding.bias);
    widths.push_back(weights.back().size(0));
  }
  if (!m_embeddings.weight.defined())
    m_embeddings = {"", at::cat(weights), at::cat(biases)};
  for (const at::Tensor& shift : linear(active, m_embeddings).split_with_sizes(widths, 1))
    list.push_back(shift.contiguous()); // a view for one volume
  return list;
}

at::Tensor FusedOps::residual(const at::Tensor& x, const at::Tensor& skip, const at::Tensor& shift, const ResidualBlock& block) const {
  if (!m_switches.fuses(FusedPart::Residual))
    return m_plain.residual(x, skip, shift.to(m_type), block);
  if (skip.defined() && !block.skip) // a concatenation as wide as the result
    return residual(concatenate(x, skip), {}, shift, block);
  fused::Residual weights{normOf(block.inNorm), convolutionOf(block.inConv), normOf(block.outNorm), convolutionOf(block.outConv), {}, m_engine};
  if (block.skip)
    weights.skip = convolutionOf(*block.skip);
  weights.operands = operands();
  if (block.skip && m_use == WeightUse::Fixed) {
    weights.outConvolution.bias = summedBias(block);
    weights.skip->bias = at::Tensor();
  }
  return remember(fused::residual(recall(x), skip.defined() ? recall(skip) : fused::Volume{}, shift, weights));
}

at::Tensor FusedOps::attention(const at::Tensor& x, const AttentionBlock& block) const {
  if (!m_switches.fuses(FusedPart::Attention))
    return m_plain.attention(x, block);
  const fused::Volume volume = recall(x);
  const at::Tensor y = fused::normalise(volume, normOf(block.norm), fused::Activate::None);
  const auto project = [&](const at::Tensor& rows, const ConvLayer& layer) {
    return at::linear(rows, layer.weight.to(m_type).squeeze(-1), layer.bias.to(m_type));
  };
  const at::Tensor rows = y.permute({0, 2, 3, 4, 1}).view({x.size(0), -1, x.size(1)}); // (N, voxels, C) as it lies in memory
  const auto qkv = project(rows, block.qkv).chunk(3, 2);
  const auto turned = [](const at::Tensor& t) { return t.transpose(1, 2); };
  const at::Tensor out = project(turned(attend(turned(qkv[0]), turned(qkv[1]), turned(qkv[2]))).contiguous(), block.projection);
  const at::Tensor result = out.view({x.size(0), x.size(2), x.size(3), x.size(4), x.size(1)}).permute({0, 4, 1, 2, 3});
  return remember(fused::add(volume.tensor, channelsLast(result, m_type)));
}

at::Tensor FusedOps::head(const at::Tensor& x, const NormLayer& norm, const ConvLayer& conv) const {
  if (!m_switches.fuses(FusedPart::Head) || conv.weight.size(0) > kNarrow || conv.weight.size(1) % kWide != 0)
    return m_plain.head(x, norm, conv);
  return fused::head(recall(x), normOf(norm), convolutionOf(conv));
}

} // namespace voxlab

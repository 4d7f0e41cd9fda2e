// SPDX-License-Identifier: Apache-2.0
// How blocks are computed: the seam at which modes exchange implementations (attention, up-sampling, fused kernels). The
// base class composes ATen operations, as the published network does; an implementation overrides single operations or
// whole blocks.
#pragma once
#include "core/diffusion/blocks.h"
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace voxlab {

enum class AttentionKind { Unknown, Math, Flash, MemoryEfficient, Automatic };
enum class UpsampleKind { Unknown, Trilinear, Gather }; // Gather: bit-identical gradients on CUDA
enum class NormKind { Unknown, LibTorch, Spread };       // Spread: of large volumes by spread_norm.h

struct BlockOptions {
  AttentionKind attention = AttentionKind::Math;
  UpsampleKind upsample = UpsampleKind::Trilinear;
  NormKind norm = NormKind::LibTorch;
};

class BlockOps {
public:
  explicit BlockOps(BlockOptions options = {}) : m_options(options) {}
  virtual ~BlockOps() = default;

  // (N, C, D, H, W) each unless said otherwise. Work in any floating type; statistics and softmax are FP32.
  virtual at::Tensor norm(const at::Tensor& x, const NormLayer& layer) const;
  virtual at::Tensor silu(const at::Tensor& x) const;
  virtual at::Tensor normSilu(const at::Tensor& x, const NormLayer& layer) const;
  virtual at::Tensor convolve(const at::Tensor& x, const ConvLayer& layer) const;
  virtual at::Tensor linear(const at::Tensor& x, const LinearLayer& layer) const; // (N, in) → (N, out)
  virtual at::Tensor concatenate(const at::Tensor& x, const at::Tensor& skip) const;
  virtual at::Tensor upsample(const at::Tensor& x) const;                         // every axis doubled
  virtual at::Tensor attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) const; // (N, C, voxels) each

  // What the time embedding e (N, 4 · base channels) adds in each block: linear(SiLU(e)), (N, Cout).
  virtual std::vector<at::Tensor> shifts(const at::Tensor& e, const std::vector<const ResidualBlock*>& blocks) const;
  // skip: the encoder's tensor that is concatenated behind x, undefined in the encoder. shift: the block's, of shifts().
  virtual at::Tensor residual(const at::Tensor& x, const at::Tensor& skip, const at::Tensor& shift, const ResidualBlock& block) const;
  virtual at::Tensor attention(const at::Tensor& x, const AttentionBlock& block) const;
  // The last normalisation, SiLU and convolution.
  virtual at::Tensor head(const at::Tensor& x, const NormLayer& norm, const ConvLayer& conv) const;

protected:
  bool spreads(const at::Tensor& x) const; // whether x is normalised by spread_norm.h
  BlockOptions m_options;
};

// Trilinear x2 with half-pixel centres as slices and sums: equals at::upsample_trilinear3d, and its gradient has a fixed
// order of summation on every device.
at::Tensor upsampleByGather(const at::Tensor& x);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// Med-DDPM's 3D U-Net: which blocks, in which order, joined how. Names equal the published checkpoints'.
#pragma once
#include "core/diffusion/block_ops.h"
#include "core/diffusion/named_tensors.h"
#include "core/protocol/network_spec.h"
#include <functional>
#include <set>

namespace voxlab {

// Called with the output of every named module: "time_embed", "input_blocks.3", "input_blocks.7.1", "middle_block.0",
// "out.0" (before SiLU). For comparing implementations layer by layer.
using ActivationObserver = std::function<void(const std::string& name, const at::Tensor& value)>;

struct ForwardOptions {
  const BlockOps* ops = nullptr;    // null: plain ATen
  std::set<int> recomputedFactors;  // down-sampling factors whose blocks are recomputed in the backward pass
  ActivationObserver observer;      // empty: none
};

class UNet {
public:
  // Takes the tensors as they are (device, type, layout; shared, not copied). Throws c10::Error with a sentence when one is
  // missing, surplus or of another shape than parameterLayout says.
  UNet(NetworkSpec spec, NamedTensors parameters);

  UNet(const UNet&) = delete; // blocks are pointed at
  UNet& operator=(const UNet&) = delete;

  const NetworkSpec& spec() const { return m_spec; }
  const NamedTensors& parameters() const { return m_parameters; } // in the layout's order
  at::Device device() const { return m_parameters.front().tensor.device(); }

  // x: (N, image + condition channels, D, H, W) = [noisy image, condition]; every spatial size a multiple of
  // spec().sizeMultiple(). timesteps: (N) integers 0 … T - 1 on x's device. Returns the predicted noise
  // (N, image channels, D, H, W). Throws c10::Error with a sentence on shapes that do not fit.
  at::Tensor forward(const at::Tensor& x, const at::Tensor& timesteps, const ForwardOptions& options = {}) const;

private:
  struct Entry { // one item of input_blocks or output_blocks
    std::string name;
    int factor = 1; // down-sampling factor at which its residual block works
    std::optional<ConvLayer> convolution; // stem or stride-2 down-sampling
    std::optional<ResidualBlock> residual;
    std::optional<AttentionBlock> attention;
    std::optional<ConvLayer> upsample;
    std::size_t shift = 0; // place of the residual block's in BlockOps::shifts
  };
  struct Assembly;
  struct Pass;
  std::vector<at::Tensor> embed(const at::Tensor& timesteps, const Pass& pass) const; // the blocks' shifts
  at::Tensor run(const Entry& entry, const at::Tensor& x, const at::Tensor& skip, const Pass& pass) const;
  void numberBlocks();

  NetworkSpec m_spec;
  NamedTensors m_parameters;
  at::Tensor m_frequencies; // (base channels / 2)
  LinearLayer m_timeEmbed0, m_timeEmbed2;
  std::vector<Entry> m_inputs, m_middle, m_outputs;
  std::vector<const ResidualBlock*> m_blocks; // of all entries
  NormLayer m_outNorm;
  ConvLayer m_outConv;
};

// cos(t f_i), then sin(t f_i), f_i = exp(-ln(1000) i / half): (N) → (N, width), float32; an odd width ends with a zero.
at::Tensor timestepEmbedding(const at::Tensor& timesteps, std::int64_t width);

} // namespace voxlab

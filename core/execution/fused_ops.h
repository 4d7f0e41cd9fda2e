// SPDX-License-Identifier: Apache-2.0
// Blocks on the fused channels-last kernels. Feature maps are stored in one type; a volume that a kernel has written brings the
// moments of its channels along, so that the next norm reads it once less. What a mode leaves unfused is StoredOps'.
#pragma once
#include "core/execution/stored_ops.h"
#include "core/kernels/fused_layers.h"
#include "core/protocol/mode_switches.h"
#include <c10/core/TensorImpl.h>
#include <map>

namespace voxlab {

// Fixed: what is derived from weights is kept from one evaluation to the next.
enum class WeightUse { Unknown, Trained, Fixed };

class FusedOps : public BlockOps {
public:
  FusedOps(BlockOptions options, at::ScalarType type, ModeSwitches switches, WeightUse use);
  at::Tensor norm(const at::Tensor& x, const NormLayer& layer) const override { return m_plain.norm(x, layer); } // alone: when observed
  at::Tensor convolve(const at::Tensor& x, const ConvLayer& layer) const override;
  at::Tensor linear(const at::Tensor& x, const LinearLayer& layer) const override; // the time embedding: float32
  at::Tensor upsample(const at::Tensor& x) const override;
  std::vector<at::Tensor> shifts(const at::Tensor& e, const std::vector<const ResidualBlock*>& blocks) const override;
  at::Tensor residual(const at::Tensor& x, const at::Tensor& skip, const at::Tensor& shift, const ResidualBlock& block) const override;
  at::Tensor attention(const at::Tensor& x, const AttentionBlock& block) const override;
  at::Tensor head(const at::Tensor& x, const NormLayer& norm, const ConvLayer& conv) const override;

private:
  struct Known {
    c10::weak_intrusive_ptr<c10::TensorImpl> volume;
    at::Tensor moments;
  };
  at::Tensor remember(const fused::Volume& volume) const;
  fused::Volume recall(const at::Tensor& x) const;
  fused::Convolution convolutionOf(const ConvLayer& layer) const;
  // Images are worth a pass that rounds; a training step's gradient is not.
  fused::Operands operands() const { return m_use == WeightUse::Fixed ? fused::Operands::Rounded : fused::Operands::AsStored; }
  at::Tensor summedBias(const ResidualBlock& block) const; // of the second convolution and of the skip, where they are fixed

  StoredOps m_plain; // what is not fused
  at::ScalarType m_type;
  ModeSwitches m_switches;
  fused::ConvolutionEngine m_engine;
  WeightUse m_use;
  mutable std::vector<Known> m_known; // volumes that are still in use
  mutable std::map<const c10::TensorImpl*, std::shared_ptr<fused::PackedWeight>> m_packed; // of fixed weights
  mutable std::map<const c10::TensorImpl*, at::Tensor> m_summedBiases;                     // by the convolution's
  mutable LinearLayer m_embeddings;                                                        // of all blocks, one below the other
};

} // namespace voxlab

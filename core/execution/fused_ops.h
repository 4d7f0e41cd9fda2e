// SPDX-License-Identifier: Apache-2.0
// Blocks on the fused channels-last kernels. Feature maps are stored in one type; a volume that a kernel has written brings the
// moments of its channels along, so that the next norm reads it once less. What a mode leaves unfused is StoredOps'.
#pragma once
#include "core/execution/stored_ops.h"
#include "core/kernels/fused_layers.h"
#include "core/protocol/mode_switches.h"
#include <c10/core/TensorImpl.h>

namespace voxlab {

class FusedOps : public BlockOps {
public:
  FusedOps(BlockOptions options, at::ScalarType type, ModeSwitches switches);
  at::Tensor norm(const at::Tensor& x, const NormLayer& layer) const override { return m_plain.norm(x, layer); } // alone: when observed
  at::Tensor convolve(const at::Tensor& x, const ConvLayer& layer) const override;
  at::Tensor linear(const at::Tensor& x, const LinearLayer& layer) const override; // the time embedding: float32
  at::Tensor upsample(const at::Tensor& x) const override;
  at::Tensor residual(const at::Tensor& x, const at::Tensor& skip, const at::Tensor& e, const ResidualBlock& block) const override;
  at::Tensor attention(const at::Tensor& x, const AttentionBlock& block) const override;
  at::Tensor head(const at::Tensor& x, const NormLayer& norm, const ConvLayer& conv) const override;

private:
  struct Known {
    c10::weak_intrusive_ptr<c10::TensorImpl> volume;
    at::Tensor moments;
  };
  at::Tensor remember(const fused::Volume& volume) const;
  fused::Volume recall(const at::Tensor& x) const;

  StoredOps m_plain; // what is not fused
  at::ScalarType m_type;
  ModeSwitches m_switches;
  fused::ConvolutionEngine m_engine;
  mutable std::vector<Known> m_known; // volumes that are still in use
};

} // namespace voxlab

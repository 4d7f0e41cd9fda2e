// SPDX-License-Identifier: Apache-2.0
#include "core/execution/stored_ops.h"

namespace voxlab {
namespace {
template <class Layer> Layer cast(const Layer& layer, at::ScalarType type) {
  Layer result = layer;
  result.weight = layer.weight.to(type);
  result.bias = layer.bias.to(type);
  return result;
}
} // namespace

at::Tensor StoredOps::norm(const at::Tensor& x, const NormLayer& layer) const {
  return BlockOps::norm(x, spreads(x) ? layer : cast(layer, m_type)); // spread, factors are FP32
}
at::Tensor StoredOps::convolve(const at::Tensor& x, const ConvLayer& layer) const { return BlockOps::convolve(x, cast(layer, m_type)); }
at::Tensor StoredOps::linear(const at::Tensor& x, const LinearLayer& layer) const {
  return BlockOps::linear(x.to(m_type), cast(layer, m_type));
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/execution/eager_backend.h"
#include "core/diffusion/autocast.h"
#include "core/execution/fused_ops.h"
#include <ATen/ops/cat.h>

namespace voxlab {
namespace {

std::optional<at::ScalarType> computeType(const ModeSwitches& s) {
  switch (s.precision) {
  case Precision::Bf16: return at::kBFloat16;
  case Precision::Fp16: return at::kHalf;
  default: return std::nullopt;
  }
}

BlockOptions blockOptions(const ModeSwitches& s, Determinism determinism) {
  BlockOptions options;
  const bool deterministic = determinism == Determinism::On;
  if (!deterministic && s.attention != AttentionMethod::Math)
    options.attention = s.attention == AttentionMethod::Flash ? AttentionKind::Flash : AttentionKind::MemoryEfficient;
  options.norm = s.spreadNorm ? NormKind::Spread : NormKind::LibTorch;
  options.upsample = deterministic ? UpsampleKind::Gather : UpsampleKind::Trilinear;
  return options;
}

std::unique_ptr<BlockOps> makeOps(const ModeSwitches& s, BackendUse use, Determinism determinism) {
  const auto type = computeType(s);
  if (s.fusedKernels)
    return std::make_unique<FusedOps>(blockOptions(s, determinism), type.value_or(at::kFloat), s, use == BackendUse::Inference ? WeightUse::Fixed : WeightUse::Trained);
  if (type && !s.autocast)
    return std::make_unique<StoredOps>(blockOptions(s, determinism), *type);
  return std::make_unique<BlockOps>(blockOptions(s, determinism));
}

at::MemoryFormat formatOf(const ModeSwitches& s) {
  return s.layout == MemoryLayout::ChannelsLast ? at::MemoryFormat::ChannelsLast3d : at::MemoryFormat::Contiguous;
}

// What tensor cores keep of FP32, rounded; by themselves they drop bits.
at::Tensor roundedToTf32(const at::Tensor& tensor) {
  const at::Tensor copy = tensor.clone();
  copy.view(at::kInt).add_(0x1000).bitwise_and_(~0x1FFF);
  return copy;
}

// As the fused kernels read it: biases of volumes, the time embedding and the narrow layers in FP32.
at::Tensor fusedParameter(const at::Tensor& tensor, const at::Tensor& weight, at::ScalarType type, Precision precision) {
  const bool narrow = weight.dim() == 5 && std::min(weight.size(0), weight.size(1)) <= 8;
  if (narrow)
    return tensor.contiguous();
  if (precision == Precision::Tf32 && tensor.dim() == 5)
    return roundedToTf32(tensor);
  return weight.dim() == 3 || tensor.dim() == 5 ? tensor.to(type) : tensor;
}

// For inference, convolution and linear weights once and for all in the type that they are computed in; the same values that
// casting them each time would give. Norms stay FP32.
NamedTensors inferenceParameters(const NamedTensors& parameters, const ModeSwitches& s, BackendUse use) {
  const auto type = computeType(s);
  if (use != BackendUse::Inference || (!type && !s.fusedKernels))
    return parameters;
  NamedTensors copies;
  for (const NamedTensor& p : parameters) {
    const at::Tensor* weight = p.name.ends_with(".bias") ? findTensor(parameters, p.name.substr(0, p.name.size() - 4) + "weight") : &p.tensor;
    const bool ofNorm = weight && weight->dim() == 1;
    if (s.fusedKernels && weight) {
      copies.push_back({p.name, fusedParameter(p.tensor.detach(), *weight, type.value_or(at::kFloat), s.precision)});
      continue;
    }
    copies.push_back({p.name, ofNorm ? p.tensor.detach() : p.tensor.detach().to(*type)});
  }
  return copies;
}

} // namespace

NamedTensors placeParameters(const NamedTensors& parameters, const ModeSwitches& switches, at::Device device) {
  NamedTensors placed;
  for (const NamedTensor& p : parameters) {
    at::Tensor copy = p.tensor.detach().to(at::TensorOptions(at::kFloat).device(device), false, true);
    placed.push_back({p.name, copy.dim() == 5 ? copy.contiguous(formatOf(switches)) : copy.contiguous()});
  }
  return placed;
}

EagerBackend::EagerBackend(const NetworkSpec& spec, const NamedTensors& parameters, const ModeSwitches& switches, BackendUse use,
                           Determinism determinism)
    : m_switches(switches), m_ops(makeOps(switches, use, determinism)), m_network(spec, inferenceParameters(parameters, switches, use)) {
  m_forward.ops = m_ops.get();
  if (use == BackendUse::Training)
    for (const int level : switches.checkpointLevels)
      m_forward.recomputedFactors.insert(1 << level);
}

EagerBackend::~EagerBackend() = default;

at::Tensor EagerBackend::predict(const at::Tensor& x, const at::Tensor& condition, const at::Tensor& timesteps) {
  at::Tensor input = condition.defined() ? at::cat({x, condition}, 1) : x;
  input = input.contiguous(formatOf(m_switches));
  const auto type = computeType(m_switches);
  if (type && !m_switches.autocast && !m_switches.fusedKernels) // the fused stem reads FP32
    input = input.to(*type);
  const AutocastScope autocast({x.device().type(), type && m_switches.autocast ? type : std::nullopt});
  return m_network.forward(input, timesteps, m_forward).to(at::kFloat);
}

} // namespace voxlab

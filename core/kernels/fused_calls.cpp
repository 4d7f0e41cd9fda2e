// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/fused_calls.h"
#include "core/kernels/torch_ops.h"
#include <ATen/core/dispatch/Dispatcher.h>

namespace voxlab::fused {
namespace {

// Looked up once for each place in the source.
template <class Signature> auto find(const char* name) {
  registerOperators();
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Signature>();
}

} // namespace

std::tuple<at::Tensor, at::Tensor> channelMoments(const at::Tensor& x, const OptionalTensor& addend, const OptionalTensor& bias, InPlace inPlace) {
  using Signature = std::tuple<at::Tensor, at::Tensor>(const at::Tensor&, const OptionalTensor&, const OptionalTensor&, bool);
  static const auto op = find<Signature>("voxlab::channel_moments");
  return op.call(x, addend, bias, inPlace == InPlace::Yes);
}

at::Tensor normCoefficients(const at::Tensor& moments, const OptionalTensor& moments2, const OptionalTensor& shift, const OptionalTensor& bias, const at::Tensor& gamma,
                            const at::Tensor& beta, std::int64_t groups, double epsilon) {
  using Signature = at::Tensor(const at::Tensor&, const OptionalTensor&, const OptionalTensor&, const OptionalTensor&, const at::Tensor&, const at::Tensor&, std::int64_t, double);
  static const auto op = find<Signature>("voxlab::norm_coefficients");
  return op.call(moments, moments2, shift, bias, gamma, beta, groups, epsilon);
}

at::Tensor scaleShift(const at::Tensor& x, const OptionalTensor& x2, const OptionalTensor& coefficients, bool silu, RoundToTf32 round) {
  using Signature = at::Tensor(const at::Tensor&, const OptionalTensor&, const OptionalTensor&, bool, bool);
  static const auto op = find<Signature>("voxlab::scale_shift");
  return op.call(x, x2, coefficients, silu, round == RoundToTf32::Yes);
}

NormGradients scaleShiftBackward(const at::Tensor& dy, const at::Tensor& x, const OptionalTensor& x2, const at::Tensor& coefficients, const at::Tensor& gamma,
                                 std::int64_t groups, bool silu, const OptionalTensor& addend, const OptionalTensor& addend2) {
  using Signature = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor>(const at::Tensor&, const at::Tensor&, const OptionalTensor&, const at::Tensor&,
                                                                                          const at::Tensor&, std::int64_t, bool, const OptionalTensor&, const OptionalTensor&);
  static const auto op = find<Signature>("voxlab::scale_shift_backward");
  const auto [dx, dx2, dGamma, dBeta, dShift] = op.call(dy, x, x2, coefficients, gamma, groups, silu, addend, addend2);
  return {dx, dx2, dGamma, dBeta, dShift};
}

at::Tensor upsample2x(const at::Tensor& x) {
  static const auto op = find<at::Tensor(const at::Tensor&)>("voxlab::upsample_2x");
  return op.call(x);
}

at::Tensor upsample2xBackward(const at::Tensor& dy) {
  static const auto op = find<at::Tensor(const at::Tensor&)>("voxlab::upsample_2x_backward");
  return op.call(dy);
}

at::Tensor narrowToWide(const at::Tensor& narrow, const at::Tensor& weight, const OptionalTensor& bias, bool first, at::ScalarType type) {
  using Signature = at::Tensor(const at::Tensor&, const at::Tensor&, const OptionalTensor&, bool, at::ScalarType);
  static const auto op = find<Signature>("voxlab::narrow_to_wide");
  return op.call(narrow, weight, bias, first, type);
}

at::Tensor wideToNarrow(const at::Tensor& wide, const OptionalTensor& coefficients, const at::Tensor& weight, const OptionalTensor& bias, bool first, bool silu) {
  using Signature = at::Tensor(const at::Tensor&, const OptionalTensor&, const at::Tensor&, const OptionalTensor&, bool, bool);
  static const auto op = find<Signature>("voxlab::wide_to_narrow");
  return op.call(wide, coefficients, weight, bias, first, silu);
}

std::tuple<at::Tensor, at::Tensor> narrowTimesWide(const at::Tensor& narrow, const at::Tensor& wide, const OptionalTensor& coefficients, bool first, bool silu) {
  using Signature = std::tuple<at::Tensor, at::Tensor>(const at::Tensor&, const at::Tensor&, const OptionalTensor&, bool, bool);
  static const auto op = find<Signature>("voxlab::narrow_times_wide");
  return op.call(narrow, wide, coefficients, first, silu);
}

bool servesWideConvolution(const at::Tensor& x, std::int64_t outputChannels) {
  static const auto op = find<bool(const at::Tensor&, std::int64_t)>("voxlab::serves_wide_convolution");
  return op.call(x, outputChannels);
}

namespace {
const auto& wideConvolutionOperator() {
  using Signature = std::tuple<at::Tensor, at::Tensor, at::Tensor>(const at::Tensor&, const at::Tensor&, const OptionalTensor&, const OptionalTensor&, const OptionalTensor&,
                                                                   const OptionalTensor&, const OptionalTensor&, const OptionalTensor&, bool, bool);
  static const auto op = find<Signature>("voxlab::wide_convolution");
  return op;
}
} // namespace

std::tuple<at::Tensor, at::Tensor> wideConvolution(const at::Tensor& x, const at::Tensor& weight, const OptionalTensor& bias, const OptionalTensor& addend,
                                                   const Through& through, Moments moments, PackedWeight* packed) {
  const OptionalTensor known = packed && packed->bytes.defined() ? OptionalTensor(packed->bytes) : std::nullopt;
  const auto [y, itsMoments, bytes] = wideConvolutionOperator().call(x, weight, bias, addend, through.x, through.x2, through.weight, known, false, moments == Moments::Yes);
  if (packed)
    packed->bytes = bytes;
  return {y, itsMoments};
}

at::Tensor wideConvolutionDataGradient(const at::Tensor& dy, const at::Tensor& weight) {
  return std::get<0>(wideConvolutionOperator().call(dy, weight, {}, {}, {}, {}, {}, {}, true, false));
}

at::Tensor wideWeightGradient(const at::Tensor& x, const at::Tensor& dy) {
  static const auto op = find<at::Tensor(const at::Tensor&, const at::Tensor&)>("voxlab::wide_weight_gradient");
  return op.call(x, dy);
}

void optimiserStep(at::TensorList weights, at::TensorList gradients, at::TensorList moments1, at::TensorList moments2, at::Tensor state, const AdamConstants& constants) {
  using Signature = void(at::TensorList, at::TensorList, at::TensorList, at::TensorList, at::TensorList, at::Tensor&, double, double, double, double, bool, std::int64_t, double);
  static const auto op = find<Signature>("voxlab::optimiser_step_");
  op.call(weights, gradients, moments1, moments2, {}, state, constants.beta1, constants.beta2, constants.epsilon, constants.clipNorm, constants.skipsOverflow, 0, 0.0);
}

void samplerUpdate(at::Tensor x, const at::Tensor& predicted, const OptionalTensor& before, const OptionalTensor& clean, const at::Tensor& rows, const OptionalTensor& index,
                   const at::Tensor& keys, std::int64_t purpose) {
  using Signature = at::Tensor&(at::Tensor&, const at::Tensor&, const OptionalTensor&, const OptionalTensor&, const at::Tensor&, const OptionalTensor&, const at::Tensor&,
                               std::int64_t);
  static const auto op = find<Signature>("voxlab::sampler_update_");
  op.call(x, predicted, before, clean, rows, index, keys, purpose);
}

} // namespace voxlab::fused

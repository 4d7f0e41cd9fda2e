// SPDX-License-Identifier: Apache-2.0
// The fused kernels' operators as functions, through LibTorch's dispatcher: CPU references or CUDA kernels, by the tensors'
// device. Shapes and layouts: torch_kernels.h.
#pragma once
#include <ATen/core/Tensor.h>
#include <optional>
#include <tuple>

namespace voxlab::fused {

using OptionalTensor = std::optional<at::Tensor>;

enum class InPlace { No, Yes };
std::tuple<at::Tensor, at::Tensor> channelMoments(const at::Tensor& x, const OptionalTensor& addend = {}, const OptionalTensor& bias = {}, InPlace inPlace = InPlace::No);
at::Tensor normCoefficients(const at::Tensor& moments, const OptionalTensor& moments2, const OptionalTensor& shift, const OptionalTensor& bias, const at::Tensor& gamma,
                            const at::Tensor& beta, std::int64_t groups, double epsilon);
enum class RoundToTf32 { No, Yes }; // see Rounding in group_norm.h
// Without coefficients: x and x2 as they are.
at::Tensor scaleShift(const at::Tensor& x, const OptionalTensor& x2, const OptionalTensor& coefficients, bool silu, RoundToTf32 round = RoundToTf32::No);

struct NormGradients {
  at::Tensor x, x2, gamma, beta, shift;
};
NormGradients scaleShiftBackward(const at::Tensor& dy, const at::Tensor& x, const OptionalTensor& x2, const at::Tensor& coefficients, const at::Tensor& gamma,
                                 std::int64_t groups, bool silu, const OptionalTensor& addend = {}, const OptionalTensor& addend2 = {});
at::Tensor upsample2x(const at::Tensor& x);
at::Tensor upsample2xBackward(const at::Tensor& dy);
at::Tensor narrowToWide(const at::Tensor& narrow, const at::Tensor& weight, const OptionalTensor& bias, bool first, at::ScalarType type);
at::Tensor wideToNarrow(const at::Tensor& wide, const OptionalTensor& coefficients, const at::Tensor& weight, const OptionalTensor& bias, bool first, bool silu);
std::tuple<at::Tensor, at::Tensor> narrowTimesWide(const at::Tensor& narrow, const at::Tensor& wide, const OptionalTensor& coefficients, bool first, bool silu);

// Whether the device has an own 3³ convolution for these shapes.
bool servesWideConvolution(const at::Tensor& x, std::int64_t outputChannels);
enum class Moments { No, Yes };
// A 1³ convolution of x and x2 that is added.
struct Through {
  OptionalTensor x, x2, weight;
};
// A weight in the form that the kernel reads, made by the first call that is given it and read by those that follow: for weights that
// stay as they are.
struct PackedWeight {
  at::Tensor bytes;
};
// packed: null, the weight is packed each time.
std::tuple<at::Tensor, at::Tensor> wideConvolution(const at::Tensor& x, const at::Tensor& weight, const OptionalTensor& bias, const OptionalTensor& addend,
                                                   const Through& through, Moments moments, PackedWeight* packed = nullptr);
at::Tensor wideConvolutionDataGradient(const at::Tensor& dy, const at::Tensor& weight);
at::Tensor wideWeightGradient(const at::Tensor& x, const at::Tensor& dy);

// Norm, clipping, unscaling and Adam over all tensors. state: seven floats on the device, see OptimiserState in optimiser_step.h.
struct AdamConstants {
  double beta1, beta2, epsilon, clipNorm; // clipNorm 0: off
  bool skipsOverflow;
};
void optimiserStep(at::TensorList weights, at::TensorList gradients, at::TensorList moments1, at::TensorList moments2, at::Tensor state, const AdamConstants& constants);
void samplerUpdate(at::Tensor x, const at::Tensor& predicted, const OptionalTensor& before, const OptionalTensor& clean, const at::Tensor& rows, const OptionalTensor& index,
                   const at::Tensor& keys, std::int64_t purpose);

} // namespace voxlab::fused

// SPDX-License-Identifier: Apache-2.0
// The operators of the fused kernels, from tensors to parameter structs, once for both devices: Run either calls the CPU
// references or launches the kernels. Included by torch_ops.cpp and torch_ops_cuda.cpp only.
// Large tensors are (N, C, D, H, W) in channels-last memory; an operator refuses others instead of converting silently.
#pragma once
#include "core/kernels/group_norm.h"
#include "core/kernels/narrow_conv.h"
#include "core/kernels/optimiser_step.h"
#include "core/kernels/sampler_update.h"
#include "core/kernels/upsample_trilinear.h"
#include "core/kernels/wide_conv.h"
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <optional>
#include <tuple>

namespace voxlab {

using OptionalTensor = std::optional<at::Tensor>;

inline ElementType elementTypeOf(const at::Tensor& t) {
  switch (t.scalar_type()) {
  case at::kFloat:
    return ElementType::Float32;
  case at::kBFloat16:
    return ElementType::BFloat16;
  case at::kHalf:
    return ElementType::Float16;
  default:
    TORCH_CHECK(false, "The fused kernels store float32, bfloat16 or float16, not ", t.scalar_type(), ".");
  }
}

inline VolumeShape volumeShapeOf(const at::Tensor& t) {
  TORCH_CHECK(t.dim() == 5, "The fused kernels take (N, C, D, H, W), not ", t.sizes(), ".");
  return {t.size(0), t.size(2), t.size(3), t.size(4), static_cast<int>(t.size(1))};
}

// A large tensor, as it must be.
inline const at::Tensor& channelsLast(const at::Tensor& t) {
  TORCH_CHECK(t.dim() == 5 && t.is_contiguous(at::MemoryFormat::ChannelsLast3d), "The fused kernels take channels-last tensors (N, C, D, H, W); this one has sizes ",
              t.sizes(), " and strides ", t.strides(), ".");
  TORCH_CHECK(t.size(1) % 8 == 0, "The fused kernels take multiples of eight channels, not ", t.size(1), ".");
  return t;
}
inline at::Tensor emptyVolume(const at::Tensor& like, at::IntArrayRef sizes, at::ScalarType type) {
  return at::empty(sizes, like.options().dtype(type), at::MemoryFormat::ChannelsLast3d);
}

inline const float* floats(const at::Tensor& t, std::int64_t size, const char* what) {
  TORCH_CHECK(t.scalar_type() == at::kFloat && t.is_contiguous() && t.numel() == size, what, " has to be ", size, " contiguous float32 values; it has sizes ", t.sizes(),
              " and type ", t.scalar_type(), ".");
  return t.const_data_ptr<float>();
}
inline const float* floats(const OptionalTensor& t, std::int64_t size, const char* what) { return t && t->defined() ? floats(*t, size, what) : nullptr; }
inline const void* dataOf(const OptionalTensor& t) { return t && t->defined() ? t->const_data_ptr() : nullptr; }
inline bool given(const OptionalTensor& t) { return t && t->defined(); }

// (N, chunks, 1 + 2 C)
inline PartialMoments momentsOf(const at::Tensor& t, std::int64_t batch) {
  TORCH_CHECK(t.dim() == 3 && t.size(0) == batch && t.size(2) % 2 == 1 && t.scalar_type() == at::kFloat && t.is_contiguous(), "These are no channel moments: ", t.sizes(), ".");
  return {t.const_data_ptr<float>(), static_cast<int>(t.size(1)), static_cast<int>(t.size(2) / 2)};
}
// (N, C, 4)
inline const ChannelCoefficients* coefficientsOf(const at::Tensor& t, const VolumeShape& s) {
  return reinterpret_cast<const ChannelCoefficients*>(floats(t, 4 * s.batch * s.channels, "A norm's coefficients"));
}
inline const ChannelCoefficients* coefficientsOf(const OptionalTensor& t, const VolumeShape& s) { return given(t) ? coefficientsOf(*t, s) : nullptr; }

inline at::Tensor floatsLike(const at::Tensor& like, at::IntArrayRef sizes) { return at::empty(sizes, like.options().dtype(at::kFloat).memory_format(std::nullopt)); }

inline Activation activationOf(bool silu) { return silu ? Activation::SiLU : Activation::None; }

// Adds up to a third tensor where addend or bias are given: sum = x + addend + bias, else sum is x itself.
template <class Run> std::tuple<at::Tensor, at::Tensor> channelMomentsOp(const at::Tensor& x, const OptionalTensor& addend, const OptionalTensor& bias, bool inPlace) {
  const Run run(x);
  ChannelMoments p;
  p.shape = volumeShapeOf(channelsLast(x));
  p.type = elementTypeOf(x);
  p.x = x.const_data_ptr();
  p.addend = dataOf(addend);
  TORCH_CHECK(!given(addend) || (channelsLast(*addend).sizes() == x.sizes() && addend->scalar_type() == x.scalar_type()), "What is added has to be shaped and stored alike.");
  p.bias = floats(bias, p.shape.channels, "A bias");
  at::Tensor sum = x;
  if (p.addend || p.bias) {
    sum = inPlace ? x : at::empty_like(x);
    p.sum = sum.mutable_data_ptr();
  }
  p.chunks = run.chunks(p.shape, p.type);
  at::Tensor moments = floatsLike(x, {p.shape.batch, p.chunks, 1 + 2 * p.shape.channels});
  p.moments = moments.mutable_data_ptr<float>();
  run(p);
  return {sum, moments};
}

template <class Run>
at::Tensor normCoefficientsOp(const at::Tensor& moments, const OptionalTensor& moments2, const OptionalTensor& shift, const OptionalTensor& bias, const at::Tensor& gamma,
                              const at::Tensor& beta, std::int64_t groups, double epsilon) {
  const Run run(moments);
  GroupNormCoefficients p;
  p.batch = moments.size(0);
  p.groups = static_cast<int>(groups);
  p.epsilon = static_cast<float>(epsilon);
  p.source[0] = momentsOf(moments, p.batch);
  if (given(moments2))
    p.source[1] = momentsOf(*moments2, p.batch);
  const int channels = p.channels();
  TORCH_CHECK(channels % groups == 0, groups, " groups do not divide ", channels, " channels.");
  p.shift = floats(shift, p.batch * channels, "A norm's shift");
  p.bias = floats(bias, channels, "A bias");
  p.gamma = floats(gamma, channels, "A norm's weight");
  p.beta = floats(beta, channels, "A norm's bias");
  at::Tensor coefficients = floatsLike(moments, {p.batch, channels, 4});
  p.coefficients = reinterpret_cast<ChannelCoefficients*>(coefficients.mutable_data_ptr<float>());
  run(p);
  return coefficients;
}

// x and x2 side by side: the shape of what is never written.
inline VolumeShape joinedShape(const at::Tensor& x, const OptionalTensor& x2, int (&channels)[2]) {
  VolumeShape s = volumeShapeOf(channelsLast(x));
  channels[0] = s.channels;
  channels[1] = 0;
  if (given(x2)) {
    const VolumeShape other = volumeShapeOf(channelsLast(*x2));
    TORCH_CHECK(other.batch == s.batch && other.depth == s.depth && other.height == s.height && other.width == s.width && x2->scalar_type() == x.scalar_type(),
                "Tensors of sizes ", x.sizes(), " and ", x2->sizes(), " cannot stand side by side.");
    channels[1] = other.channels;
    s.channels += other.channels;
  }
  return s;
}

template <class Run> at::Tensor scaleShiftOp(const at::Tensor& x, const OptionalTensor& x2, const OptionalTensor& coefficients, bool silu, bool roundsToTf32) {
  const Run run(x);
  ScaleShift p;
  p.shape = joinedShape(x, x2, p.channels);
  p.type = elementTypeOf(x);
  p.activation = activationOf(silu);
  p.x[0] = x.const_data_ptr();
  p.x[1] = dataOf(x2);
  p.coefficients = coefficientsOf(coefficients, p.shape);
  p.rounding = roundsToTf32 ? Rounding::Tf32 : Rounding::None;
  at::Tensor y = emptyVolume(x, {p.shape.batch, p.shape.channels, p.shape.depth, p.shape.height, p.shape.width}, x.scalar_type());
  p.y = y.mutable_data_ptr();
  run(p);
  return y;
}

// dx, dx2 (undefined without x2), d gamma, d beta, d shift
template <class Run>
std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> scaleShiftBackwardOp(const at::Tensor& dy, const at::Tensor& x, const OptionalTensor& x2,
                                                                                            const at::Tensor& coefficients, const at::Tensor& gamma, std::int64_t groups,
                                                                                            bool silu, const OptionalTensor& addend, const OptionalTensor& addend2) {
  const Run run(x);
  ScaleShiftBackward p;
  p.shape = joinedShape(x, x2, p.channels);
  p.type = elementTypeOf(x);
  p.activation = activationOf(silu);
  p.groups = static_cast<int>(groups);
  p.x[0] = x.const_data_ptr();
  p.x[1] = dataOf(x2);
  p.coefficients = coefficientsOf(coefficients, p.shape);
  p.gamma = floats(gamma, p.shape.channels, "A norm's weight");
  TORCH_CHECK(volumeShapeOf(channelsLast(dy)).elements() == p.shape.elements() && dy.scalar_type() == x.scalar_type(), "The gradient's sizes ", dy.sizes(), " do not fit.");
  p.dy = dy.const_data_ptr();
  const auto addendOf = [](const OptionalTensor& a, const at::Tensor& of) {
    TORCH_CHECK(!given(a) || (channelsLast(*a).sizes() == of.sizes() && a->scalar_type() == of.scalar_type()), "What is added has to be shaped and stored alike.");
    return dataOf(a);
  };
  p.addend[0] = addendOf(addend, x);
  if (given(x2))
    p.addend[1] = addendOf(addend2, *x2);
  at::Tensor dx = at::empty_like(x), dx2 = given(x2) ? at::empty_like(*x2) : at::Tensor();
  p.dx[0] = dx.mutable_data_ptr();
  p.dx[1] = dx2.defined() ? dx2.mutable_data_ptr() : nullptr;
  at::Tensor dGamma = floatsLike(x, {p.shape.channels}), dBeta = floatsLike(x, {p.shape.channels}), dShift = floatsLike(x, {p.shape.batch, p.shape.channels});
  p.dGamma = dGamma.mutable_data_ptr<float>();
  p.dBeta = dBeta.mutable_data_ptr<float>();
  p.dShift = dShift.mutable_data_ptr<float>();
  p.chunks = run.chunks(p.shape, p.type);
  const at::Tensor workspace = floatsLike(x, {scaleShiftBackwardWorkspace(p)});
  p.workspace = workspace.mutable_data_ptr<float>();
  run(p);
  return {dx, dx2, dGamma, dBeta, dShift};
}

template <class Run> at::Tensor upsampleOp(const at::Tensor& x) {
  const Run run(x);
  UpsampleTrilinear p{volumeShapeOf(channelsLast(x)), elementTypeOf(x), x.const_data_ptr(), nullptr};
  at::Tensor y = emptyVolume(x, {x.size(0), x.size(1), 2 * x.size(2), 2 * x.size(3), 2 * x.size(4)}, x.scalar_type());
  p.y = y.mutable_data_ptr();
  run(p);
  return y;
}

template <class Run> at::Tensor upsampleBackwardOp(const at::Tensor& dy) {
  const Run run(dy);
  TORCH_CHECK(channelsLast(dy).size(2) % 2 == 0 && dy.size(3) % 2 == 0 && dy.size(4) % 2 == 0, "An up-sampled volume has even sides, not ", dy.sizes(), ".");
  at::Tensor dx = emptyVolume(dy, {dy.size(0), dy.size(1), dy.size(2) / 2, dy.size(3) / 2, dy.size(4) / 2}, dy.scalar_type());
  run(UpsampleTrilinearBackward{volumeShapeOf(dx), elementTypeOf(dy), dy.const_data_ptr(), dx.mutable_data_ptr()});
  return dx;
}

// A narrow tensor (N, K, D, H, W): float32, channels last.
inline const float* narrowOf(const at::Tensor& t) {
  TORCH_CHECK(t.dim() == 5 && t.scalar_type() == at::kFloat && t.is_contiguous(at::MemoryFormat::ChannelsLast3d), "A narrow tensor is float32 and channels last.");
  TORCH_CHECK(t.size(1) <= kMostNarrowChannels, "A narrow tensor has at most ", kMostNarrowChannels, " channels, not ", t.size(1), ".");
  return t.const_data_ptr<float>();
}
// layer: whether the weight is (wide, narrow, 3, 3, 3), the first layer's, or (narrow, wide, 3, 3, 3), the last's.
inline NarrowLayer layerOf(bool first) { return first ? NarrowLayer::First : NarrowLayer::Last; }
inline const float* narrowWeight(const at::Tensor& weight, NarrowLayer layer, const VolumeShape& wide, std::int64_t narrow) {
  TORCH_CHECK(wide.channels % 32 == 0, "The narrow convolutions take multiples of 32 wide channels, not ", wide.channels, ".");
  TORCH_CHECK(weight.dim() == 5 && weight.size(layer == NarrowLayer::First ? 0 : 1) == wide.channels && weight.size(layer == NarrowLayer::First ? 1 : 0) == narrow,
              "A weight of sizes ", weight.sizes(), " does not join ", narrow, " and ", wide.channels, " channels.");
  return floats(weight, 27 * wide.channels * narrow, "A narrow convolution's weight");
}

template <class Run> at::Tensor narrowToWideOp(const at::Tensor& narrow, const at::Tensor& weight, const OptionalTensor& bias, bool first, at::ScalarType type) {
  const Run run(narrow);
  NarrowToWide p;
  p.layer = layerOf(first);
  p.narrow = narrowOf(narrow);
  p.narrowChannels = static_cast<int>(narrow.size(1));
  at::Tensor wide = emptyVolume(narrow, {narrow.size(0), weight.size(first ? 0 : 1), narrow.size(2), narrow.size(3), narrow.size(4)}, type);
  p.shape = volumeShapeOf(wide);
  p.type = elementTypeOf(wide);
  p.weight = narrowWeight(weight, p.layer, p.shape, p.narrowChannels);
  p.bias = floats(bias, p.shape.channels, "A bias");
  p.wide = wide.mutable_data_ptr();
  run(p);
  return wide;
}

template <class Run>
at::Tensor wideToNarrowOp(const at::Tensor& wide, const OptionalTensor& coefficients, const at::Tensor& weight, const OptionalTensor& bias, bool first, bool silu) {
  const Run run(wide);
  WideToNarrow p;
  p.layer = layerOf(first);
  p.shape = volumeShapeOf(channelsLast(wide));
  p.type = elementTypeOf(wide);
  p.narrowChannels = static_cast<int>(weight.size(first ? 1 : 0));
  p.wide = wide.const_data_ptr();
  p.coefficients = coefficientsOf(coefficients, p.shape);
  p.activation = activationOf(silu);
  p.weight = narrowWeight(weight, p.layer, p.shape, p.narrowChannels);
  p.bias = floats(bias, p.narrowChannels, "A bias");
  at::Tensor narrow = emptyVolume(wide, {wide.size(0), p.narrowChannels, wide.size(2), wide.size(3), wide.size(4)}, at::kFloat);
  p.narrow = narrow.mutable_data_ptr<float>();
  run(p);
  return narrow;
}

// The weight's gradient and the wide tensor's channel sums.
template <class Run>
std::tuple<at::Tensor, at::Tensor> narrowTimesWideOp(const at::Tensor& narrow, const at::Tensor& wide, const OptionalTensor& coefficients, bool first, bool silu) {
  const Run run(wide);
  NarrowTimesWide p;
  p.layer = layerOf(first);
  p.shape = volumeShapeOf(channelsLast(wide));
  p.type = elementTypeOf(wide);
  p.narrow = narrowOf(narrow);
  p.narrowChannels = static_cast<int>(narrow.size(1));
  p.wide = wide.const_data_ptr();
  p.coefficients = coefficientsOf(coefficients, p.shape);
  p.activation = activationOf(silu);
  at::Tensor gradient = first ? floatsLike(wide, {p.shape.channels, p.narrowChannels, 3, 3, 3}) : floatsLike(wide, {p.narrowChannels, p.shape.channels, 3, 3, 3});
  at::Tensor sums = floatsLike(wide, {p.shape.channels});
  p.weightGradient = gradient.mutable_data_ptr<float>();
  p.wideSums = sums.mutable_data_ptr<float>();
  p.blocks = run.blocks(p);
  const at::Tensor workspace = floatsLike(wide, {run.workspace(p)});
  p.workspace = workspace.mutable_data_ptr<float>();
  run(p);
  return {gradient, sums};
}

// Any memory order whose taps follow each other evenly.
inline ConvolutionWeight wideWeightOf(const at::Tensor& w, ElementType type) {
  TORCH_CHECK(w.dim() == 5 && w.size(2) == 3 && w.size(3) == 3 && w.size(4) == 3 && w.stride(3) == 3 * w.stride(4) && w.stride(2) == 9 * w.stride(4),
              "A 3³ convolution's weight is (Cout, Cin, 3, 3, 3) in plain or channels-last memory; this one has sizes ", w.sizes(), " and strides ", w.strides(), ".");
  const ElementType stored = elementTypeOf(w);
  TORCH_CHECK(stored == ElementType::Float32 || stored == type, "A 3³ convolution's weight is stored as float32 or like the volume, not as ", w.scalar_type(), ".");
  return {w.const_data_ptr(), stored, w.stride(0), w.stride(1), w.stride(4)};
}

// What comes to y through a 1³ convolution.
inline PointwiseSum pointwiseSumOf(const OptionalTensor& x, const OptionalTensor& x2, const OptionalTensor& weight, const at::Tensor& y) {
  PointwiseSum p;
  if (!given(x))
    return p;
  const VolumeShape shape = joinedShape(*x, x2, p.channels), result = volumeShapeOf(y);
  TORCH_CHECK(shape.elements() / shape.channels == result.elements() / result.channels && x->scalar_type() == y.scalar_type() && p.channels[0] % 64 == 0 && p.channels[1] % 64 == 0,
              "What comes through a 1³ convolution has to fit the result and to have multiples of 64 channels.");
  TORCH_CHECK(given(weight) && weight->size(0) == result.channels && weight->size(1) == shape.channels && (weight->scalar_type() == at::kFloat || weight->scalar_type() == y.scalar_type()),
              "The 1³ convolution's weight does not fit.");
  p.x[0] = x->const_data_ptr();
  p.x[1] = dataOf(x2);
  p.weight = {weight->const_data_ptr(), elementTypeOf(*weight), weight->stride(0), weight->stride(1), 1};
  return p;
}

// y, its moments if asked for, and the weights as the kernel reads them: given again as packed, they are not packed once more.
template <class Run>
std::tuple<at::Tensor, at::Tensor, at::Tensor> wideConvolutionOp(const at::Tensor& x, const at::Tensor& weight, const OptionalTensor& bias, const OptionalTensor& addend,
                                                     const OptionalTensor& through, const OptionalTensor& through2, const OptionalTensor& throughWeight,
                                                                 const OptionalTensor& packed, bool dataGradient, bool moments) {
  const Run run(x);
  WideConvolution p;
  p.shape = volumeShapeOf(channelsLast(x));
  p.inputChannels = p.shape.channels;
  p.shape.channels = static_cast<int>(weight.size(dataGradient ? 1 : 0));
  p.type = elementTypeOf(x);
  p.pass = dataGradient ? ConvolutionPass::DataGradient : ConvolutionPass::Forward;
  TORCH_CHECK(weight.size(dataGradient ? 0 : 1) == p.inputChannels, "A weight of sizes ", weight.sizes(), " does not take ", p.inputChannels, " channels.");
  TORCH_CHECK(run.serves(p.shape, p.inputChannels), "There is no own convolution for ", x.sizes(), " to ", p.shape.channels, " channels on this device.");
  p.weight = wideWeightOf(weight, p.type);
  p.x = x.const_data_ptr();
  p.bias = floats(bias, p.shape.channels, "A bias");
  at::Tensor y = emptyVolume(x, {x.size(0), p.shape.channels, x.size(2), x.size(3), x.size(4)}, x.scalar_type());
  TORCH_CHECK(!given(addend) || (channelsLast(*addend).sizes() == y.sizes() && addend->scalar_type() == y.scalar_type()), "What is added has to be shaped and stored alike.");
  p.addend = dataOf(addend);
  p.through = pointwiseSumOf(through, through2, throughWeight, y);
  p.y = y.mutable_data_ptr();
  at::Tensor momentsTensor;
  if (moments) {
    momentsTensor = floatsLike(x, {p.shape.batch, run.chunks(p), 1 + 2 * p.shape.channels});
    p.moments = momentsTensor.mutable_data_ptr<float>();
  }
  const std::int64_t bytes = run.workspace(p);
  TORCH_CHECK(!given(packed) || (packed->numel() == bytes && packed->scalar_type() == at::kByte && packed->device() == x.device()), "These packed weights are of another convolution.");
  const at::Tensor workspace = given(packed) ? *packed : at::empty({bytes}, x.options().dtype(at::kByte).memory_format(std::nullopt));
  p.workspace = workspace.mutable_data_ptr();
  p.packing = given(packed) ? WeightPacking::Keep : WeightPacking::Pack;
  run(p);
  return {y, momentsTensor, workspace};
}

template <class Run> at::Tensor wideWeightGradientOp(const at::Tensor& x, const at::Tensor& dy) {
  const Run run(x);
  WideWeightGradient p;
  p.shape = volumeShapeOf(channelsLast(dy));
  p.inputChannels = static_cast<int>(channelsLast(x).size(1));
  p.type = elementTypeOf(x);
  TORCH_CHECK(dy.scalar_type() == x.scalar_type() && volumeShapeOf(x).elements() / p.inputChannels == p.shape.elements() / p.shape.channels, "x and its result do not fit.");
  TORCH_CHECK(run.serves(p.shape, p.inputChannels), "There is no own convolution for ", x.sizes(), " to ", p.shape.channels, " channels on this device.");
  p.x = x.const_data_ptr();
  p.dy = dy.const_data_ptr();
  at::Tensor gradient = emptyVolume(x, {p.shape.channels, p.inputChannels, 3, 3, 3}, at::kFloat); // as the weight lies in memory
  p.weightGradient = gradient.mutable_data_ptr<float>();
  p.outputStride = gradient.stride(0);
  p.inputStride = gradient.stride(1);
  p.tapStride = gradient.stride(4);
  p.blocks = run.blocks(p);
  const at::Tensor workspace = floatsLike(x, {run.workspace(p)});
  p.workspace = workspace.mutable_data_ptr<float>();
  run(p);
  return gradient;
}

template <class Run> bool servesWideConvolutionOp(const at::Tensor& x, std::int64_t outputChannels) {
  VolumeShape shape = volumeShapeOf(x);
  shape.channels = static_cast<int>(outputChannels);
  return Run(x).serves(shape, static_cast<int>(x.size(1)));
}

// x (N, C, D, H, W) contiguous; predicted of any strides that let the voxels be counted with one; rows (n, 8) and keys (N, 2)
// as the structs of sampler_update.h lie in memory, index int32.
template <class Run>
at::Tensor& samplerUpdateOp(at::Tensor& x, const at::Tensor& predicted, const OptionalTensor& before, const OptionalTensor& clean, const at::Tensor& rows,
                            const OptionalTensor& index, const at::Tensor& keys, std::int64_t purpose) {
  const Run run(x);
  SamplerUpdate p;
  TORCH_CHECK(x.dim() == 5 && x.is_contiguous() && x.scalar_type() == at::kFloat, "The sampler's state is float32, contiguous (N, C, D, H, W).");
  TORCH_CHECK(predicted.sizes() == x.sizes() && predicted.scalar_type() == at::kFloat, "The prediction has to be shaped like the state, float32.");
  const bool last = !predicted.is_contiguous();
  TORCH_CHECK(!last || predicted.is_contiguous(at::MemoryFormat::ChannelsLast3d), "The prediction has to be contiguous or channels last.");
  p.batch = x.size(0);
  p.channels = x.size(1);
  p.voxels = x.size(2) * x.size(3) * x.size(4);
  p.x = x.mutable_data_ptr<float>();
  p.predicted = predicted.const_data_ptr<float>();
  p.channelStride = last ? 1 : p.voxels;
  p.voxelStride = last ? p.channels : 1;
  p.before = floats(before, x.numel(), "The estimate of the step before");
  p.clean = const_cast<float*>(floats(clean, x.numel(), "The clean estimate"));
  TORCH_CHECK(rows.dim() == 2 && rows.size(1) * static_cast<std::int64_t>(sizeof(float)) == sizeof(SamplerRow), "A sampler's table has eight columns.");
  p.rows = reinterpret_cast<const SamplerRow*>(floats(rows, rows.numel(), "A sampler's table"));
  TORCH_CHECK(!given(index) || (index->scalar_type() == at::kInt && index->numel() == 1), "A sampler's position is one int32.");
  p.index = static_cast<const int*>(dataOf(index));
  TORCH_CHECK(keys.scalar_type() == at::kLong && keys.is_contiguous() && keys.numel() == 2 * p.batch, "A sampler needs one seed and sample number a volume.");
  p.keys = static_cast<const SamplerKey*>(keys.const_data_ptr());
  p.purpose = static_cast<std::uint32_t>(purpose);
  run(p);
  return x;
}

// state: seven floats, see OptimiserState. average: 0 none, 1 copy, 2 decay; averages may be empty with 0.
template <class Run>
void optimiserStepOp(at::TensorList weights, at::TensorList gradients, at::TensorList moments1, at::TensorList moments2, at::TensorList averages, at::Tensor& state,
                     double beta1, double beta2, double epsilon, double clipNorm, bool skipOverflow, std::int64_t average, double averageDecay) {
  const Run run(state);
  OptimiserStep p;
  const auto pointer = [&](const at::Tensor& t, const at::Tensor& like) {
    TORCH_CHECK(t.scalar_type() == at::kFloat && t.sizes() == like.sizes() && t.strides() == like.strides() && t.is_non_overlapping_and_dense() &&
                    reinterpret_cast<std::uintptr_t>(t.const_data_ptr()) % 16 == 0,
                "The optimiser takes aligned, dense float32 tensors whose gradients and moments have the weight's strides; one has sizes ", t.sizes(), " and strides ",
                t.strides(), " instead of ", like.strides(), ".");
    return static_cast<float*>(const_cast<void*>(t.const_data_ptr()));
  };
  TORCH_CHECK(average >= 0 && average <= 2 && (average == 0 || averages.size() == weights.size()), "The moving average has to be off (0), a copy (1) or a decay (2).");
  for (std::size_t i = 0; i < weights.size(); ++i)
    p.tensors.push_back({pointer(weights[i], weights[i]), pointer(gradients[i], weights[i]), pointer(moments1[i], weights[i]), pointer(moments2[i], weights[i]),
                         average ? pointer(averages[i], weights[i]) : nullptr, weights[i].numel()});
  p.beta1 = static_cast<float>(beta1);
  p.beta2 = static_cast<float>(beta2);
  p.epsilon = static_cast<float>(epsilon);
  p.clipNorm = static_cast<float>(clipNorm);
  p.onOverflow = skipOverflow ? OnOverflow::Skip : OnOverflow::Continue;
  p.average = static_cast<AverageKind>(average);
  p.averageDecay = static_cast<float>(averageDecay);
  static_assert(sizeof(OptimiserState) == 7 * sizeof(float));
  p.state = reinterpret_cast<OptimiserState*>(const_cast<float*>(floats(state, 7, "The optimiser's state")));
  const at::Tensor workspace = floatsLike(state, {std::max<std::int64_t>(1, run.workspace(p))});
  p.workspace = workspace.mutable_data_ptr<float>();
  run(p);
}

// Registers everything above for one device.
template <class Run, class Library> void registerFusedKernels(Library& m) {
  m.impl("channel_moments", channelMomentsOp<Run>);
  m.impl("norm_coefficients", normCoefficientsOp<Run>);
  m.impl("scale_shift", scaleShiftOp<Run>);
  m.impl("scale_shift_backward", scaleShiftBackwardOp<Run>);
  m.impl("upsample_2x", upsampleOp<Run>);
  m.impl("upsample_2x_backward", upsampleBackwardOp<Run>);
  m.impl("narrow_to_wide", narrowToWideOp<Run>);
  m.impl("wide_to_narrow", wideToNarrowOp<Run>);
  m.impl("narrow_times_wide", narrowTimesWideOp<Run>);
  m.impl("wide_convolution", wideConvolutionOp<Run>);
  m.impl("wide_weight_gradient", wideWeightGradientOp<Run>);
  m.impl("serves_wide_convolution", servesWideConvolutionOp<Run>);
  m.impl("sampler_update_", samplerUpdateOp<Run>);
  m.impl("optimiser_step_", optimiserStepOp<Run>);
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/fused_layers.h"
#include "core/kernels/torch_ops.h"
#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/convolution_backward.h>
#include <ATen/ops/mm.h>
#include <torch/csrc/autograd/custom_function.h>

namespace voxlab::fused {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr auto kLast = at::MemoryFormat::ChannelsLast3d;

OptionalTensor optional(const at::Tensor& t) { return t.defined() ? OptionalTensor(t) : std::nullopt; }

at::Tensor castWeight(const at::Tensor& weight, const at::Tensor& like) { return weight.to(weight.options().dtype(like.scalar_type()), false, false, kLast); }
// As the narrow convolutions read it.
at::Tensor plainWeight(const at::Tensor& weight) { return weight.to(at::kFloat).contiguous(); }

at::Tensor plainConvolution(const at::Tensor& x, const at::Tensor& weight, std::int64_t stride) {
  const std::int64_t padding = weight.size(2) / 2;
  return at::convolution(x, castWeight(weight, x), std::nullopt, {stride, stride, stride}, {padding, padding, padding}, {1, 1, 1}, false, {0, 0, 0}, 1).contiguous(kLast);
}

bool ownConvolution(const at::Tensor& x, const at::Tensor& weight, std::int64_t stride, ConvolutionEngine engine) {
  return engine == ConvolutionEngine::Own && stride == 1 && weight.size(2) == 3 && servesWideConvolution(x, weight.size(0));
}

// conv(x) + bias + addend and its moments.
std::tuple<at::Tensor, at::Tensor> convolveAndSum(const at::Tensor& x, const at::Tensor& weight, const OptionalTensor& bias, const OptionalTensor& addend, std::int64_t stride,
                                                  ConvolutionEngine engine, PackedWeight* packed) {
  if (ownConvolution(x, weight, stride, engine))
    return wideConvolution(x, weight, bias, addend, {}, Moments::Yes, packed);
  return channelMoments(plainConvolution(x, weight, stride), addend, bias, InPlace::Yes);
}

struct ConvolutionGradients {
  at::Tensor x, weight;
};
ConvolutionGradients convolutionBackward(const at::Tensor& dy, const at::Tensor& x, const at::Tensor& weight, std::int64_t stride, bool inputToo, ConvolutionEngine engine) {
  const bool own = ownConvolution(x, weight, stride, engine), ownWeight = own && x.scalar_type() != at::kFloat;
  ConvolutionGradients d;
  if (own && inputToo)
    d.x = wideConvolutionDataGradient(dy, weight);
  if (ownWeight)
    d.weight = wideWeightGradient(x, dy).to(weight.scalar_type());
  if (own && ownWeight)
    return d;
  const std::int64_t padding = weight.size(2) / 2;
  const auto computed = [&](const at::Tensor& t) { return x.is_cpu() ? t.to(at::kFloat) : t; }; // LibTorch's 16-bit gradients on CPUs are wrong for small volumes
  const auto [dx, dWeight, none] = at::convolution_backward(computed(dy), computed(x), computed(castWeight(weight, x)), std::nullopt, {stride, stride, stride}, {padding, padding, padding}, {1, 1, 1},
                                                            false, {0, 0, 0}, 1, {inputToo && !own, true, false});
  if (dx.defined())
    d.x = dx.to(x.scalar_type()).contiguous(kLast);
  d.weight = dWeight.to(weight.scalar_type());
  return d;
}

// Sum over everything but the channels, float32.
at::Tensor channelSums(const at::Tensor& x) {
  const at::Tensor moments = std::get<1>(channelMoments(x));
  return (moments.slice(2, 0, 1) * moments.slice(2, 1, 1 + x.size(1))).sum(at::IntArrayRef{0, 1});
}

bool multipliesInTf32(const at::Tensor& x) { return x.is_cuda() && x.scalar_type() == at::kFloat && at::globalContext().allowTF32CuDNN(); }

// act(norm([x, x2])) as a convolution's operand.
at::Tensor operandOf(const at::Tensor& x, const OptionalTensor& x2, const at::Tensor& coefficients) {
  return scaleShift(x, x2, coefficients, true, multipliesInTf32(x) ? RoundToTf32::Yes : RoundToTf32::No);
}

// A volume itself as an operand.
at::Tensor operandOf(const at::Tensor& x, Operands operands) {
  return operands == Operands::Rounded && multipliesInTf32(x) ? scaleShift(x, {}, {}, false, RoundToTf32::Yes) : x;
}

// (N, C, D, H, W) as a matrix of voxels by channels, without a copy.
at::Tensor rowsOf(const at::Tensor& x) { return x.permute({0, 2, 3, 4, 1}).view({-1, x.size(1)}); }
at::Tensor volumeOf(const at::Tensor& rows, const at::Tensor& like) {
  return rows.view({like.size(0), like.size(2), like.size(3), like.size(4), rows.size(1)}).permute({0, 4, 1, 2, 3});
}

ConvolutionEngine engineOf(AutogradContext* context) { return static_cast<ConvolutionEngine>(context->saved_data["engine"].toInt()); }

struct NormaliseFunction : torch::autograd::Function<NormaliseFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& moments, const at::Tensor& gamma, const at::Tensor& beta, std::int64_t groups,
                            double epsilon, bool silu) {
    const at::Tensor coefficients = normCoefficients(moments, {}, {}, {}, gamma, beta, groups, epsilon);
    context->save_for_backward({x, coefficients, gamma});
    context->saved_data["groups"] = groups;
    context->saved_data["silu"] = silu;
    return scaleShift(x, {}, coefficients, silu);
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const NormGradients d = scaleShiftBackward(gradients[0].contiguous(kLast), saved[0], {}, saved[1], saved[2], context->saved_data["groups"].toInt(),
                                               context->saved_data["silu"].toBool());
    return {d.x, {}, d.gamma, d.beta, {}, {}, {}};
  }
};

struct AddFunction : torch::autograd::Function<AddFunction> {
  static variable_list forward(AutogradContext* context, const at::Tensor& a, const at::Tensor& b) {
    const auto [sum, moments] = channelMoments(a, b);
    context->mark_non_differentiable({moments});
    return {sum, moments};
  }
  static variable_list backward(AutogradContext*, const variable_list& gradients) { return {gradients[0], gradients[0]}; }
};

struct UpsampleFunction : torch::autograd::Function<UpsampleFunction> {
  static at::Tensor forward(AutogradContext*, const at::Tensor& x) { return upsample2x(x); }
  static variable_list backward(AutogradContext*, const variable_list& gradients) { return {upsample2xBackward(gradients[0].contiguous(kLast))}; }
};

struct ConvolveFunction : torch::autograd::Function<ConvolveFunction> {
  static variable_list forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, std::int64_t stride, ConvolutionEngine engine,
                               const std::shared_ptr<PackedWeight>& packed, Operands operands) {
    context->save_for_backward({x, weight});
    context->saved_data["stride"] = stride;
    context->saved_data["engine"] = static_cast<std::int64_t>(engine);
    const auto [y, moments] = convolveAndSum(operandOf(x, operands), weight, bias, {}, stride, engine, packed.get());
    context->mark_non_differentiable({moments});
    return {y, moments};
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor dy = gradients[0].contiguous(kLast);
    const ConvolutionGradients d =
        convolutionBackward(dy, saved[0], saved[1], context->saved_data["stride"].toInt(), context->needs_input_grad(0), engineOf(context));
    return {d.x, d.weight, channelSums(dy), {}, {}, {}, {}};
  }
};

struct StemFunction : torch::autograd::Function<StemFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, at::ScalarType type) {
    context->save_for_backward({x, weight});
    return narrowToWide(x, plainWeight(weight), bias, true, type);
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor dy = gradients[0].contiguous(kLast);
    const auto [dWeight, dBias] = narrowTimesWide(saved[0], dy, {}, true, false);
    at::Tensor dx;
    if (context->needs_input_grad(0))
      dx = wideToNarrow(dy, {}, plainWeight(saved[1]), {}, true, false);
    return {dx, dWeight, dBias, {}};
  }
};

struct HeadFunction : torch::autograd::Function<HeadFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& moments, const at::Tensor& gamma, const at::Tensor& beta,
                            const at::Tensor& weight, const at::Tensor& bias, std::int64_t groups, double epsilon) {
    const at::Tensor coefficients = normCoefficients(moments, {}, {}, {}, gamma, beta, groups, epsilon);
    context->save_for_backward({x, coefficients, gamma, weight});
    context->saved_data["groups"] = groups;
    return wideToNarrow(x, coefficients, plainWeight(weight), bias, false, true);
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &coefficients = saved[1], &gamma = saved[2], &weight = saved[3];
    const at::Tensor dOut = gradients[0].contiguous(kLast);
    const at::Tensor dWeight = std::get<0>(narrowTimesWide(dOut, x, coefficients, false, true));
    const at::Tensor dy = narrowToWide(dOut, plainWeight(weight), {}, false, x.scalar_type());
    const NormGradients d = scaleShiftBackward(dy, x, {}, coefficients, gamma, context->saved_data["groups"].toInt(), true);
    return {d.x, {}, d.gamma, d.beta, dWeight, dOut.sum(at::IntArrayRef{0, 2, 3, 4}), {}, {}};
  }
};

// conv(y) + bias + [x, x2], which goes through a 1³ convolution if there is one.
std::tuple<at::Tensor, at::Tensor> secondConvolution(const at::Tensor& y, const at::Tensor& weight, const at::Tensor& bias, const at::Tensor& x, const OptionalTensor& x2,
                                                     const OptionalTensor& skipWeight, const OptionalTensor& skipBias, ConvolutionEngine engine, PackedWeight* packed) {
  if (!skipWeight)
    return convolveAndSum(y, weight, bias, x, 1, engine, packed);
  const at::Tensor biases = skipBias ? bias + *skipBias : bias;
  if (ownConvolution(y, weight, 1, engine) && x.size(1) % 64 == 0 && (!x2 || x2->size(1) % 64 == 0))
    return wideConvolution(y, weight, biases, {}, {x, x2, skipWeight}, Moments::Yes, packed);
  const at::Tensor w = castWeight(*skipWeight, x).flatten(1).t();
  at::Tensor rows = at::mm(rowsOf(x), w.slice(0, 0, x.size(1)));
  if (x2)
    rows.addmm_(rowsOf(*x2), w.slice(0, x.size(1)));
  return convolveAndSum(y, weight, biases, volumeOf(rows, y), 1, engine, packed);
}

struct ResidualFunction : torch::autograd::Function<ResidualFunction> {
  static variable_list forward(AutogradContext* context, const at::Tensor& x, const OptionalTensor& x2, const at::Tensor& xMoments, const OptionalTensor& x2Moments,
                               const at::Tensor& shift, const at::Tensor& gamma1, const at::Tensor& beta1, const at::Tensor& weight1, const at::Tensor& bias1,
                               const at::Tensor& gamma2, const at::Tensor& beta2, const at::Tensor& weight2, const at::Tensor& bias2, const OptionalTensor& skipWeight,
                               const OptionalTensor& skipBias, std::int64_t groups, double epsilon, ConvolutionEngine engine, const std::shared_ptr<PackedWeight>& packed1,
                               const std::shared_ptr<PackedWeight>& packed2, Operands operands) {
    const at::Tensor in = normCoefficients(xMoments, x2Moments, {}, {}, gamma1, beta1, groups, epsilon);
    const auto [h, hMoments] = convolveAndSum(operandOf(x, x2, in), weight1, {}, {}, 1, engine, packed1.get());
    const at::Tensor out = normCoefficients(hMoments, {}, shift, bias1, gamma2, beta2, groups, epsilon);
    const auto through = [&](const at::Tensor& t) { return skipWeight ? operandOf(t, operands) : t; };
    const auto [result, moments] = secondConvolution(operandOf(h, {}, out), weight2, bias2, through(x), x2 ? OptionalTensor(through(*x2)) : std::nullopt, skipWeight,
                                                     skipBias, engine, packed2.get());
    context->save_for_backward({x, x2.value_or(at::Tensor()), h, in, out, gamma1, gamma2, weight1, weight2, skipWeight.value_or(at::Tensor())});
    context->saved_data["groups"] = groups;
    context->saved_data["engine"] = static_cast<std::int64_t>(engine);
    context->saved_data["skip_bias"] = skipBias.has_value();
    context->mark_non_differentiable({moments});
    return {result, moments};
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &skip = saved[1], &h = saved[2], &in = saved[3], &out = saved[4], &gamma1 = saved[5], &gamma2 = saved[6], &weight1 = saved[7],
                     &weight2 = saved[8], &skipWeight = saved[9];
    const OptionalTensor x2 = optional(skip);
    const std::int64_t groups = context->saved_data["groups"].toInt();
    const at::Tensor dResult = gradients[0].contiguous(kLast);
    // The activations are computed again: they were not kept.
    ConvolutionGradients second = convolutionBackward(dResult, operandOf(h, {}, out), weight2, 1, true, engineOf(context));
    NormGradients inner = scaleShiftBackward(second.x, h, {}, out, gamma2, groups, true);
    second.x.reset();
    ConvolutionGradients first = convolutionBackward(inner.x, operandOf(x, x2, in), weight1, 1, true, engineOf(context));
    inner.x.reset();
    at::Tensor addend = dResult, addend2, dSkipWeight, dSkipBias;
    const at::Tensor dBias = channelSums(dResult);
    if (skipWeight.defined()) {
      const at::Tensor rows = rowsOf(dResult), w = castWeight(skipWeight, x).flatten(1);
      addend = volumeOf(at::mm(rows, w.slice(1, 0, x.size(1))), x);
      dSkipWeight = at::mm(rows.t(), rowsOf(x));
      if (x2) {
        addend2 = volumeOf(at::mm(rows, w.slice(1, x.size(1))), skip);
        dSkipWeight = at::cat({dSkipWeight, at::mm(rows.t(), rowsOf(skip))}, 1);
      }
      dSkipWeight = dSkipWeight.to(skipWeight.scalar_type()).view(skipWeight.sizes());
      if (context->saved_data["skip_bias"].toBool())
        dSkipBias = dBias;
    }
    const NormGradients outer = scaleShiftBackward(first.x, x, x2, in, gamma1, groups, true, addend, optional(addend2));
    return {outer.x, outer.x2, {}, {}, inner.shift, outer.gamma, outer.beta, first.weight, inner.shift.sum(at::IntArrayRef{0}), inner.gamma, inner.beta, second.weight,
            dBias, dSkipWeight, dSkipBias, {}, {}, {}, {}, {}, {}};
  }
};

} // namespace

Volume withMoments(const Volume& x) { return x.moments.defined() ? x : Volume{x.tensor, std::get<1>(channelMoments(x.tensor.detach()))}; }

Volume add(const at::Tensor& a, const at::Tensor& b) {
  const variable_list out = AddFunction::apply(a, b);
  return {out[0], out[1]};
}

at::Tensor normalise(const Volume& x, const Norm& norm, Activate activate) {
  const Volume v = withMoments(x);
  return NormaliseFunction::apply(v.tensor, v.moments, norm.gamma, norm.beta, norm.groups, norm.epsilon, activate == Activate::SiLU);
}

at::Tensor upsample(const at::Tensor& x) { return UpsampleFunction::apply(x); }

Volume convolve(const at::Tensor& x, const Convolution& convolution, std::int64_t stride, ConvolutionEngine engine, Operands operands) {
  const variable_list out = ConvolveFunction::apply(x, convolution.weight, convolution.bias, stride, engine, convolution.packed, operands);
  return {out[0], out[1]};
}

at::Tensor stem(const at::Tensor& x, const Convolution& convolution, at::ScalarType type) { return StemFunction::apply(x, convolution.weight, convolution.bias, type); }

at::Tensor head(const Volume& x, const Norm& norm, const Convolution& convolution) {
  const Volume v = withMoments(x);
  return HeadFunction::apply(v.tensor, v.moments, norm.gamma, norm.beta, convolution.weight, convolution.bias, norm.groups, norm.epsilon);
}

Volume residual(const Volume& x, const Volume& skip, const at::Tensor& shift, const Residual& block) {
  const Volume first = withMoments(x), second = skip.tensor.defined() ? withMoments(skip) : skip;
  const Convolution through = block.skip.value_or(Convolution{});
  TORCH_CHECK(through.weight.defined() || !second.tensor.defined(), "A residual block of a concatenation needs a 1³ convolution.");
  const variable_list out = ResidualFunction::apply(first.tensor, optional(second.tensor), first.moments, optional(second.moments), shift, block.inNorm.gamma, block.inNorm.beta,
                                                    block.inConvolution.weight, block.inConvolution.bias, block.outNorm.gamma, block.outNorm.beta,
                                                    block.outConvolution.weight, block.outConvolution.bias, optional(through.weight), optional(through.bias), block.inNorm.groups,
                                                    block.inNorm.epsilon, block.engine, block.inConvolution.packed, block.outConvolution.packed, block.operands);
  return {out[0], out[1]};
}

} // namespace voxlab::fused

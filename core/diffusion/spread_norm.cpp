// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/spread_norm.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/addcmul.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/native_batch_norm.h>
#include <ATen/ops/native_group_norm_backward.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/var.h>
#include <torch/csrc/autograd/custom_function.h>

namespace voxlab {
namespace {
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Statistics {
  at::Tensor mean, variance; // (N, groups) float32
};

// Of each channel, where both layouts are read at full speed; then of each group: its variance is the mean of its channels'
// variances and the variance of their means.
Statistics statisticsOf(const at::Tensor& x, std::int64_t groups) {
  const at::Tensor flat = x.flatten(2);
  const auto grouped = [&](const at::Tensor& t) { return t.view({x.size(0), groups, -1}); };
  const at::Tensor means = grouped(flat.mean(at::IntArrayRef{2}, false, at::kFloat));
  at::Tensor variances = at::empty({x.size(0), x.size(1)}, x.options().dtype(at::kFloat).memory_format(std::nullopt));
  at::var_out(variances, flat, at::OptionalIntArrayRef(at::IntArrayRef{2}), at::Scalar(0));
  const at::Tensor mean = means.mean(at::IntArrayRef{2}, true), deviation = means - mean;
  return {mean.squeeze(2), at::addcmul(grouped(variances), deviation, deviation).mean(at::IntArrayRef{2})};
}

// How many pieces a channel is cut into, so that there are some thousand blocks of threads: as many as divide it evenly.
std::int64_t piecesOf(std::int64_t voxels, std::int64_t channels) {
  std::int64_t pieces = 1;
  while (pieces * channels < 2048 && voxels % (2 * pieces) == 0)
    pieces *= 2;
  return pieces;
}

// One pass with FP32 factors: batch normalisation with given statistics. Of a contiguous tensor its channels are pieces of x's.
at::Tensor normalised(const at::Tensor& x, const Statistics& s, const at::Tensor& gamma, const at::Tensor& beta, double epsilon) {
  const std::int64_t volumes = x.size(0), channels = x.size(1), groups = s.mean.size(1), voxels = x.numel() / (volumes * channels);
  const bool inPieces = x.is_contiguous();
  const std::int64_t pieces = inPieces ? piecesOf(voxels, volumes * channels) : 1;
  const auto ofChannels = [&](const at::Tensor& t) { return t.to(at::kFloat).view({1, groups, -1}).expand({volumes, -1, -1}); };
  const auto ofGroups = [&](const at::Tensor& t) { return t.unsqueeze(2).expand({-1, -1, channels / groups}); };
  const at::Tensor factors = at::stack({ofChannels(gamma), ofChannels(beta), ofGroups(s.mean), ofGroups(s.variance)})
                                 .view({4, -1, 1})
                                 .expand({-1, -1, pieces})
                                 .reshape({4, -1});
  const at::Tensor rows = inPieces ? x.view({1, factors.size(1), -1}) : x;
  return std::get<0>(at::native_batch_norm(rows, factors[0], factors[1], factors[2], factors[3], false, 0, epsilon)).view_as(x);
}

struct SpreadNormFunction : torch::autograd::Function<SpreadNormFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, std::int64_t groups, const at::Tensor& gamma, const at::Tensor& beta, double epsilon) {
    const Statistics s = statisticsOf(x, groups);
    context->save_for_backward({x, gamma, s.mean, (s.variance + epsilon).rsqrt()});
    context->saved_data["groups"] = groups;
    return normalised(x, s, gamma, beta, epsilon);
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &gamma = saved[1];
    const auto stored = [&](const at::Tensor& t) { return t.to(x.scalar_type()); };
    const auto [dx, dGamma, dBeta] = at::native_group_norm_backward(
        gradients[0].contiguous(), x.contiguous(), stored(saved[2]), stored(saved[3]), stored(gamma), x.size(0), x.size(1), x.numel() / (x.size(0) * x.size(1)),
        context->saved_data["groups"].toInt(), {context->needs_input_grad(0), true, true});
    return {dx, {}, dGamma.to(gamma.scalar_type()), dBeta.to(gamma.scalar_type()), {}};
  }
};

} // namespace

bool spreadNormServes(const at::Tensor& x, std::int64_t groups, std::int64_t least) {
  const bool dense = x.is_contiguous() || (x.dim() == 5 && x.size(0) == 1 && x.is_contiguous(at::MemoryFormat::ChannelsLast3d));
  return dense && x.dim() > 2 && x.numel() / (x.size(0) * groups) >= least;
}

at::Tensor spreadGroupNorm(const at::Tensor& x, std::int64_t groups, const at::Tensor& gamma, const at::Tensor& beta, double epsilon) {
  TORCH_CHECK(spreadNormServes(x, groups, 1), "A spread norm takes dense volumes, not sizes ", x.sizes(), " with strides ", x.strides(), ".");
  TORCH_CHECK(x.size(1) % groups == 0, groups, " groups do not divide ", x.size(1), " channels.");
  return SpreadNormFunction::apply(x, groups, gamma, beta, epsilon);
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// Schemas and CPU implementations. A new kernel adds its schema, its CPU reference and, in torch_ops_cuda.cpp, its launcher.
#include "core/kernels/torch_ops.h"
#include "core/kernels/torch_arguments.h"
#include "core/kernels/torch_kernels.h"
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty.h>
#include <torch/library.h>

namespace voxlab {
namespace {

at::Tensor& philoxNormalCpu(at::Tensor& self, std::int64_t seed, std::int64_t purpose, std::int64_t sample, std::int64_t step) {
  const PhiloxNoise noise = philoxNoiseArguments(self, seed, purpose, sample, step);
  at::parallel_for(0, (noise.elements() + 3) / 4, 4096,
                   [&](std::int64_t first, std::int64_t last) { fillNoiseBlocks(noise, first, last); });
  return self;
}

c10::OperatorHandle philoxOperator() {
  static const auto handle = c10::Dispatcher::singleton().findSchemaOrThrow("voxlab::philox_normal_", "");
  return handle;
}

// Runs the fused kernels' references.
struct RunReference {
  explicit RunReference(const at::Tensor&) {}
  int chunks(const VolumeShape&, ElementType) const { return 1; }
  int chunks(const WideConvolution&) const { return 1; }
  template <class P> int blocks(const P&) const { return 1; }
  bool serves(const VolumeShape& shape, int inputChannels) const { return shape.channels % 64 == 0 && inputChannels % 64 == 0; }
  template <class P> std::int64_t workspace(const P&) const { return 0; }
  void operator()(const ChannelMoments& p) const { reference::channelMoments(p); }
  void operator()(const GroupNormCoefficients& p) const { reference::groupNormCoefficients(p); }
  void operator()(const ScaleShift& p) const { reference::scaleShift(p); }
  void operator()(const ScaleShiftBackward& p) const { reference::scaleShiftBackward(p); }
  void operator()(const UpsampleTrilinear& p) const { reference::upsampleTrilinear(p); }
  void operator()(const UpsampleTrilinearBackward& p) const { reference::upsampleTrilinearBackward(p); }
  void operator()(const NarrowToWide& p) const { reference::narrowToWide(p); }
  void operator()(const WideToNarrow& p) const { reference::wideToNarrow(p); }
  void operator()(const NarrowTimesWide& p) const { reference::narrowTimesWide(p); }
  void operator()(const WideConvolution& p) const { reference::wideConvolution(p); }
  void operator()(const WideWeightGradient& p) const { reference::wideWeightGradient(p); }
  void operator()(const SamplerUpdate& p) const { reference::samplerUpdate(p); }
  void operator()(const OptimiserStep& p) const { reference::optimiserStep(p); }
};

} // namespace

TORCH_LIBRARY(voxlab, m) {
  m.def("philox_normal_(Tensor(a!) self, int seed, int purpose, int sample, int step) -> Tensor(a!)");
  m.def("channel_moments(Tensor x, Tensor? addend, Tensor? bias, bool in_place) -> (Tensor, Tensor)");
  m.def("norm_coefficients(Tensor moments, Tensor? moments2, Tensor? shift, Tensor? bias, Tensor gamma, Tensor beta, int groups, float epsilon) -> Tensor");
  m.def("scale_shift(Tensor x, Tensor? x2, Tensor? coefficients, bool silu, bool round_to_tf32) -> Tensor");
  m.def("scale_shift_backward(Tensor dy, Tensor x, Tensor? x2, Tensor coefficients, Tensor gamma, int groups, bool silu, Tensor? addend, "
        "Tensor? addend2) -> (Tensor, Tensor, Tensor, Tensor, Tensor)");
  m.def("upsample_2x(Tensor x) -> Tensor");
  m.def("upsample_2x_backward(Tensor dy) -> Tensor");
  m.def("narrow_to_wide(Tensor narrow, Tensor weight, Tensor? bias, bool first, ScalarType type) -> Tensor");
  m.def("wide_to_narrow(Tensor wide, Tensor? coefficients, Tensor weight, Tensor? bias, bool first, bool silu) -> Tensor");
  m.def("narrow_times_wide(Tensor narrow, Tensor wide, Tensor? coefficients, bool first, bool silu) -> (Tensor, Tensor)");
  m.def("wide_convolution(Tensor x, Tensor weight, Tensor? bias, Tensor? addend, Tensor? through, Tensor? through2, Tensor? through_weight, "
        "Tensor? packed, bool data_gradient, bool moments) -> (Tensor, Tensor, Tensor)");
  m.def("wide_weight_gradient(Tensor x, Tensor dy) -> Tensor");
  m.def("serves_wide_convolution(Tensor x, int output_channels) -> bool");
  m.def("sampler_update_(Tensor(a!) x, Tensor predicted, Tensor? before, Tensor? clean, Tensor rows, Tensor? index, Tensor keys, int purpose) -> Tensor(a!)");
  m.def("optimiser_step_(Tensor[] weights, Tensor[] gradients, Tensor[] moments1, Tensor[] moments2, Tensor[] averages, Tensor(a!) state, float beta1, "
        "float beta2, float epsilon, float clip_norm, bool skip_overflow, int average, float average_decay) -> ()");
}
TORCH_LIBRARY_IMPL(voxlab, CPU, m) {
  m.impl("philox_normal_", philoxNormalCpu);
  registerFusedKernels<RunReference>(m);
}

void registerOperators() {}

bool hasCudaOperators() { return philoxOperator().hasKernelForDispatchKey(c10::DispatchKey::CUDA); }

at::Tensor philoxNormal(at::Tensor out, std::uint64_t seed, std::uint32_t purpose, std::uint32_t sample, std::uint32_t step) {
  static const auto fill = philoxOperator().typed<at::Tensor&(at::Tensor&, std::int64_t, std::int64_t, std::int64_t, std::int64_t)>();
  if (out.is_cuda() && !hasCudaOperators()) {
    at::Tensor host = at::empty(out.sizes(), out.options().device(at::kCPU));
    fill.call(host, static_cast<std::int64_t>(seed), purpose, sample, step);
    return out.copy_(host);
  }
  fill.call(out, static_cast<std::int64_t>(seed), purpose, sample, step);
  return out;
}

} // namespace voxlab

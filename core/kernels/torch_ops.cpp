// SPDX-License-Identifier: Apache-2.0
// Schemas and CPU implementations. A new kernel adds its schema, its CPU reference and, in torch_ops_cuda.cpp, its launcher.
#include "core/kernels/torch_ops.h"
#include "core/kernels/torch_arguments.h"
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

} // namespace

TORCH_LIBRARY(voxlab, m) {
  m.def("philox_normal_(Tensor(a!) self, int seed, int purpose, int sample, int step) -> Tensor(a!)");
}
TORCH_LIBRARY_IMPL(voxlab, CPU, m) { m.impl("philox_normal_", philoxNormalCpu); }

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

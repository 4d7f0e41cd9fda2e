// SPDX-License-Identifier: Apache-2.0
// Where modes meet LibTorch's global switches and the device.
#include "core/execution/cuda_runtime.h"
#include "core/execution/graph_runner.h"
#include "core/execution/mode.h"
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <cstdlib>

namespace voxlab {

std::string unavailableReason(const ModeSwitches& s, c10::Device device) {
  if (!device.is_cuda()) {
    if (s.fusedKernels)
      return "The fused kernels need an NVIDIA GPU; on the CPU there are only their slow references.";
    if (s.precision == Precision::Tf32)
      return "TF32 needs an NVIDIA GPU of the Ampere generation or newer.";
    if (s.cudaGraphs)
      return "CUDA graphs need an NVIDIA GPU.";
    return {};
  }
  if (s.fusedKernels && !cudaModuleMissing().empty())
    return cudaModuleMissing();
  if (s.cudaGraphs && !graphsMissing().empty())
    return graphsMissing();
  const auto gpu = cudaDeviceOf(device);
  if (!gpu)
    return "There is no such GPU.";
  if (s.precision == Precision::Tf32 && !gpu->hasTf32())
    return "TF32 needs a GPU of the Ampere generation or newer; " + gpu->name + " is older.";
  if (s.precision == Precision::Bf16 && !gpu->hasBf16())
    return "BF16 needs a GPU of the Ampere generation or newer; " + gpu->name + " is older.";
  return {};
}

struct ModeGuard::Saved {
  bool tf32Cudnn, tf32Cublas, search, deterministicCudnn, deterministic, deterministicWarns, flash, memoryEfficient, math, cudnnAttention;

  static Saved now() {
    const at::Context& c = at::globalContext();
    return {c.allowTF32CuDNN(),         c.allowTF32CuBLAS(),           c.benchmarkCuDNN(),      c.deterministicCuDNN(),
            c.deterministicAlgorithms(), c.deterministicAlgorithmsWarnOnly(), c.userEnabledFlashSDP(), c.userEnabledMemEfficientSDP(),
            c.userEnabledMathSDP(),      c.userEnabledCuDNNSDP()};
  }
  void apply() const {
    at::Context& c = at::globalContext();
    c.setAllowTF32CuDNN(tf32Cudnn);
    c.setAllowTF32CuBLAS(tf32Cublas);
    c.setBenchmarkCuDNN(search);
    c.setDeterministicCuDNN(deterministicCudnn);
    c.setDeterministicAlgorithms(deterministic, deterministicWarns);
    c.setSDPUseFlash(flash);
    c.setSDPUseMemEfficient(memoryEfficient);
    c.setSDPUseMath(math);
    c.setSDPUseCuDNN(cudnnAttention);
  }
};

ModeGuard::ModeGuard(const ModeSwitches& s, Determinism determinism) : m_saved(std::make_unique<Saved>(Saved::now())) {
  const bool on = determinism == Determinism::On;
  const bool tf32 = s.precision != Precision::Fp32; // 16-bit modes let what stays FP32 use it
  if (on)
    ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0); // cuBLAS is reproducible only with a fixed workspace
  // Math stays allowed: it is what is left where a faster kernel cannot take the shape.
  Saved{tf32, tf32, s.algorithmSearch && !on, on, on, false, s.attention == AttentionMethod::Flash && !on,
        s.attention == AttentionMethod::MemoryEfficient && !on, true, false}
      .apply();
}

ModeGuard::~ModeGuard() { m_saved->apply(); }

Json effectiveState() {
  const at::Context& c = at::globalContext();
  return {{"tf32_cudnn", c.allowTF32CuDNN()},
          {"tf32_cublas", c.allowTF32CuBLAS()},
          {"cudnn_benchmark", c.benchmarkCuDNN()},
          {"cudnn_deterministic", c.deterministicCuDNN()},
          {"deterministic_algorithms", c.deterministicAlgorithms()},
          {"attention_flash", c.userEnabledFlashSDP()},
          {"attention_memory_efficient", c.userEnabledMemEfficientSDP()},
          {"attention_math", c.userEnabledMathSDP()},
          {"threads", at::get_num_threads()}};
}

} // namespace voxlab

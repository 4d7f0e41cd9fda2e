// SPDX-License-Identifier: Apache-2.0
// CUDA implementations of the operators; part of the module voxlab_cuda, which is self-contained.
#define VOXLAB_CUDA_MODULE
#include "core/kernels/torch_arguments.h"
#include "core/kernels/torch_kernels.h"
#include <ATen/cuda/CUDAContextLight.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/library.h>

namespace voxlab {
namespace {

at::Tensor& philoxNormalCuda(at::Tensor& self, std::int64_t seed, std::int64_t purpose, std::int64_t sample, std::int64_t step) {
  const c10::cuda::CUDAGuard guard(self.device());
  const int error = launchPhiloxNoise(philoxNoiseArguments(self, seed, purpose, sample, step), c10::cuda::getCurrentCUDAStream().stream());
  TORCH_CHECK(error == 0, "The noise kernel could not be started on ", self.device(), ": ", cudaGetErrorString(static_cast<cudaError_t>(error)), ".");
  return self;
}

// Launches the fused kernels on a tensor's device, on its current stream.
class Launch {
public:
  explicit Launch(const at::Tensor& t)
      : m_guard(t.device()), m_stream(c10::cuda::getCurrentCUDAStream().stream()), m_multiprocessors(at::cuda::getCurrentDeviceProperties()->multiProcessorCount),
        m_capability(10 * at::cuda::getCurrentDeviceProperties()->major + at::cuda::getCurrentDeviceProperties()->minor) {}
  int chunks(const VolumeShape& shape, ElementType type) const { return momentChunks(shape, type, m_multiprocessors); }
  int chunks(const WideConvolution& p) const { return wideConvolutionChunks(p, m_multiprocessors); }
  bool serves(const VolumeShape& shape, int inputChannels) const { return servesWideConvolution(shape, inputChannels, m_capability); }
  int blocks(const WideWeightGradient& p) const { return wideWeightGradientBlocks(p, m_multiprocessors); }
  std::int64_t workspace(const WideWeightGradient& p) const { return wideWeightGradientWorkspace(p); }
  std::int64_t workspace(const WideConvolution& p) const { return wideConvolutionWorkspace(p); }
  int blocks(const NarrowTimesWide& p) const { return narrowTimesWideBlocks(p, m_multiprocessors); }
  std::int64_t workspace(const NarrowTimesWide& p) const { return narrowTimesWideWorkspace(p); }
  std::int64_t workspace(const OptimiserStep& p) const { return optimiserWorkspace(p); }
  void operator()(const ChannelMoments& p) const { launchChannelMoments(p, m_stream); }
  void operator()(const GroupNormCoefficients& p) const { launchGroupNormCoefficients(p, m_stream); }
  void operator()(const ScaleShift& p) const { launchScaleShift(p, m_stream); }
  void operator()(const ScaleShiftBackward& p) const { launchScaleShiftBackward(p, m_stream); }
  void operator()(const UpsampleTrilinear& p) const { launchUpsampleTrilinear(p, m_stream); }
  void operator()(const UpsampleTrilinearBackward& p) const { launchUpsampleTrilinearBackward(p, m_stream); }
  void operator()(const NarrowToWide& p) const { launchNarrowToWide(p, m_stream); }
  void operator()(const WideToNarrow& p) const { launchWideToNarrow(p, m_stream); }
  void operator()(const NarrowTimesWide& p) const { launchNarrowTimesWide(p, m_stream); }
  void operator()(const WideConvolution& p) const { launchWideConvolution(p, m_stream); }
  void operator()(const WideWeightGradient& p) const { launchWideWeightGradient(p, m_stream); }
  void operator()(const SamplerUpdate& p) const { launchSamplerUpdate(p, m_stream); }
  void operator()(const OptimiserStep& p) const { launchOptimiserStep(p, m_stream); }

private:
  c10::cuda::CUDAGuard m_guard;
  Stream m_stream;
  int m_multiprocessors, m_capability;
};

} // namespace

TORCH_LIBRARY_IMPL(voxlab, CUDA, m) {
  m.impl("philox_normal_", philoxNormalCuda);
  registerFusedKernels<Launch>(m);
}

} // namespace voxlab

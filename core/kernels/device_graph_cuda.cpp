// SPDX-License-Identifier: Apache-2.0
// CUDA graphs by LibTorch's wrapper, which keeps the memory of a recording in a pool of its own. Part of the module.
#include "core/kernels/device_graph.h"
#include <ATen/cuda/CUDAContextLight.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <map>

namespace voxlab {
namespace {

class CudaGraph : public DeviceGraph {
public:
  explicit CudaGraph(int device) : m_device(static_cast<c10::DeviceIndex>(device)), m_stream(streamOf(m_device)) { ++s_alive; }
  // With the last recording goes what cuBLAS kept for their stream; what else runs gets its own anew.
  ~CudaGraph() override {
    m_graph.reset();
    if (--s_alive == 0)
      at::cuda::clearCublasWorkspaces();
  }
  CudaGraph(const CudaGraph&) = delete;
  CudaGraph& operator=(const CudaGraph&) = delete;

  void warmUp(const std::function<void()>& work) override {
    const c10::cuda::CUDAGuard guard(m_device);
    const c10::cuda::CUDAStream current = c10::cuda::getCurrentCUDAStream();
    follow(m_stream, current);
    {
      const c10::cuda::CUDAStreamGuard onStream(m_stream);
      work();
    }
    follow(current, m_stream);
  }

  void capture(const std::function<void()>& work) override {
    const c10::cuda::CUDAGuard guard(m_device);
    c10::cuda::device_synchronize();
    c10::cuda::CUDACachingAllocator::emptyCache(); // what the warm-up used would lie idle beside the recording's own memory
    const c10::cuda::CUDAStreamGuard onStream(m_stream);
    // Other threads (data loading) may go on calling CUDA meanwhile.
    m_graph.capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
    try {
      work();
    } catch (...) {
      abandon();
      throw;
    }
    m_graph.capture_end();
  }

  void replay() override {
    const c10::cuda::CUDAGuard guard(m_device);
    m_graph.replay();
  }

private:
  // One for all recordings of a device: cuBLAS keeps a workspace of 32 MiB and more for every stream that it has met.
  static c10::cuda::CUDAStream streamOf(c10::DeviceIndex device) {
    static std::map<c10::DeviceIndex, c10::cuda::CUDAStream> streams;
    const auto it = streams.find(device);
    return it != streams.end() ? it->second : streams.emplace(device, c10::cuda::getStreamFromPool(false, device)).first->second;
  }
  static void follow(const c10::cuda::CUDAStream& later, const c10::cuda::CUDAStream& earlier) {
    at::cuda::CUDAEvent event;
    event.record(earlier);
    event.block(later);
  }
  void abandon() {
    try {
      m_graph.capture_end();
    } catch (...) { // the recording is broken anyway; the first failure is the one to tell
    }
    m_graph.reset();
  }

  static inline int s_alive = 0; // recordings, all on the thread that computes
  c10::DeviceIndex m_device;
  c10::cuda::CUDAStream m_stream;
  at::cuda::CUDAGraph m_graph;
};

} // namespace
} // namespace voxlab

// Looked up by name. The caller owns what it returns.
extern "C" voxlab::DeviceGraph* voxlab_make_device_graph(int device) { return new voxlab::CudaGraph(device); }

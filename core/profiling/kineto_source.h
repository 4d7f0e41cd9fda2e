// SPDX-License-Identifier: Apache-2.0
// LibTorch's own profiler (Kineto, with CUPTI where there is a GPU) for a window of steps: a Chrome trace file, or the time of its
// kernels alone.
#pragma once
#include "core/base/result.h"
#include <c10/core/Device.h>
#include <filesystem>
#include <string>

namespace voxlab {

// Operators: kernels, copies, runtime calls, operators with the shapes of their inputs, ranges. KernelsOnly: the GPU's side and the
// calls that launched it, for a fraction of the cost; without a GPU operators without shapes.
enum class TraceDetail { Unknown, Operators, KernelsOnly };

// Why nothing can be recorded now, as a sentence: another profiler (Nsight Compute or Systems) has this process. Empty: it can.
std::string recordingMissing();

struct KernelTime {
  double busy_ms = 0;       // in which at least one kernel or copy ran on a GPU, gaps left out
  std::size_t launches = 0; // kernels and copies
};

// Records from construction to save() or kernelTime(). One at a time, opened and closed on the thread that works. The device should be idle at both
// ends: what runs across them is recorded in part or not at all.
class KinetoWindow {
public:
  // Throws Failure with Usage when recordingMissing(), c10::Error when the profiler cannot be started.
  KinetoWindow(TraceDetail detail, c10::DeviceType device);
  ~KinetoWindow(); // drops what was not saved
  KinetoWindow(const KinetoWindow&) = delete;
  KinetoWindow& operator=(const KinetoWindow&) = delete;

  // Ends the window; the file appears when it is whole, compressed where its name ends in ".gz". Fails with Data when it cannot be
  // written.
  Status save(const std::filesystem::path& file);
  // Ends the window instead.
  KernelTime kernelTime();

private:
  bool m_open = false;
};

// Under a profiler of another program the ranges and operators go to it, as NVTX ranges, for as long as this lives; otherwise this
// does nothing. VOXLAB_NVTX=1 has them sent in any case. Only on CUDA devices.
class NvtxRanges {
public:
  explicit NvtxRanges(c10::DeviceType device);
  ~NvtxRanges();
  NvtxRanges(const NvtxRanges&) = delete;
  NvtxRanges& operator=(const NvtxRanges&) = delete;
  bool active() const { return m_active; }

private:
  bool m_active = false;
};

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// What a GPU can do at best: the ceilings of the roofline.
#pragma once
#include "core/analysis/kernels.h"
#include <optional>
#include <span>
#include <string>

namespace voxlab {

struct PeakFigure {
  double value = 0;      // FLOP/s or B/s; 0: the device cannot do it
  bool measured = false; // on such a device, by a large matrix product or copy; otherwise the vendor's figure, dense
  double vendor = 0;     // the vendor's figure, beside a measured one. Kernels may lie between the two.
};

struct DevicePeaks {
  std::string_view name;              // "NVIDIA H200"
  std::string_view pattern;           // in the device's name as the driver gives it
  std::int64_t leastMemory_bytes = 0; // tells variants apart
  PeakFigure fp32, tf32, half, fp64;  // half: BF16 and FP16 on tensor cores, FP32 accumulation
  PeakFigure bandwidth;
  PeakFigure of(KernelArithmetic arithmetic) const; // FP32 for Unknown
};

std::span<const DevicePeaks> devicePeaksTable();
// By the name in a trace or from the driver; nullptr for devices that the table does not know.
const DevicePeaks* devicePeaks(std::string_view deviceName, std::int64_t memory_bytes = 0);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/device_peaks.h"

namespace voxlab {
namespace {
constexpr PeakFigure vendor(double value) {
  return {value, false, value};
}
constexpr PeakFigure measured(double value, double vendorsValue) {
  return {value, true, vendorsValue};
}
constexpr double T = 1e12;

// Vendor figures: data sheets of H200, H100 (2023), A100 (2021), V100 (2020); boost clock, no sparsity.
constexpr DevicePeaks kTable[] = {
    {"NVIDIA H200", "H200", 0, vendor(67 * T), vendor(494.5 * T), measured(790 * T, 989 * T), vendor(34 * T), measured(4.3 * T, 4.8 * T)},
    {"NVIDIA H100 PCIe", "H100 PCIe", 0, vendor(51 * T), vendor(378 * T), vendor(756 * T), vendor(26 * T), vendor(2.0 * T)},
    {"NVIDIA H100", "H100", 0, vendor(67 * T), vendor(494.5 * T), vendor(989 * T), vendor(34 * T), vendor(3.35 * T)},
    {"NVIDIA A100 80 GB", "A100", 60'000'000'000, vendor(19.5 * T), vendor(156 * T), vendor(312 * T), vendor(9.7 * T),
     vendor(2.039 * T)},
    {"NVIDIA A100 40 GB", "A100", 0, vendor(19.5 * T), vendor(156 * T), vendor(312 * T), vendor(9.7 * T), vendor(1.555 * T)},
    {"NVIDIA V100", "V100", 0, vendor(15.7 * T), vendor(0), vendor(125 * T), vendor(7.8 * T), vendor(0.9 * T)},
};
} // namespace

PeakFigure DevicePeaks::of(KernelArithmetic arithmetic) const {
  switch (arithmetic) {
  case KernelArithmetic::Tf32:
    return tf32;
  case KernelArithmetic::Bf16:
  case KernelArithmetic::Fp16:
    return half;
  case KernelArithmetic::Fp64:
    return fp64;
  default:
    return fp32;
  }
}

std::span<const DevicePeaks> devicePeaksTable() {
  return kTable;
}

const DevicePeaks* devicePeaks(std::string_view deviceName, std::int64_t memory_bytes) {
  for (const auto& row : kTable)
    if (deviceName.find(row.pattern) != std::string_view::npos && memory_bytes >= row.leastMemory_bytes)
      return &row;
  return nullptr;
}

} // namespace voxlab

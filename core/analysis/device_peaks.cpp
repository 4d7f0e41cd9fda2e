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

// FP32, TF32, 16 bits, FP64, memory; sources in the header.
constexpr DevicePeaks kTable[] = {
    {"NVIDIA H200", "H200", vendor(67 * T), vendor(494.5 * T), measured(790 * T, 989 * T), vendor(34 * T), measured(4.3 * T, 4.8 * T)},
    {"NVIDIA H200 NVL", "H200 NVL", vendor(60 * T), vendor(417.5 * T), vendor(835.5 * T), vendor(30 * T), vendor(4.8 * T)},
    {"NVIDIA H100 PCIe", "H100 PCIe", vendor(51 * T), vendor(378 * T), vendor(756 * T), vendor(26 * T), vendor(2.0 * T)},
    {"NVIDIA H100 NVL", "H100 NVL", vendor(60 * T), vendor(417.5 * T), vendor(835.5 * T), vendor(30 * T), vendor(3.9 * T)},
    {"NVIDIA H100 SXM", "H100 80GB HBM3", vendor(67 * T), vendor(494.5 * T), vendor(989 * T), vendor(34 * T), vendor(3.35 * T)},
    {"NVIDIA A100 80 GB SXM", "A100-SXM4-80GB", vendor(19.5 * T), vendor(156 * T), vendor(312 * T), vendor(9.7 * T), vendor(2.039 * T)},
    {"NVIDIA A100 80 GB PCIe", "A100 80GB PCIe|A100-PCIE-80GB", vendor(19.5 * T), vendor(156 * T), vendor(312 * T), vendor(9.7 * T), vendor(1.935 * T)},
    {"NVIDIA A100 40 GB", "A100-SXM4-40GB|A100-PCIE-40GB", vendor(19.5 * T), vendor(156 * T), vendor(312 * T), vendor(9.7 * T), vendor(1.555 * T)},
    {"NVIDIA A40", "A40", vendor(37.4 * T), vendor(74.8 * T), vendor(149.7 * T), vendor(37.4/64 * T), vendor(0.696 * T)},
    {"NVIDIA A30", "A30", vendor(10.3 * T), vendor(82 * T), vendor(165 * T), vendor(5.2 * T), vendor(0.933 * T)},
    {"NVIDIA A10", "A10", vendor(31.2 * T), vendor(62.5 * T), vendor(125 * T), vendor(31.2/64 * T), vendor(0.6 * T)},
    {"NVIDIA L40S", "L40S", vendor(91.6 * T), vendor(183 * T), vendor(362.05 * T), vendor(91.6/64 * T), vendor(0.864 * T)},
    {"NVIDIA L40", "L40", vendor(90.5 * T), vendor(90.5 * T), vendor(181.05 * T), vendor(90.5/64 * T), vendor(0.864 * T)},
    {"NVIDIA L4", "L4", vendor(30.3 * T), vendor(60 * T), vendor(121 * T), vendor(30.3/64 * T), vendor(0.3 * T)},
    {"NVIDIA V100S PCIe", "V100S-PCIE-32GB", vendor(16.4 * T), vendor(0), vendor(130 * T), vendor(8.2 * T), vendor(1.134 * T)},
    {"NVIDIA V100 SXM2", "V100-SXM2-16GB|V100-SXM2-32GB", vendor(15.7 * T), vendor(0), vendor(125 * T), vendor(7.8 * T), vendor(0.9 * T)},
    {"NVIDIA V100 PCIe", "V100-PCIE-16GB|V100-PCIE-32GB", vendor(14 * T), vendor(0), vendor(112 * T), vendor(7 * T), vendor(0.9 * T)},
    {"NVIDIA T4", "T4", vendor(8.1 * T), vendor(0), vendor(65 * T), vendor(8.1/32 * T), vendor(0.32 * T)},
    {"NVIDIA RTX 6000 Ada", "RTX 6000 Ada Generation", vendor(91.1 * T), vendor(182.1 * T), vendor(364.2 * T), vendor(91.1/64 * T), vendor(0.96 * T)},
    {"NVIDIA RTX A6000", "RTX A6000", vendor(38.7 * T), vendor(77.4 * T), vendor(154.8 * T), vendor(38.7/64 * T), vendor(0.768 * T)},
    {"NVIDIA GeForce RTX 5090", "GeForce RTX 5090", vendor(104.8 * T), vendor(104.8 * T), vendor(209.5 * T), vendor(104.8/64 * T), vendor(1.792 * T)},
    {"NVIDIA GeForce RTX 5080", "GeForce RTX 5080", vendor(56.3 * T), vendor(56.3 * T), vendor(112.6 * T), vendor(56.3/64 * T), vendor(0.96 * T)},
    {"NVIDIA GeForce RTX 4090", "GeForce RTX 4090", vendor(82.6 * T), vendor(82.6 * T), vendor(165.2 * T), vendor(82.6/64 * T), vendor(1.008 * T)},
    {"NVIDIA GeForce RTX 4080", "GeForce RTX 4080", vendor(48.7 * T), vendor(48.7 * T), vendor(97.5 * T), vendor(48.7/64 * T), vendor(0.7168 * T)},
    {"NVIDIA GeForce RTX 3090 Ti", "GeForce RTX 3090 Ti", vendor(40 * T), vendor(40 * T), vendor(80 * T), vendor(40.0/64 * T), vendor(1.008 * T)},
    {"NVIDIA GeForce RTX 3090", "GeForce RTX 3090", vendor(35.6 * T), vendor(35.6 * T), vendor(71 * T), vendor(35.6/64 * T), vendor(0.936 * T)},
};

// Without "NVIDIA" and, of the data-centre cards up to Turing, "Tesla".
std::string_view withoutMaker(std::string_view name) {
  for (const std::string_view maker : {"NVIDIA ", "Tesla "})
    if (name.starts_with(maker))
      name.remove_prefix(maker.size());
  return name;
}

bool isOneOf(std::string_view name, std::string_view names) {
  for (;;) {
    const std::size_t bar = names.find('|');
    if (names.substr(0, bar) == name)
      return true;
    if (bar == std::string_view::npos)
      return false;
    names.remove_prefix(bar + 1);
  }
}
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

const DevicePeaks* devicePeaks(std::string_view deviceName) {
  const std::string_view name = withoutMaker(deviceName);
  for (const auto& row : kTable)
    if (isOneOf(name, row.driverNames))
      return &row;
  return nullptr;
}

std::string unknownPeaksWords(std::string_view deviceName) {
  const std::string name = deviceName.empty() ? std::string("a GPU that the recording does not name") : std::string(deviceName);
  return "The ceilings of " + name + " are not known, so operators are not held against them and gains by bounds are not estimated.";
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// What a GPU can do at best: the ceilings of the roofline. The vendor's figures are those of its data sheets and white papers, at boost clock
// and without sparsity; where a sheet states a rate with sparsity only, half of it. A card whose figures are not certain is left out.
//   Volta     V100 data sheet (2020): PCIe, SXM2, V100S
//   Turing    T4 product brief; FP64 at 1/32 of FP32 (Turing white paper)
//   Ampere    data sheets of A100 (2021: 40 GB 1555 GB/s, 80 GB PCIe 1935 GB/s, 80 GB SXM 2039 GB/s), A40, A30, A10;
//             GA102 white paper v2.1: RTX A6000, GeForce RTX 3090 and 3090 Ti; FP64 at 1/64 of FP32
//   Ada       data sheets of L40S, L40, L4; Ada white papers: RTX 6000 Ada, GeForce RTX 4090 and 4080; FP64 at 1/64 of FP32
//   Hopper    data sheets of H100 (SXM, PCIe, NVL), H200 (SXM, NVL)
//   Blackwell RTX Blackwell white paper: GeForce RTX 5090 and 5080; FP64 at 1/64 of FP32
// GeForce cards multiply 16-bit matrices at half the rate when they sum in FP32, as networks do: that rate is listed.
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
  std::string_view name;             // "NVIDIA H200"
  std::string_view driverNames;      // the device's whole name as drivers give it, without the maker; several by '|'
  PeakFigure fp32, tf32, half, fp64; // half: BF16 and FP16 on tensor cores, FP32 accumulation
  PeakFigure bandwidth;
  PeakFigure of(KernelArithmetic arithmetic) const; // FP32 for Unknown
};

std::span<const DevicePeaks> devicePeaksTable();
// By the name in a trace or from the driver, the whole of it: "NVIDIA A100-PCIE-40GB", "Tesla V100-SXM2-16GB". nullptr for devices that the
// table does not know, among them slices of a GPU ("… MIG 1g.5gb") and cards whose name goes on ("… Laptop GPU").
const DevicePeaks* devicePeaks(std::string_view deviceName);
// The sentence for a GPU that the table does not know.
std::string unknownPeaksWords(std::string_view deviceName);

} // namespace voxlab

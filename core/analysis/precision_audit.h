// SPDX-License-Identifier: Apache-2.0
// What convolutions and matrix products really computed in, against what the mode asked for; and what the conversions between
// memory layouts cost.
#pragma once
#include "core/analysis/kernel_table.h"
#include "core/protocol/mode_switches.h"

namespace voxlab {

// Against what was asked for: Wider is slower than need be, Narrower less exact than promised.
enum class PrecisionMatch { Unknown, AsAsked, Wider, Narrower };

// Products of one operator in one arithmetic.
struct PrecisionRow {
  std::string operatorName, module, shapes;
  KernelCategory category = KernelCategory::Unknown;
  KernelArithmetic arithmetic = KernelArithmetic::Unknown;
  bool tensorCores = false;
  std::string kernel;      // title of the longest
  std::uint64_t calls = 0; // a step
  double time_ms = 0;      // a step
  PrecisionMatch match = PrecisionMatch::Unknown;
};

struct LayoutTax {
  double time_ms = 0;         // a step
  double bytes = 0;           // a step, read and written; estimated from the tensors of the operators around
  std::uint64_t launches = 0; // a step
  double share = 0;           // of the GPU time, 0…1
};

// What tells the arithmetic: kernels' names on a GPU; without one the types of the operators' inputs.
enum class PrecisionEvidence { Unknown, KernelNames, InputTypes };

struct PrecisionAudit {
  PrecisionEvidence evidence = PrecisionEvidence::Unknown; // Unknown: nothing could be judged
  std::vector<PrecisionRow> rows; // longest first
  double products_ms = 0;         // a step: all products
  double tensorCores_ms = 0;      // of them on tensor cores
  double asAsked_ms = 0;          // of them in the arithmetic that was asked for
  double untold_ms = 0;           // beside them: products whose kernels' names or inputs' types do not say their arithmetic
  LayoutTax layout;
  std::string
      sentence; // "Asked for TF32: 98 % of the products' time ran in it; 1.0 ms ran in FP32, most of it aten::cudnn_convolution …"
};

// Without a mode nothing is asked, and no row is judged. A processor has FP32 for TF32.
PrecisionAudit auditPrecision(const Trace& trace, const KernelIndex& index, std::optional<Precision> asked);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// What an operator has to compute and move at least, from the shapes of its inputs.
#pragma once
#include "core/analysis/kernels.h"
#include "core/analysis/trace.h"

namespace voxlab {

// Of an operator's work, where kernels of their own may do it.
struct PartCost {
  WorkPart part = WorkPart::Unknown;
  double flops = 0, bytes = 0;
};

struct OperatorCost {
  double flops = 0;         // multiplications and additions
  double bytes = 0;         // to and from memory when every tensor is read or written once (normalisation: its input twice)
  double largest_bytes = 0; // of its tensors
  std::vector<double> tensors_bytes; // of each tensor, inputs first, then the output; largest first
  std::vector<PartCost> parts = {};  // that add up to it; empty: it is not made in parts
};

// Convolutions (forward and backward, 1 to 3 dimensions), matrix products, attention, normalisation, elementwise, up-sampling,
// concatenation, copies, reductions, optimisers over lists (list_inputs.h), and Voxlab's own operators. nullopt for other operators and where shapes were not recorded.
// listElementBytes: of tensors in lists, whose types are not recorded.
std::optional<OperatorCost> operatorCost(std::string_view name, const std::vector<OperatorInput>& inputs, double listElementBytes = 4);

double elementBytes(std::string_view type); // "float" 4, "c10::BFloat16" 2, …; 4 for unknown types

} // namespace voxlab

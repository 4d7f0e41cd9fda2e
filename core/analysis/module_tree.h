// SPDX-License-Identifier: Apache-2.0
// GPU time by network module, as a tree: what an icicle chart draws.
#pragma once
#include "core/analysis/kernel_table.h"

namespace voxlab {

struct ModuleNode {
  std::string name;                 // "0", "in_layers"
  std::string path;                 // "input_blocks.3.0.in_layers"
  double total_ms = 0;              // a step, with everything below
  double self_ms = 0;               // a step, of this module itself
  std::uint64_t calls = 0;          // kernels, in all steps, with everything below
  KernelCategory category = KernelCategory::Unknown; // that most of the time belongs to
  std::vector<ModuleNode> children;                  // in the order of their names, numbers by value: the order of the network
};

// The root has an empty path; its own time is that of kernels without a module.
ModuleNode moduleTree(const Trace& trace, const KernelIndex& index, const EventFilter& filter = {});
// For traces that name no modules: phase, operator, kernel. Paths are "forward", "forward/aten::convolution_backward", …; what no operator
// was recorded for stands under kNoOperator in its phase.
inline constexpr std::string_view kNoOperator = "no operator";
ModuleNode operatorTree(const Trace& trace, const KernelIndex& index, const EventFilter& filter = {});
bool namesModules(const Trace& trace);

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
// Titles for lists of kernels: short names, and where several kernels share one what tells them apart.
#pragma once
#include "core/analysis/trace.h"
#include <span>

namespace voxlab {

struct NamedKernel {
  std::string name, shortName;
};

// One for each kernel, in their order: "softmax fp32", or "softmax fp32 · warp 8" beside others of its kind: what differs in no more than
// 16 letters (a variant known by its name, the function, words of the full name), and "#2" where nothing so short does. The same kernels have
// the same titles, however they are ordered.
std::vector<std::string> kernelTitles(std::span<const NamedKernel> kernels);

// What tells the launch shapes of one kernel apart: "grid 128×1×1", "grid 8×1×1, block 256×1×1, 40 registers".
std::vector<std::string> shapeDifferences(std::span<const LaunchGeometry> shapes);

} // namespace voxlab

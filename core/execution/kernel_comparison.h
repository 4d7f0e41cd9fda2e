// SPDX-License-Identifier: Apache-2.0
// The fused kernels beside the LibTorch operations that they replace and beside a plain copy of the bytes that they have to move:
// what `bench --kernels` prints.
#pragma once
#include "core/base/json.h"
#include <ATen/core/Tensor.h>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace voxlab {

struct KernelComparisonSettings {
  std::int64_t side = 128;    // voxels along every axis at full resolution
  std::int64_t channels = 64; // a multiple of 32
  std::vector<at::ScalarType> types{at::kBFloat16, at::kHalf, at::kFloat};
  double least_ms = 20; // that a measurement takes; 0: one call each
};

struct KernelComparison {
  std::string kernel, direction, type; // "norm + SiLU", "forward", "bfloat16"
  std::string shape;                   // "64 x 128³"
  double own_ms = 0, torch_ms = 0;
  double copy_ms = 0;         // of a plain copy of the bytes
  double arithmetic_ms = 0;   // of the operations at the rate of a large matrix product of the same type
  double bytes = 0, flop = 0; // that have to be moved and computed at least
  double difference = 0;      // relative, of the first result, in the Euclidean norm
  // How near the kernel is to what memory or arithmetic allow, whichever is slower: 1 is the limit.
  double shareOfBound() const { return own_ms > 0 ? (copy_ms > arithmetic_ms ? copy_ms : arithmetic_ms) / own_ms : 0; }
};

// Calls report after each row; empty: nobody listens. What LibTorch may do (TF32, algorithm search …) is the caller's to set.
std::vector<KernelComparison> compareKernels(c10::Device device, const KernelComparisonSettings& settings,
                                             const std::function<void(const KernelComparison&)>& report = {});

std::string kernelComparisonTable(const std::vector<KernelComparison>& rows); // plain text
Json toJson(const KernelComparison& row);

} // namespace voxlab

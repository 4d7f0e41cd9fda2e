// SPDX-License-Identifier: Apache-2.0
// What a network will do before it exists: its layers with shapes, multiply-adds and parameters, from the specification
// alone. Free of LibTorch, so that the launch form can show cost and memory while one types.
#pragma once
#include "core/base/result.h"
#include "core/protocol/network_spec.h"
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace voxlab {

enum class PlanLayerKind {
  Unknown,
  LinearTime,   // time embedding and its projections
  Conv3,        // 3×3×3, stride 1
  Conv3Stride2, // down-sampling
  Conv1Skip,    // 1×1×1 on a residual block's shortcut
  AttentionQkv,
  AttentionMatmul, // both products, q·kᵀ and weights·v
  AttentionProjection,
  GroupNorm,
  Silu,
  ResidualAdd,
  Upsample,    // trilinear, ×2
  Concatenate, // [current, stored] along channels
};
std::string_view layerKindName(PlanLayerKind kind); // "conv3", as in exports

struct PlannedLayer {
  std::string name;  // of its parameters in a checkpoint ("input_blocks.3.0.in_layers.2"), or where it would stand
  std::string block; // "input_blocks.3.0": the residual block, attention block or single layer it belongs to
  PlanLayerKind kind = PlanLayerKind::Unknown;
  int level = 0;                     // number of halvings of the resolution that it works at (a down-sampling: of its input)
  std::vector<std::int64_t> in, out; // (N, C, D, H, W); attention (N, C, tokens); linear (N, C)
  std::int64_t macs = 0;             // multiply-adds; FLOPs = 2 × macs; zero padding counted as dense work
  std::int64_t parameters = 0;
  std::int64_t storedElements = 0; // of `in`, when it is a concatenation: those that come from the encoder
  std::int64_t inElements() const;
  std::int64_t outElements() const;
};

enum class StepKind { Unknown, Train, Sample };

struct NetworkPlan {
  NetworkSpec network;
  std::array<std::int64_t, 3> size{}; // (D, H, W), padded
  std::int64_t batch = 1;
  std::vector<PlannedLayer> layers; // in order of execution

  std::int64_t macs() const; // of one forward pass
  std::int64_t parameters() const;
  std::map<PlanLayerKind, std::int64_t> macsByKind() const;
  std::int64_t elementsThrough(PlanLayerKind kind) const; // outputs of all layers of the kind
  // Floating-point operations of one step: a sampling step is one forward pass; a training step a forward pass, two
  // products backward, and the attention blocks' forward pass again (they always recompute).
  double flops(StepKind step) const;
  const PlannedLayer* find(std::string_view name) const;
};

// Pads the size (D, H, W) to what the levels need. Fails with Usage on a size or batch below 1 and on tensors that no
// machine could hold.
Result<NetworkPlan> planNetwork(const NetworkSpec& network, std::array<std::int64_t, 3> size, std::int64_t batch);

} // namespace voxlab

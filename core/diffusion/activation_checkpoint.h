// SPDX-License-Identifier: Apache-2.0
// Activation checkpointing: a part of the network that keeps only its inputs and is computed again in the backward pass.
// Chen et al., "Training deep nets with sublinear memory cost", 2016.
#pragma once
#include <ATen/core/Tensor.h>
#include <functional>
#include <vector>

namespace voxlab {

// One tensor from inputs; undefined inputs stay undefined. It must depend on nothing else that needs gradients but
// `parameters`, and give the same values when called again.
using Recomputable = std::function<at::Tensor(const std::vector<at::Tensor>& inputs)>;

// function(inputs), with gradients for the inputs and parameters that need them. The autocast state of now is restored for
// the second computation. Without gradients it is a plain call.
at::Tensor recomputed(Recomputable function, const std::vector<at::Tensor>& inputs, const std::vector<at::Tensor>& parameters);

} // namespace voxlab

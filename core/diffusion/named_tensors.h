// SPDX-License-Identifier: Apache-2.0
// Tensors with names, in order: a network's parameters, an optimiser's moments, a file's content.
#pragma once
#include <ATen/core/Tensor.h>
#include <string>
#include <string_view>
#include <vector>

namespace voxlab {

struct NamedTensor {
  std::string name;
  at::Tensor tensor;
};
using NamedTensors = std::vector<NamedTensor>;

const at::Tensor* findTensor(const NamedTensors& tensors, std::string_view name); // nullptr if there is none
std::vector<at::Tensor> tensorsOf(const NamedTensors& tensors);
std::int64_t elementCount(const NamedTensors& tensors);

// New storage with the same names and values, without history.
NamedTensors copyOf(const NamedTensors& tensors);
NamedTensors copyTo(const NamedTensors& tensors, at::Device device);
// Copies values name by name; both must hold the same names and shapes.
void copyValues(const NamedTensors& from, const NamedTensors& to);

} // namespace voxlab

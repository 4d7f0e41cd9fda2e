// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/named_tensors.h"
#include <c10/core/GradMode.h>

namespace voxlab {

const at::Tensor* findTensor(const NamedTensors& tensors, std::string_view name) {
  for (const NamedTensor& t : tensors)
    if (t.name == name)
      return &t.tensor;
  return nullptr;
}

std::vector<at::Tensor> tensorsOf(const NamedTensors& tensors) {
  std::vector<at::Tensor> list;
  list.reserve(tensors.size());
  for (const NamedTensor& t : tensors)
    list.push_back(t.tensor);
  return list;
}

std::int64_t elementCount(const NamedTensors& tensors) {
  std::int64_t count = 0;
  for (const NamedTensor& t : tensors)
    count += t.tensor.numel();
  return count;
}

NamedTensors copyOf(const NamedTensors& tensors) {
  NamedTensors copies;
  copies.reserve(tensors.size());
  for (const NamedTensor& t : tensors)
    copies.push_back({t.name, t.tensor.detach().clone()});
  return copies;
}

NamedTensors copyTo(const NamedTensors& tensors, at::Device device) {
  NamedTensors copies;
  copies.reserve(tensors.size());
  for (const NamedTensor& t : tensors)
    copies.push_back({t.name, t.tensor.detach().to(t.tensor.options().device(device), false, true)});
  return copies;
}

void copyValues(const NamedTensors& from, const NamedTensors& to) {
  TORCH_CHECK(from.size() == to.size(), "Cannot copy ", from.size(), " tensors over ", to.size(), ".");
  const c10::AutoGradMode noGradient(false);
  for (const NamedTensor& target : to) {
    const at::Tensor* source = findTensor(from, target.name);
    TORCH_CHECK(source, "There is no tensor ", target.name, " to copy from.");
    TORCH_CHECK(source->sizes() == target.tensor.sizes(), target.name, " has shape ", source->sizes(), ", not ", target.tensor.sizes(), ".");
    at::Tensor(target.tensor).copy_(*source);
  }
}

} // namespace voxlab

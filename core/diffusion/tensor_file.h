// SPDX-License-Identifier: Apache-2.0
// LibTorch tensors in safetensors files.
#pragma once
#include "core/base/safetensors.h"
#include "core/diffusion/named_tensors.h"

namespace voxlab {

struct TensorFile {
  NamedTensors tensors; // on the CPU, contiguous, in the file's order, in the file's types
  TensorMetadata metadata;
};

Result<TensorFile> readTensors(const std::filesystem::path& file);
Result<at::Tensor> readTensor(const SafetensorsReader& reader, const std::string& name);

// Written beside, flushed, renamed. Tensors may be on any device and in any layout; they are copied one at a time.
Status writeTensors(const std::filesystem::path& file, const NamedTensors& tensors, const TensorMetadata& metadata = {});

} // namespace voxlab

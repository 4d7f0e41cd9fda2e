// SPDX-License-Identifier: Apache-2.0
// Checkpoints for the published programs: a .pt file as torch.save writes it, which they load strictly.
#pragma once
#include "core/base/result.h"
#include "core/diffusion/named_tensors.h"
#include "core/protocol/network_spec.h"
#include <filesystem>

namespace voxlab {

struct UpstreamContent {
  NetworkSpec network;
  int timesteps = 250;
  std::int64_t step = 0;
  NamedTensors model, ema; // the network's parameters, any floating type; written as float32
};

// Fails with Data when a parameter is missing or has another shape than the network's, or when the file cannot be written.
Status writeUpstreamCheckpoint(const std::filesystem::path& file, const UpstreamContent& content);

} // namespace voxlab

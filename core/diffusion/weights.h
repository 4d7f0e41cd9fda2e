// SPDX-License-Identifier: Apache-2.0
// A network's weights by themselves: from a checkpoint folder, a .safetensors file or a published .pt file; the network's
// shape comes with them.
#pragma once
#include "core/base/json.h"
#include "core/diffusion/named_tensors.h"
#include "core/protocol/network_spec.h"

namespace voxlab {

enum class WhichWeights { Unknown, Model, Ema };

struct Weights {
  NetworkSpec network;
  NamedTensors parameters; // float32, on the CPU, in the network's order
  std::optional<int> timesteps;      // T they were trained with
  std::optional<std::int64_t> step;  // finished training steps
  Json description = Json::object(); // as in Checkpoint; empty for published files
};

// A .safetensors file holds one set of weights: `which` is ignored then. The network is read from the file's metadata, else
// worked out from names and shapes. Fails with Data and a sentence.
Result<Weights> loadWeights(const std::filesystem::path& path, WhichWeights which);

enum class WeightsPrecision { Unknown, Full, Half, Bfloat16 }; // of the file

Status saveWeights(const std::filesystem::path& file, const Weights& weights, WeightsPrecision precision = WeightsPrecision::Full);

// The metadata entries of a weights file.
std::map<std::string, std::string> weightsMetadata(const Weights& weights);

} // namespace voxlab

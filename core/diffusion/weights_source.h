// SPDX-License-Identifier: Apache-2.0
// A trained network from whatever holds one: a checkpoint folder (or a file in it), a run folder (its newest checkpoint), a
// .safetensors file, or a published .pt file.
#pragma once
#include "core/base/json.h"
#include "core/diffusion/named_tensors.h"
#include "core/protocol/network_spec.h"

namespace voxlab {

// How volumes were prepared for the network.
struct PreparationRecord {
  std::array<std::int64_t, 3> size{128, 128, 128}; // X, Y, Z
  std::string recipe = "volume";
  std::vector<std::int64_t> labels; // of the condition channels
  double conditionBackground = -1;
  std::vector<std::string> modalities; // of the image channels; may be empty
};
Json toJson(const PreparationRecord& record);
PreparationRecord preparationFromJson(const Json& json, const NetworkSpec& network); // what is missing: as guessed
// What the published networks were trained on, told from the number of channels.
PreparationRecord guessedPreparation(const NetworkSpec& network);

struct TrainedNetwork {
  NetworkSpec network;
  int timesteps = 250;
  NamedTensors model, average; // float32, on the CPU, in the layout's order; the same tensors when the source has one set
  std::optional<std::int64_t> step;
  PreparationRecord preparation;
  std::string kind;                 // "checkpoint", "safetensors", "published checkpoint"
  std::filesystem::path file;       // the folder or file that was read in the end
  std::vector<std::string> guesses; // what the source does not say and was assumed, in words
};

// Fails with Data: nothing of the kind, damaged, or weights that fit no network.
Result<TrainedNetwork> readTrainedNetwork(const std::filesystem::path& source);

// Description for state.json and the metadata of a .safetensors file: {"network", "timesteps", "data"}.
Json describeNetwork(const NetworkSpec& network, int timesteps, const PreparationRecord& preparation);

// The metadata key of a .safetensors file under which that description stands.
inline constexpr const char* kDescriptionKey = "voxlab";

} // namespace voxlab

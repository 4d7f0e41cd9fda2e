// SPDX-License-Identifier: Apache-2.0
// How volumes were prepared for a network: part of the description that travels with its weights.
#pragma once
#include "core/diffusion/weights.h"

namespace voxlab {

struct PreparationRecord {
  std::array<std::int64_t, 3> size{128, 128, 128}; // X, Y, Z
  std::string recipe = "volume";
  std::vector<std::int64_t> labels; // of the condition channels
  double conditionBackground = -1;
  std::vector<std::string> modalities; // of the image channels; may be empty
};

// {"data": {"size", "preprocessing", "labels", "condition_background", "modalities"}}
Json describe(const PreparationRecord& record);

// Names of the image channels for files: the modalities where they are known, else "1", "2", …; empty when there is one channel.
std::vector<std::string> channelNames(const PreparationRecord& record, const NetworkSpec& network);

struct FoundPreparation {
  PreparationRecord record;
  std::vector<std::string> guesses; // what the weights do not say and was assumed as for the published ones, in words
};
FoundPreparation preparationOf(const Weights& weights);

// A checkpoint folder, .safetensors or .pt file stays what it is; a run stands for its newest checkpoint, a file in a checkpoint
// for the whole. Fails with Data on a run without a checkpoint.
Result<std::filesystem::path> weightsPath(const std::filesystem::path& source);

} // namespace voxlab

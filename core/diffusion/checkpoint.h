// SPDX-License-Identifier: Apache-2.0
// The full state of a training, as a folder:
//   model.safetensors ema.safetensors optimizer.safetensors state.json DONE
// written under another name, flushed, DONE last, then renamed: a folder under its own name is whole.
#pragma once
#include "core/base/json.h"
#include "core/diffusion/named_tensors.h"
#include "core/protocol/network_spec.h"

namespace voxlab {

struct Checkpoint {
  std::int64_t step = 0; // finished steps
  NetworkSpec network;
  int timesteps = 250;
  Json description = Json::object(); // what the weights are for (labels, size, preprocessing …): travels with them
  Json state = Json::object();       // the trainer's own: seed, data position, counters
  NamedTensors model, ema, optimizer;
};

// Replaces a folder of that name. Fails with Data when the disk does.
Status writeCheckpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint);
// Tensors on the CPU. Fails with Data on a folder without DONE, a missing or damaged file, a newer schema.
Result<Checkpoint> readCheckpoint(const std::filesystem::path& folder);
bool isCheckpointFolder(const std::filesystem::path& folder); // DONE is there

} // namespace voxlab

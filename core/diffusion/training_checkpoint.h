// SPDX-License-Identifier: Apache-2.0
// The whole state of a training run in a folder: model.safetensors, ema.safetensors, optimizer.safetensors, state.json, and DONE,
// which is written last. The folder appears under its name when everything is in it.
#pragma once
#include "core/base/json.h"
#include "core/diffusion/train_step.h"
#include <filesystem>

namespace voxlab {

inline constexpr const char* kModelFile = "model.safetensors";
inline constexpr const char* kAverageFile = "ema.safetensors";
inline constexpr const char* kOptimizerFile = "optimizer.safetensors";
inline constexpr const char* kStateFile = "state.json";
inline constexpr const char* kDoneFile = "DONE";

// `state` is what state.json holds beside the version and the step. Fails with Data when it cannot be written; nothing is
// left behind then.
Status writeTrainingCheckpoint(const std::filesystem::path& folder, const TrainStep& training, Json state);

// Copies weights, average, optimiser and step into `training`; returns state.json. Throws Failure with Data when the folder is
// not whole or does not fit.
Json restoreTrainingCheckpoint(const std::filesystem::path& folder, TrainStep& training);

// Removes the oldest of the finished checkpoints (ascending by step) until `keep` are left, and what was never finished;
// keep 0 keeps all. The newest is never removed.
void pruneCheckpoints(const std::filesystem::path& checkpoints, const std::vector<std::filesystem::path>& finished,
                      std::int64_t keep);

} // namespace voxlab

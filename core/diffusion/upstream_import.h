// SPDX-License-Identifier: Apache-2.0
// The published programs' checkpoints (.pt, written by torch.save): read without Python, and without executing anything
// that stands in them.
#pragma once
#include "core/diffusion/named_tensors.h"
#include "core/base/result.h"
#include <filesystem>
#include <optional>

namespace voxlab {

struct UpstreamCheckpoint {
  std::optional<std::int64_t> step; // index of the iteration just finished
  NamedTensors model, ema;          // network parameters without the prefix "denoise_fn.", float32, on the CPU, in file order
  NamedTensors schedule;            // the 13 vectors [T]; empty if the file has none
  std::optional<int> timesteps;     // T, their length
};

// Understands {step, model, ema} and a bare dictionary of tensors (then model and ema are the same). Fails with Data and a
// sentence: not such a file, damaged, other contents, or a request for any other Python object.
Result<UpstreamCheckpoint> readUpstreamCheckpoint(const std::filesystem::path& file);

} // namespace voxlab

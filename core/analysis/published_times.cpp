// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/published_times.h"
#include "core/protocol/network_spec.h"
#include <algorithm>

namespace voxlab {
namespace {
struct Measured {
  NetworkSpec network;
  std::vector<std::int64_t> size; // X, Y, Z
  PublishedTimes times;
};

NetworkSpec bratsNetwork() {
  NetworkSpec n;
  n.imageChannels = 4;
  n.conditionChannels = 4;
  n.residualBlocks = 2;
  n.attentionFactors = {};
  return n;
}

// PyTorch 2.11.0 for CUDA 13.0, cuDNN 9, batch 1; medians of 10 steps after warm-up. Training: forward, backward and Adam with
// the input on the device; sampling: network and update.
const std::vector<Measured>& table() {
  static const std::vector<Measured> rows{
      {{}, {128, 128, 128}, {"NVIDIA H200", {{"baseline", 1218, 197}, {"opt1", 230, 89}, {"opt2", 1368, 258}, {"opt12", 339, 129}, {"fp16", 151, 75}, {"bf16", 175, 76}, {"bf16_channels_last", 280, 118}}}},
      {{}, {64, 64, 64}, {"NVIDIA H200", {{"baseline", 171, 34}, {"opt1", 52, 24}, {"opt12", 57, 24}, {"bf16", 66, 24}}}},
      {{}, {96, 96, 96}, {"NVIDIA H200", {{"baseline", 554, 90}, {"opt1", 108, 44}, {"opt12", 139, 54}, {"bf16", 86, 38}}}},
      {{}, {160, 160, 160}, {"NVIDIA H200", {{"baseline", 2444, 381}, {"opt1", 438, 175}, {"opt12", 643, 250}, {"bf16", 341, 148}}}},
      {bratsNetwork(), {192, 192, 144}, {"NVIDIA H200", {{"baseline", 4834, 719}, {"opt1", 824, 339}, {"opt12", 1133, 461}, {"bf16", 705, 284}}}},
  };
  return rows;
}
} // namespace

std::optional<double> PublishedTimes::of(std::string_view mode, bool train) const {
  const auto it = std::find_if(rows.begin(), rows.end(), [&](const PublishedTime& row) { return row.mode == mode; });
  return it == rows.end() ? std::nullopt : std::optional(train ? it->train_ms : it->sample_ms);
}

const PublishedTimes* publishedTimes(const JobSpec& spec) {
  const auto network = networkSpecFrom(spec);
  const auto size = spec.get<std::vector<std::int64_t>>("data.size");
  if (!network || spec.get<std::int64_t>("train.batch", 1) != 1)
    return nullptr;
  const auto it = std::find_if(table().begin(), table().end(),
                               [&](const Measured& row) { return row.size == size && toJson(row.network) == toJson(*network); });
  return it == table().end() ? nullptr : &it->times;
}

} // namespace voxlab

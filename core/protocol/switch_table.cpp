// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/switch_table.h"
#include "core/base/text.h"
#include <algorithm>

namespace voxlab {
namespace {
constexpr int kMaximumLevels = 8;
constexpr FusedPart kParts[] = {FusedPart::Stem,     FusedPart::Convolution, FusedPart::Residual,  FusedPart::Attention,
                                FusedPart::Upsample, FusedPart::Head,        FusedPart::Optimiser, FusedPart::Sampler};

template <class T> void insertOnce(std::vector<T>& list, T value) {
  if (std::find(list.begin(), list.end(), value) == list.end())
    list.insert(std::upper_bound(list.begin(), list.end(), value), value);
}

std::vector<NamedSwitch> plainSwitches() {
  return {
      {"fp32", "FP32", "Convolutions and matrix products in FP32, both TF32 switches off.", [](ModeSwitches& s, int) { s.precision = Precision::Fp32; }},
      {"tf32", "TF32", "Convolutions and matrix products on TF32 tensor cores.", [](ModeSwitches& s, int) { s.precision = Precision::Tf32; }},
      {"bf16", "BF16", "Convolutions and matrix products in bfloat16.", [](ModeSwitches& s, int) { s.precision = Precision::Bf16; }},
      {"fp16", "FP16", "Convolutions and matrix products in float16, gradients scaled.",
       [](ModeSwitches& s, int) {
         s.precision = Precision::Fp16;
         s.fusedOptimiser = true; // the one that can skip a step
       }},
      {"stored", "Stored in 16 bits", "All feature maps of a 16-bit mode are stored in 16 bits instead of cast where an operation wants it.",
       [](ModeSwitches& s, int) { s.autocast = false; }},
      {"contiguous", "Channels first", "Feature maps stored N, C, D, H, W.", [](ModeSwitches& s, int) { s.layout = MemoryLayout::Contiguous; }},
      {"channels_last", "Channels last", "Feature maps stored N, D, H, W, C.", [](ModeSwitches& s, int) { s.layout = MemoryLayout::ChannelsLast; }},
      {"search", "Algorithm search", "cuDNN tries its algorithms and takes the fastest.", [](ModeSwitches& s, int) { s.algorithmSearch = true; }},
      {"math_attention", "Attention by matrix products", "As published.", [](ModeSwitches& s, int) { s.attention = AttentionMethod::Math; }},
      {"flash_attention", "Flash attention", "16 bits only; others fall back to matrix products.", [](ModeSwitches& s, int) { s.attention = AttentionMethod::Flash; }},
      {"memory_efficient_attention", "Memory-efficient attention", "Scores are never stored.", [](ModeSwitches& s, int) { s.attention = AttentionMethod::MemoryEfficient; }},
      {"fused_optimiser", "Fused Adam", "All tensors in one kernel.", [](ModeSwitches& s, int) { s.fusedOptimiser = true; }},
      {"spread_norm", "Spread GroupNorm", "Statistics of large volumes taken by all multiprocessors.", [](ModeSwitches& s, int) { s.spreadNorm = true; }},
      {"plain_norm", "LibTorch's GroupNorm", "One block of threads a group.", [](ModeSwitches& s, int) { s.spreadNorm = false; }},
      {"graph", "CUDA graphs", "Steps are recorded once and replayed.", [](ModeSwitches& s, int) { s.cudaGraphs = true; }},
      {"host_sync", "Wait after every step", "As programs do that read the loss each time.", [](ModeSwitches& s, int) { s.hostSync = HostSync::EveryStep; }},
      {"fused", "Fused kernels", "Own channels-last kernels.",
       [](ModeSwitches& s, int) {
         s.fusedKernels = true;
         s.autocast = false;
         s.layout = MemoryLayout::ChannelsLast;
       }},
  };
}

std::vector<NamedSwitch> allSwitches() {
  std::vector<NamedSwitch> table = plainSwitches();
  for (int level = 0; level < kMaximumLevels; ++level)
    table.push_back({"checkpoint_" + std::to_string(level), "Recompute level " + std::to_string(level),
                     "Residual blocks of this level keep their input only and compute their forward pass again: less memory, more time.",
                     [](ModeSwitches& s, int number) { insertOnce(s.checkpointLevels, number); }, level});
  for (const FusedPart part : kParts)
    table.push_back({"unfused_" + std::string(fusedPartName(part)), "Not fused: " + std::string(fusedPartName(part)), "This part of the fused kernels is left to LibTorch.",
                     [](ModeSwitches& s, int number) { insertOnce(s.unfusedParts, static_cast<FusedPart>(number)); }, static_cast<int>(part)});
  return table;
}
} // namespace

const std::vector<NamedSwitch>& switchTable() {
  static const std::vector<NamedSwitch> table = allSwitches();
  return table;
}

bool applySwitch(const std::string& name, ModeSwitches& target) {
  for (const NamedSwitch& s : switchTable())
    if (s.name == name) {
      s.apply(target, s.number);
      return true;
    }
  return false;
}

CombinedMode splitMode(const std::string& text) {
  CombinedMode mode;
  const std::vector<std::string> parts = split(text, '+');
  for (std::size_t i = 0; i < parts.size(); ++i)
    (i == 0 ? mode.row : mode.switches.emplace_back()) = trimmed(parts[i]);
  return mode;
}

std::string joinMode(const CombinedMode& mode) {
  std::string text = mode.row;
  for (const std::string& name : mode.switches)
    text += "+" + name;
  return text;
}

void joinModeSwitches(JobSpec& spec) {
  const auto added = spec.get<std::vector<std::string>>(kModeSwitchesKey);
  if (added.empty())
    return;
  CombinedMode mode = splitMode(spec.get<std::string>("mode", "baseline"));
  mode.switches.insert(mode.switches.end(), added.begin(), added.end());
  spec.set("mode", joinMode(mode));
  spec.set(kModeSwitchesKey, Json::array());
}

void separateModeSwitches(JobSpec& spec) {
  joinModeSwitches(spec);
  const CombinedMode mode = splitMode(spec.get<std::string>("mode"));
  if (mode.switches.empty())
    return;
  spec.set("mode", mode.row);
  spec.set(kModeSwitchesKey, mode.switches);
}

} // namespace voxlab

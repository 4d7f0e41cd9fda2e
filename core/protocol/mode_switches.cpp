// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/mode_switches.h"
#include <algorithm>
#include <array>

namespace voxlab {
namespace {
template <class E> struct Name {
  E value;
  std::string_view name;
};
constexpr std::array<Name<Precision>, 4> kPrecisions{
    {{Precision::Fp32, "fp32"}, {Precision::Tf32, "tf32"}, {Precision::Bf16, "bf16"}, {Precision::Fp16, "fp16"}}};
constexpr std::array<Name<MemoryLayout>, 2> kLayouts{
    {{MemoryLayout::Contiguous, "contiguous"}, {MemoryLayout::ChannelsLast, "channels_last"}}};
constexpr std::array<Name<AttentionMethod>, 3> kAttention{
    {{AttentionMethod::Math, "math"}, {AttentionMethod::Flash, "flash"}, {AttentionMethod::MemoryEfficient, "memory_efficient"}}};
constexpr std::array<Name<HostSync>, 2> kHostSync{{{HostSync::WhenReading, "when_reading"}, {HostSync::EveryStep, "every_step"}}};
constexpr std::array<Name<FusedPart>, 8> kFusedParts{{{FusedPart::Stem, "stem"},
                                                     {FusedPart::Convolution, "convolution"},
                                                     {FusedPart::Residual, "residual"},
                                                     {FusedPart::Attention, "attention"},
                                                     {FusedPart::Upsample, "upsample"},
                                                     {FusedPart::Head, "head"},
                                                     {FusedPart::Optimiser, "optimiser"},
                                                     {FusedPart::Sampler, "sampler"}}};

template <class Table, class E> std::string nameIn(const Table& table, E value) {
  for (const auto& row : table)
    if (row.value == value)
      return std::string(row.name);
  return "unknown";
}

template <class Table, class E> void readName(const Table& table, const Json& json, std::string_view key, E& value) {
  const auto name = jsonGet<std::string>(json, key);
  for (const auto& row : table)
    if (name && row.name == *name)
      value = row.value;
}

void readBool(const Json& json, std::string_view key, bool& value) {
  value = jsonGet<bool>(json, key).value_or(value);
}
} // namespace

std::string_view precisionName(Precision precision) {
  for (const auto& row : kPrecisions)
    if (row.value == precision)
      return row.name;
  return "unknown";
}

Precision precisionFromName(std::string_view name) {
  for (const auto& row : kPrecisions)
    if (row.name == name)
      return row.value;
  return Precision::Unknown;
}

bool is16Bit(Precision precision) {
  return precision == Precision::Bf16 || precision == Precision::Fp16;
}

std::string_view fusedPartName(FusedPart part) {
  for (const auto& row : kFusedParts)
    if (row.value == part)
      return row.name;
  return "unknown";
}

FusedPart fusedPartFromName(std::string_view name) {
  for (const auto& row : kFusedParts)
    if (row.name == name)
      return row.value;
  return FusedPart::Unknown;
}

bool ModeSwitches::fuses(FusedPart part) const {
  return fusedKernels && std::find(unfusedParts.begin(), unfusedParts.end(), part) == unfusedParts.end();
}

Json toJson(const ModeSwitches& s) {
  std::vector<std::string_view> unfused;
  for (const FusedPart part : s.unfusedParts)
    unfused.push_back(fusedPartName(part));
  return {{"precision", precisionName(s.precision)},
          {"autocast", s.autocast},
          {"layout", nameIn(kLayouts, s.layout)},
          {"algorithm_search", s.algorithmSearch},
          {"attention", nameIn(kAttention, s.attention)},
          {"checkpoint_levels", s.checkpointLevels},
          {"cuda_graphs", s.cudaGraphs},
          {"host_sync", nameIn(kHostSync, s.hostSync)},
          {"fused_optimiser", s.fusedOptimiser},
          {"spread_norm", s.spreadNorm},
          {"fused_kernels", s.fusedKernels},
          {"unfused_parts", unfused}};
}

ModeSwitches modeSwitchesFromJson(const Json& json) {
  ModeSwitches s;
  readName(kPrecisions, json, "precision", s.precision);
  readBool(json, "autocast", s.autocast);
  readName(kLayouts, json, "layout", s.layout);
  readBool(json, "algorithm_search", s.algorithmSearch);
  readName(kAttention, json, "attention", s.attention);
  if (const auto it = json.is_object() ? json.find("checkpoint_levels") : json.end(); it != json.end() && it->is_array())
    for (const auto& level : *it)
      if (level.is_number_integer())
        s.checkpointLevels.push_back(level.get<int>());
  readBool(json, "cuda_graphs", s.cudaGraphs);
  readName(kHostSync, json, "host_sync", s.hostSync);
  readBool(json, "fused_optimiser", s.fusedOptimiser);
  readBool(json, "spread_norm", s.spreadNorm);
  readBool(json, "fused_kernels", s.fusedKernels);
  if (const auto it = json.is_object() ? json.find("unfused_parts") : json.end(); it != json.end() && it->is_array())
    for (const auto& part : *it)
      if (part.is_string() && fusedPartFromName(part.get<std::string>()) != FusedPart::Unknown)
        s.unfusedParts.push_back(fusedPartFromName(part.get<std::string>()));
  return s;
}

} // namespace voxlab

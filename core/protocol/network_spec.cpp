// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/network_spec.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
constexpr int kNormGroups = 32;
constexpr int kMaximumLevels = 8;
constexpr int kMaximumWidth = 16384;

Status checked(const NetworkSpec& n) {
  if (n.imageChannels < 1 || n.imageChannels > 64)
    return fail(ExitCode::Usage, "model.image_channels is " + std::to_string(n.imageChannels) + "; it has to be 1 to 64.");
  if (n.conditionChannels < 0 || n.conditionChannels > 256)
    return fail(ExitCode::Usage, "model.condition_channels is " + std::to_string(n.conditionChannels) + "; it has to be 0 to 256.");
  if (n.residualBlocks < 1 || n.residualBlocks > 8)
    return fail(ExitCode::Usage, "model.residual_blocks is " + std::to_string(n.residualBlocks) + "; it has to be 1 to 8.");
  if (n.baseChannels < 2 || n.baseChannels > kMaximumWidth)
    return fail(ExitCode::Usage, "model.base_channels is " + std::to_string(n.baseChannels) + "; it has to be a multiple of 32.");
  if (n.multipliers.empty() || n.levels() > kMaximumLevels)
    return fail(ExitCode::Usage, "model.multipliers has " + std::to_string(n.levels()) + " levels; it has to have 1 to " +
                                     std::to_string(kMaximumLevels) + ".");
  for (int level = 0; level < n.levels(); ++level) {
    const double width = n.baseChannels * n.multipliers[static_cast<std::size_t>(level)];
    if (!(width >= kNormGroups && width <= kMaximumWidth) || std::fmod(width, kNormGroups) != 0.0)
      return fail(ExitCode::Usage, "Level " + std::to_string(level) + " would have " + Json(width).dump() +
                                       " channels (model.base_channels times its multiplier); every level needs a multiple of 32, since "
                                       "the normalisation has 32 groups.");
  }
  for (const int factor : n.attentionFactors)
    if (factor < 1)
      return fail(ExitCode::Usage, "model.attention_factors holds " + std::to_string(factor) + "; factors are 1 or more.");
  return {};
}

template <class T> std::optional<std::vector<T>> numbers(const Json& json) {
  if (!json.is_array())
    return std::nullopt;
  std::vector<T> values;
  for (const Json& item : json) {
    const auto value = jsonGet<T>(Json{{"v", item}}, "v");
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

tl::unexpected<Error> wrongType(const char* key, const char* expected) {
  return fail(ExitCode::Usage, std::string("model.") + key + " has to be " + expected + ".");
}

Status readInteger(const Json& json, const char* key, int& target) {
  if (!json.contains(key))
    return {};
  const auto value = jsonGet<std::int64_t>(json, key);
  if (!value || *value < -1000000 || *value > 1000000)
    return wrongType(key, "a whole number");
  target = static_cast<int>(*value);
  return {};
}
} // namespace

Result<NetworkSpec> networkSpecFromJson(const Json& json) {
  if (!json.is_object())
    return fail(ExitCode::Usage, "A network's description has to be a JSON object.");
  NetworkSpec n;
  for (const auto& [key, target] : {std::pair{"image_channels", &n.imageChannels}, {"condition_channels", &n.conditionChannels},
                                    {"base_channels", &n.baseChannels}, {"residual_blocks", &n.residualBlocks}})
    if (const Status status = readInteger(json, key, *target); !status)
      return fail(status.error());
  if (json.contains("multipliers")) {
    const auto values = numbers<double>(json["multipliers"]);
    if (!values)
      return wrongType("multipliers", "a list of numbers");
    n.multipliers = *values;
  }
  if (json.contains("attention_factors")) {
    const auto values = numbers<int>(json["attention_factors"]);
    if (!values)
      return wrongType("attention_factors", "a list of whole numbers");
    n.attentionFactors = *values;
  }
  if (const Status status = checked(n); !status)
    return fail(status.error());
  return n;
}

Json toJson(const NetworkSpec& n) {
  Json multipliers = Json::array();
  for (const double m : n.multipliers) {
    if (m == std::floor(m))
      multipliers.push_back(static_cast<std::int64_t>(m));
    else
      multipliers.push_back(m);
  }
  return {{"image_channels", n.imageChannels},   {"condition_channels", n.conditionChannels}, {"base_channels", n.baseChannels},
          {"multipliers", std::move(multipliers)}, {"residual_blocks", n.residualBlocks},       {"attention_factors", n.attentionFactors}};
}

Result<NetworkSpec> networkSpecFrom(const JobSpec& spec) {
  const Json model = spec.value("model");
  return networkSpecFromJson(model.is_object() ? model : Json::object());
}

void storeNetworkSpec(const NetworkSpec& network, JobSpec& spec) {
  const Json json = toJson(network);
  for (const auto& [key, value] : json.items())
    spec.set("model." + key, value);
}

std::array<std::int64_t, 3> paddedSize(const NetworkSpec& network, std::array<std::int64_t, 3> size) {
  const std::int64_t multiple = network.sizeMultiple();
  for (std::int64_t& s : size)
    s = std::max<std::int64_t>(1, (s + multiple - 1) / multiple) * multiple;
  return size;
}

} // namespace voxlab

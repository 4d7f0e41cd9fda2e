// SPDX-License-Identifier: Apache-2.0
// The only include of the JSON library. Objects keep the order in which keys were added.
#pragma once
#include "core/base/result.h"
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace voxlab {

using Json = nlohmann::ordered_json;

// Parses one document. `what` names the source in the message. Fails with Data on bad syntax, on nesting deeper than
// 200 and on text that is not UTF-8.
Result<Json> parseJson(std::string_view text, const std::string& what);
Result<Json> readJsonFile(const std::filesystem::path& file);
// Written beside, flushed, renamed; two-space indentation.
Status writeJsonFile(const std::filesystem::path& file, const Json& json);
// One line without indentation; invalid UTF-8 is replaced, never thrown at.
std::string compactJson(const Json& json);

// The member if it is there and has that type; nullopt otherwise (missing, null or of another type).
template <class T> std::optional<T> jsonGet(const Json& object, std::string_view key) {
  if (!object.is_object())
    return std::nullopt;
  const auto it = object.find(key);
  if (it == object.end())
    return std::nullopt;
  if constexpr (std::is_same_v<T, bool>) {
    if (!it->is_boolean())
      return std::nullopt;
  } else if constexpr (std::is_integral_v<T>) {
    if (it->is_number_float()) { // 3.0 is an integer, 3.5 is not
      const double value = it->template get<double>();
      if (value != static_cast<double>(static_cast<std::int64_t>(value)) || value > 9e15 || value < -9e15)
        return std::nullopt;
      return static_cast<T>(value);
    }
    if (!it->is_number_integer())
      return std::nullopt;
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!it->is_number())
      return std::nullopt;
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!it->is_string())
      return std::nullopt;
  }
  try {
    return it->template get<T>();
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/version.h"
#include "core/base/text.h"
#include <charconv>

namespace voxlab {
namespace {
std::string versionText(int major, int minor) {
  return std::to_string(major) + "." + std::to_string(minor);
}

std::optional<int> wholeNumber(const std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value) : std::nullopt;
}
} // namespace

std::string schemaVersion() {
  return versionText(kProtocolMajor, kProtocolMinor);
}

Status checkVersion(int major, int minor, const std::string& what) {
  if (major <= kProtocolMajor)
    return {};
  return fail(ExitCode::Data, what + " was written in version " + versionText(major, minor) +
                                  " of the run folder, but this program reads up to version " + schemaVersion() +
                                  ". Open it with a newer Voxlab.");
}

Status checkSchema(const Json& document, const std::string& what) {
  if (!document.is_object())
    return fail(ExitCode::Data, what + " is not a JSON object.");
  if (!document.contains("schema"))
    return {};
  const auto text = jsonGet<std::string>(document, "schema");
  const auto parts = split(text.value_or(""), '.');
  const auto major = parts.empty() ? std::nullopt : wholeNumber(parts[0]);
  if (!major)
    return fail(ExitCode::Data, what + " has no readable \"schema\" version.");
  return checkVersion(*major, parts.size() > 1 ? wholeNumber(parts[1]).value_or(0) : 0, what);
}

} // namespace voxlab

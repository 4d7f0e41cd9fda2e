// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.h"
#include "core/base/files.h"

namespace voxlab {
namespace {
constexpr int kMaximumDepth = 200;

// The library parses without recursion, but users of a document recurse: bound the depth before anything is built.
bool tooDeep(std::string_view text) {
  int depth = 0;
  bool inString = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMaximumDepth)
        return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}
} // namespace

Result<Json> parseJson(std::string_view text, const std::string& what) {
  if (tooDeep(text))
    return fail(ExitCode::Data, what + " is nested deeper than " + std::to_string(kMaximumDepth) + " levels and was not read.");
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::exception& e) {
    return fail(ExitCode::Data, what + " is not valid JSON: " + e.what() + ".");
  }
}

Result<Json> readJsonFile(const std::filesystem::path& file) {
  const auto text = readTextFile(file);
  if (!text)
    return fail(text.error());
  return parseJson(*text, file.string());
}

std::string compactJson(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Status writeJsonFile(const std::filesystem::path& file, const Json& json) {
  return writeFileAtomically(file, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/left_out.h"
#include "core/base/json.h"
#include "core/protocol/version.h"
#include <vector>

namespace voxlab {

std::set<std::string> leftOutOf(const std::filesystem::path& run) {
  const auto json = readJsonFile(run / kLeftOutFile);
  if (!json)
    return {};
  const auto files = jsonGet<std::vector<std::string>>(*json, "files").value_or(std::vector<std::string>());
  return {files.begin(), files.end()};
}

std::string leftOutText(const std::set<std::string>& files) {
  return Json{{"schema", schemaVersion()}, {"files", std::vector<std::string>(files.begin(), files.end())}}.dump(1) + "\n";
}

} // namespace voxlab

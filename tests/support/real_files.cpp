// SPDX-License-Identifier: Apache-2.0
#include "tests/support/real_files.h"
#include "core/base/text.h"
#include "tests/support/paths.h"
#include <cstdlib>
#include <map>

namespace voxlab {
namespace fs = std::filesystem;

std::optional<fs::path> findRealFile(const std::string& name) {
  static const auto files = [] {
    std::map<std::string, fs::path> found;
    std::vector<std::string> folders{"/usr/share/mricron/templates"};
    if (const char* home = std::getenv("HOME")) // what packaging/demo_data.sh and packaging/real_files.sh fetched
      for (const char* kind : {"sources", "real"})
        folders.push_back(std::string(home) + "/.local/share/voxlab/" + kind);
    if (const char* more = std::getenv("VOXLAB_REAL_DATA"))
      for (auto& folder : split(more, ':'))
        folders.push_back(std::move(folder));
    for (const auto& folder : folders) {
      std::error_code ec;
      for (fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, ec), end; it != end; it.increment(ec))
        found.emplace(it->path().filename().string(), it->path());
    }
    return found;
  }();
  const auto it = files.find(name);
  return it == files.end() ? std::nullopt : std::optional(it->second);
}

std::vector<Json> realFileFacts() {
  const Json facts = readJsonFile(testData() / "imaging/real.json").value();
  return {facts.begin(), facts.end()};
}

std::string realFileTestName(const Json& fact) {
  std::string name = fact.at("file");
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name;
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "tests/support/real_files.h"
#include "core/base/text.h"
#include "tests/support/paths.h"
#include <cstdlib>
#include <map>

namespace voxlab {
namespace fs = std::filesystem;

namespace {
struct Found {
  std::map<std::string, fs::path> byName;
  std::vector<fs::path> empty;
};

const Found& found() {
  static const Found files = [] {
    Found all;
    std::vector<std::string> folders{"/usr/share/mricron/templates"};
    if (const char* home = std::getenv("HOME")) // what packaging/demo_data.sh and packaging/real_files.sh fetched
      for (const char* kind : {"sources", "real"})
        folders.push_back(std::string(home) + "/.local/share/voxlab/" + kind);
    if (const char* more = std::getenv("VOXLAB_REAL_DATA"))
      for (auto& folder : split(more, ':'))
        folders.push_back(std::move(folder));
    for (const auto& folder : folders) {
      std::error_code ec;
      for (fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, ec), end; it != end; it.increment(ec)) {
        std::error_code unknown;
        if (it->is_regular_file(unknown) && it->file_size(unknown) == 0)
          all.empty.push_back(it->path());
        else
          all.byName.emplace(it->path().filename().string(), it->path());
      }
    }
    return all;
  }();
  return files;
}
} // namespace

std::optional<fs::path> findRealFile(const std::string& name) {
  const auto it = found().byName.find(name);
  return it == found().byName.end() ? std::nullopt : std::optional(it->second);
}

std::vector<fs::path> emptyRealFiles() { return found().empty; }

bool sameAxes(const std::string& codes, const Json& fact) {
  const std::string expected = fact.at("axes");
  for (std::size_t axis = 0; axis < expected.size(); ++axis)
    if (expected[axis] != '?' && (axis >= codes.size() || codes[axis] != expected[axis]))
      return false;
  return true;
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

// SPDX-License-Identifier: Apache-2.0
#include "tests/architecture/rules/source_tree.h"
#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace fs = std::filesystem;

namespace voxlab::architecture {
namespace {

bool endsWithAny(const std::string& path, std::initializer_list<const char*> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](const char* ending) { return path.ends_with(ending); });
}

bool isIgnoredAtTop(const std::string& name) {
  return name.starts_with("build") || name == "dist" || name == "compile_commands.json" || (name.starts_with(".") && name != ".ci");
}

void addFile(std::vector<SourceFile>& files, const fs::path& root, const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (text.find('\0') != std::string::npos)
    return;
  SourceFile source{file.lexically_relative(root).generic_string(), {}};
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    source.lines.push_back(line);
  files.push_back(std::move(source));
}

} // namespace

bool SourceFile::isHeader() const {
  return endsWithAny(path, {".h", ".cuh", ".hpp"});
}
bool SourceFile::isCode() const {
  return isHeader() || endsWithAny(path, {".cpp", ".cu", ".cc"});
}
bool SourceFile::hasComments() const {
  return isCode() || endsWithAny(path, {".sh", ".py", ".cmake", "CMakeLists.txt", ".ci/run"});
}

std::vector<Include> SourceFile::includes() const {
  static const std::regex pattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  std::vector<Include> found;
  for (const auto& line : lines)
    if (std::smatch match; std::regex_search(line, match, pattern))
      found.push_back({match[2], match[1] == "\""});
  return found;
}

std::vector<std::string> topNames(const fs::path& root) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(root))
    if (const auto name = entry.path().filename().string(); !isIgnoredAtTop(name) && name != ".ci")
      names.push_back(name);
  return names;
}

std::vector<SourceFile> readSourceTree(const fs::path& root) {
  std::vector<SourceFile> files;
  for (const auto& top : fs::directory_iterator(root)) {
    if (isIgnoredAtTop(top.path().filename().string()))
      continue;
    if (top.is_regular_file())
      addFile(files, root, top.path());
    if (!top.is_directory())
      continue;
    for (auto it = fs::recursive_directory_iterator(top); it != fs::recursive_directory_iterator(); ++it) {
      if (it->is_directory() && it->path().lexically_relative(root) == fs::path("tests/data"))
        it.disable_recursion_pending();
      else if (it->is_regular_file())
        addFile(files, root, it->path());
    }
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

} // namespace voxlab::architecture

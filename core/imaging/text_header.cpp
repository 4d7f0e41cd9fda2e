// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/text_header.h"
#include "core/base/text.h"
#include "core/imaging/file_bytes.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace voxlab {
namespace {
namespace fs = std::filesystem;
constexpr std::size_t kLongestHeader = 256 << 10;

tl::unexpected<Error> bad(const fs::path& file, const std::string& why) {
  return fail(ExitCode::Data, "Could not read " + file.string() + ": " + why + ".");
}

Result<fs::path> voxelFile(const fs::path& header, const std::string& name) {
  const fs::path file = fs::path(name).is_absolute() ? fs::path(name) : header.parent_path() / name;
  std::error_code ec;
  if (!fs::is_regular_file(file, ec))
    return bad(header, "its voxels should be in " + file.string() + ", which is not there or no regular file");
  return file;
}
} // namespace

std::string lowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

Result<std::vector<HeaderLine>> headerLines(const fs::path& file) {
  auto source = FileBytes::open(file);
  if (!source)
    return fail(source.error());
  std::vector<std::byte> bytes(kLongestHeader);
  const auto got = source->read(bytes);
  if (!got)
    return fail(got.error());
  std::vector<HeaderLine> lines;
  std::string_view rest(reinterpret_cast<const char*>(bytes.data()), *got);
  for (std::uint64_t position = 0; !rest.empty();) {
    const auto end = rest.find('\n');
    const std::size_t length = end == rest.npos ? rest.size() : end;
    std::string text(rest.substr(0, length));
    if (text.ends_with('\r'))
      text.pop_back();
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    position += end == std::string_view::npos ? length : length + 1;
    lines.push_back({std::move(text), position});
  }
  return lines;
}

std::optional<std::string> valueOf(const std::string& line, std::initializer_list<const char*> keys, char separator) {
  const auto at = line.find(separator);
  if (at == std::string::npos)
    return std::nullopt;
  const std::string key = lowerCase(trimmed(line.substr(0, at)));
  if (std::none_of(keys.begin(), keys.end(), [&](const char* k) { return key == k; }))
    return std::nullopt;
  return trimmed(line.substr(at + 1));
}

std::optional<std::vector<double>> numbersIn(const std::string& text) {
  std::vector<double> out;
  const char* at = text.c_str();
  for (;;) {
    char* end = nullptr;
    const double value = std::strtod(at, &end);
    if (end == at)
      break;
    if (!std::isfinite(value))
      return std::nullopt;
    out.push_back(value);
    at = end;
  }
  return trimmed(at).empty() ? std::optional(out) : std::nullopt;
}

Result<std::vector<fs::path>> voxelFiles(const fs::path& header, const std::string& value, const std::vector<HeaderLine>& lines, std::size_t next) {
  if (value.find('%') != std::string::npos)
    return bad(header, "its voxels are spread over numbered files, which is not supported; convert it to one file");
  std::vector<fs::path> files;
  if (!lowerCase(value).starts_with("list")) {
    auto file = voxelFile(header, value);
    if (!file)
      return fail(file.error());
    return std::vector{*file};
  }
  for (; next < lines.size(); ++next)
    if (const std::string name = trimmed(lines[next].text); !name.empty()) {
      auto file = voxelFile(header, name);
      if (!file)
        return fail(file.error());
      files.push_back(std::move(*file));
    }
  if (files.empty())
    return bad(header, "its list of voxel files is empty");
  return files;
}

} // namespace voxlab

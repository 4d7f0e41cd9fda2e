// SPDX-License-Identifier: Apache-2.0
// Opening bundles that may come from anybody: everything is checked before anything is written.
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/protocol/quality_result.h"
#include "core/protocol/run_bundle.h"
#include "core/protocol/run_directory.h"
#include "core/protocol/version.h"
#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <minizip/unzip.h>
#include <mutex>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace voxlab {
namespace {
namespace fs = std::filesystem;
constexpr std::uint64_t kSmall = 64u << 20; // below this no ratio is suspicious
constexpr std::size_t kLongestName = 1024, kLargestHead = 1u << 20;

struct Entry {
  std::string name;
  std::uint64_t size = 0;
  bool isFolder = false;
};

tl::unexpected<Error> refused(const fs::path& bundle, const std::string& why) {
  return fail(ExitCode::Data, bundle.string() + " was not opened: " + why);
}

// Why a name cannot be followed; empty when it stays within the folder.
std::string problemWithName(const std::string& name) {
  if (name.empty() || name.size() > kLongestName)
    return "a file in it has no name, or a very long one.";
  if (name.front() == '/' || name.find('\\') != std::string::npos || name.find(':') != std::string::npos)
    return "the file " + name.substr(0, 200) + " in it names a place outside of the run.";
  if (std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
    return "the name of a file in it has control characters.";
  for (const std::string& part : split(name.back() == '/' ? name.substr(0, name.size() - 1) : name, '/'))
    if (part.empty() || part == "." || part == "..")
      return "the file " + name.substr(0, 200) + " in it leads out of the run's folder.";
  return {};
}

class Reader {
public:
  explicit Reader(const fs::path& file) : m_file(file), m_zip(unzOpen64(file.c_str())) {}
  ~Reader() {
    if (m_zip)
      unzClose(m_zip);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  bool isOpen() const { return m_zip != nullptr; }

  // Every entry, checked.
  Result<std::vector<Entry>> entries(const UnpackLimits& limits) {
    std::vector<Entry> list;
    std::set<std::string> names;
    std::uint64_t total = 0;
    for (int code = unzGoToFirstFile(m_zip); code == UNZ_OK; code = unzGoToNextFile(m_zip)) {
      auto entry = current(limits);
      if (!entry)
        return fail(entry.error());
      if (!names.insert(entry->name).second)
        return refused(m_file, "the file " + entry->name + " is in it twice.");
      total += entry->size;
      if (list.size() >= limits.files)
        return refused(m_file, "it holds more than " + formatCount(static_cast<std::int64_t>(limits.files)) + " files.");
      if (total > limits.bytes)
        return refused(m_file, "its files would take more than " + formatBytes(static_cast<double>(limits.bytes)) + ".");
      list.push_back(std::move(*entry));
    }
    return list;
  }

  // Gives the bytes of an entry to `use`; fails when they are not what was announced.
  Status read(const Entry& entry, const std::function<bool(const char*, std::size_t)>& use) {
    if (unzLocateFile(m_zip, entry.name.c_str(), 1) != UNZ_OK || unzOpenCurrentFile(m_zip) != UNZ_OK)
      return refused(m_file, "the file " + entry.name + " in it cannot be read.");
    std::vector<char> block(1u << 16);
    std::uint64_t size = 0;
    int got = 0;
    bool stored = true;
    while (stored && (got = unzReadCurrentFile(m_zip, block.data(), static_cast<unsigned>(block.size()))) > 0) {
      size += static_cast<std::uint64_t>(got);
      if (size > entry.size)
        break;
      stored = use(block.data(), static_cast<std::size_t>(got));
    }
    const bool sound = unzCloseCurrentFile(m_zip) == UNZ_OK && got >= 0 && size == entry.size;
    if (!stored)
      return fail(ExitCode::Data, "The runs of " + m_file.string() + " could not be written: is the disk full?");
    return sound ? Status() : refused(m_file, "the file " + entry.name + " in it is damaged.");
  }

private:
  Result<Entry> current(const UnpackLimits& limits) {
    unz_file_info64 info{};
    std::string name(kLongestName + 1, '\0');
    if (unzGetCurrentFileInfo64(m_zip, &info, name.data(), static_cast<uLong>(name.size()), nullptr, 0, nullptr, 0) != UNZ_OK)
      return refused(m_file, "its table of contents is damaged.");
    if (info.size_filename > kLongestName)
      return refused(m_file, "a file in it has a very long name.");
    name.resize(info.size_filename);
    if (std::string problem = problemWithName(name); !problem.empty())
      return refused(m_file, problem);
    const unsigned kind = (info.external_fa >> 16) & S_IFMT;
    if (kind != 0 && kind != S_IFREG && kind != S_IFDIR)
      return refused(m_file, "the file " + name + " in it is a link or a device, and no plain file.");
    if (info.flag & 1)
      return refused(m_file, "the file " + name + " in it is encrypted.");
    if (info.uncompressed_size > kSmall && info.uncompressed_size / std::max<std::uint64_t>(1, info.compressed_size) > limits.ratio)
      return refused(m_file, "the file " + name + " in it would grow more than " + formatCount(static_cast<std::int64_t>(limits.ratio)) + "-fold, as no honest run does.");
    const bool folder = name.back() == '/';
    if (folder && info.uncompressed_size > 0)
      return refused(m_file, "the folder " + name + " in it has contents of its own.");
    return Entry{name, info.uncompressed_size, folder};
  }

  fs::path m_file;
  unzFile m_zip;
};

Result<std::vector<std::string>> runsOf(Reader& reader, const std::vector<Entry>& entries, const fs::path& bundle) {
  const auto head = std::find_if(entries.begin(), entries.end(), [](const Entry& e) { return e.name == "voxrun.json"; });
  if (head == entries.end() || head->size > kLargestHead)
    return refused(bundle, "it is no bundle of runs, as there is no voxrun.json in it.");
  std::string text;
  if (const Status read = reader.read(*head, [&](const char* data, std::size_t size) { text.append(data, size); return true; }); !read)
    return fail(read.error());
  const auto json = parseJson(text, "voxrun.json");
  if (!json)
    return fail(json.error());
  if (const Status version = checkSchema(*json, "The bundle"); !version)
    return fail(version.error());
  const auto ids = jsonGet<std::vector<std::string>>(*json, "runs");
  if (!ids || ids->empty())
    return refused(bundle, "it names no runs.");
  for (const std::string& id : *ids)
    if (!problemWithName(id).empty() || id.find('/') != std::string::npos || id.front() == '.' ||
        std::none_of(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == id + "/run.json"; }))
      return refused(bundle, "the run " + id.substr(0, 200) + " that it names is not in it.");
  for (const Entry& entry : entries)
    if (entry.name != "voxrun.json" && std::find(ids->begin(), ids->end(), entry.name.substr(0, entry.name.find('/'))) == ids->end())
      return refused(bundle, "the file " + entry.name + " in it belongs to no run.");
  return *ids;
}

Status extract(Reader& reader, const Entry& entry, const fs::path& target) {
  std::error_code ec;
  fs::create_directories(entry.isFolder ? target : target.parent_path(), ec);
  if (entry.isFolder)
    return {};
  std::ofstream out(target, std::ios::binary);
  const Status read = reader.read(entry, [&](const char* data, std::size_t size) { return static_cast<bool>(out.write(data, static_cast<std::streamsize>(size))); });
  out.close();
  if (read && !out)
    return fail(ExitCode::Data, target.string() + " could not be written: is the disk full?");
  return read;
}

// Experiments of two machines have runs of the same names: the first name, of this and its numbered ones, that is free or is of this very run.
std::string nameFor(const std::string& id, const fs::path& unpacked, const fs::path& runs) {
  const std::string own = volumeSetOf(unpacked);
  std::string name = id;
  std::error_code ec;
  for (int n = 2; fs::exists(runs / name, ec); ++n) {
    const std::string known = volumeSetOf(runs / name);
    if (own.empty() || known.empty() || own == known)
      break;
    name = id + "_" + std::to_string(n);
  }
  return name;
}

// A job names other runs of its bundle, whose paths have gone, as "…/NAME".
void renameIn(Json& json, const std::map<std::string, std::string>& names) {
  if (json.is_structured()) {
    for (Json& part : json)
      renameIn(part, names);
    return;
  }
  const fs::path path = json.is_string() ? fs::path(json.get<std::string>()) : fs::path();
  if (const auto name = names.find(path.filename().string()); name != names.end() && path.parent_path() == "…")
    json = (path.parent_path() / name->second).string();
}

Status followNewNames(const fs::path& run, const std::map<std::string, std::string>& names) {
  if (std::all_of(names.begin(), names.end(), [](const auto& name) { return name.first == name.second; }))
    return {};
  auto spec = readJsonFile(run / "spec.json");
  if (!spec)
    return {}; // a run need not have one
  const Json before = *spec;
  renameIn(*spec, names);
  return *spec == before ? Status() : writeJsonFile(run / "spec.json", *spec);
}

// A folder that goes, with what is left in it.
struct Scratch {
  fs::path path;
  ~Scratch() {
    std::error_code ec;
    fs::remove_all(path, ec);
  }
};
} // namespace

Result<UnpackedRuns> unpackRuns(const fs::path& bundle, const fs::path& runs, const UnpackLimits& limits) {
  std::error_code ec;
  if (!fs::is_regular_file(bundle, ec))
    return fail(ExitCode::Data, "There is no file " + bundle.string() + ".");
  Reader reader(bundle);
  if (!reader.isOpen())
    return refused(bundle, "it is no bundle of runs, or is cut off.");
  const auto entries = reader.entries(limits);
  if (!entries)
    return fail(entries.error());
  const auto ids = runsOf(reader, *entries, bundle);
  if (!ids)
    return fail(ids.error());
  std::uint64_t total = 0;
  for (const Entry& entry : *entries)
    total += entry.size;
  fs::create_directories(runs, ec);
  if (const auto space = fs::space(runs, ec); !ec && space.available < total)
    return fail(ExitCode::Data, "The runs of " + bundle.string() + " need " + formatBytes(static_cast<double>(total)) + ", but " + runs.string() + " has " +
                                    formatBytes(static_cast<double>(space.available)) + " left.");
  static std::mutex oneAtATime; // several may be asked for at once, and what names are free is known when the one before has its own
  const std::lock_guard lock(oneAtATime);
  const Scratch scratch{runs / (".unpacking-" + std::to_string(::getpid()))};
  for (const Entry& entry : *entries) // first what tells runs of one name apart
    if (entry.name.ends_with("/run.json"))
      if (const Status written = extract(reader, entry, scratch.path / entry.name); !written)
        return fail(written.error());
  UnpackedRuns out;
  std::map<std::string, std::string> names; // of folders, by id
  for (const std::string& id : *ids) {
    names[id] = nameFor(id, scratch.path / id, runs);
    if (fs::exists(runs / names[id], ec))
      out.alreadyThere.push_back(id);
    else if (names[id] != id)
      out.renamed[id] = names[id];
  }
  for (const Entry& entry : *entries) {
    const std::string id = entry.name.substr(0, entry.name.find('/'));
    if (entry.name == "voxrun.json" || entry.name.ends_with("/run.json") || std::find(out.alreadyThere.begin(), out.alreadyThere.end(), id) != out.alreadyThere.end())
      continue;
    if (const Status written = extract(reader, entry, scratch.path / entry.name); !written)
      return fail(written.error());
  }
  for (const std::string& id : *ids) {
    const fs::path target = runs / names[id];
    if (!fs::exists(target, ec)) {
      if (const Status followed = followNewNames(scratch.path / id, names); !followed)
        return fail(followed.error());
      if (const Status moved = renameIntoPlace(scratch.path / id, target); !moved)
        return fail(moved.error());
    }
    out.runs.push_back(target);
  }
  return out;
}

} // namespace voxlab

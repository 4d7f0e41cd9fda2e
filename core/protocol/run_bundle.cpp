// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/run_bundle.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/protocol/find_run.h"
#include "core/protocol/left_out.h"
#include "core/protocol/run_directory.h"
#include "core/protocol/scrub.h"
#include "core/protocol/version.h"
#include <algorithm>
#include <fstream>
#include <minizip/zip.h>
#include <set>
#include <utility>

namespace voxlab {
namespace {
namespace fs = std::filesystem;

Result<std::string> scrubbedLines(const fs::path& file) {
  const auto text = readTextFile(file);
  if (!text)
    return fail(text.error());
  std::string out;
  for (const std::string& line : split(*text, '\n'))
    if (const auto json = line.empty() ? Result<Json>(fail(ExitCode::Data, "")) : parseJson(line, "line"); json)
      out += compactJson(jsonWithoutPaths(*json)) + "\n";
  return out;
}

// A file's bytes as they go into the bundle.
Result<std::string> contentOf(const fs::path& file, const PackOptions& options) {
  const std::string name = file.filename().string(), ending = file.extension().string();
  const auto endsIn = [&](auto... endings) { return (name.ends_with(endings) || ...); };
  if (options.withNames)
    return readTextFile(file, 8ull << 30);
  if (ending == ".jsonl")
    return scrubbedLines(file);
  if (endsIn(".json.gz", ".csv", ".csv.gz", ".txt", ".log") || (ending == ".json" && file.parent_path().filename() == "profiles"))
    return withoutPathsInFile(file);
  if (ending == ".json") {
    const auto json = readJsonFile(file);
    return json ? Result<std::string>(jsonWithoutPaths(*json).dump(2, ' ', false, Json::error_handler_t::replace) + "\n") : fail(json.error());
  }
  return readTextFile(file, 8ull << 30);
}

bool isOfTheJobOnly(const fs::path& relative) {
  const std::string name = relative.filename().string();
  return name == "worker.lock" || name == "control.jsonl" || name == kLeftOutFile || isTemporary(relative);
}

// What stays behind of all runs, in sentences.
class Leftovers {
public:
  explicit Leftovers(const PackOptions& options) : m_options(options) {}
  bool take(const fs::path& relative, std::uintmax_t bytes) {
    const std::string name = relative.filename().string();
    if (relative.begin()->string() == "checkpoints" && !m_options.withCheckpoints)
      return ++m_checkpoints, m_checkpoint_bytes += bytes, true;
    if (m_options.withNames || (name != "worker.log" && !name.ends_with(".ncu-rep")))
      return false;
    ++(name == "worker.log" ? m_logs : m_reports);
    return true;
  }
  std::vector<std::string> sentences() const {
    std::vector<std::string> all;
    if (m_checkpoints > 0)
      all.push_back("Left out: " + counted(m_checkpoints, "file") + " of checkpoints, " + formatBytes(static_cast<double>(m_checkpoint_bytes)) + "; --with-checkpoints packs them.");
    for (const auto& [count, what] : {std::pair{m_logs, "worker.log"}, std::pair{m_reports, "Nsight report"}})
      if (count > 0)
        all.push_back("Left out: " + counted(count, what) + ", which may name machines and people; --with-names packs " + (count == 1 ? "it." : "them."));
    return all;
  }

private:
  static std::string counted(int count, const std::string& what) { return std::to_string(count) + " " + what + (count == 1 ? "" : "s"); }
  const PackOptions& m_options;
  int m_checkpoints = 0, m_logs = 0, m_reports = 0;
  std::uintmax_t m_checkpoint_bytes = 0;
};

class Writer {
public:
  explicit Writer(const fs::path& file) : m_zip(zipOpen64(file.c_str(), APPEND_STATUS_CREATE)) {}
  ~Writer() {
    if (m_zip)
      zipClose(m_zip, nullptr);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  bool isOpen() const { return m_zip != nullptr; }
  bool add(const std::string& name, const std::string& bytes) {
    const bool packedAlready = name.ends_with(".gz") || name.ends_with(".safetensors");
    zip_fileinfo info{};
    info.tmz_date = {0, 0, 0, 1, 0, 1980}; // equal runs make equal bundles
    info.external_fa = 0100644u << 16;     // a plain file
    constexpr int kZip64 = 1, kMadeByUnix = 3 << 8;
    constexpr unsigned long kUtf8Names = 1u << 11;
    if (zipOpenNewFileInZip4_64(m_zip, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, packedAlready ? 0 : Z_DEFLATED, 6, 0, -MAX_WBITS, DEF_MEM_LEVEL,
                                Z_DEFAULT_STRATEGY, nullptr, 0, kMadeByUnix, kUtf8Names, kZip64) != ZIP_OK)
      return false;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t part = std::min<std::size_t>(bytes.size() - at, 1u << 24);
      if (zipWriteInFileInZip(m_zip, bytes.data() + at, static_cast<unsigned>(part)) != ZIP_OK)
        return false;
      at += part;
    }
    return zipCloseFileInZip(m_zip) == ZIP_OK;
  }
  bool close() {
    const zipFile zip = std::exchange(m_zip, nullptr);
    return zipClose(zip, nullptr) == ZIP_OK;
  }

private:
  zipFile m_zip;
};

Result<std::vector<fs::path>> filesOf(const fs::path& run) {
  std::vector<fs::path> files;
  std::error_code ec;
  for (auto it = fs::recursive_directory_iterator(run, ec); it != fs::recursive_directory_iterator(); it.increment(ec)) {
    if (ec)
      break;
    if (it->is_regular_file(ec) && !it->is_symlink(ec))
      files.push_back(it->path());
  }
  if (ec)
    return fail(ExitCode::Data, run.string() + " could not be read: " + ec.message() + ".");
  std::sort(files.begin(), files.end());
  return files;
}

Error notWritten(const fs::path& bundle) {
  return {ExitCode::Data, "The bundle " + bundle.string() + " could not be written. Is the disk full, or the folder missing or closed to you? Nothing was left there."};
}

Status addRun(Writer& writer, const RunDirectory& run, const PackOptions& options, const fs::path& bundle, Leftovers& leftovers) {
  const auto files = filesOf(run.path());
  if (!files)
    return fail(files.error());
  std::set<std::string> leftOut = leftOutOf(run.path()); // when it was handed on before
  for (const fs::path& file : *files) {
    const fs::path relative = file.lexically_relative(run.path());
    if (isOfTheJobOnly(relative))
      continue;
    std::error_code ec;
    if (const auto size = fs::file_size(file, ec); leftovers.take(relative, ec ? 0 : size)) {
      leftOut.insert(relative.generic_string());
      continue;
    }
    leftOut.erase(relative.generic_string());
    const auto content = contentOf(file, options);
    if (!content)
      return fail(content.error());
    if (!writer.add(run.id() + "/" + relative.generic_string(), *content))
      return fail(notWritten(bundle));
  }
  if (!leftOut.empty() && !writer.add(run.id() + "/" + kLeftOutFile, leftOutText(leftOut)))
    return fail(notWritten(bundle));
  return {};
}
} // namespace

Result<PackedRuns> packRuns(const std::vector<fs::path>& runs, const fs::path& bundle, const PackOptions& options) {
  Json head{{"schema", schemaVersion()}, {"format", "voxrun"}, {"runs", Json::array()}};
  std::set<std::string> ids;
  std::vector<RunDirectory> folders;
  for (const fs::path& folder : runs) {
    if (Status found = findRun(folder); !found)
      return fail(found.error());
    const RunDirectory run((fs::absolute(folder) / "").lexically_normal().parent_path());
    if (!ids.insert(run.id()).second)
      return fail(ExitCode::Data, "Two of the runs are called " + run.id() + "; a bundle holds one of a name. Rename the folder of one, or pack them apart.");
    head["runs"].push_back(run.id());
    folders.push_back(run);
  }
  if (folders.empty())
    return fail(ExitCode::Usage, "There is no run to pack: name the folders of some.");
  const fs::path temporary = temporaryBeside(bundle);
  Leftovers leftovers(options);
  const auto written = [&]() -> Status {
    Writer writer(temporary);
    if (!writer.isOpen() || !writer.add("voxrun.json", head.dump(2) + "\n"))
      return fail(notWritten(bundle));
    for (const RunDirectory& run : folders)
      if (Status added = addRun(writer, run, options, bundle, leftovers); !added)
        return added;
    return writer.close() ? Status() : fail(notWritten(bundle));
  }();
  if (!written) {
    std::error_code ec;
    fs::remove(temporary, ec);
    return fail(written.error());
  }
  if (Status placed = renameIntoPlace(temporary, bundle); !placed)
    return fail(placed.error());
  return PackedRuns{leftovers.sentences()};
}

} // namespace voxlab

// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/run_directory.h"
#include "core/base/files.h"
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <random>

namespace voxlab {
namespace fs = std::filesystem;
namespace {
std::string randomLetters(int count) {
  static constexpr std::string_view kLetters = "abcdefghjkmnpqrstuvwxyz23456789"; // none that is easily misread
  static thread_local std::mt19937_64 generator{std::random_device{}()};
  std::uniform_int_distribution<std::size_t> pick(0, kLetters.size() - 1);
  std::string text;
  for (int i = 0; i < count; ++i)
    text += kLetters[pick(generator)];
  return text;
}

std::string formatTime(const std::tm& time, const char* format) {
  char buffer[64];
  return std::string(buffer, std::strftime(buffer, sizeof buffer, format, &time));
}

std::string localStamp() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  return formatTime(local, "%Y-%m-%d_%H%M%S");
}

std::string asFolderName(std::string text) {
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.')
      c = '-';
  return text;
}

std::string stepName(std::int64_t step) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "step_%08lld", static_cast<long long>(step));
  return buffer;
}

std::optional<std::int64_t> stepOf(const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (name.rfind("step_", 0) != 0)
    return std::nullopt;
  std::int64_t step = 0;
  const auto [end, error] = std::from_chars(name.data() + 5, name.data() + name.size(), step);
  return error == std::errc() && end == name.data() + name.size() ? std::optional(step) : std::nullopt;
}

Json toJson(const RunInfo& info) {
  Json json{{"schema", schemaVersion()}, {"id", info.id},           {"kind", info.kind},
            {"title", info.title},       {"mode", info.mode},       {"target", info.target},
            {"parent", info.parent},     {"created", info.created}, {"versions", info.versions}};
  return json;
}

Status writeDocuments(const fs::path& folder, const JobSpec& spec, const RunInfo& info) {
  if (const Status written = writeJsonFile(folder / "spec.json", spec.toJson()); !written)
    return written;
  return writeJsonFile(folder / "run.json", toJson(info));
}

void fillIn(RunInfo& info, const JobSpec& spec) {
  if (info.kind.empty())
    info.kind = spec.kind();
  if (info.mode.empty())
    info.mode = spec.get<std::string>("mode");
  if (info.created.empty())
    info.created = utcNow();
}
} // namespace

std::string utcNow() {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now);
  const std::time_t time = std::chrono::system_clock::to_time_t(seconds);
  std::tm utc{};
  ::gmtime_r(&time, &utc);
  char milliseconds[16];
  std::snprintf(milliseconds, sizeof milliseconds, ".%03dZ", static_cast<int>((now - seconds).count()));
  return formatTime(utc, "%Y-%m-%dT%H:%M:%S") + milliseconds;
}

std::string_view nameOf(RunOutcome outcome) {
  switch (outcome) {
  case RunOutcome::Waiting:
    return "waiting";
  case RunOutcome::Running:
    return "running";
  case RunOutcome::Finished:
    return "finished";
  case RunOutcome::Stopped:
    return "stopped";
  case RunOutcome::Failed:
    return "failed";
  case RunOutcome::Lost:
    return "lost";
  case RunOutcome::Unknown:
    break;
  }
  return "unknown";
}

Result<RunDirectory> RunDirectory::create(const fs::path& runs, const JobSpec& spec, const RunInfo& info) {
  RunInfo filled = info;
  fillIn(filled, spec);
  const std::string middle = asFolderName(filled.kind) + (filled.mode.empty() ? "" : "_" + asFolderName(filled.mode));
  filled.id = localStamp() + "_" + middle + "_" + randomLetters(4);
  return createAt(runs / filled.id, spec, filled);
}

Result<RunDirectory> RunDirectory::createAt(const fs::path& folder, const JobSpec& spec, const RunInfo& info) {
  std::error_code ec;
  const fs::path target = fs::absolute(folder, ec).lexically_normal();
  if (fs::exists(target, ec) && !fs::is_empty(target, ec))
    return fail(ExitCode::Usage, "The folder " + target.string() + " is not empty; a new run needs an empty one.");
  RunInfo filled = info;
  fillIn(filled, spec);
  filled.id = target.filename().string();
  fs::create_directories(target.parent_path(), ec);
  const fs::path temporary = temporaryBeside(target);
  fs::create_directories(temporary, ec);
  Status status = ec ? Status(fail(ExitCode::Data, "Could not make the folder " + temporary.string() + ": " + ec.message() + "."))
                     : writeDocuments(temporary, spec, filled);
  if (status)
    status = renameIntoPlace(temporary, target);
  if (!status) {
    fs::remove_all(temporary, ec);
    return fail(status.error());
  }
  return RunDirectory(target);
}

bool RunDirectory::looksLikeRun(const fs::path& folder) {
  std::error_code ec;
  return fs::is_regular_file(folder / "run.json", ec);
}

fs::path RunDirectory::checkpoint(std::int64_t step) const {
  return checkpoints() / stepName(step);
}

fs::path RunDirectory::samples(std::int64_t step) const {
  return m_path / "samples" / stepName(step);
}

fs::path RunDirectory::relative(const fs::path& file) const {
  return file.lexically_relative(m_path);
}

Result<RunInfo> RunDirectory::info() const {
  const auto json = readJsonFile(runFile());
  if (!json)
    return fail(json.error());
  if (const Status version = checkSchema(*json, runFile().string()); !version)
    return fail(version.error());
  const auto text = [&](const char* key) { return jsonGet<std::string>(*json, key).value_or(""); };
  RunInfo info{id(), text("kind"), text("title"), text("mode"), text("target"), text("parent"), text("created"), Json::object()};
  if (json->contains("versions") && (*json)["versions"].is_object())
    info.versions = (*json)["versions"];
  return info;
}

Result<JobSpec> RunDirectory::spec() const {
  return JobSpec::read(specFile());
}

std::vector<fs::path> RunDirectory::finishedCheckpoints() const {
  std::vector<std::pair<std::int64_t, fs::path>> found;
  std::error_code ec, ignored;
  for (fs::directory_iterator it(checkpoints(), ec), end; !ec && it != end; it.increment(ec))
    if (const auto step = stepOf(it->path()); step && fs::is_regular_file(it->path() / "DONE", ignored))
      found.emplace_back(*step, it->path());
  std::sort(found.begin(), found.end());
  std::vector<fs::path> folders;
  for (auto& [step, folder] : found)
    folders.push_back(std::move(folder));
  return folders;
}

std::optional<fs::path> RunDirectory::newestCheckpoint() const {
  auto folders = finishedCheckpoints();
  return folders.empty() ? std::nullopt : std::optional(std::move(folders.back()));
}

bool RunDirectory::isLocked() const {
  return voxlab::isLocked(lockFile());
}

std::optional<LockHolder> RunDirectory::lockHolder() const {
  return isLocked() ? lastHolder(lockFile()) : std::nullopt;
}

RunOutcome RunDirectory::outcome() const {
  const auto ended = [this]() -> std::optional<RunOutcome> {
    const auto finished = readJsonFile(finishedFile());
    if (!finished)
      return std::nullopt;
    const auto code = jsonGet<int>(*finished, "exit_code");
    if (code == static_cast<int>(ExitCode::Finished) || code == static_cast<int>(ExitCode::CheckFailed)) // a check that found something
      return RunOutcome::Finished;
    return code == static_cast<int>(ExitCode::Stopped) ? RunOutcome::Stopped : RunOutcome::Failed;
  };
  if (isLocked())
    return RunOutcome::Running;
  if (const auto outcome = ended())
    return *outcome;
  std::error_code ec;
  const bool everStarted = fs::exists(lockFile(), ec) || fs::exists(eventsFile(), ec);
  if (!everStarted)
    return looksLikeRun(m_path) ? RunOutcome::Waiting : RunOutcome::Unknown;
  if (isLocked()) // it may have started while we looked
    return RunOutcome::Running;
  return ended().value_or(RunOutcome::Lost); // or ended
}

Result<std::string> RunDirectory::request(std::string_view command, Json fields) const {
  auto writer = LineWriter::open(controlFile());
  if (!writer)
    return fail(writer.error());
  const ControlRequest request{randomLetters(12), std::string(command), utcNow(), std::move(fields)};
  if (const Status written = writer->append(voxlab::toJson(request)); !written)
    return fail(written.error());
  return request.id;
}

std::string RunDirectory::logTail(std::size_t maximumBytes) const {
  std::ifstream in(logFile(), std::ios::binary | std::ios::ate);
  if (!in)
    return {};
  const auto size = static_cast<std::size_t>(in.tellg());
  std::string text(std::min(size, maximumBytes), '\0');
  in.seekg(static_cast<std::streamoff>(size - text.size()));
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (const auto newline = text.find('\n'); size > maximumBytes && newline != std::string::npos)
    text.erase(0, newline + 1); // begin with a whole line
  return text;
}

} // namespace voxlab
